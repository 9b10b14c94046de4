package ginrummy

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/ginrummy/reason"
	"roem/internal/random"
)

// ReasonSettings configure Reasons.
type ReasonSettings struct {
	Estimate advice.Estimate
	Mistakes int
	Worlds   int // in which each decision is judged
	Seed     uint64
}

// Mistake is a decision that cost something, with the reason. Found is false if there is none.
type Mistake struct {
	Round  uint64 // the number of the deal
	View   ginrummy.View
	Judged advice.Judged
	Pairs  []advice.Pair
	Reason reason.Reason
	Found  bool
}

// careless plays as another player, but one of four actions is drawn at random.
type careless struct {
	players.Player
	other players.Player
	rng   *rand.Rand
}

// Choose lets one of the players choose.
func (c *careless) Choose(ctx context.Context, v ginrummy.View) (ginrummy.Action, error) {
	if random.Below(c.rng, 4) == 0 {
		return c.other.Choose(ctx, v)
	}
	return c.Player.Choose(ctx, v)
}

// least is the cost of a mistake in points, which the cost must reach by two standard errors, as in a review.
const least = 2

// Reasons lets a simple and a careless player play rounds, and returns the mistakes of both: of a round at most one for each kind
// of decision.
func Reasons(ctx context.Context, s ReasonSettings) (list []Mistake, err error) {
	settings := advice.Default(s.Estimate)
	settings.Worlds = s.Worlds
	judge := advice.New(settings)
	for number := uint64(0); len(list) < s.Mistakes; number++ {
		deal := ginrummy.SeededDeal(s.Seed, number, ginrummy.Seat(number&1))
		rng := func(of uint64) *rand.Rand { return random.New(s.Seed, number, of) }
		seats := [2]players.Player{
			players.NewSimple(rng(0)), &careless{players.NewSimple(rng(1)), players.NewRandom(rng(2)), rng(3)},
		}
		var had [ginrummy.Ended]bool // the phases of which a mistake was found
		var failed error
		_, _, err := players.PlayRound(ctx, &deal, [2]int{}, seats, func(step *players.Step) {
			phase := step.Before.Phase()
			if phase > ginrummy.ToKnock || had[phase] || len(list) >= s.Mistakes || failed != nil {
				return
			}
			seat := step.Before.Seat()
			events := before(step, seat)
			v := ginrummy.NewView(&step.Before, seat, events, [2]int{})
			if choices(&v) < 2 {
				return
			}
			m := Mistake{Round: number, View: v}
			if m.Judged, failed = judge.Judge(ctx, &v, step.Action, random.New(s.Seed)); failed != nil {
				return
			}
			if m.Judged.Cost-2*m.Judged.Error < least {
				return
			}
			m.Pairs = judge.Pairs(&v, &m.Judged)
			m.Reason, m.Found = reason.Find(&v, &m.Judged, m.Pairs)
			had[phase] = true
			list = append(list, m)
		})
		if err := errors.Join(err, failed); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// choices returns how many actions were allowed.
func choices(v *ginrummy.View) int {
	d := ginrummy.Decision{View: *v}
	return d.Legal()
}

// before returns what a seat had seen before a step: the list of events after it, without its own.
func before(step *players.Step, seat ginrummy.Seat) []ginrummy.Event {
	events := slices.Clone(step.Events[seat])
	if _, ok := ginrummy.EventOf(&step.Before, &step.After, step.Action, seat); ok {
		events = events[:len(events)-1]
	}
	return events
}

// MedianShare returns the median of the shares of the cost that the reasons explain. It is 0 where there is none.
func MedianShare(list []Mistake) float64 {
	return median(list, func(m *Mistake) float64 { return m.Reason.Share })
}

// MedianApplies returns the median share of the worlds in which the reasons are true.
func MedianApplies(list []Mistake) float64 {
	return median(list, func(m *Mistake) float64 { return float64(m.Reason.Applies) / float64(max(m.Reason.Worlds, 1)) })
}

func median(list []Mistake, of func(*Mistake) float64) float64 {
	values := make([]float64, len(list))
	for i := range list {
		values[i] = of(&list[i])
	}
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// ReasonsPage writes the mistakes as a page in Markdown.
func ReasonsPage(list []Mistake, command string) string {
	var b strings.Builder
	counts, none := [reason.NumCodes]int{}, 0
	for i := range list {
		if list[i].Found {
			counts[list[i].Reason.Code]++
		} else {
			none++
		}
	}
	fmt.Fprintf(&b, "# Why an action of Gin Rummy was a mistake\n\n`%s` wrote this page. A simple player played against the same player with "+
		"one of four actions drawn at random, and the actions of both were judged on what their player could know. The list has at most one "+
		"draw, one discard and one knock of a round.\n\n| reason | mistakes |\n|---|---|\n", command)
	for c := range reason.NumCodes {
		if counts[c] > 0 {
			fmt.Fprintf(&b, "| `%s` | %d |\n", c, counts[c])
		}
	}
	fmt.Fprintf(&b, "| none | %d |\n\nThe median reason explains %.0f %% of the cost, and is true in %.0f %% of the worlds.\n\n"+
		"| hand | action | better | cost | reason | explains |\n|---|---|---|---|---|---|\n", none, 100*MedianShare(list),
		100*MedianApplies(list))
	for i := range list {
		m := &list[i]
		text := "none"
		if m.Found {
			text = fmt.Sprintf("%#q: %s", m.Reason.Code.String(), m.Reason.Text(m.Judged.Played.Action, m.Judged.Advised))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %.1f ± %.1f | %s | %.0f %% |\n", m.View.Own, named(m, m.Judged.Played.Action),
			named(m, m.Judged.Advised), m.Judged.Cost, 2*m.Judged.Error, text, 100*m.Reason.Share)
	}
	return b.String()
}

// named names an action with its card.
func named(m *Mistake, a ginrummy.Action) string {
	switch a.Kind {
	case ginrummy.Discard:
		return "discard " + a.Card.String()
	case ginrummy.Take:
		return "take " + m.View.Top.String()
	default:
		return a.Kind.String()
	}
}
