package klaverjas

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	engine "roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/players"
)

// Each level that searches nothing beats the one before it, with an interval that excludes 0. The others take longer:
// lab/docs/klaverjas/levels.md has their matches.
func TestLevelsBeatEachOther(t *testing.T) {
	levels := players.Levels()
	kind := func(name string) players.Kind {
		k, err := players.ParseKind(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	for i, stronger := range levels[1:] {
		weaker := levels[i]
		if kind(stronger.Name).Worlds() > 0 {
			continue
		}
		r, err := players.Contest{
			A: kind(stronger.Name), B: kind(weaker.Name), Rules: engine.DefaultRules(engine.Rotterdam), Units: 400, Seed: 1, Workers: 2,
			NewTools: NewTools,
		}.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r.Difference.Low <= 0 {
			t.Errorf("%s has %+.1f (%+.1f to %+.1f) points a hand above %s", stronger.Name,
				r.Difference.Mean, r.Difference.Low, r.Difference.High, weaker.Name)
		}
	}
}

// The board offers the levels in the order of the engine, and says what they are.
func TestLevelsOfTheBoard(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile("../../web/board/src/klaverjas/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	list := regexp.MustCompile(`levels = \[(.*?)\]`).FindStringSubmatch(read("levels.ts"))
	if list == nil {
		t.Fatal("levels.ts has no list of levels")
	}
	var want []string
	for _, l := range players.Levels() {
		want = append(want, "'"+l.Name+"'")
		for _, lang := range []string{"en", "nl"} {
			texts := read("laterwords-" + lang + ".ts")
			if !strings.Contains(texts, "level_"+l.Name+":") {
				t.Errorf("%s has no name in %s", l.Name, lang)
			}
			hint := regexp.MustCompile("levelHint_" + l.Name + ": '(.*)'").FindStringSubmatch(texts)
			if hint == nil {
				t.Errorf("%s has no sentence in %s", l.Name, lang)
				continue
			}
			kind, err := players.ParseKind(l.Name, 0)
			if err != nil {
				t.Fatal(err)
			}
			if n := kind.Worlds(); n > 0 && !strings.Contains(hint[1], fmt.Sprint(n)) ||
				l.Weaker == "random" && !strings.Contains(hint[1], fmt.Sprint(l.Share)) {
				t.Errorf("%s: the sentence has other numbers: %s", l.Name, hint[1])
			}
		}
	}
	if diff := cmp.Diff(want, strings.Split(list[1], ", ")); diff != "" {
		t.Errorf("the levels of the board (-engine +board)\n%s", diff)
	}
}
