package dataset

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
)

// Choice selects deals with a high gain of a model: row i is the first deal drawn for it that the model takes. The choice depends on the
// deal and never on its label. So the share of won deals among similar deals is the same as without a choice, and a model can be trained on
// chosen and other rows together.
type Choice struct {
	// Model is the SHA-256 of the model's weights, in lower-case hexadecimal.
	Model string
	// Gain is the minimum gain of a deal (package hybrid), above 0.
	Gain float64
	// Takes reports whether the model takes a deal. It is safe for concurrent use. It is nil if the weights are not available: such a set
	// can be read and verified, but not made.
	Takes func(klaverjas.Deal) bool
}

// maxDraws is the maximum number of deals drawn for a row, in case the choice takes almost no deal.
const maxDraws = 10_000

func (c *Choice) validate(s Sampling) error {
	switch {
	case c == nil:
		return nil
	case s == Classes:
		return fmt.Errorf("sampling %s has one row for each class: deals cannot be chosen by gain", Classes)
	case !isSum(c.Model):
		return fmt.Errorf("the model of the choice is %.80q: expected 64 hexadecimal digits", c.Model)
	case !(c.Gain > 0) || c.Gain > 1e6: // also rejects NaN
		return fmt.Errorf("the gain of the choice is %g: expected more than 0, and at most a million", c.Gain)
	}
	return nil
}

// Deal draws the deal of a row, which is below Rows. Its hands depend only on the sampling, the seed, the row and the choice.
// It is an error if the choice takes none of the deals, or if its weights are not available.
func (s Settings) Deal(row uint64) (klaverjas.Deal, error) {
	if s.Choice != nil && s.Choice.Takes == nil {
		return klaverjas.Deal{}, fmt.Errorf("the weights %.12s… of the choice are not available", s.Choice.Model)
	}
	for d := range s.draws(row) {
		if s.Choice == nil || s.Choice.Takes(d) {
			return d, nil
		}
	}
	return klaverjas.Deal{}, fmt.Errorf("row %d: none of %d deals has a gain of %g or more", row, maxDraws, s.Choice.Gain)
}

// draws returns the deals that are drawn for a row, one after the other. Without a choice the row has the first one.
//
// The generator is ChaCha8 (c2sp.org/chacha8rand). Its 32-byte key is the seed and the row, in eight little-endian bytes
// each, and the name of the sampling, padded with zeros. So each row of each set has its own key, which is also different from
// the keys of index.NewRand. The deals are then drawn as package index documents.
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

// drawn reports whether a deal can be the deal of the row: without a choice it is the first deal drawn, with a choice it is any of the
// deals drawn.
func (s Settings) drawn(deal klaverjas.Deal, row uint64) bool {
	for d := range s.draws(row) {
		if d == deal || s.Choice == nil {
			return d == deal
		}
	}
	return false
}

// AsTheyCome returns an error if a model chose the deals: measurements on chosen deals are not valid for others.
func (s *Set) AsTheyCome() error {
	if c := s.Settings.Choice; c != nil {
		return fmt.Errorf("its deals were chosen (gain %g or more): measure on a set made without -gain", c.Gain)
	}
	return nil
}
