package reason_test

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"roem/internal/engine/klaverjas"
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

func vectors(t *testing.T) (all []vector) {
	t.Helper()
	f, err := os.Open("testdata/reasons.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// Each reason has positions in which it was judged right.
func TestReasons(t *testing.T) {
	solver := search.New(search.Options{})
	seen := map[string]bool{}
	for _, v := range vectors(t) {
		p, _ := v.position(t)
		two := cards(t, []string{v.Card, v.Better})
		l, err := reason.LinesOf(t.Context(), solver, p, two[0], two[1])
		if err != nil {
			t.Fatal(err)
		}
		r, ok := reason.Find(p, l)
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
	v := vectors(t)[0]
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

// Over the worlds that were possible, the reason is the one that most of them have. If the deal that was played has it, the lines are of
// that deal.
func TestHidden(t *testing.T) {
	solver := search.New(search.Options{})
	same, other := 0, 0
	for _, v := range vectors(t) {
		p, played := v.position(t)
		if len(played) < 8 {
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
		if err != nil || !ok {
			t.Fatalf("%v, %v", ok, err)
		}
		at, err := p.Redealt(h.World)
		if err != nil {
			t.Fatal(err)
		}
		counts := map[reason.Code]int{}
		for _, w := range possible {
			q, err := p.Redealt(w)
			if err != nil {
				t.Fatal(err)
			}
			l, err := reason.LinesOf(t.Context(), solver, q, two[0], two[1])
			if err != nil {
				t.Fatal(err)
			}
			if r, ok := reason.Find(q, l); ok {
				counts[r.Code]++
			}
		}
		most := 0
		for _, n := range counts {
			most = max(most, n)
		}
		r, found := reason.Find(at, h.Lines)
		switch {
		case h.Applies == 0:
			if 4*most >= len(possible) {
				t.Errorf("no reason, but %d of %d have the same", most, len(possible))
			}
		case !found || counts[r.Code] != most || h.Applies != most:
			t.Errorf("%s in %d of %d, counts %v", r.Code, h.Applies, h.Worlds, counts)
		}
		if h.Real && at != p {
			t.Error("the lines are not of the deal that was played")
		}
		if h.Real {
			same++
		} else {
			other++
		}
		if facts := reason.Facts(k, r, at, h.Lines); len(facts) > 2 {
			t.Errorf("%d facts", len(facts))
		}
	}
	if same == 0 || other == 0 {
		t.Errorf("%d of the deal that was played, %d of others", same, other)
	}
}

// The reference page has a row for each reason, with a sentence of one of the positions.
func TestReferencePage(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/reference/klaverjas-reasons.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string][]string{}
	for _, v := range vectors(t) {
		texts[v.Code] = append(texts[v.Code], v.Text)
	}
	rows := regexp.MustCompile("(?m)^\\| `(\\w+)` \\| .* \\| (.*) \\|$").FindAllStringSubmatch(string(page), -1)
	if len(rows) != reason.NumCodes {
		t.Errorf("%d rows, expected %d", len(rows), reason.NumCodes)
	}
	for i, row := range rows {
		if want := reason.Code(i).String(); row[1] != want || !slices.Contains(texts[want], row[2]) {
			t.Errorf("row %d is %s: %s; the reason is %s: %v", i, row[1], row[2], want, texts[want])
		}
	}
}
