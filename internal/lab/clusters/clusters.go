// Package clusters draws worlds by clusters, and compares such samples with plain ones. Many worlds are drawn and grouped by a distance of hands,
// and each group gives as many worlds as its size demands. Source: Lustrek, Gams and Bratko, "Silicon Tarokist", section 3.1.
package clusters

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/knowledge"
)

// Distance is the paper's equation (1) for Klaverjas, the sum over the hands: four times the points of the cards that only one of the two hands has,
// among the plain cards, the jack and the nine of trumps, plus the difference of the sums of the ranks of the trumps. A card without points counts
// as one point, since every card of tarok has one; a rank is 10 more than its place in the suit.
func Distance(a, b knowledge.World, trump cards.Suit) float64 {
	const factor, base = 4, 10
	sum := 0.0
	for s := range a {
		ranks := 0
		for c := range (a[s] ^ b[s]).All() {
			face := c.Face()
			if c.Suit() != trump || face == cards.Jack || face == cards.Nine {
				sum += factor * float64(max(klaverjas.Points(c, trump), 1))
			}
			if c.Suit() == trump {
				rank := base + 1 + klaverjas.Strength(c, trump)
				if b[s].Has(c) {
					rank = -rank
				}
				ranks += rank
			}
		}
		sum += math.Abs(float64(ranks))
	}
	return sum
}

// Average groups items into a number of clusters by average linkage: the two clusters with the least mean distance of their items are joined until
// there are that many. distances is symmetric. It takes time in the order of the square of the number of items for each join.
func Average(distances [][]float64, number int) [][]int {
	n := len(distances)
	sums := make([][]float64, n) // of the distances of two clusters
	all := make([][]int, n)
	for i := range n {
		sums[i] = slices.Clone(distances[i])
		all[i] = []int{i}
	}
	mean := func(i, j int) float64 { return sums[i][j] / float64(len(all[i])*len(all[j])) }
	nearest := make([]int, n)
	find := func(i int) {
		nearest[i] = -1
		for j := range n {
			if j != i && all[j] != nil && (nearest[i] < 0 || mean(i, j) < mean(i, nearest[i])) {
				nearest[i] = j
			}
		}
	}
	for i := range n {
		find(i)
	}
	for left := n; left > max(number, 1); left-- {
		a := -1
		for i := range n {
			if all[i] != nil && (a < 0 || mean(i, nearest[i]) < mean(a, nearest[a])) {
				a = i
			}
		}
		b := nearest[a]
		all[a] = append(all[a], all[b]...)
		all[b] = nil
		for j := range n {
			sums[a][j] += sums[b][j]
			sums[j][a] = sums[a][j]
		}
		for i := range n { // average linkage never brings a cluster nearer than both parts were, but the nearest one of the parts is another now
			if all[i] != nil && left > 2 && (i == a || nearest[i] == a || nearest[i] == b) {
				find(i)
			}
		}
	}
	return slices.DeleteFunc(all, func(c []int) bool { return c == nil })
}

// Quotas divides a number of samples among clusters in proportion to their sizes, by largest remainder. Equal remainders are served in order.
func Quotas(sizes []int, number int) []int {
	total := 0
	for _, s := range sizes {
		total += s
	}
	quotas, order, left := make([]int, len(sizes)), make([]int, len(sizes)), number
	for i, s := range sizes {
		quotas[i] = s * number / total
		left -= quotas[i]
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(sizes[j]*number%total, sizes[i]*number%total) })
	for _, i := range order[:left] {
		quotas[i]++
	}
	return quotas
}

// Sample draws a number of different items of clusters, by quotas.
func Sample(rng *rand.Rand, clusters [][]int, number int) (items []int) {
	sizes := make([]int, len(clusters))
	for i, c := range clusters {
		sizes[i] = len(c)
	}
	for i, quota := range Quotas(sizes, number) {
		for _, at := range rng.Perm(len(clusters[i]))[:min(quota, len(clusters[i]))] {
			items = append(items, clusters[i][at])
		}
	}
	return items
}
