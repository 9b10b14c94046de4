package klaverjas

import (
	"os"
	"regexp"
	"strings"
	"testing"

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

// The board offers the levels in the order of the engine.
func TestLevelsOfTheBoard(t *testing.T) {
	source, err := os.ReadFile("../../web/board/src/klaverjas/levels.ts")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`levels = \[(.*?)\]`).FindSubmatch(source)
	var want []string
	for _, l := range players.Levels() {
		want = append(want, "'"+l.Name+"'")
	}
	if len(list) == 0 || string(list[1]) != strings.Join(want, ", ") {
		t.Errorf("the board has the levels %q, the engine %v", list, want)
	}
}
