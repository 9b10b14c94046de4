package playout

import (
	"math"

	"roem/internal/engine/tarok"
)

// Best plays the hand to its end with open cards, the declarer against the two others together, each for what the declarer scores above the
// mean of the others. It returns what each player scores. It is for the last few tricks: every line of play counts.
func (t *Table) Best(s *State) [3]int {
	_, total := t.best(s, math.Inf(-1), math.Inf(1))
	return total
}

// best returns the value for the declarer's side, and the scores, by alpha-beta (fail-soft).
func (t *Table) best(s *State, alpha, beta float64) (value float64, total [3]int) {
	legal := s.Legal()
	if legal == 0 {
		total = t.Score(s)
		return t.lead(total), total
	}
	mine := s.Turn() == t.setup.Declarer
	value = math.Inf(1)
	if mine {
		value = math.Inf(-1)
	}
	for ; legal != 0 && alpha < beta; legal &= legal - 1 {
		next := *s
		next.play(&t.setup, legal.First())
		got, scores := t.best(&next, alpha, beta)
		switch {
		case mine && got > value:
			value, total = got, scores
			alpha = max(alpha, got)
		case !mine && got < value:
			value, total = got, scores
			beta = min(beta, got)
		}
	}
	return value, total
}

// lead returns what the declarer scores above the mean of the others.
func (t *Table) lead(total [3]int) float64 { return Lead(total, t.setup.Declarer) }

// Lead returns what a player scores above the mean of the others.
func Lead(total [3]int, p tarok.Player) float64 {
	return float64(total[p]) - float64(total[p.Next()]+total[p.After(2)])/2
}
