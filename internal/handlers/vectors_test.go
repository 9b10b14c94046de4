package handlers_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// vector is a line of testdata/vectors: a position and the results of an independent program for it.
type vector struct {
	Position json.RawMessage `json:"position"`
	Expect   struct {
		Legal          []string       `json:"legal"`
		Turn           string         `json:"turn"`
		Outcome        int            `json:"outcome"`
		Won            bool           `json:"won"`
		Moves          map[string]int `json:"moves"`
		Index          string         `json:"index"`
		CanonicalIndex string         `json:"canonical_index"`
	} `json:"expect"`
}

func readVectors(t *testing.T, path string) []vector {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var out []vector
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s:%d: %v", path, len(out)+1, err)
		}
		out = append(out, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// body returns the position with an additional field.
func (v vector) body(t *testing.T, field, value string) string {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal(v.Position, &object); err != nil {
		t.Fatal(err)
	}
	if field != "" {
		object[field] = value
	}
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The answers over HTTP agree with every line of every vector file: legal cards, both indexes, the outcome and, if the vector has them,
// the outcomes of every card.
func TestVectors(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/vectors/*-*.jsonl")
	if err != nil || len(paths) < 6 {
		t.Fatalf("%d vector files, %v", len(paths), err)
	}
	s := newServer(t)
	total := 0
	for _, path := range paths {
		name := filepath.Base(path)
		if name == "hard-deals.jsonl" {
			continue // positions for timing, without answers
		}
		t.Run(name, func(t *testing.T) {
			vectors := readVectors(t, path)
			if len(vectors) < 30 {
				t.Fatalf("only %d vectors", len(vectors))
			}
			total += len(vectors)
			for i, v := range vectors {
				if !v.agree(t, s) {
					t.Errorf("line %d differs", i+1)
				}
			}
		})
	}
	if total < 700 && !t.Failed() {
		t.Errorf("only %d vectors", total)
	}
}

func (v vector) agree(t *testing.T, s *server) bool {
	t.Helper()
	ok := true
	differ := func(what string, want, got any) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			ok = false
			t.Errorf("%s (-vector +server)\n%s%s", what, diff, v.Position)
		}
	}

	w := s.post(t, "/v1/klaverjas/legal-moves", v.body(t, "", ""))
	status(t, w, 200)
	legal := decodeAs[api.KlaverjasLegalMoves](t, w)
	wantLegal := slices.Sorted(slices.Values(v.Expect.Legal))
	differ("legal", wantLegal, slices.Sorted(slices.Values(legal.Legal)))
	turn := ""
	if legal.Turn != nil {
		turn = string(*legal.Turn)
	}
	differ("turn", v.Expect.Turn, turn)

	w = s.post(t, "/v1/klaverjas/deals/index", v.body(t, "", ""))
	status(t, w, 200)
	numbered := decodeAs[api.KlaverjasNumberedDeal](t, w)
	differ("index", v.Expect.Index, numbered.Deal.Index)
	differ("canonical index", v.Expect.CanonicalIndex, numbered.Deal.CanonicalIndex)

	goal := "value"
	if v.Expect.Moves != nil {
		goal = "moves"
	}
	w = s.post(t, "/v1/klaverjas/solve", v.body(t, "goal", goal))
	status(t, w, 200)
	solution := decodeAs[api.KlaverjasSolution](t, w)
	differ("outcome", v.Expect.Outcome, *solution.Outcome)
	differ("won", v.Expect.Won, solution.Won)
	if v.Expect.Moves != nil {
		moves := map[string]int{}
		for _, m := range *solution.Moves {
			moves[m.Card] = m.Outcome
		}
		differ("moves", v.Expect.Moves, moves)
	}
	v.replays(t, s, solution)
	return ok
}

// replays checks that the line of a solution is legal and ends with the score and the outcome of the solution.
func (v vector) replays(t *testing.T, s *server, solution api.KlaverjasSolution) {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal(v.Position, &object); err != nil {
		t.Fatal(err)
	}
	played, _ := object["played"].([]any)
	for _, c := range *solution.Line {
		played = append(played, c)
	}
	object["played"] = played
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	w := s.post(t, "/v1/klaverjas/solve", string(text))
	status(t, w, 200)
	end := decodeAs[api.KlaverjasSolution](t, w)
	type result struct {
		Outcome int
		Won     bool
		Score   api.KlaverjasScore
		Pit     bool
		Rest    int
	}
	want := result{*solution.Outcome, solution.Won, *solution.Score, *solution.Pit, 0}
	if diff := cmp.Diff(want, result{*end.Outcome, end.Won, *end.Score, *end.Pit, len(*end.Line)}); diff != "" {
		t.Errorf("the line has a different end (-solution +replayed)\n%s%s", diff, v.Position)
	}
	if end.Turn != nil {
		t.Error("a finished hand has a turn")
	}
	if solution.Moves != nil {
		moves := *solution.Moves
		if moves[0].Card != (*solution.Line)[0] || moves[0].Outcome != *solution.Outcome || !moves[0].Best {
			t.Errorf("the first move is %+v, the line starts with %s", moves[0], (*solution.Line)[0])
		}
		declarers := teamOf(*solution.Turn) == string(*solution.Deal.Declarer)
		sorted := sort.SliceIsSorted(moves, func(i, j int) bool {
			if declarers {
				return moves[i].Outcome > moves[j].Outcome
			}
			return moves[i].Outcome < moves[j].Outcome
		})
		if !sorted {
			t.Errorf("moves are not best first: %+v", moves)
		}
	}
}

func teamOf(seat api.KlaverjasSeat) string {
	if seat == "N" || seat == "S" {
		return "NS"
	}
	return "EW"
}
