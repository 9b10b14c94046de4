package paper

import (
	"math"
	"slices"
)

// Effort is how many nodes the search took for the rows of a group.
type Effort struct {
	Won   bool `json:"won"`
	Right bool `json:"right"` // the judge was right
	Rows  int  `json:"rows"`
	// Counts has the rows by tenths of a decade: place k counts those of 10^(k/10) nodes and more, but less than 10^((k+1)/10).
	// Place 0 has those without a node as well.
	Counts []int  `json:"counts"`
	Median uint64 `json:"median"`
	Low    uint64 `json:"quantile_5"`
	High   uint64 `json:"quantile_95"`
	Most   uint64 `json:"most"`
}

// perDecade is how many places of a count make a factor of ten.
const perDecade = 10

// place returns where nodes are counted.
func place(nodes uint64) int {
	if nodes == 0 {
		return 0
	}
	k := int(math.Log10(float64(nodes)) * perDecade)
	// The logarithm may be off by a bit; the edges decide.
	for k > 0 && float64(nodes) < edge(k) {
		k--
	}
	for float64(nodes) >= edge(k+1) {
		k++
	}
	return k
}

// edge returns the least number of nodes of a place, which need not be whole.
func edge(k int) float64 {
	whole, part := k/perDecade, k%perDecade
	return math.Pow10(whole) * math.Pow(10, float64(part)/perDecade)
}

// efforts groups rows, all where none are listed, by won and lost, right and wrong. The nodes are those of the listed rows.
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

// quantile returns the least of sorted numbers that a share of them does not exceed, 0 of none.
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
