package handlers

import (
	"slices"
	"strings"

	contract "roem/api"
	"roem/internal/engine/violation"
)

// paths are the paths of the server, to find those that a client probably meant by another one.
type paths []knownPath

// knownPath is a path with its segments, without the version.
type knownPath struct {
	path     string
	segments []string
	page     bool // for people
}

const (
	// longestPath is the longest path, in bytes, for which similar paths are looked for. The paths of the server have at most 50.
	longestPath = 128
	// maxMeant is how many paths a client may have meant: an operation that several games have.
	maxMeant = 4
	// aPart is the cost of a segment that is a part of the right one.
	aPart = 1
)

// newPaths returns the paths of the contract and of some pages.
func newPaths(operations []contract.Operation, pages []string) paths {
	var all paths
	for _, o := range operations {
		if !slices.ContainsFunc(all, func(known knownPath) bool { return known.path == o.Path }) {
			all = append(all, knownPath{path: o.Path, segments: segmentsOf(o.Path)})
		}
	}
	for _, path := range pages {
		all = append(all, knownPath{path: path, segments: segmentsOf(path), page: true})
	}
	slices.SortFunc(all, func(a, b knownPath) int { return strings.Compare(a.path, b.path) })
	return all
}

// segmentsOf returns the segments of a path that are not empty, without the segments of a version, such as /api/v2.
func segmentsOf(path string) []string {
	segments := slices.DeleteFunc(strings.Split(path, "/"), func(s string) bool { return s == "" })
	if len(segments) > 0 && segments[0] == "api" {
		segments = segments[1:]
	}
	if len(segments) > 0 && len(segments[0]) == 2 && segments[0][0]|0x20 == 'v' && '0' <= segments[0][1] && segments[0][1] <= '9' {
		segments = segments[1:]
	}
	return segments
}

// meant returns the paths that are nearest to a path that does not exist: equal ones apart from the version, a slash at the end, capital
// letters, and - and _; then those with a similar word; then the paths of every game, where the game is missing.
func (ps paths) meant(path string) []string {
	if len(path) > longestPath {
		return nil
	}
	var (
		out   []string
		least int
		given = segmentsOf(path)
	)
	versioned := strings.HasPrefix(path, "/v1/")
	for _, known := range ps {
		cost, near := known.cost(given)
		switch {
		case !near || known.path == path || known.page && versioned || len(out) > 0 && cost > least:
			continue
		case cost < least:
			out = out[:0]
		}
		out, least = append(out, known.path), cost
	}
	return out[:min(len(out), maxMeant)]
}

// cost returns how far the path is from the segments, and false if that is too far.
func (k knownPath) cost(given []string) (cost int, near bool) {
	own := k.segments
	if len(own) == len(given)+1 && len(own) > 1 && strings.HasPrefix(k.path, "/v1/") && !parameter(own[1]) { // the game is missing
		own, cost = own[1:], 1
	}
	if len(own) != len(given) {
		return 0, false
	}
	for i, word := range own {
		far, ok := segmentCost(given[i], word)
		if !ok {
			return 0, false
		}
		cost += far
	}
	return cost, true
}

// parameter reports whether a segment of a path of the contract stands for any text.
func parameter(segment string) bool { return strings.HasPrefix(segment, "{") }

// segmentCost returns how far a segment is from the right one, and false if that is too far. At most a third of the letters may differ.
func segmentCost(given, word string) (cost int, near bool) {
	if parameter(word) {
		return 1, true // a word is nearer
	}
	longer := max(len(given), len(word))
	if 3*(longer-min(len(given), len(word))) <= longer {
		if cost = violation.Distance(given, word); 3*cost <= longer {
			return cost, true
		}
	}
	const short = 3 // letters say little
	whole, part := strings.ToLower(word), strings.ToLower(given)
	if len(whole) < len(part) {
		whole, part = part, whole
	}
	return aPart, len(part) >= short && (strings.HasPrefix(whole, part) || strings.HasSuffix(whole, "-"+part))
}
