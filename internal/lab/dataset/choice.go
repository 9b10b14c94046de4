package dataset

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
)

// Choice keeps, of the deals that are drawn, those that a model has yet to learn something from: row i is the first deal drawn
// for it that the model takes. It looks at the deal and never at its label, so that of deals that look alike the share won is what it
// is among all deals, and a model may learn from both kinds of rows together.
type Choice struct {
	// Model is the SHA-256 of the weights that choose, in lower-case hexadecimal.
	Model string
	// Gain is the least number of mistakes of the model that a million cards of search must avoid (package hybrid), above 0.
	Gain float64
	// Takes says whether the model takes a deal, and is safe for concurrent use. It is nil where the weights are not at hand: such a set
	// can be read and verified, but not made.
	Takes func(klaverjas.Deal) bool
}

// maxDraws is how many deals may be drawn for a row. It bounds how long a choice that takes next to nothing is tried.
const maxDraws = 10_000

func (c *Choice) validate(s Sampling) error {
	switch {
	case c == nil:
		return nil
	case s == Classes:
		return fmt.Errorf("sampling %s has a row for each class, whatever a model thinks of it: nothing can be chosen", Classes)
	case !isSum(c.Model):
		return fmt.Errorf("the model that chooses is %.80q: expected 64 hexadecimal digits", c.Model)
	case !(c.Gain > 0) || c.Gain > 1e6: // not a number is neither
		return fmt.Errorf("a choice by a gain of %g: expected above 0, to a million", c.Gain)
	}
	return nil
}

// Deal draws the deal of a row, which is below Rows. Its hands depend on the sampling, the seed, the row and the choice alone.
// It is an error if the choice takes none, or if the weights that choose are not at hand.
func (s Settings) Deal(row uint64) (klaverjas.Deal, error) {
	if s.Choice != nil && s.Choice.Takes == nil {
		return klaverjas.Deal{}, fmt.Errorf("the weights %.12s… that choose the rows are not at hand", s.Choice.Model)
	}
	for d := range s.draws(row) {
		if s.Choice == nil || s.Choice.Takes(d) {
			return d, nil
		}
	}
	return klaverjas.Deal{}, fmt.Errorf("row %d: of %d deals the model takes none: the gain of %g is too high", row, maxDraws, s.Choice.Gain)
}

// draws returns the deals that are drawn for a row, one after the other. Without a choice the first one is the row's.
//
// The generator is ChaCha8 (c2sp.org/chacha8rand). Its 32-byte key is the seed and the row, in eight little-endian bytes
// each, and the name of the sampling, filled up with zeros: no row of any set is drawn from the same key as another, nor
// from that of a deal which index.NewRand stands for. The deals are then drawn as package index documents.
func (s Settings) draws(row uint64) iter.Seq[klaverjas.Deal] {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], s.Seed)
	binary.LittleEndian.PutUint64(key[8:], row)
	copy(key[16:], s.Sampling)
	rng := rand.New(rand.NewChaCha8(key))
	return func(yield func(klaverjas.Deal) bool) {
		for range maxDraws {
			d := klaverjas.Deal{Trump: trump, Leader: leader, Declarer: s.Declarer}
			switch s.Sampling {
			case Classes:
				class, _ := index.ClassAt(uint32(row)) // no error: the row is below the number of classes
				d.Hands, _ = index.RandomOfClass(rng, class, trump, leader)
			case ClassUniform:
				d.Hands = index.RandomClassUniform(rng, trump, leader)
			case Uniform:
				d.Hands = index.Random(rng, trump, leader)
			}
			if !yield(d) {
				return
			}
		}
	}
}

// drawn reports whether a deal can be the row's: without a choice it is the first one drawn, and with one it is among them.
func (s Settings) drawn(deal klaverjas.Deal, row uint64) bool {
	for d := range s.draws(row) {
		if d == deal || s.Choice == nil {
			return d == deal
		}
	}
	return false
}

// AsTheyCome is an error where a model chose the deals: what is measured on those says nothing of others.
func (s *Set) AsTheyCome() error {
	if c := s.Settings.Choice; c != nil {
		return fmt.Errorf("its deals were chosen (a gain of %g at least): measure on deals as they come, made without -gain", c.Gain)
	}
	return nil
}
