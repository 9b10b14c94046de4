package worlds_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// vector is a line of testdata/vectors/knowledge.jsonl: a view, and the number of worlds and the probabilities of a separate program.
type vector struct {
	View struct {
		Rules struct {
			System    string `json:"system"`
			UnderRuff string `json:"under_ruff"`
		} `json:"rules"`
		Trump, Leader, Declarer, Seat string
		Hand, Played                  []string
		Known                         map[string][]string
	} `json:"view"`
	Expect struct {
		Worlds  string                        `json:"worlds"`
		Holders map[string]map[string]float64 `json:"holders"`
	} `json:"expect"`
}

// view returns the view of a vector.
func (v vector) view(t *testing.T) (out worlds.View) {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	system, err := klaverjas.ParseSystem(v.View.Rules.System)
	check(err)
	out.Rules = klaverjas.DefaultRules(system)
	if text := v.View.Rules.UnderRuff; text != "" {
		out.Rules.UnderRuff, err = klaverjas.ParseUnderRuff(text)
		check(err)
	}
	out.Trump, err = piquet.ParseSuit(v.View.Trump)
	check(err)
	out.Leader, err = piquet.ParseSeat(v.View.Leader)
	check(err)
	out.Declarer, err = piquet.ParseTeam(v.View.Declarer)
	check(err)
	out.Seat, err = piquet.ParseSeat(v.View.Seat)
	check(err)
	out.Hand = enginetest.Set(t, strings.Join(v.View.Hand, " "))
	out.Played = enginetest.List(t, strings.Join(v.View.Played, " "))
	for name, open := range v.View.Known {
		seat, err := piquet.ParseSeat(name)
		check(err)
		out.Known[seat] = enginetest.Set(t, strings.Join(open, " "))
	}
	return out
}

// The number of worlds agrees with every vector, and the probabilities are equal to 1e-12.
func TestVectors(t *testing.T) {
	file, err := os.Open("../../../../testdata/vectors/knowledge.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	number := 0
	for lines.Scan() {
		number++
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		k := enginetest.Knowledge(t, v.view(t))
		if got := strconv.FormatUint(k.Worlds(), 10); got != v.Expect.Worlds {
			t.Errorf("line %d: %s worlds, want %s", number, got, v.Expect.Worlds)
		}
		if len(v.Expect.Holders) != k.Unseen().Len() {
			t.Errorf("line %d: %d unseen cards, want %d", number, k.Unseen().Len(), len(v.Expect.Holders))
		}
		for c := range k.Unseen().All() {
			for _, s := range piquet.Seats() {
				want := v.Expect.Holders[c.String()][s.String()]
				if got := k.Probability(c, s); math.Abs(got-want) > 1e-12 || (got == 0) != (want == 0) {
					t.Errorf("line %d: %s is at %s with probability %v, want %v", number, c, s, got, want)
				}
			}
		}
	}
	if err := lines.Err(); err != nil || number != 240 {
		t.Errorf("%d vectors, %v, want 240", number, err)
	}
}
