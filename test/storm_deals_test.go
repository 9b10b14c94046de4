package test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// stormDeal holds a deal, a request for it, and the answers of a server without other load.
type stormDeal struct {
	position map[string]any
	hands    map[string][]string
	solution stormSolution           // with goal moves
	predict  float64                 // the probability of the model
	strength *atomic.Pointer[string] // of the leader's hand: the first answer, which all others must equal
	advice   *atomic.Pointer[string] // the first advice to the leader
	bid      *atomic.Pointer[string] // the first advice on the call of the leader
	match    *atomic.Pointer[string] // the first result of the match with the deal's index as its seed
	play     *atomic.Pointer[string] // the first answer with the hand as players play it
	review   *atomic.Pointer[string] // the first review of the leader's card
}

// stormSolution holds the fields of a Solution that the storm reads.
type stormSolution struct {
	Goal    string   `json:"goal"`
	Won     *bool    `json:"won"`
	Outcome *int     `json:"outcome"`
	Line    []string `json:"line"`
	Moves   []struct {
		Card    string `json:"card"`
		Outcome int    `json:"outcome"`
	} `json:"moves"`
	Deal struct {
		Index string `json:"index"`
	} `json:"deal"`
}

// The common properties of all deals of the storm.
const (
	stormTrump  = "C"
	stormLeader = "N"
	stormTeam   = "NS" // the declarers: the team of the leader
	stormPuzzle = "24kftt"
)

// stormDeals draws n deals, which another server of the same program solves without other load. Other tests compare the search with
// testdata/vectors. This test compares the answers under load with those without.
func stormDeals(t *testing.T, seed uint64, n int) []stormDeal {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	var deck []string
	for _, suit := range []string{"C", "D", "H", "S"} {
		for _, face := range []string{"7", "8", "9", "10", "J", "Q", "K", "A"} {
			deck = append(deck, face+suit)
		}
	}
	deals := make([]stormDeal, n)
	for i := range deals {
		rng.Shuffle(len(deck), func(a, b int) { deck[a], deck[b] = deck[b], deck[a] })
		hands := make(map[string][]string)
		for j, seat := range []string{"N", "E", "S", "W"} {
			hands[seat] = append([]string(nil), deck[8*j:8*j+8]...)
		}
		deals[i].hands, deals[i].advice = hands, &atomic.Pointer[string]{}
		deals[i].strength, deals[i].match, deals[i].review = &atomic.Pointer[string]{}, &atomic.Pointer[string]{}, &atomic.Pointer[string]{}
		deals[i].bid, deals[i].play = &atomic.Pointer[string]{}, &atomic.Pointer[string]{}
		deals[i].position = map[string]any{"trump": stormTrump, "leader": stormLeader, "hands": hands}
	}
	s := start(t)
	defer s.kill()
	p := newPatient(t, func() []string { return []string{s.url} })
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	began := time.Now()
	for from := 0; from < n; from += 500 {
		part := deals[from:min(from+500, n)]
		var solved struct{ Results []stormSolution }
		j, err := p.submit(ctx, fmt.Sprint("reference-", from), jobKinds[opSolveBatch],
			map[string]any{"positions": positionsOf(part), "goal": "moves"})
		if err == nil {
			j, err = p.finish(ctx, j.ID)
		}
		if err == nil {
			err = json.Unmarshal(j.Result, &solved)
		}
		if err != nil || len(solved.Results) != len(part) {
			t.Fatalf("solving the deals: %v, %s %s", err, j.Status, j.Error)
		}
		body, err := json.Marshal(map[string]any{"positions": positionsOf(part)})
		if err != nil {
			t.Fatal(err)
		}
		status, text, _, err := p.once(ctx, opPredictBatch.method, s.url+opPredictBatch.path, "", body)
		var predicted struct {
			Results []struct {
				Probability *float64 `json:"win_probability"`
			}
		}
		if err != nil || status != http.StatusOK || json.Unmarshal(text, &predicted) != nil || len(predicted.Results) != len(part) {
			t.Fatalf("predicting the deals: %d, %v: %.300s", status, err, text)
		}
		for i := range part {
			part[i].solution, part[i].predict = solved.Results[i], *predicted.Results[i].Probability
			if r := part[i].solution; r.Outcome == nil || r.Won == nil || len(r.Moves) != 8 || len(r.Line) != 32 {
				t.Fatalf("deal %d: incomplete solution: %+v", from+i, r)
			}
		}
	}
	t.Logf("%d deals solved before the storm in %.1f s", n, time.Since(began).Seconds())
	return deals
}

// stormWorlds is how many worlds a request for advice searches, and one for a review for each card.
const stormWorlds = 3

// view is what the leader sees of the deal, with the number of worlds to search.
func (d *stormDeal) view(worlds int) map[string]any {
	return map[string]any{"trump": stormTrump, "leader": stormLeader, "seat": stormLeader, "hand": d.hands[stormLeader], "worlds": worlds}
}

// knowledgeRequest returns a request about what the leader knows after some cards of a best line, or about the deal itself.
func (d *stormDeal) knowledgeRequest(op stormOperation, rng *rand.Rand) map[string]any {
	seen := []int{0, 5, 8, 14, 24}[rng.IntN(5)]
	body := with(d.view(2), "played", d.solution.Line[:seen])
	if op != opWorlds {
		delete(body, "worlds")
	}
	switch op {
	case opKnowledge:
		body["level"] = []string{"rules", "paper", "belief"}[rng.IntN(3)]
	case opWorlds:
		body["seed"] = fmt.Sprint(rng.IntN(3))
	case opCheck, opCardModel:
		if rng.IntN(2) == 0 {
			body = with(d.position, "played", d.solution.Line[:seen])
		}
		if op == opCardModel {
			body["card"] = []string{"JC", "AH"}[rng.IntN(2)]
		} else {
			body["formula"] = "[!own(E,JC)] K_N own(E,JC)"
			if rng.IntN(2) == 0 {
				// What a seat knows of what another one knows is only said of a deal, or of few possible ones.
				body = with(d.position, "played", d.solution.Line[:seen])
				body["formula"] = "K_E void(N,S) or has_suit(S,H)"
			}
		}
	}
	return body
}

func positionsOf(deals []stormDeal) []map[string]any {
	all := make([]map[string]any, len(deals))
	for i, d := range deals {
		all[i] = d.position
	}
	return all
}
