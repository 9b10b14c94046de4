package paper

import (
	"math"
	"slices"
)

// Effort is the distribution of the nodes of the search over the rows of a group.
type Effort struct {
	Won   bool `json:"won"`
	Right bool `json:"right"` // whether the judge was right
	Rows  int  `json:"rows"`
	// Counts holds the number of rows by tenths of a decade: bin k counts rows of at least 10^(k/10) and less than 10^((k+1)/10) nodes.
	// Bin 0 also counts rows without a node.
	Counts []int  `json:"counts"`
	Median uint64 `json:"median"`
	Low    uint64 `json:"quantile_5"`
	High   uint64 `json:"quantile_95"`
	Most   uint64 `json:"most"`
}

// perDecade is the number of bins per factor of ten.
const perDecade = 10

// place returns the bin of a number of nodes.
func place(nodes uint64) int {
	if nodes == 0 {
		return 0
	}
	k := int(math.Log10(float64(nodes)) * perDecade)
	// The logarithm may have a rounding error, so the edges decide.
	for k > 0 && float64(nodes) < edge(k) {
		k--
	}
	for float64(nodes) >= edge(k+1) {
		k++
	}
	return k
}

// edge returns the lower edge of a bin. It need not be a whole number.
func edge(k int) float64 {
	whole, part := k/perDecade, k%perDecade
	return math.Pow10(whole) * math.Pow(10, float64(part)/perDecade)
}

// efforts groups rows by won and lost, right and wrong. If rows is nil, it groups all rows. effort holds the nodes of the given rows.
func efforts(s *sample, rows []int, effort []uint64, right []bool) []Effort {
	var out []Effort
	places := 1
	for _, n := range effort {
		places = max(places, place(n)+1)
	}
	for _, won := range []bool{true, false} {
		for _, ok := range []bool{true, false} {
			e := Effort{Won: won, Right: ok, Counts: make([]int, places)}
			var nodes []uint64
			for i, n := range effort {
				row := i
				if rows != nil {
					row = rows[i]
				}
				if s.won[row] == won && right[row] == ok {
					nodes = append(nodes, n)
					e.Counts[place(n)]++
				}
			}
			e.Rows = len(nodes)
			slices.Sort(nodes)
			e.Low, e.Median, e.High, e.Most = quantile(nodes, 0.05), quantile(nodes, 0.5), quantile(nodes, 0.95), quantile(nodes, 1)
			out = append(out, e)
		}
	}
	return out
}

// quantile returns the quantile of sorted numbers by nearest rank, or 0 if there are none.
func quantile(sorted []uint64, share float64) uint64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, int(math.Ceil(share*float64(len(sorted))))-1)]
}

func nodesOf(nodes []uint64) Nodes {
	sorted := slices.Sorted(slices.Values(nodes))
	sum := 0.0
	for _, n := range sorted {
		sum += float64(n)
	}
	return Nodes{Mean: sum / float64(max(1, len(sorted))), Median: quantile(sorted, 0.5), Most: quantile(sorted, 1)}
}
