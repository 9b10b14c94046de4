package variants

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/knowledge"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/random"
)

// Options are those of a Deviation.
type Options struct {
	Method string  // how worlds are judged, one of methods
	Tricks int     // in so many last tricks the method is used; before, the base chooses
	Worlds int     // the worlds that are judged
	Moves  int     // alphamu and respond: how many of its own choices the seat plans without seeing the others' cards
	Front  int     // alphamu: how many vectors a front has at most
	Last   int     // leaf: in so many last tricks a playout is ended by an exact search
	Heat   float64 // respond: the temperature of the others' choices; 0 means their likeliest card
	Mix    float64 // mix: the weight of the playouts beside the exact searches
	Power  float64 // of the weights; 0 means that of the base
	Stop   int     // in so many last tricks the base chooses
	Errors float64 // close: cards so many standard errors below the best one are close
	Margin float64 // race: cards that differ by no more, with one standard error, are called equal
	Use    int     // race: the worlds that are judged, of those that are drawn; 0 means all
	Each   int     // so many worlds are weighed for each that is judged
	Inner  int     // close: the worlds that the inner players play out; 0 means that the last tricks of the playouts are searched
	Ahead  int     // close: so many cards are chosen by inner players
	Again  int     // close: the worlds in which close cards are judged again; 0 means all
}

// ParseOptions reads a method and its options, as in alphamu,moves=2,worlds=40,tricks=3.
func ParseOptions(text string) (Options, error) {
	method, rest, _ := strings.Cut(text, ",")
	o := Options{Method: method, Tricks: 4, Worlds: 500, Moves: 2, Front: 8, Last: 4, Mix: 0.5, Errors: 1, Ahead: 4, Each: advice.CandidatesEach}
	if !slices.Contains(methods, method) {
		return o, fmt.Errorf("%.40q is not one of %q", method, methods)
	}
	whole := map[string]*int{
		"tricks": &o.Tricks, "worlds": &o.Worlds, "moves": &o.Moves, "front": &o.Front, "last": &o.Last,
		"stop": &o.Stop, "inner": &o.Inner, "ahead": &o.Ahead, "each": &o.Each, "use": &o.Use, "again": &o.Again,
	}
	number := map[string]*float64{
		"heat": &o.Heat, "mix": &o.Mix, "power": &o.Power, "errors": &o.Errors, "margin": &o.Margin,
	}
	for part := range strings.SplitSeq(rest, ",") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		var err error
		switch {
		case whole[name] != nil:
			*whole[name], err = strconv.Atoi(value)
		case number[name] != nil:
			*number[name], err = strconv.ParseFloat(value, 64)
		default:
			err = errors.New("there is no such option")
		}
		if err != nil {
			return o, fmt.Errorf("%.40q: %w", part, err)
		}
	}
	if o.Worlds < 1 || o.Worlds > players.MaxWorlds || o.Tricks < 1 || o.Tricks > klaverjas.HandSize || o.Moves < 1 || o.Each < 1 || o.Each > 100 {
		return o, fmt.Errorf("%.40q: expected worlds 1 to %d, tricks 1 to %d, moves from 1, each 1 to 100", text, players.MaxWorlds, klaverjas.HandSize)
	}
	return o, nil
}

var methods = []string{"exact", "playout", "mix", "leaf", "close", "race", "alphamu", "respond"}

// Deviation chooses as the base does, except in the last tricks.
type Deviation struct {
	Options
	Base   Way
	Models playout.Models
	Solver *search.Solver
	Memory *Memory // may be shared by variants
	// Playouts counts those of the method race, Decisions the choices of the method close, and Close those in which cards were judged again.
	Playouts, Decisions, Close int
}

func stream(v *knowledge.View, seed uint64) *rand.Rand {
	return random.New(seed, uint64(len(v.Played)), uint64(v.Seat))
}

// Choose returns the card with the best mean value of the method.
func (d *Deviation) Choose(ctx context.Context, v knowledge.View, seed uint64) (cards.Card, error) {
	if left := cards.Deck.Len() - len(v.Played); left > 4*d.Tricks || left <= 4*d.Stop {
		return d.Base.Choose(ctx, v, seed)
	}
	k, err := knowledge.New(v)
	if err != nil {
		return 0, err
	}
	q, err := advice.NewQuestion(k)
	if err != nil {
		return 0, err
	}
	if q.Forced() {
		return q.Cards()[0], nil
	}
	values, err := d.values(ctx, q, d.draw(q, seed), stream(&v, seed+1))
	if err != nil {
		return 0, err
	}
	best := 0
	for i := range q.Cards() {
		if values[i] > values[best] {
			best = i
		}
	}
	return q.Cards()[best], nil
}

