package dataset

import (
	"slices"
	"time"
)

// Summary summarises the existing shards of a data set.
type Summary struct {
	Rows         uint64  `json:"rows"`
	Won          uint64  `json:"won"`       // by the declarers
	ShareWon     float64 `json:"share_won"` // 0 to 1
	Nodes        Spread  `json:"nodes"`
	Milliseconds *Spread `json:"milliseconds,omitempty"` // of the rows whose time is known; nil if there are none
}

// Spread describes the distribution of a quantity over rows. Percentiles are by nearest rank: P99 is the least value that at least 99 %
// of the rows do not exceed.
type Spread struct {
	Mean   float64 `json:"mean"`
	P50    float64 `json:"p50"`
	P99    float64 `json:"p99"`
	Max    float64 `json:"max"`
	MaxRow uint64  `json:"max_row"` // the first row with the maximum
}

// Summarise reads the data set once.
func (s *Set) Summarise() (Summary, error) {
	var (
		sum         Summary
		nodes, took sample
	)
	for row, err := range s.Rows() {
		if err != nil {
			return Summary{}, err
		}
		sum.Rows++
		if row.Won {
			sum.Won++
		}
		nodes.add(float64(row.Nodes), row.Number)
		if row.Took > 0 {
			took.add(float64(row.Took)/float64(time.Millisecond), row.Number)
		}
	}
	if sum.Rows > 0 {
		sum.ShareWon = float64(sum.Won) / float64(sum.Rows)
		sum.Nodes = nodes.spread()
	}
	if len(took.values) > 0 {
		spread := took.spread()
		sum.Milliseconds = &spread
	}
	return sum, nil
}

// sample collects the values of a quantity.
type sample struct {
	values []float64
	max    float64
	maxRow uint64
}

func (s *sample) add(value float64, row uint64) {
	if len(s.values) == 0 || value > s.max {
		s.max, s.maxRow = value, row
	}
	s.values = append(s.values, value)
}

// spread needs at least one value, and sorts them.
func (s *sample) spread() Spread {
	slices.Sort(s.values)
	sum := 0.0
	for _, v := range s.values {
		sum += v
	}
	n := len(s.values)
	atRank := func(percent int) float64 { return s.values[(n*percent+99)/100-1] }
	return Spread{Mean: sum / float64(n), P50: atRank(50), P99: atRank(99), Max: s.max, MaxRow: s.maxRow}
}
