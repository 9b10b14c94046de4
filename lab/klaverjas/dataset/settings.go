package dataset

import (
	"fmt"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
)

// Sampling is the way in which deals are drawn.
type Sampling string

// The samplings.
const (
	// Classes has one random deal of each suit-distribution class, row k of class number k: the paper's data set (section
	// 4.3). There are index.Classes rows.
	Classes Sampling = "classes"
	// ClassUniform draws a class, all equally likely, then a deal of it. A class can be drawn more than once.
	ClassUniform Sampling = "class-uniform"
	// Uniform draws deals, all equally likely, as shuffled cards are dealt.
	Uniform Sampling = "uniform"
)

// Samplings returns every sampling.
func Samplings() []Sampling { return []Sampling{Classes, ClassUniform, Uniform} }

// ParseSampling reads classes, class-uniform or uniform.
func ParseSampling(text string) (Sampling, error) {
	if s := Sampling(text); slices.Contains(Samplings(), s) {
		return s, nil
	}
	return "", fmt.Errorf("%.40q is not one of %q", text, Samplings())
}

// Settings describe a data set. Two sets with equal settings and the same version of the search have identical rows.
type Settings struct {
	Sampling  Sampling
	Goal      search.Goal // search.Win or search.Value
	Rules     klaverjas.Rules
	Declarer  piquet.Team // NS is the leader's side, since north leads
	Seed      uint64
	Rows      uint64  // in all shards; index.Classes if the sampling is Classes
	ShardRows int     // in each shard; the last may have fewer
	Choice    *Choice // nil to take every deal
}

const (
	// MaxShardRows limits the memory of a shard, which is made and read in memory, to about a hundred MB.
	MaxShardRows = 1 << 20
	// MaxShards limits the number of files.
	MaxShards = 1_000_000
	// tableBytes is the memory of a worker's table. It is fixed because the number of nodes depends on it.
	tableBytes = search.DefaultTableBytes
)

// Validate returns an error if the settings are not valid.
func (s Settings) Validate() error {
	switch {
	case !slices.Contains(Samplings(), s.Sampling):
		return fmt.Errorf("sampling %q: expected one of %q", s.Sampling, Samplings())
	case s.Goal != search.Win && s.Goal != search.Value:
		return fmt.Errorf("goal %s: expected %s or %s", s.Goal, search.Win, search.Value)
	case s.Sampling == Classes && s.Rows != index.Classes:
		return fmt.Errorf("%d rows: sampling %s has a row for each class, %d", s.Rows, Classes, index.Classes)
	case s.Rows == 0:
		return fmt.Errorf("%d rows: expected at least 1", s.Rows)
	case s.ShardRows < 1 || s.ShardRows > MaxShardRows:
		return fmt.Errorf("%d rows in a shard: expected 1 to %d", s.ShardRows, MaxShardRows)
	case (s.Rows-1)/uint64(s.ShardRows) >= MaxShards:
		return fmt.Errorf("%d rows in shards of %d: that is more than %d shards", s.Rows, s.ShardRows, MaxShards)
	}
	if s.Declarer != piquet.NorthSouth && s.Declarer != piquet.EastWest {
		return fmt.Errorf("declarer %d: expected NS or EW", s.Declarer)
	}
	if err := s.Choice.validate(s.Sampling); err != nil {
		return err
	}
	return s.Rules.Validate()
}

// Shards returns the number of shards.
func (s Settings) Shards() int { return int((s.Rows-1)/uint64(s.ShardRows)) + 1 }

// FirstRow returns the number of the first row of a shard.
func (s Settings) FirstRow(shard int) uint64 { return uint64(shard) * uint64(s.ShardRows) }

// RowsIn returns the number of rows of a shard.
func (s Settings) RowsIn(shard int) int {
	return int(min(s.FirstRow(shard)+uint64(s.ShardRows), s.Rows) - s.FirstRow(shard))
}

// The trump suit and leader of every deal.
const (
	trump  = piquet.Clubs
	leader = piquet.North
)
