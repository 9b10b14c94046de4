package service

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

const plainHands = `{"N": ["9C", "10C", "7D", "7H", "9H", "10H", "10S", "AS"], "E": ["8C", "QC", "KC", "JD", "KD", "8H", "QH", "AH"], ` +
	`"S": ["7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"], "W": ["8D", "9D", "10D", "QD", "AD", "8S", "JS", "QS"]}`

// What people and programs write is read the quick way, and odd or bad bodies are left to the other.
func TestPlainBodies(t *testing.T) {
	for body, want := range map[string]bool{
		`{"trump": "S", "leader": "S", "hands": ` + plainHands + `}`:                                true,
		" {\n\t\"leader\":\"n\",\r\n\"trump\":\"c\",\"deal\":\"0\"}\n":                              true,
		`{"trump": "S", "leader": "S", "deal": "1", "declarer": "EW", "played": [], "goal": "win"}`: true,
		`{"trump": "S", "leader": "S", "deal": "1", "rules": {"system": "amsterdam"}}`:              true,
		`{"trump": "S", "leader": "S", "deal": "1", "rules": {}, "played": ["7C", "what"]}`:         true,
		`{"trump": "not a suit", "leader": "S", "hands": {"N": [], "E": [], "S": [], "W": [""]}}`:   true,
		`{"trump": "♠", "leader": "S", "deal": "1"}`:                                                false,
		`{"tr\u0075mp": "S", "leader": "S", "deal": "1"}`:                                           false,
		`{"trump": "S", "leader": "S", "deal": "1", "rules": {"melds": false}}`:                     false,
		`{"trump": "S", "leader": "S", "deal": "1", "rules": {"system": "utrecht"}}`:                false,
		`{"trump": "S", "leader": "S", "deal": "1", "goal": "guess"}`:                               false,
		`{"trump": "S", "leader": "S", "deal": "-1"}`:                                               false,
		`{"trump": "S", "leader": "S", "deal": ""}`:                                                 false,
		`{"trump": "S", "leader": "S", "deal": 1}`:                                                  false,
		`{"trump": "S", "trump": "S", "leader": "S"}`:                                               false,
		`{"trump": "S", "deal": "1"}`:                                                               false,
		`{"trump": "S", "leader": "S", "deal": "1"} x`:                                              false,
		`{"trump": "S", "leader": "S", "deal": "1",}`:                                               false,
		`{"trump": "S" "leader": "S"}`:                                                              false,
		`{"trump": "S", "leader": "S", "hands": {"N": [], "E": [], "S": []}}`:                       false,
		`{"trump": "S", "leader": "S", "hands": {"N": [], "N": [], "E": [], "S": [], "W": []}}`:     false,
		`{"trump": "S", "leader": "S", "hands": {"N": [], "E": [], "S": [], "W": [], "X": []}}`:     false,
		`{"trump": "S", "leader": "S", "played": ["7C",]}`:                                          false,
		`{"trump": "S", "leader": "S", "played": "7C"}`:                                             false,
		`{"trump": "S", "leader": "` + strings.Repeat("S", 33) + `"}`:                               false,
		`{"trump": "S", "leader": "S", "gaol": "win"}`:                                              false,
		`{`: false, `{}`: false, ``: false, `[]`: false, `null`: false, `{"trump`: false, `{"trump":`: false,
	} {
		if _, ok := readPlain([]byte(body)); ok != want {
			t.Errorf("%v, want %v: %s", ok, want, body)
		}
	}
}

// agree holds what readPlain reads of a body against what decode does.
func agree(t *testing.T, d *Decoder, body []byte) (quick bool) {
	t.Helper()
	got, ok := readPlain(body)
	if !ok {
		return false
	}
	want, err := decode[api.SolveRequest](d, body, "SolveRequest")
	if err != nil {
		t.Fatalf("read the quick way, but %v\n%s", err, body)
	}
	solve, err := d.Solve(body)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, solve); diff != "" {
		t.Fatalf("(-decode +quick)\n%s\n%s", diff, body)
	}
	position, err := decode[api.Position](d, body, "Position")
	if (err == nil) != (got.goal == nil) {
		t.Fatalf("a goal %v as a position: %v\n%s", got.goal, err, body)
	}
	if err != nil {
		return true
	}
	if diff := cmp.Diff(position, got.Position); diff != "" {
		t.Fatalf("(-decode +quick)\n%s\n%s", diff, body)
	}
	return true
}

// The contract, which takes longer to read than most deals to solve, is not read for plain bodies.
func TestPlainNeedsNoContract(t *testing.T) {
	d := &Decoder{schemas: func() (map[string]*openapi3.Schema, error) { return nil, errors.New("the contract is read") }}
	body := []byte(`{"trump": "S", "leader": "S", "hands": ` + plainHands + `}`)
	if _, err := d.Solve(body); err != nil {
		t.Error(err)
	}
	if _, err := d.Position(body); err != nil {
		t.Error(err)
	}
	if _, err := d.Table(body); err == nil {
		t.Error("a table is read without the contract")
	}
}

// Positions among the vectors are read the quick way as they are the other.
func TestPlainAgreesOnVectors(t *testing.T) {
	d := NewDecoder()
	text, err := os.ReadFile("../../testdata/vectors/rotterdam-positions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	quick := 0
	for line := range strings.Lines(string(text)) {
		var v struct{ Position json.RawMessage }
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		if agree(t, d, v.Position) {
			quick++
		}
	}
	if quick == 0 {
		t.Error("none is read the quick way")
	}
}

// FuzzPlain looks for a body that is read otherwise the quick way.
func FuzzPlain(f *testing.F) {
	for _, seed := range []string{
		`{"trump": "S", "leader": "S", "hands": ` + plainHands + `, "played": ["JH", "8S"]}`,
		`{"trump": "D", "leader": "n", "deal": "99561092450390999", "declarer": "ew", "goal": "moves"}`,
		`{"trump": "S", "leader": "S", "deal": "1", "rules": {"system": "amsterdam"}, "played": []}`,
		`{"trump": "S", "leader": "S", "rules": {}, "hands": {"N": [], "E": [], "S": [], "W": []}}`,
	} {
		f.Add([]byte(seed))
	}
	d := NewDecoder()
	f.Fuzz(func(t *testing.T, body []byte) { agree(t, d, body) })
}
