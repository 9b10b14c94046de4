package puzzles_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/puzzles"
	"roem/internal/engine/klaverjas/search"
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
