package enginetest

import (
	"flag"
	"math"
	"slices"
	"testing"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/random"
)

var games = flag.Int("games", 1000, "the number of `games` of the self-play statistics; the reference has 20000")

// counts are what happened in one game.
type counts struct {
	one, deals, plays, knocks, gins, undercuts, voids, won1 float64
	ones, above14, above18                                  float64 // over the situations after a discard
}

// The simple player against itself has the statistics of the independent simulator of lab/docs/gin-rummy/README.md over 20,000 games: each
// is within four standard errors of both. Ones are counted among the 156 features of a situation. The authors' data has 18.437 of them in
// the mean, since its deals repeat; 18 in the median, 12 at least and 44 at most.
func TestSelfPlay(t *testing.T) {
	var (
		all  []counts
		ones []int
		now  counts
	)
	const seed = 5
	for i := range uint64(*games) {
		now = counts{one: 1}
		starter := ginrummy.Seat(random.Below(random.New(seed, 1, i), 2))
		deal := func(number int, starter ginrummy.Seat) ginrummy.Deal {
			d := ginrummy.SeededDeal(seed, i<<16|uint64(number), starter)
			d.LayOffs = ginrummy.ChallengeLayOffs // as the simulation that it is compared with
			return d
		}
		seats := [2]players.Player{players.NewSimple(random.New(seed, 2, 2*i)), players.NewSimple(random.New(seed, 2, 2*i+1))}
		g, err := players.PlayGame(t.Context(), starter, deal, seats, func(s *players.Step) {
			if s.Action.Kind != ginrummy.Discard {
				return
			}
			now.plays++
			seat := s.Before.Seat().Other() // who sees the discard
			view := ginrummy.NewView(&s.After, seat, s.Events[seat], [2]int{})
			seen := view.Seen()
			n := (seen.Discarded | seen.Refused).Len() + seen.Kept.Len() + seen.Own.Len()
			ones = append(ones, n)
			now.ones += float64(n)
			if n > 14 {
				now.above14++
			}
			if n > 18 {
				now.above18++
			}
		}, func(_ ginrummy.Round, r ginrummy.Result) {
			now.deals++
			switch {
			case r.Void:
				now.voids++
				return
			case r.Gin:
				now.gins++
			case r.Undercut:
				now.undercuts++
			}
			now.knocks++
		})
		if err != nil {
			t.Fatal(err)
		}
		now.won1 = float64(g.Winner)
		all = append(all, now)
	}
	for _, tt := range []struct {
		name  string
		of    func(c *counts) (count, of float64)
		want  float64
		digit float64 // half of the last digit of the reference
	}{
		{"deals a game", func(c *counts) (float64, float64) { return c.deals, c.one }, 10.21, 0.005},
		{"plays a game", func(c *counts) (float64, float64) { return c.plays, c.one }, 128.0, 0.05},
		{"plays a deal", func(c *counts) (float64, float64) { return c.plays, c.deals }, 12.53, 0.005},
		{"gins a knock", func(c *counts) (float64, float64) { return c.gins, c.knocks }, 0.021, 0.0005},
		{"undercuts a knock", func(c *counts) (float64, float64) { return c.undercuts, c.knocks }, 0.043, 0.0005},
		{"voids a deal", func(c *counts) (float64, float64) { return c.voids, c.deals }, 0.0016, 0.00005},
		{"games of seat 1", func(c *counts) (float64, float64) { return c.won1, c.one }, 0.502, 0.0005},
		{"ones a situation", func(c *counts) (float64, float64) { return c.ones, c.plays }, 18.40, 0.005},
		{"situations with more than 14 ones", func(c *counts) (float64, float64) { return c.above14, c.plays }, 0.685, 0.0005},
		{"situations with more than 18 ones", func(c *counts) (float64, float64) { return c.above18, c.plays }, 0.402, 0.0005},
	} {
		got, e := ratio(all, tt.of)
		e *= math.Sqrt(1 + float64(len(all))/20_000) // with the error of the reference
		t.Logf("%-35s %8.4f +- %.4f, reference %g", tt.name, got, e, tt.want)
		if math.Abs(got-tt.want) > 4*e+tt.digit {
			t.Errorf("%s: %.4f, want %g within four standard errors of %.4f", tt.name, got, tt.want, e)
		}
	}
	slices.Sort(ones)
	t.Logf("ones: median %d, least %d, most %d", ones[len(ones)/2], ones[0], ones[len(ones)-1])
	if median, least := ones[len(ones)/2], ones[0]; median != 18 || least < 11 || least > 12 {
		t.Errorf("ones: median %d, least %d, want 18 and 12", median, least)
	}
}

// ratio estimates a ratio of two sums over games, with its standard error by linearisation.
func ratio(all []counts, of func(*counts) (count, of float64)) (r, standardError float64) {
	var count, total, squares float64
	for i := range all {
		a, b := of(&all[i])
		count += a
		total += b
	}
	r = count / total
	for i := range all {
		a, b := of(&all[i])
		squares += (a - r*b) * (a - r*b)
	}
	return r, math.Sqrt(squares) / total
}