// Memory has what variants share in the positions of one seed: the worlds that are drawn and weighed, and their exact searches.
type Memory struct {
	seed  uint64
	draws map[draw]*drawn
}

type draw struct {
	at     string // the seat and the cards played
	worlds int
	each   int
	power  float64
}

type drawn struct {
	worlds []advice.Sampled
	rows   []advice.Row // of the exact searches, when they have been made
	ends   []advice.Row // of the playouts that have been made
	made   []uint8      // which, as bits
}

// playOut plays out a card in a world, or remembers.
func (d *Deviation) playOut(q *advice.Question, t playout.Table, of *drawn, world, card int) float64 {
	if of.ends == nil {
		of.ends, of.made = make([]advice.Row, len(of.worlds)), make([]uint8, len(of.worlds))
	}
	if of.made[world]>>card&1 == 0 {
		of.ends[world][card] = int16(playout.Outcome(d.Models.Play, t, of.worlds[world].World, q.Cards()[card]))
		of.made[world] |= 1 << card
	}
	return float64(of.ends[world][card])
}

// draw returns the worlds for a question.
func (d *Deviation) draw(q *advice.Question, seed uint64) *drawn {
	v := q.Knowledge().View()
	if m := d.Memory; m.draws == nil || m.seed != seed {
		m.seed, m.draws = seed, map[draw]*drawn{}
	}
	o := advice.DefaultPlayouts(d.Worlds)
	o.Candidates = d.Each * d.Worlds
	if d.Power > 0 {
		o.Weights.Power = d.Power
	}
	key := draw{v.Seat.String() + string(v.Played), d.Worlds, d.Each, d.Power}
	known := d.Memory.draws[key]
	if known == nil {
		known = &drawn{worlds: q.Weigh(stream(&v, seed), d.Models.Players, o).Worlds}
		d.Memory.draws[key] = known
	}
	return known
}

// search returns the results of the exact searches of the worlds.
func (d *Deviation) search(ctx context.Context, q *advice.Question, of *drawn) ([]advice.Row, error) {
	if of.rows != nil {
		return of.rows, nil
	}
	rows := make([]advice.Row, len(of.worlds))
	for i, w := range of.worlds {
		var err error
		if rows[i], _, err = q.Solve(ctx, d.Solver, w.World); err != nil {
			return nil, err
		}
	}
	of.rows = rows
	return rows, nil
}

// values returns the mean value of each legal card of the question for the seat's team, in the order of Question.Cards.
func (d *Deviation) values(ctx context.Context, q *advice.Question, of *drawn, rng *rand.Rand) ([]float64, error) {
	switch d.Method {
	case "alphamu":
		return newFusion(q, d.Solver, of.worlds, d.Front).values(ctx, d.Moves)
	case "race":
		return d.race(ctx, q, of)
	case "close":
		return d.close(ctx, q, of.worlds, rng)
	case "respond":
		return newResponse(q, d.Models.Play, of.worlds, d.Heat).values(ctx, d.Moves)
	}
	view := q.Knowledge().View()
	table := playout.TableOf(&view)
	var rows []advice.Row
	if d.Method == "exact" || d.Method == "mix" {
		var err error
		if rows, err = d.search(ctx, q, of); err != nil {
			return nil, err
		}
	}
	sum, weight := make([]float64, len(q.Cards())), 0.0
	for i, w := range of.worlds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		weight += w.Weight
		for j, c := range q.Cards() {
			x := 0.0
			switch d.Method {
			case "exact":
				x = float64(rows[i][j])
			case "mix":
				x = d.Mix*float64(playout.Outcome(d.Models.Play, table, w.World, c)) + (1-d.Mix)*float64(rows[i][j])
			case "playout":
				x = float64(playout.Outcome(d.Models.Play, table, w.World, c))
			case "leaf":
				var err error
				if x, err = d.leaf(ctx, q, table, w.World, c); err != nil {
					return nil, err
				}
			}
			sum[j] += w.Weight * sign(&view) * x
		}
	}
	for i := range sum {
		sum[i] /= weight
	}
	return sum, nil
}

// sign is 1 for the declarers and -1 for the defenders.
func sign(v *knowledge.View) float64 {
	if v.Seat.Team() == v.Declarer {
		return 1
	}
	return -1
}
