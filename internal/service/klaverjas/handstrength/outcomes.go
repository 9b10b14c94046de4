package handstrength

import (
	_ "embed" // for the table
	"math"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/once"
)

// The network predicts an outcome in the middle of the distribution, and neither its mean nor its quantiles. The distribution given the
// prediction and the winner is measured on solved deals (`roem-lab klaverjas strength-fit`) and kept as a table. With the winners corrected
// by searches, it is the distribution of the outcome.

// The predicted outcome is divided into bins of BinWidth points, from FirstBin. Bins counts them. Predictions beyond are in the first or
// last.
const (
	BinWidth = 20
	FirstBin = -340
	Bins     = 36
)

// Atoms is the number of outcomes that stand for a distribution. Each has the same probability.
const Atoms = 20

// Conditional is the distribution of the outcome of deals with similar predictions and the same winner.
type Conditional struct {
	Rows  int        `json:"rows"` // solved deals
	Mean  float64    `json:"mean"`
	Pit   float64    `json:"pit"`   // the share in which the declarers win all tricks
	Atoms [Atoms]int `json:"atoms"` // the quantiles (i + 1/2)/Atoms, ascending
}

// Outcomes are the distributions by winner (0 the defenders, 1 the declarers) and bin.
type Outcomes [2][Bins]Conditional

//go:embed outcomes.json
var outcomesFile []byte

func readOutcomes() map[string]*Outcomes { return outcomesRead.Read("outcomes.json", outcomesFile) }

var outcomesRead once.JSON[map[string]*Outcomes]

// outcomesFor returns the table for the system of the rules. The distribution given the prediction hardly depends on the system, so a
// system without a table uses the table of the other.
func outcomesFor(rules klaverjas.Rules) *Outcomes {
	tables := readOutcomes()
	if t := tables[rules.System.String()]; t != nil {
		return t
	}
	return tables[klaverjas.Rotterdam.String()]
}

// Bin returns the bin of a predicted outcome.
func Bin(outcome float64) int {
	return min(max(int(math.Floor((outcome-FirstBin)/BinWidth)), 0), Bins-1)
}

// distribution is the distribution of the outcome over the worlds that are added.
type distribution struct {
	table  *Outcomes
	weight [2][Bins]float64
	total  float64
}

func newDistribution(rules klaverjas.Rules) *distribution {
	return &distribution{table: outcomesFor(rules)}
}

// add adds a world with a predicted outcome. won is the weight with which the declarers win it. It may be below 0 or above 1, if it is
// corrected.
func (d *distribution) add(outcome, won float64) {
	bin := Bin(outcome)
	d.weight[1][bin] += won
	d.weight[0][bin] += 1 - won
	d.total++
}

// mean returns the mean outcome of the deals with this prediction if the declarers win with this probability.
func (d *distribution) mean(outcome, won float64) float64 {
	bin := Bin(outcome)
	return won*d.table[1][bin].Mean + (1-won)*d.table[0][bin].Mean
}

// gap returns by how much the mean outcome of the deals with this prediction differs by the winner.
func (d *distribution) gap(outcome float64) float64 {
	bin := Bin(outcome)
	return d.table[1][bin].Mean - d.table[0][bin].Mean
}

// quantiles returns the quantiles of the outcome for Levels. Weights below 0 make the distribution function fall in places; a level is
// reached where it is reached first.
func (d *distribution) quantiles() (q [5]int) {
	type atom struct {
		outcome int
		weight  float64
	}
	var atoms []atom
	for g := range d.weight {
		for bin, weight := range d.weight[g] {
			if weight == 0 {
				continue
			}
			for _, outcome := range d.table[g][bin].Atoms {
				atoms = append(atoms, atom{outcome, weight / Atoms / d.total})
			}
		}
	}
	slices.SortFunc(atoms, func(a, b atom) int { return a.outcome - b.outcome })
	below, next := 0.0, 0
	for i, a := range atoms {
		below += a.weight
		for next < len(Levels) && (below >= Levels[next]-1e-12 || i == len(atoms)-1) {
			q[next] = a.outcome
			next++
		}
	}
	return q
}

// pit returns the probability that the declarers win all tricks.
func (d *distribution) pit() float64 {
	sum := 0.0
	for bin, weight := range d.weight[1] {
		sum += weight * d.table[1][bin].Pit
	}
	return sum / d.total
}

// Of the outcome, in points, over hands: strength-eval of commit 7086e62f measured them.
const (
	// ConditionalError is the root mean square error of the mean outcome of a hand after the winners have been corrected.
	ConditionalError = 1.5
	// meanGap is the mean difference of the outcome between deals that the declarers win and others, for deals whose winner is in doubt.
	meanGap = 210.0
)

// OutcomeError is the root mean square error of the network's mean outcome of a hand, in points: strength-eval of commit 7086e62f
// measures it.
func OutcomeError(rules klaverjas.Rules) float64 {
	if rules.System == klaverjas.Amsterdam {
		return 2.0
	}
	return 1.6
}
