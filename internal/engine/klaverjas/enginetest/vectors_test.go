package enginetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest/naive"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/testkit"
)

// vector is a line of testdata/vectors.
type vector struct {
	name     string
	Position struct {
		Rules struct {
			System      string         `json:"system"`
			UnderRuff   string         `json:"under_ruff"`
			NatMelds    string         `json:"nat_melds"`
			FourOfAKind map[string]int `json:"four_of_a_kind"`
		} `json:"rules"`
		Trump    string              `json:"trump"`
		Leader   string              `json:"leader"`
		Declarer string              `json:"declarer"`
		Hands    map[string][]string `json:"hands"`
		Played   []string            `json:"played"`
	} `json:"position"`
	Expect struct {
		Index          string         `json:"index"`
		CanonicalIndex string         `json:"canonical_index"`
		Turn           string         `json:"turn"`
		Legal          []string       `json:"legal"`
		Outcome        int            `json:"outcome"`
		Won            bool           `json:"won"`
		Moves          map[string]int `json:"moves"`
	} `json:"expect"`
}

// vectors reads every vector with expected results.
func vectors(t *testing.T) []vector {
	t.Helper()
	files, err := filepath.Glob("../../../../testdata/vectors/*-*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []vector
	for _, file := range files {
		if filepath.Base(file) == "hard-deals.jsonl" { // positions without results, for timing
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range bytes.Lines(content) {
			n++
			v := vector{name: fmt.Sprintf("%s:%d", filepath.Base(file), n)}
			d := json.NewDecoder(bytes.NewReader(line))
			d.DisallowUnknownFields() // an option that is not read must be an error
			if err := d.Decode(&v); err != nil {
				t.Fatalf("%s: %v", v.name, err)
			}
			out = append(out, v)
		}
	}
	if len(out) != 730 {
		t.Fatalf("%d vectors, want 730", len(out))
	}
	return out
}

func (v vector) rules() naive.Rules {
	r := naive.Default(v.Position.Rules.System)
	if given := v.Position.Rules.UnderRuff; given != "" {
		r.UnderRuff = given
	}
	if given := v.Position.Rules.NatMelds; given != "" {
		r.NatMelds = given
	}
	r.FourOfAKind = v.Position.Rules.FourOfAKind
	return r
}

// position returns the vector's position in the engine.
func (v vector) position(t *testing.T) klaverjas.Position {
	t.Helper()
	rules, err := Rules(v.rules())
	if err != nil {
		t.Fatalf("%s: %v", v.name, err)
	}
	texts := map[piquet.Seat][]string{}
	for name, hand := range v.Position.Hands {
		seat, err := piquet.ParseSeat(name)
		if err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		texts[seat] = hand
	}
	var d klaverjas.Deal
	if d.Hands, err = klaverjas.ParseHands(texts); err != nil {
		t.Fatalf("%s: %v", v.name, err)
	}
	if d.Trump, err = piquet.ParseSuit(v.Position.Trump); err != nil {
		t.Fatalf("%s: %v", v.name, err)
	}
	if d.Leader, err = piquet.ParseSeat(v.Position.Leader); err != nil {
		t.Fatalf("%s: %v", v.name, err)
	}
	if d.Declarer, err = piquet.ParseTeam(v.Position.Declarer); err != nil {
		t.Fatalf("%s: %v", v.name, err)
	}
	start, err := klaverjas.NewPosition(rules, d)
	if err != nil {
		t.Fatalf("%s: %v", v.name, err)
	}
	p, _, err := start.ReplayText(v.Position.Played)
	if err != nil {
		t.Fatalf("%s: %v", v.name, err)
	}
	return p
}

// game returns the vector's position in the reference implementation.
func (v vector) game() naive.Game {
	g := naive.Start(v.rules(), v.Position.Trump, v.Position.Leader, v.Position.Declarer, v.Position.Hands)
	for _, card := range v.Position.Played {
		g = g.Play(card)
	}
	return g
}

func TestVectorsTurnAndLegal(t *testing.T) {
	for _, v := range vectors(t) {
		p, g := v.position(t), v.game()
		if got := p.Turn().String(); got != v.Expect.Turn {
			t.Errorf("%s: turn %s, want %s", v.name, got, v.Expect.Turn)
		}
		if diff := cmp.Diff(sorted(v.Expect.Legal), names(p.Legal())); diff != "" {
			t.Errorf("%s: legal (-want +got):\n%s", v.name, diff)
		}
		if diff := compare(p, g); diff != "" {
			t.Errorf("%s: %s", v.name, diff)
		}
	}
}

func TestVectorsSolved(t *testing.T) {
	solver := search.New(search.Options{})
	for i, v := range vectors(t) {
		if testing.Short() && i%10 != 0 {
			continue
		}
		p := v.position(t)
		if won := solve(t, solver, p, search.Win).Won; won != v.Expect.Won {
			t.Errorf("%s: won %v, want %v", v.name, won, v.Expect.Won)
		}
		if v.Expect.Moves == nil {
			if r := solve(t, solver, p, search.Value); r.Outcome != v.Expect.Outcome {
				t.Errorf("%s: outcome %d, want %d", v.name, r.Outcome, v.Expect.Outcome)
			}
			continue
		}
		r := solve(t, solver, p, search.Moves)
		if r.Outcome != v.Expect.Outcome {
			t.Errorf("%s: outcome %d, want %d", v.name, r.Outcome, v.Expect.Outcome)
		}
		got := map[string]int{}
		for card, value := range values(r.Moves) {
			got[card.String()] = value
		}
		if diff := cmp.Diff(v.Expect.Moves, got); diff != "" {
			t.Errorf("%s: moves (-want +got):\n%s", v.name, diff)
		}
	}
}

// The vectors come from another program. Minimax checks those that are small enough.
func TestVectorsJudged(t *testing.T) {
	t.Parallel()
	most := testkit.Times(14, 16, 16, 19) // cards left
	judged := 0
	for _, v := range vectors(t) {
		if 32-len(v.Position.Played) > most {
			continue
		}
		outcome, moves, _ := naive.Minimax(v.game().State())
		if outcome != v.Expect.Outcome {
			t.Errorf("%s: outcome %d, minimax %d", v.name, v.Expect.Outcome, outcome)
		}
		got := map[string]int{}
		for card, value := range moves {
			got[naive.CardName(card)] = value
		}
		if diff := cmp.Diff(v.Expect.Moves, got); v.Expect.Moves != nil && diff != "" {
			t.Errorf("%s: moves (-vector +minimax):\n%s", v.name, diff)
		}
		judged++
	}
	t.Logf("%d vectors checked", judged)
	if judged < 100 {
		t.Errorf("only %d vectors checked", judged)
	}
}
