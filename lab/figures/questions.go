package figures

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/dealstest"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	handmodel "roem/internal/model/klaverjas/hand"
	"roem/internal/service"
	game "roem/internal/service/klaverjas"
	"roem/lab/klaverjas/games"
)

// The seeds of the deals and of the hands, and how many there are.
const (
	seed  = 1
	deals = 1000
)

// question is a question of the README: an operation of Klaverjas, and what it is asked.
type question struct {
	operation, on string
	n             int
	body          func(m *material, i int) map[string]any
}

// questions are the questions whose times the README states.
var questions = []question{
	{
		"legal-moves", "1,000 positions of hands of simple players, with 0 to 31 cards played", deals,
		func(m *material, i int) map[string]any { return position(&m.hands[i], cards(i)) },
	},
	{"solve", "1,000 uniform deals, seed 1", deals, wholeDeal},
	{
		"table", "100 uniform deals, seed 1", 100,
		func(m *material, i int) map[string]any {
			d := deal(m.deals[i].Deal())
			delete(d, "trump")
			delete(d, "declarer")
			return d
		},
	},
	{
		"analyse", "100 hands of simple players", 100,
		func(m *material, i int) map[string]any { return position(&m.hands[i], 32) },
	},
	{"predict", "1,000 uniform deals, seed 1", deals, wholeDeal},
	{"hybrid", "1,000 uniform deals, seed 1", deals, wholeDeal},
	{"knowledge", "1,000 views of hands of simple players, with 0 to 31 cards played", deals, someView},
	{"advise", "64 views of hands of simple players, with 0 to 31 cards played", 64, someView},
	{
		"bid", "200 hands after no to three passes, flow free", 200,
		func(m *material, i int) map[string]any {
			seat := piquet.Seats()[i%4]
			return map[string]any{
				"flow": "free", "dealer": "W", "calls": []string{"pass", "pass", "pass"}[:i%4], "seat": seat.String(),
				"hand": names(m.deals[i].Deal().Hands[seat]),
			}
		},
	},
	{
		"review", "8 hands of simple players, all four seats", 8,
		func(m *material, i int) map[string]any { return position(&m.hands[i], 32) },
	},
}

func wholeDeal(m *material, i int) map[string]any { return deal(m.deals[i].Deal()) }

func someView(m *material, i int) map[string]any { return view(&m.hands[i], cards(i)) }

// Times measures how long the operations of Klaverjas take for the questions of the README, on one core: from the bytes of a request to the
// bytes of its answer, without HTTP, and without a cache. version is the version of the program.
func Times(ctx context.Context, version string, done func(name string)) (all []Figure, err error) {
	operations, err := declared(version)
	if err != nil {
		return nil, err
	}
	m, err := draw(ctx)
	if err != nil {
		return nil, err
	}
	for _, q := range questions {
		bodies, err := q.bodies(&m)
		if err != nil {
			return nil, err
		}
		answer := operations["/v1/klaverjas/"+q.operation].Read
		if answer == nil {
			return nil, fmt.Errorf("there is no operation %s", q.operation)
		}
		// The first answer also loads models.
		if err := ask(ctx, answer, bodies[0]); err != nil {
			return nil, fmt.Errorf("%s: %w", q.operation, err)
		}
		began := time.Now()
		for _, body := range bodies {
			if err := ask(ctx, answer, body); err != nil {
				return nil, fmt.Errorf("%s: %w", q.operation, err)
			}
		}
		ms := float64(time.Since(began)) / float64(time.Millisecond) / float64(len(bodies))
		all = append(all, milliseconds("klaverjas.time."+q.operation, ms, q.on+"; one core, without HTTP"))
		done(q.operation)
	}
	return all, nil
}

// declared returns the operations of Klaverjas by path, with one slot and no cache.
func declared(version string) (map[string]service.Operation, error) {
	s, err := service.New(service.Options{Version: version, Slots: 1})
	if err != nil {
		return nil, err
	}
	predictor, err := game.DefaultPredictor()
	if err != nil {
		return nil, err
	}
	hands, err := handmodel.Embedded()
	if err != nil {
		return nil, err
	}
	service.Declare(s, game.Operations(), game.New(s, game.Options{Predictor: predictor, HandModel: hands}))
	operations := map[string]service.Operation{}
	for _, g := range s.Games() {
		for _, o := range g.Operations {
			operations[o.Path] = o
		}
	}
	return operations, nil
}

// ask answers a request and encodes the answer.
func ask(ctx context.Context, read func(context.Context, []byte) (service.Run, error), body []byte) error {
	run, err := read(ctx, body)
	if err != nil {
		return err
	}
	answer, err := run(ctx)
	if err != nil {
		return err
	}
	_, err = json.Marshal(answer)
	return err
}

// material is what the requests are made of: random deals, and hands that simple players have played.
type material struct {
	deals []klaverjas.Position
	hands []games.Game
}

func draw(ctx context.Context) (m material, err error) {
	if m.deals, err = dealstest.Deals(dealstest.Uniform, deals, seed); err != nil {
		return m, err
	}
	simple, err := players.ParseKind("simple", 0)
	if err != nil {
		return m, err
	}
	var rows bytes.Buffer
	err = games.Make(ctx, &rows, games.Settings{
		Player: simple, Games: deals, Seed: seed, Workers: 1, Tools: func() *players.Tools { return &players.Tools{} },
	})
	if err != nil {
		return m, err
	}
	m.hands, err = games.Read(&rows)
	return m, err
}

// bodies returns the requests of a question.
func (q *question) bodies(m *material) ([][]byte, error) {
	all := make([][]byte, q.n)
	for i := range all {
		text, err := json.Marshal(q.body(m, i))
		if err != nil {
			return nil, err
		}
		all[i] = text
	}
	return all, nil
}

// cards returns how many cards of hand i have been played: all numbers from 0 to 31 equally often.
func cards(i int) int { return (5 * i) % 32 }

// names returns the names of cards.
func names(s piquet.Set) (all []string) {
	for c := range s.All() {
		all = append(all, c.String())
	}
	return all
}

// deal returns a deal as requests have it.
func deal(d klaverjas.Deal) map[string]any {
	hands := map[string][]string{}
	for _, seat := range piquet.Seats() {
		hands[seat.String()] = names(d.Hands[seat])
	}
	return map[string]any{"trump": d.Trump.String(), "leader": d.Leader.String(), "declarer": d.Declarer.String(), "hands": hands}
}

// position returns a hand with some of its cards played.
func position(g *games.Game, n int) map[string]any {
	p := deal(g.Deal)
	p["rules"] = map[string]string{"system": g.Rules.System.String()}
	played := make([]string, n)
	for i := range played {
		played[i] = g.Played[i].String()
	}
	p["played"] = played
	return p
}

// view returns what the seat to play has seen of a hand after some cards.
func view(g *games.Game, n int) map[string]any {
	v := position(g, n)
	next := g.Played[n]
	for _, seat := range piquet.Seats() {
		if g.Deal.Hands[seat].Has(next) {
			v["seat"], v["hand"] = seat.String(), names(g.Deal.Hands[seat])
		}
	}
	delete(v, "hands")
	return v
}
