package worlds

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"

	"roem/internal/engine/tarok"
)

// Base is how many worlds are drawn and clustered to choose a few of them (section 3.1).
const Base = 300

// PerCluster is how many worlds are chosen from a cluster of mean size. The paper does not say how many clusters it makes.
const PerCluster = 3

// Plain draws n worlds independently. If there are no more than n, it returns all of them instead.
func (w *Worlds) Plain(rng *rand.Rand, n int) []tarok.Setup {
	if w.Count() <= uint64(n) {
		return w.all()
	}
	out := make([]tarok.Setup, n)
	for i := range out {
		out[i] = w.Sample(rng)
	}
	return out
}

func (w *Worlds) all() []tarok.Setup {
	out := make([]tarok.Setup, w.Count())
	for i := range out {
		out[i] = w.World(uint64(i))
	}
	return out
}

// Cluster is a class of similar worlds, and those chosen from it.
type Cluster struct {
	Size   int           // how many of the worlds that were clustered are in it
	Spread float64       // the mean distance of its worlds to its medoid, the world with the least one
	Worlds []tarok.Setup // the chosen ones, the medoid first; none if the cluster is small
}

// Clustered chooses n worlds that represent base drawn ones, which are at least n, by the method of section 3.1: the drawn worlds are
// joined by average linkage to n/PerCluster clusters, and each gives as many worlds as its part of the drawn ones, by largest
// remainders. From a cluster comes the medoid first, and then the others in the order in which they were drawn. If there are no more than
// base worlds, all of them are clustered instead of drawn ones; if there are no more than n, all of them are chosen. The clusters are in
// the order of their size.
func (w *Worlds) Clustered(rng *rand.Rand, n, base int) []Cluster {
	drawn := w.Plain(rng, max(n, base))
	n = min(n, len(drawn))
	d := distances(drawn)
	groups := averageLinkage(d, max(1, n/PerCluster))
	slices.SortStableFunc(groups, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	out := make([]Cluster, len(groups))
	for i, take := range quotas(groups, n) {
		group := groups[i]
		medoid, sum := medoidOf(group, d)
		out[i] = Cluster{Size: len(group), Spread: float64(sum) / float64(len(group))}
		if take == 0 {
			continue
		}
		out[i].Worlds = append(out[i].Worlds, drawn[medoid])
		for _, j := range group {
			if j != medoid && len(out[i].Worlds) < take {
				out[i].Worlds = append(out[i].Worlds, drawn[j])
			}
		}
	}
	return out
}

// quotas divides n by the sizes of the groups, which are sorted: each gets the whole part of its share, and the groups with the largest
// remainders one more. Of equal remainders the larger group is first.
func quotas(groups [][]int, n int) []int {
	total := 0
	for _, g := range groups {
		total += len(g)
	}
	out, left := make([]int, len(groups)), n
	order := make([]int, len(groups))
	for i, g := range groups {
		out[i], order[i] = n*len(g)/total, i
		left -= out[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(n*len(groups[b])%total, n*len(groups[a])%total) })
	for _, i := range order[:left] {
		out[i]++
	}
	return out
}

// medoidOf returns the member with the least sum of distances to the others, and this sum.
func medoidOf(group []int, d [][]int32) (medoid int, least int) {
	least = -1
	for _, i := range group {
		sum := 0
		for _, j := range group {
			sum += int(d[i][j])
		}
		if least < 0 || sum < least {
			medoid, least = i, sum
		}
	}
	return medoid, least
}

// worth are the cards by their points, which weigh in the distance: the cards of the suits, and taroks 1, 21 and 22.
var worth = func() (out [6]tarok.Set) {
	for c := range (tarok.Deck&^tarok.OfSuit(tarok.Taroks) | tarok.Trula).All() {
		points := (c.Thirds() + 2) / 3
		out[points] = out[points].With(c)
	}
	return out
}()

// hands are what a world is compared by.
type hands struct {
	cards  [3]tarok.Set
	taroks [3]int32 // the sum of k+10 over the taroks k of each hand
}

func handsOf(s *tarok.Setup) (h hands) {
	for i, p := range tarok.Players() {
		h.cards[i] = s.Hand(p)
		for c := range h.cards[i].InSuit(tarok.Taroks).All() {
			h.taroks[i] += int32(c) + 1 + 10
		}
	}
	return h
}

// distance is the distance of equation 1: for each player four times the points of the cards of the suits and of taroks 1, 21 and 22 that
// only one of the hands has, and the difference of the sums of k+10 over the taroks k.
func (h *hands) distance(o *hands) (d int32) {
	for i := range h.cards {
		differ := uint64(h.cards[i] ^ o.cards[i])
		for points := 1; points <= 5; points++ {
			d += int32(4 * points * bits.OnesCount64(differ&uint64(worth[points])))
		}
		d += max(h.taroks[i]-o.taroks[i], o.taroks[i]-h.taroks[i])
	}
	return d
}

func distances(list []tarok.Setup) [][]int32 {
	all := make([]hands, len(list))
	for i := range list {
		all[i] = handsOf(&list[i])
	}
	out, cells := make([][]int32, len(list)), make([]int32, len(list)*len(list))
	for i := range out {
		out[i] = cells[i*len(list) : (i+1)*len(list)]
		for j := range i {
			out[i][j] = all[i].distance(&all[j])
			out[j][i] = out[i][j]
		}
	}
	return out
}
