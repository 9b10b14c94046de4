// Package compare repeats the experiment of "Solving Fixed-Trump Belote Découverte" (section 3.1, figures 3.1 and 3.2) over many drawn
// deals: how many states each algorithm generates for each utility, with and without forward pruning.
package compare

import (
	"context"
	"errors"
	"slices"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// The states that the paper counted for its one deal of four suits: alpha-beta for the contract (section 3.1).
const (
	PaperStates       = 4_066_474
	PaperStatesPruned = 3_669_142 // with forward pruning
)

// Way is a way to solve a deal.
type Way struct {
	Algorithm search.Algorithm
	Utility   search.Utility
	Pruning   bool
}

// Ways returns the ways that are compared for a number of suits. Minimax is left out for four, whose positions are too many to be counted.
func Ways(suits int) (out []Way) {
	for _, algorithm := range []search.Algorithm{search.Minimax, search.AlphaBeta, search.Table} {
		for _, pruning := range []bool{false, true} {
			for _, utility := range []search.Utility{search.Points, search.Contract} {
				if algorithm != search.Minimax || suits < 4 {
					out = append(out, Way{algorithm, utility, pruning})
				}
			}
		}
	}
	return out
}

// Row is the states of one way over all deals of a number of suits.
type Row struct {
	Suits int
	Way
	Deals   int
	Limited int // searches that ended at the limit; their count is the limit
	Min     uint64
	Median  uint64
	P90     uint64
	Max     uint64
	Mean    float64
	// BelowPaper is how many deals took no more states than the deal of the paper, without deals whose search ended at the limit. Only
	// for four suits and the contract.
	BelowPaper int
}

// AtLeast reports whether the median is a lower bound: more than half of the searches ended at the limit.
func (r *Row) AtLeast() bool { return r.Limited > r.Deals/2 }

// Experiment is what is compared.
type Experiment struct {
	Suits []int // numbers of suits
	Deals int   // of each
	Seed  uint64
	Limit uint64 // the most states of a search; 0 for no limit. A count has none.
}

// Draw returns a deal of the experiment: its suits are the first of the deck, and clubs are trump. A leads and declares.
func Draw(seed uint64, suits, number int) belote.Deal {
	deck := piquet.Set(1)<<(8*suits) - 1
	return belote.Random(random.New(seed, uint64(suits), uint64(number)), deck, belote.TrumpOf(piquet.Clubs))
}

// Run makes the experiment. pause is called at intervals during searches, and report after each with how many are done, and
// with the states of all searches, without what was counted; both may be nil. Its error is the error of the context or of pause.
func (e Experiment) Run(ctx context.Context, s *search.Solver, pause func() error,
	report func(done, of int, generated uint64),
) ([]Row, error) {
	var rows []Row
	of, done, generated := 0, 0, uint64(0)
	for _, suits := range e.Suits {
		of += len(Ways(suits)) * e.Deals
	}
	for _, suits := range e.Suits {
		for _, way := range Ways(suits) {
			row := Row{Suits: suits, Way: way, Deals: e.Deals}
			counts := make([]uint64, e.Deals)
			paper := uint64(PaperStates)
			if way.Pruning {
				paper = PaperStatesPruned
			}
			for i := range counts {
				var limited bool
				var err error
				if counts[i], limited, err = e.count(ctx, s, way, Draw(e.Seed, suits, i), pause); err != nil {
					return nil, err
				}
				switch {
				case limited:
					row.Limited++
				case suits == 4 && way.Utility == search.Contract && counts[i] <= paper:
					row.BelowPaper++
				}
				done++
				if !way.Counted(suits) {
					generated += counts[i]
				}
				if report != nil {
					report(done, of, generated)
				}
			}
			row.summarise(counts)
			rows = append(rows, row)
		}
	}
	return rows, nil
}

func (e Experiment) count(ctx context.Context, s *search.Solver, way Way, d belote.Deal, pause func() error) (uint64, bool, error) {
	p, err := belote.NewPosition(d)
	if err != nil {
		return 0, false, err
	}
	if way.Counted(d.Suits()) {
		n, err := countTree(ctx, way, p, pause)
		return n, false, err
	}
	r, err := s.Solve(ctx, search.Query{
		Position: p, Utility: way.Utility, Algorithm: way.Algorithm, NoPruning: !way.Pruning, NoLine: true,
		MaxGenerated: e.Limit, Pause: pause,
	})
	if errors.Is(err, search.ErrMaxGenerated) {
		return e.Limit, true, nil
	}
	return r.Generated, false, err
}

func (r *Row) summarise(counts []uint64) {
	slices.Sort(counts)
	for _, n := range counts {
		r.Mean += float64(n) / float64(len(counts))
	}
	// The smallest count that at least this share of the deals does not exceed.
	at := func(share int) uint64 { return counts[max((len(counts)*share+99)/100, 1)-1] }
	r.Min, r.Median, r.P90, r.Max = at(0), at(50), at(90), at(100)
}
