package reason_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/reason"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// vector is a mistake whose reason was judged by hand against its two lines.
type vector struct {
	System, Trump, Leader, Declarer string
	Hands                           map[string]string
	Played                          []string
	Card, Better, Code, Text        string
}

func cards(t *testing.T, list []string) (out []piquet.Card) {
	t.Helper()
	for _, text := range list {
		c, err := piquet.ParseCard(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

func (v *vector) position(t *testing.T) (klaverjas.Position, []piquet.Card) {
	t.Helper()
	system, err := klaverjas.ParseSystem(v.System)
	if err != nil {
		t.Fatal(err)
	}
	var d klaverjas.Deal
	if d.Trump, err = piquet.ParseSuit(v.Trump); err != nil {
		t.Fatal(err)
	}
	if d.Leader, err = piquet.ParseSeat(v.Leader); err != nil {
		t.Fatal(err)
	}
	if d.Declarer, err = piquet.ParseTeam(v.Declarer); err != nil {
		t.Fatal(err)
	}
	for _, s := range piquet.Seats() {
		d.Hands[s] = piquet.SetOf(cards(t, strings.Fields(v.Hands[s.String()]))...)
	}
	start, err := klaverjas.NewPosition(klaverjas.DefaultRules(system), d)
	if err != nil {
		t.Fatal(err)
	}
	played := cards(t, v.Played)
	p, err := start.Replay(played)
	if err != nil {
		t.Fatal(err)
	}
	return p, played
}

func vectors[V any](t *testing.T, name string) (all []V) {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var v V
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

var update = flag.Bool("update", false, "write what the vectors in testdata expect anew; each must then be judged by hand")

// updated writes the vectors anew if the test updates them.
func updated[V any](t *testing.T, name string, all []V) {
	t.Helper()
	if !*update {
		return
	}
	var b bytes.Buffer
	for i := range all {
		if err := json.NewEncoder(&b).Encode(&all[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("testdata/"+name+".jsonl", b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Each reason has positions in which it was judged right.
func TestReasons(t *testing.T) {
	solver := search.New(search.Options{})
	seen := map[string]bool{}
	all := vectors[vector](t, "reasons")
	defer func() { updated(t, "reasons", all) }()
	for i := range all {
		v := &all[i]
		p, _ := v.position(t)
		two := cards(t, []string{v.Card, v.Better})
		l, err := reason.LinesOf(t.Context(), solver, p, two[0], two[1])
		if err != nil {
			t.Fatal(err)
		}
		r, ok := reason.Find(p, l)
		if *update {
			v.Code, v.Text = r.Code.String(), r.Text(p, l)
		}
		if got := r.Text(p, l); !ok || r.Code.String() != v.Code || got != v.Text {
			t.Errorf("%s, %s for %s:\n got %s: %s\nwant %s: %s", v.Trump, v.Card, v.Better, r.Code, got, v.Code, v.Text)
		}
		seen[v.Code] = true
		// The better card has no reason.
		if r, ok := reason.Find(p, reason.Lines{Played: l.Best, Best: l.Played}); ok {
			t.Errorf("%s instead of %s: %s", v.Better, v.Card, r.Text(p, l))
		}
	}
	for c := range reason.Code(reason.NumCodes) {
		if !seen[c.String()] {
			t.Errorf("%s has no position", c)
		}
	}
}

// The lines are best play: each ends with the outcome that the search finds after its first card.
func TestLinesAreBestPlay(t *testing.T) {
	solver := search.New(search.Options{})
	rng := index.NewRand(4)
	nat := 0
	for range 40 {
		p := randomPosition(t, rng, 4+rng.IntN(26))
		r, err := solver.Solve(t.Context(), search.Query{Position: p, Goal: search.Moves})
		if err != nil {
			t.Fatal(err)
		}
		moves := slices.Clone(r.Moves)
		first, last := moves[0], moves[len(moves)-1]
		l, err := reason.LinesOf(t.Context(), solver, p, last.Card, first.Card)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []struct {
			cards []piquet.Card
			want  search.MoveValue
		}{{l.Played, last}, {l.Best, first}} {
			end, err := p.Replay(line.cards)
			if err != nil || !end.Finished() || line.cards[0] != line.want.Card || end.Outcome() != line.want.Outcome {
				t.Errorf("%v ends with %d, expected %d (%v)", line.cards, end.Outcome(), line.want.Outcome, err)
			}
		}
		for _, line := range [][]piquet.Card{l.Played, l.Best} {
			nat += afterNat(t, solver, p, line)
		}
		if _, ok := reason.Find(p, l); ok && first.Outcome == last.Outcome {
			t.Errorf("a card that costs nothing has a reason")
		}
	}
	if nat < 20 {
		t.Errorf("after a nat, only %d cards were chosen by their points", nat)
	}
}

// afterNat checks that each card of a line after the first, of those with the best outcome, is best for the points if the outcome is nat.
// It returns how often that decided.
func afterNat(t *testing.T, solver *search.Solver, p klaverjas.Position, line []piquet.Card) (decided int) {
	t.Helper()
	// best returns the cards of a set with the best outcome.
	best := func(p klaverjas.Position, of piquet.Set) (cards piquet.Set, outcome int) {
		r, err := solver.Solve(t.Context(), search.Query{Position: p, Goal: search.Moves})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range r.Moves {
			if of.Has(m.Card) && (cards == 0 || m.Outcome == outcome) {
				cards, outcome = cards.With(m.Card), m.Outcome
			}
		}
		return cards, outcome
	}
	for i, c := range line {
		if i > 0 {
			if cards, outcome := best(p, p.Legal()); outcome <= 0 && cards.Len() > 1 {
				points, _ := best(p.Ahead(2000), cards)
				if points != cards {
					decided++
				}
				if !points.Has(c) {
					t.Errorf("%s is played after a nat, for the points are %s", c, points)
				}
			}
		}
		var err error
		if p, err = p.Play(c); err != nil {
			t.Fatal(err)
		}
	}
	return decided
}

func randomPosition(t *testing.T, rng interface{ IntN(int) int }, cards int) klaverjas.Position {
	t.Helper()
	source := index.NewRand(uint64(rng.IntN(1 << 30)))
	d := klaverjas.Deal{Trump: piquet.Suit(source.IntN(4)), Leader: piquet.Seat(source.IntN(4)), Declarer: piquet.Team(source.IntN(2))}
	d.Hands = index.Random(source, d.Trump, d.Leader)
	p, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.System(source.IntN(2))), d)
	for err == nil && cards > 0 {
		legal := p.Legal().Slice()
		p, err = p.Play(legal[source.IntN(len(legal))])
		cards--
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A line that is not legal or does not end the hand gives no reason.
func TestNoReasonFromBadLines(t *testing.T) {
	v := vectors[vector](t, "reasons")[0]
	p, _ := v.position(t)
	two := cards(t, []string{v.Card, v.Better})
	l, err := reason.LinesOf(t.Context(), search.New(search.Options{}), p, two[0], two[1])
	if err != nil {
		t.Fatal(err)
	}
	illegal := append([]piquet.Card{l.Best[1]}, l.Best[1:]...)
	for name, bad := range map[string]reason.Lines{
		"none": {}, "short": {Played: l.Played[:5], Best: l.Best}, "illegal": {Played: l.Played, Best: illegal},
	} {
		if _, ok := reason.Find(p, bad); ok {
			t.Errorf("%s lines have a reason", name)
		}
	}
	if _, err := reason.LinesOf(t.Context(), search.New(search.Options{}), p, two[0], l.Best[1]); err == nil {
		t.Error("an illegal card has a line")
	}
}

// hiddenVector is a mistake of a seat that did not see the other hands. Its reason was judged by hand against what the seat could know.
type hiddenVector struct {
	vector
	Drawn, Applies int
}

// possible returns the worlds that a review with the seed 0 searches for the reason.
func (v *hiddenVector) possible(t *testing.T, k *worlds.Knowledge) (out []worlds.World) {
	t.Helper()
	q, err := advice.NewQuestion(k)
	if err != nil {
		t.Fatal(err)
	}
	all := q.Uniform(index.NewRand(0), v.Drawn)
	for _, w := range all[:min(len(all), 24)] {
		out = append(out, w.World)
	}
	return out
}

// Each reason that hidden mistakes have had has a position in which it was judged right.
func TestHiddenReasons(t *testing.T) {
	solver := search.New(search.Options{})
	all := vectors[hiddenVector](t, "hidden")
	defer func() { updated(t, "hidden", all) }()
	for i := range all {
		v := &all[i]
		p, played := v.position(t)
		k, err := worlds.New(worlds.ViewOf(p, played, p.Turn()))
		if err != nil {
			t.Fatal(err)
		}
		two, possible := cards(t, []string{v.Card, v.Better}), v.possible(t, k)
		h, ok, err := reason.HiddenOf(t.Context(), solver, p, two[0], two[1], possible)
		if err != nil || !ok {
			t.Fatalf("%v, %v", ok, err)
		}
		deal := reason.Hands(p)
		if !h.Real() {
			deal = possible[h.Example]
		}
		at, err := p.Redealt(deal)
		if err != nil || deal != h.World {
			t.Fatalf("the deal of the lines is not number %d, %v", h.Example, err)
		}
		r, ok := h.Reason(at)
		if *update {
			v.Code, v.Applies, v.Text = r.Code.String(), h.Applies, h.Text(r, at)
		}
		if got := h.Text(r, at); !ok || r.Code.String() != v.Code || h.Applies != v.Applies || got != v.Text {
			t.Errorf("%s for %s:\n got %s: %s\nwant %s: %s", v.Card, v.Better, r.Code, got, v.Code, v.Text)
		}
		if facts := reason.Facts(k, r, at, h.Lines); len(facts) > 2 {
			t.Errorf("%d facts", len(facts))
		}
	}
}

// A reason over the worlds that were possible shows in its example. The lines are of the deal that was played if the card is worse there
// for this reason.
func TestHidden(t *testing.T) {
	solver := search.New(search.Options{})
	same, other := 0, 0
	for _, v := range vectors[vector](t, "reasons") {
		p, played := v.position(t)
		if len(played) < 12 {
			continue
		}
		k, err := worlds.New(worlds.ViewOf(p, played, p.Turn()))
		if err != nil {
			t.Fatal(err)
		}
		rng := index.NewRand(uint64(len(played)))
		var possible []worlds.World
		for range 8 {
			possible = append(possible, k.World(rng.Uint64N(k.Worlds())))
		}
		two := cards(t, []string{v.Card, v.Better})
		h, ok, err := reason.HiddenOf(t.Context(), solver, p, two[0], two[1], possible)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		at, err := p.Redealt(h.World)
		if err != nil {
			t.Fatal(err)
		}
		if r, ok := h.Reason(at); ok != (h.Applies > 0) || ok && (r.Code != h.Code || r.Trick == 0) {
			t.Errorf("%s: the example has %s, %v", h.Code, r.Code, ok)
		}
		if h.Applies > h.Worlds || h.Worlds != len(possible) || h.Share < 0 || h.Share > 1 {
			t.Errorf("%s in %d of %d worlds explains %v", h.Code, h.Applies, h.Worlds, h.Share)
		}
		if open, ok := openReason(t, solver, p, two); ok && open.Code == h.Code && h.Applies > 0 && !h.Real() {
			t.Errorf("the lines are not of the deal that was played, where the card has %s too", h.Code)
		}
		if h.Real() {
			same++
		} else {
			other++
		}
	}
	if same == 0 || other == 0 {
		t.Errorf("%d of the deal that was played, %d of others", same, other)
	}
}

// openReason returns the reason that a card has with all cards open.
func openReason(t *testing.T, solver *search.Solver, p klaverjas.Position, two []piquet.Card) (reason.Reason, bool) {
	t.Helper()
	l, err := reason.LinesOf(t.Context(), solver, p, two[0], two[1])
	if err != nil {
		t.Fatal(err)
	}
	return reason.Find(p, l)
}
