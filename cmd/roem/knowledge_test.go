package main

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// TestKnowledgeVectors answers every view of the vectors over the command line.
func TestKnowledgeVectors(t *testing.T) {
	text, err := os.ReadFile("../../testdata/vectors/knowledge.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	type expect struct {
		Worlds  string
		Holders map[string]map[string]float64
	}
	var (
		views   []vector
		expects []expect
	)
	for line := range strings.Lines(string(text)) {
		var v struct {
			View   json.RawMessage `json:"view"`
			Expect expect          `json:"expect"`
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		views, expects = append(views, vector{Position: v.View}), append(expects, v.Expect)
	}
	if len(views) != 240 {
		t.Fatalf("%d vectors, want 240", len(views))
	}
	for i, got := range answers[api.KlaverjasKnowledge](t, views, "knowledge") {
		holders := map[string]map[string]float64{}
		for _, c := range got.Cards {
			holders[c.Card] = map[string]float64{}
			for seat, p := range map[string]*float64{"N": c.Holders.N, "E": c.Holders.E, "S": c.Holders.S, "W": c.Holders.W} {
				if p != nil {
					holders[c.Card][seat] = *p
				}
			}
		}
		near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-12 })
		if diff := cmp.Diff(expects[i], expect{*got.Worlds, holders}, near); diff != "" {
			t.Errorf("line %d (-want +got)\n%s", i+1, diff)
		}
	}
}
