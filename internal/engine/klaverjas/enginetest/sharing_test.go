package enginetest

import (
	"testing"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/dealstest"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
)

// effort is the effort of some solves.
type effort struct {
	nodes uint64
	took  time.Duration
}

// spend adds the effort of solving the positions one after the other.
func (e *effort) spend(b *testing.B, solver *search.Solver, goal search.Goal, positions ...klaverjas.Position) {
	b.Helper()
	began := time.Now()
	for _, p := range positions {
		result, err := solver.Solve(b.Context(), search.Query{Position: p, Goal: goal})
		if err != nil {
			b.Fatal(err)
		}
		e.nodes += result.Nodes
	}
	e.took += time.Since(began)
}

// report reports the effort as a multiple of another effort.
func (e effort) report(b *testing.B, name string, of effort, share float64) {
	b.Helper()
	b.ReportMetric(float64(e.nodes)/float64(of.nodes)*share, name+"-nodes/value")
	b.ReportMetric(float64(e.took)/float64(of.took)*share, name+"-time/value")
}

// BenchmarkSharing measures the effort of requests with several parts, relative to the value of a deal with an empty table: moves for
// every lead of the same deals; table for the deals with each trump and declaring team, relative to the mean of these eight values,
// each with an empty table; analyse for a hand played at random, with moves before each card, from the last card to the first.
func BenchmarkSharing(b *testing.B) {
	deals := drawnDeals(b, dealstest.Uniform, 200)
	solver, other := search.New(search.Options{}), search.New(search.Options{})
	cold := func() { // the table then has no entries of the next deal
		if _, err := solver.Solve(b.Context(), search.Query{Position: endOf(b, deals[0]), Goal: search.Win}); err != nil {
			b.Fatal(err)
		}
	}
	var value, moves, eight, table, analyse effort
	for i := 0; b.Loop(); i++ {
		deal := deals[i%len(deals)]
		cold()
		value.spend(b, solver, search.Value, deal)
		cold()
		moves.spend(b, solver, search.Moves, deal)
		for _, trump := range piquet.Suits() {
			both := tableOf(b, deal, trump)
			table.spend(b, other, search.Value, both...)
			for _, p := range both {
				cold()
				eight.spend(b, solver, search.Value, p)
			}
		}
		cold()
		analyse.spend(b, solver, search.Moves, backwards(b, deal, uint64(i))...)
	}
	moves.report(b, "moves", value, 1)
	table.report(b, "table", eight, 8)
	analyse.report(b, "analyse", value, 1)
}

// endOf returns the position after all cards of the deal. For a solver it belongs to another deal.
func endOf(b *testing.B, p klaverjas.Position) klaverjas.Position {
	b.Helper()
	deal := p.Deal()
	deal.Hands[0], deal.Hands[1] = deal.Hands[1], deal.Hands[0]
	start, err := klaverjas.NewPosition(p.Rules(), deal)
	if err != nil {
		b.Fatal(err)
	}
	for !start.Finished() {
		if start, err = start.Play(start.Legal().First()); err != nil {
			b.Fatal(err)
		}
	}
	return start
}

// tableOf returns the deal with a trump suit for each declaring team.
func tableOf(b *testing.B, p klaverjas.Position, trump piquet.Suit) []klaverjas.Position {
	b.Helper()
	var both []klaverjas.Position
	for _, declarer := range piquet.Teams() {
		deal := p.Deal()
		deal.Trump, deal.Declarer = trump, declarer
		start, err := klaverjas.NewPosition(p.Rules(), deal)
		if err != nil {
			b.Fatal(err)
		}
		both = append(both, start)
	}
	return both
}

// backwards plays the deal at random and returns the positions before each card, the last one first.
func backwards(b *testing.B, p klaverjas.Position, seed uint64) []klaverjas.Position {
	b.Helper()
	all := make([]klaverjas.Position, 0, 32)
	for !p.Finished() {
		all = append(all, p)
		legal := p.Legal().Slice()
		seed = seed*6364136223846793005 + 1442695040888963407
		next, err := p.Play(legal[(seed>>33)%uint64(len(legal))])
		if err != nil {
			b.Fatal(err)
		}
		p = next
	}
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	return all
}
