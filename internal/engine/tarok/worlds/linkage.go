package worlds

import (
	"cmp"
	"slices"
)

// linkage is a hierarchical clustering under way. Sums of distances are whole numbers, so that the result is the same on every machine.
type linkage struct {
	sums    [][]int64 // the sums of the distances between the members of two clusters
	size    []int64   // 0 for clusters that have been joined to another one
	nearest []int     // for each cluster the nearest one after it, or -1
}

// averageLinkage joins the two clusters with the least mean distance between their members, the first of equal ones, until k are left. It
// begins with one cluster for each row of d. The members of a cluster are in ascending order.
func averageLinkage(d [][]int32, k int) [][]int {
	l := linkage{size: make([]int64, len(d)), nearest: make([]int, len(d)), sums: make([][]int64, len(d))}
	members := make([][]int, len(d))
	for i := range d {
		l.size[i], members[i], l.sums[i] = 1, []int{i}, make([]int64, len(d))
		for j, n := range d[i] {
			l.sums[i][j] = int64(n)
		}
	}
	for i := range d {
		l.find(i)
	}
	for range len(d) - k {
		a, b := l.closest()
		l.join(a, b)
		members[a], members[b] = append(members[a], members[b]...), nil
	}
	members = slices.DeleteFunc(members, func(m []int) bool { return m == nil })
	for _, m := range members {
		slices.Sort(m)
	}
	return members
}

// compare compares the mean distances of clusters a and b and of clusters c and d.
func (l *linkage) compare(a, b, c, d int) int {
	return cmp.Compare(l.sums[a][b]*l.size[c]*l.size[d], l.sums[c][d]*l.size[a]*l.size[b])
}

// find finds the nearest cluster after i.
func (l *linkage) find(i int) {
	l.nearest[i] = -1
	for j := i + 1; j < len(l.size); j++ {
		if l.size[j] > 0 && (l.nearest[i] < 0 || l.compare(i, j, i, l.nearest[i]) < 0) {
			l.nearest[i] = j
		}
	}
}

// closest returns the closest two clusters.
func (l *linkage) closest() (a, b int) {
	a = -1
	for i, j := range l.nearest {
		if l.size[i] > 0 && j >= 0 && (a < 0 || l.compare(i, j, a, l.nearest[a]) < 0) {
			a = i
		}
	}
	return a, l.nearest[a]
}

// join joins cluster b to a, which is before b.
func (l *linkage) join(a, b int) {
	for j := range l.sums {
		l.sums[a][j] += l.sums[b][j]
		l.sums[j][a] = l.sums[a][j]
	}
	l.size[a] += l.size[b]
	l.size[b] = 0
	for i := range b {
		// The mean distance to the joined cluster lies between those to its two parts, so it is the least only if one of those was.
		if l.size[i] > 0 && (i == a || l.nearest[i] == a || l.nearest[i] == b) {
			l.find(i)
		}
	}
}
