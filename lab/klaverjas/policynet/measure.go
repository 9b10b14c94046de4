package policynet

import (
	"math"

	"roem/internal/engine/klaverjas/playout"
	"roem/internal/model/klaverjas/policy"
)

// Score says how well a network predicts the choices of players.
type Score struct {
	Decisions int
	Loss      float64 // the mean negative natural logarithm of the probability of the choice
	Uniform   float64 // the loss of equal probabilities for all legal cards
	Right     float64 // the share of the choices that the network holds likeliest
}

// Measure measures a network by trick, from 0. The last row is for all decisions.
func Measure(n *policy.Network, all []Decision) (rows [9]Score) {
	var sp policy.Space
	var logits [32]float32
	var p [32]float64
	for i := range all {
		d := &all[i]
		n.Forward(&sp, &d.Table, d.Own, d.Legal, &logits)
		playout.Probabilities(&logits, d.Legal, &p)
		for _, r := range []*Score{&rows[d.Table.Played/4], &rows[8]} {
			r.Decisions++
			r.Loss -= math.Log(max(p[d.Card], 1e-12))
			r.Uniform += math.Log(float64(d.Legal.Len()))
			if playout.Likeliest(&logits, d.Legal) == d.Card {
				r.Right++
			}
		}
	}
	for i := range rows {
		r := &rows[i]
		x := float64(max(r.Decisions, 1))
		r.Loss, r.Uniform, r.Right = r.Loss/x, r.Uniform/x, r.Right/x
	}
	return rows
}
