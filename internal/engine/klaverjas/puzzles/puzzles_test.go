package puzzles_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/puzzles"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/testkit"
)

func all(tb testing.TB) *puzzles.Set {
	tb.Helper()
	s, err := puzzles.All()
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// Each puzzle has exactly one best card: a new search finds the same values, and each other card costs more than the margin.
func TestOneBestCard(t *testing.T) {
	s := all(t)
	if n := len(s.Puzzles); n != 1000 {
		t.Fatalf("%d puzzles", n)
	}
	solver := search.New(search.Options{TableBytes: 16 << 20})
	step := testkit.Times(97, 23, 1, 1)
	for i := 0; i < len(s.Puzzles); i += step {
		p := s.Puzzles[i]
		if p.Margin() < p.Least() {
			t.Errorf("%s: the margin is %v", p.ID, p.Margin())
		}
		if err := p.Again(t.Context(), solver); err != nil {
			t.Errorf("%s: %v", p.ID, err)
		}
	}
}

// Worlds that the miner has not drawn say the same of a hidden puzzle: each other card is clearly worse.
func TestOtherWorldsAgree(t *testing.T) {
	solver := search.New(search.Options{TableBytes: 16 << 20})
	step := testkit.Times(197, 43, 3, 1)
	for i, p := range all(t).Puzzles {
		if !p.Hidden || i%step != 0 {
			continue
		}
		v, err := p.View()
		if err != nil {
			t.Fatal(err)
		}
		values, err := puzzles.Search(t.Context(), solver, v, p.Worlds, p.Seed+1, -puzzles.Errors)
		if err != nil {
			t.Errorf("%s: %v", p.ID, err)
			continue
		}
		for _, other := range values[1:] {
			if values[0].Card != p.Values[0].Card || other.Cost <= 2*other.Error {
				t.Errorf("%s: %s costs %v with an error of %v, after %s", p.ID, other.Card, other.Cost, other.Error, values[0].Card)
			}
		}
	}
}

// The level does not contradict the counts: a puzzle that at least half of the beginners find is for casual players or strong ones, and one
// with a lower share of players who find the card is not easier.
func TestLevelFollowsCounts(t *testing.T) {
	least := [3]float64{1, 1, 1}
	var most [3]float64
	for _, p := range all(t).Puzzles {
		level, sum := p.Level(), 0.0
		for _, g := range p.Grades {
			sum += float64(g.Found) / float64(5*g.Players)
		}
		least[level], most[level] = min(least[level], sum), max(most[level], sum)
		if b := p.Grades[0]; level == 2 && 2*b.Found >= b.Players {
			t.Errorf("%s is for masters, and %d of %d beginners find it", p.ID, b.Found, b.Players)
		}
	}
	if least[0] <= most[1] || least[1] <= most[2] {
		t.Errorf("shares from %v to %v, by level", least, most)
	}
}

// The file is in order, and a line is what is written of the puzzle that it was read from.
func TestFile(t *testing.T) {
	s := all(t)
	themes, levels, kinds := map[string]int{}, map[int]int{}, map[string]int{}
	for i, p := range s.Puzzles {
		again, err := puzzles.Parse(p.Line())
		if err != nil || again.ID != p.ID || again.Line() != p.Line() {
			t.Errorf("%s is read again as %v, %v", p.ID, again, err)
		}
		if i > 0 && p.ID <= s.Puzzles[i-1].ID {
			t.Errorf("%s follows %s", p.ID, s.Puzzles[i-1].ID)
		}
		if len(p.Grades) != len(players.Levels()) {
			t.Errorf("%s has %d grades", p.ID, len(p.Grades))
		}
		if found, ok := s.Find(p.ID); !ok || found != p {
			t.Errorf("%s is not found", p.ID)
		}
		levels[p.Level()]++
		kinds[p.Kind()]++
		for _, theme := range p.Themes {
			themes[theme.String()]++
		}
	}
	t.Logf("kinds %v, levels %v, themes %v", kinds, levels, themes)
	if kinds["open"] != 600 || kinds["hidden"] != 400 {
		t.Errorf("kinds: %v", kinds)
	}
	for _, theme := range puzzles.ThemeNames() {
		if themes[theme] == 0 {
			t.Errorf("no puzzle has the theme %s", theme)
		}
	}
	if _, ok := s.Find("nothing"); ok {
		t.Error("a puzzle is found that does not exist")
	}
}

// Of the puzzles nearly half go on for several cards. Each later decision is of the seat of the puzzle, follows the best card of the one
// before, and has one good card.
func TestLater(t *testing.T) {
	several := map[string]map[int]int{"open": {}, "hidden": {}}
	for _, p := range all(t).Puzzles {
		several[p.Kind()][len(p.Decisions())]++
		first, err := p.Position()
		if err != nil {
			t.Fatal(err)
		}
		before := p
		for _, d := range p.Later {
			at, err := d.Position()
			if err != nil || at.Turn() != first.Turn() || at.Legal() != d.Legal() || d.Margin() < p.Least() {
				t.Errorf("%s after %v: %s is to play, the margin is %v, %v", p.ID, d.Played, at.Turn(), d.Margin(), err)
			}
			n := len(before.Played)
			if !slices.Equal(d.Played[:n], before.Played) || d.Played[n] != before.Values[0].Card {
				t.Errorf("%s: %v follows %v and %s", p.ID, d.Played, before.Played, before.Values[0].Card)
			}
			before = d
		}
	}
	t.Logf("puzzles by the number of decisions: %v", several)
	if n := 1000 - several["open"][1] - several["hidden"][1]; n < 400 || several["open"][3] == 0 || several["hidden"][3] == 0 {
		t.Errorf("%d puzzles have several decisions: %v", n, several)
	}
}

// Cards are tried at the first decision whose card was not found.
func TestTry(t *testing.T) {
	p, ok := all(t).Find("3xkjta") // 10H of 8H and AH, 10C of 9S, 10S, 8H and AH, and 9S of 10S
	if !ok {
		t.Fatal("there is no such puzzle")
	}
	for _, test := range []struct{ cards, want string }{
		{"", "next 0"},
		{"8H", "8H@0 next 0"},
		{"8H 8H AH 10H", "8H@0 8H@0 AH@0 10H@0! next 1"},
		{"10H 10S 10C 9S", "10H@0! 10S@1 10C@1! 9S@2! over"},
		{"10H 10C 9S 10S", "10H@0! 10C@1! 9S@2! over"},
		{"10H 10H", "10H@0! next 1"},
		{"AC 10H", "next 0"},
	} {
		var cards []piquet.Card
		for name := range strings.FieldsSeq(test.cards) {
			c, err := piquet.ParseCard(name)
			if err != nil {
				t.Fatal(err)
			}
			cards = append(cards, c)
		}
		tried, next := p.Try(cards)
		var got strings.Builder
		for _, one := range tried {
			fmt.Fprintf(&got, "%s@%d%s ", one.Card, one.Decision, map[bool]string{true: "!"}[one.Holds])
		}
		if next == nil {
			got.WriteString("over")
		} else {
			fmt.Fprintf(&got, "next %d", slices.Index(p.Decisions(), next))
		}
		if got.String() != test.want {
			t.Errorf("%s: %s, want %s", test.cards, got.String(), test.want)
		}
	}
}

// The rating and the level do not contradict each other.
func TestRating(t *testing.T) {
	hardest, easiest := [3]int{}, [3]int{4000, 4000, 4000}
	for _, p := range all(t).Puzzles {
		level, rating := p.Level(), p.Rating()
		hardest[level], easiest[level] = max(hardest[level], rating), min(easiest[level], rating)
	}
	if easiest[0] != 988 || hardest[2] != 2012 || hardest[0] >= easiest[1] || hardest[1] >= easiest[2] {
		t.Errorf("the ratings are from %v to %v, by level", easiest, hardest)
	}
	if p := (&puzzles.Puzzle{Grades: []puzzles.Grade{{Players: 4, Found: 1}, {Players: 2, Found: 1}}}); p.Rating() != 1589 {
		t.Errorf("a puzzle that three of eight find has the rating %d", p.Rating())
	}
}

// A thousand days have a thousand puzzles, and the time of the day does not matter.
func TestDaily(t *testing.T) {
	s := all(t)
	first := time.Date(2026, 12, 5, 0, 0, 0, 0, time.UTC)
	seen := map[string]bool{}
	for i := range s.Puzzles {
		day := first.AddDate(0, 0, i)
		p := s.Daily(day)
		seen[p.ID] = true
		if later := s.Daily(day.Add(24*time.Hour - time.Second)); later != p {
			t.Errorf("%s: %s, and later %s", day, p.ID, later.ID)
		}
	}
	if len(seen) != len(s.Puzzles) || s.Daily(first.AddDate(0, 0, len(s.Puzzles))) != s.Daily(first) {
		t.Errorf("%d days have %d puzzles", len(s.Puzzles), len(seen))
	}
}

func TestParseRefuses(t *testing.T) {
	good := all(t).Puzzles[0].Line()
	fields := strings.Split(good, " ")
	with := func(i int, text string) string {
		changed := slices.Clone(fields)
		changed[i] = text
		return strings.Join(changed, " ")
	}
	best, _, _ := strings.Cut(fields[9], ",")
	for name, line := range map[string]string{
		"nothing": "", "a field less": strings.Join(fields[1:], " "), "no kind": with(0, "closed"), "no system": with(1, "utrecht"),
		"no trump": with(2, "X"), "31 holders": with(5, fields[5][1:]), "nobody": with(5, "."+fields[5][1:]), "half a card": with(6, "7"),
		"no card": with(6, "XX"), "a card that is not legal": with(6, fields[6]+fields[6][:2]), "no number of worlds": with(7, "many"),
		"no seed": with(8, "-1"), "no values": with(9, ""), "one value": with(9, best),
		"nothing later": with(11, ""), "no cards before a later decision": with(11, ":"+fields[9]), "no later values": with(11, "ab:"),
		"no grades": with(10, ""), "more found than asked": with(10, "3/2"), "no players": with(10, "0/0"),
	} {
		if p, err := puzzles.Parse(line); err == nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if _, err := puzzles.Read(good + "\n" + good + "\n"); err == nil {
		t.Error("a puzzle is there twice")
	}
}
