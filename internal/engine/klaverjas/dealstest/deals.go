// Package dealstest has sets of deals that are the same on every machine, for tests and measurements.
package dealstest

import (
	"bytes"
	_ "embed" // for the hard deals
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
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
