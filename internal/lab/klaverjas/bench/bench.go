// Package bench measures the time and the nodes of the search on sets of deals that are the same on every machine.
package bench

import (
	"bytes"
	"context"
	_ "embed" // for the hard deals
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
)

// Set names a set of deals.
type Set string

// The sets of deals, all under the default rules.
const (
	// Uniform holds random deals, all equally likely, with random trump, leader and declarers.
	Uniform Set = "uniform"
	// ClassUniform holds deals of random suit-distribution classes, all classes equally likely (docs/reference/rules/klaverjas.md), with
	// random trump and leader. The leader's team declares. Their suit lengths are more uneven.
	ClassUniform Set = "class-uniform"
	// Hard holds the deals with the longest searches among many. They are fixed and not drawn.
	Hard Set = "hard"
)

// Sets returns every set, in the order in which they are measured.
func Sets() []Set { return []Set{Uniform, ClassUniform, Hard} }

// Goals returns every goal, in the order in which they are measured.
func Goals() []search.Goal { return []search.Goal{search.Win, search.Value, search.Moves} }

// ParseSet reads the name of a set.
func ParseSet(text string) (Set, error) {
	if set := Set(text); slices.Contains(Sets(), set) {
		return set, nil
	}
	return "", fmt.Errorf("%.40q is not one of %s, %s, %s", text, Uniform, ClassUniform, Hard)
}

// hardDeals is a copy of testdata/vectors/hard-deals.jsonl, since only files in a package's directory can be embedded.
//
//go:embed hard-deals.jsonl
var hardDeals []byte

// Deals returns n deals of a set, drawn from the seed, before the first card. Hard has a fixed number of deals and may return fewer. The
// deals of a smaller n are the first ones of a larger n.
func Deals(set Set, n int, seed uint64) ([]klaverjas.Position, error) {
	if set == Hard {
		return hard(n)
	}
	rng := index.NewRand(seed)
	deals := make([]klaverjas.Position, 0, n)
	for range n {
		deal := draw(set, rng)
		start, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Rotterdam), deal)
		if err != nil {
			return nil, fmt.Errorf("drawing a deal: %w", err)
		}
		deals = append(deals, start)
	}
	return deals, nil
}

// draw uses only Uint64 of the generator, like package index, so that every version of Go draws the same deals.
func draw(set Set, rng *rand.Rand) klaverjas.Deal {
	deal := klaverjas.Deal{Trump: piquet.Suits()[rng.Uint64()%4], Leader: piquet.Seats()[rng.Uint64()%4]}
	if set == ClassUniform {
		deal.Declarer = deal.Leader.Team()
		deal.Hands = index.RandomClassUniform(rng, deal.Trump, deal.Leader)
	} else {
		deal.Declarer = piquet.Teams()[rng.Uint64()%2]
		deal.Hands = index.Random(rng, deal.Trump, deal.Leader)
	}
	return deal
}

func hard(n int) ([]klaverjas.Position, error) {
	var deals []klaverjas.Position
	for dec := json.NewDecoder(bytes.NewReader(hardDeals)); len(deals) < n && dec.More(); {
		var in struct {
			Rules struct {
				System string `json:"system"`
			} `json:"rules"`
			Trump    string              `json:"trump"`
			Leader   string              `json:"leader"`
			Declarer string              `json:"declarer"`
			Hands    map[string][]string `json:"hands"`
		}
		if err := dec.Decode(&in); err != nil {
			return nil, fmt.Errorf("hard deal %d: %w", len(deals)+1, err)
		}
		system, err := klaverjas.ParseSystem(in.Rules.System)
		errs := []error{err}
		var deal klaverjas.Deal
		deal.Trump, err = piquet.ParseSuit(in.Trump)
		errs = append(errs, err)
		deal.Leader, err = piquet.ParseSeat(in.Leader)
		errs = append(errs, err)
		deal.Declarer, err = piquet.ParseTeam(in.Declarer)
		errs = append(errs, err)
		hands := make(map[piquet.Seat][]string)
		for name, hand := range in.Hands {
			seat, err := piquet.ParseSeat(name)
			errs = append(errs, err)
			hands[seat] = hand
		}
		deal.Hands, err = klaverjas.ParseHands(hands)
		errs = append(errs, err)
		start, err := klaverjas.NewPosition(klaverjas.DefaultRules(system), deal)
		if err := errors.Join(append(errs, err)...); err != nil {
			return nil, fmt.Errorf("hard deal %d: %w", len(deals)+1, err)
		}
		deals = append(deals, start)
	}
	return deals, nil
}

// Spread describes the distribution of a quantity over deals. Percentiles are by nearest rank: p99 is the least value that at least
// 99 % of the deals do not exceed, the largest of fewer than 100.
type Spread struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// spread sorts the values. There must be at least one.
func spread(values []float64) Spread {
	slices.Sort(values)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	n := len(values)
	atRank := func(percent int) float64 { return values[(n*percent+99)/100-1] }
	return Spread{Mean: sum / float64(n), P50: atRank(50), P99: atRank(99), Max: values[n-1]}
}

// Row is the measurement of one set of deals with one goal.
type Row struct {
	Set            Set     `json:"set"`
	Goal           string  `json:"goal"`
	Deals          int     `json:"deals"`
	Won            int     `json:"won"` // by the declarers; it must be the same for every goal and version
	Milliseconds   Spread  `json:"milliseconds"`
	Nodes          Spread  `json:"nodes"` // cards played by the search
	NodesPerSecond float64 `json:"nodes_per_second"`
}

// Measure solves the deals one after the other with one solver. The table is empty for every deal, since the solver resets it when the
// deal changes. A deal that is not measured is solved first, so that the memory of the table is allocated. done is called after every
// deal. The only error is the error of ctx.
func Measure(ctx context.Context, set Set, goal search.Goal, deals []klaverjas.Position, done func()) (Row, error) {
	row := Row{Set: set, Goal: goal.String(), Deals: len(deals)}
	if len(deals) == 0 {
		return row, nil
	}
	solver := search.New(search.Options{})
	if err := warmUp(ctx, solver); err != nil {
		return Row{}, err
	}
	took, nodes := make([]float64, 0, len(deals)), make([]float64, 0, len(deals))
	var seconds, played float64
	for _, deal := range deals {
		began := time.Now()
		result, err := solver.Solve(ctx, search.Query{Position: deal, Goal: goal})
		elapsed := time.Since(began)
		if err != nil {
			return Row{}, err
		}
		if result.Won {
			row.Won++
		}
		took = append(took, float64(elapsed)/float64(time.Millisecond))
		nodes = append(nodes, float64(result.Nodes))
		seconds += elapsed.Seconds()
		played += float64(result.Nodes)
		done()
	}
	row.Milliseconds, row.Nodes = spread(took), spread(nodes)
	if seconds > 0 {
		row.NodesPerSecond = played / seconds
	}
	return row, nil
}

// warmUpSeed is an unusual seed, so that no measured deal is solved during the warm-up.
const warmUpSeed = 0x726f656d

func warmUp(ctx context.Context, solver *search.Solver) error {
	deals, err := Deals(ClassUniform, 1, warmUpSeed)
	if err != nil {
		return err
	}
	_, err = solver.Solve(ctx, search.Query{Position: deals[0], Goal: search.Value})
	return err
}
