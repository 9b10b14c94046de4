// Package cause chooses, of all that an action gives away in some worlds, what explains most of its cost.
//
// A game compares two lines in each world: what follows the action, and what follows a better one. What is true in the first and not in the
// second is a cause. It has the points that it explains in the world, which may be 0: the opponents take a trick, and lose as much
// elsewhere.
package cause

import "slices"

// Nearness says how far a cause is from the action. What everybody at the table sees comes before what follows from it.
type Nearness uint8

// The degrees of nearness.
const (
	Near    Nearness = iota // it shows in the trick of the action, or is about the same card
	Bonus                   // a bonus of the hand that depends on all tricks
	Distant                 // it shows in a later trick
	Whole                   // it is true of the lines as a whole
	degrees
)

// A cause comes before those that are further away if it explains at least this share of the cost, and is true in at least one of four
// worlds or explains half. Of equally near causes, those that explain
// at least half of what the best one explains are as good, and the one that is true most often is chosen.
//
// The shares were set on 100 mistakes of Klaverjas with hidden cards; lab/docs/klaverjas/tried.md has what came of them.
var least = [degrees]float64{1. / 7, 0.5, 0.5, 0.25}

const (
	often = 4
	half  = 0.5
)

// Cause is what an action gives away in one world. Points are what it explains there of the cost.
type Cause struct {
	Code     int // the game's; of causes that are equally good, the smallest is chosen
	Nearness Nearness
	Points   int
}

// World is one of the deals. Cost is what the action costs there; it is not positive if the action is as good.
type World struct {
	Cost   int
	Causes []Cause // each code once
}

// Choice is the cause that was chosen: its share of the cost over all worlds, from 0 to 1, and in how many worlds it is true.
type Choice struct {
	Code  int
	Share float64
	Holds int
}

// Choose returns the reason: of the nearest causes that explain enough of the cost over the worlds, the one that is true most often. If no
// cause explains enough for its nearness, the one that explains most is the reason. ok is false if none explains anything.
func Choose(worlds []World) (c Choice, ok bool) {
	sums, total := sumsOf(worlds)
	if total == 0 {
		return Choice{}, false
	}
	share := func(s *sum) float64 { return float64(s.points) / float64(total) }
	for n := range degrees {
		most, best := 0, (*sum)(nil)
		enough := func(s *sum) bool {
			return s.nearness == n && share(s) >= least[n] && (often*s.holds >= len(worlds) || share(s) >= half)
		}
		for _, s := range sums {
			if enough(s) {
				most = max(most, s.points)
			}
		}
		for _, s := range sums {
			if enough(s) && 2*s.points >= most && (best == nil || s.before(best)) {
				best = s
			}
		}
		if best != nil {
			return Choice{Code: best.code, Share: share(best), Holds: best.holds}, true
		}
	}
	best := sums[0]
	for _, s := range sums[1:] {
		if s.points > best.points {
			best = s
		}
	}
	return Choice{Code: best.code, Share: share(best), Holds: best.holds}, best.points > 0
}

// sum is what a cause is over all worlds.
type sum struct {
	code, points, holds int
	nearness            Nearness
}

// sumsOf returns what the causes are over all worlds, in the order of their codes, and what the action costs in them. In a world in which
// it costs nothing, a cause can be true and explains nothing.
func sumsOf(worlds []World) (sums []*sum, total int) {
	at := map[int]*sum{}
	for i := range worlds {
		w := &worlds[i]
		total += max(w.Cost, 0)
		for _, one := range w.Causes {
			s := at[one.Code]
			if s == nil {
				s = &sum{code: one.Code, nearness: one.Nearness}
				at[one.Code] = s
				sums = append(sums, s)
			}
			s.holds++
			s.points += max(0, min(one.Points, w.Cost))
		}
	}
	slices.SortFunc(sums, func(a, b *sum) int { return a.code - b.code })
	if len(sums) == 0 {
		total = 0
	}
	return sums, total
}

// before reports whether a cause is chosen before an equally near one with a smaller code.
func (s *sum) before(o *sum) bool {
	if s.holds != o.holds {
		return s.holds > o.holds
	}
	return s.points > o.points
}

// Explained is the reason over several worlds, and the world that shows it.
type Explained struct {
	Choice
	Example int // the place of the world among all, of which 0 is the one that was played
	// Without a reason, Reason is false: the better action is better in the example, and no cause explains that.
	Reason bool
}

// Explain chooses the reason over the worlds after the first, which is the one that was played and may be impossible to know. sign says how
// a cause shows in a world. The example is the world that was played if the action is worse there for this reason, and otherwise one in
// which the reason shows as in most others. ok is false if the action is worse in none of the worlds.
func Explain[K comparable](all []World, sign func(world, code int) K) (e Explained, ok bool) {
	e.Choice, e.Reason = Choose(all[1:])
	e.Example = -1
	times := 0
	for i := range all {
		if all[i].Cost <= 0 || e.Reason && !all[i].has(e.Code) {
			continue
		}
		if i == 0 || !e.Reason {
			e.Example = i
			return e, true
		}
		n, here := 0, sign(i, e.Code)
		for k := 1; k < len(all); k++ {
			if all[k].has(e.Code) && sign(k, e.Code) == here {
				n++
			}
		}
		if e.Example < 0 || n > times {
			e.Example, times = i, n
		}
	}
	return e, e.Example >= 0
}

// has reports whether a cause is true in a world.
func (w *World) has(code int) bool {
	return slices.ContainsFunc(w.Causes, func(c Cause) bool { return c.Code == code })
}
