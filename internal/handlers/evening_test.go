package handlers_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// eveningRecords returns the vectors that are hands of Klaverjas with trump and all cards known, with their positions.
func eveningRecords(t *testing.T) (text string, positions []json.RawMessage) {
	t.Helper()
	for _, v := range recordVectors(t) {
		var one struct {
			Game     string
			Position json.RawMessage
		}
		if len(v.Hands) != 1 {
			continue
		}
		if err := json.Unmarshal(v.Hands[0], &one); err != nil {
			t.Fatal(err)
		}
		if one.Game == "klaverjas" && one.Position != nil {
			text += v.Lines[0] + "\n"
			positions = append(positions, one.Position)
		}
	}
	return text, positions
}

// Each hand of an evening is as /review and /score answer it alone, and the players are the sums.
func TestEveningIsItsHands(t *testing.T) {
	s := newServer(t)
	text, positions := eveningRecords(t)
	body, err := json.Marshal(map[string]any{"text": text, "worlds": 3, "seed": "7"})
	if err != nil {
		t.Fatal(err)
	}
	r := request(http.MethodPost, "/v1/klaverjas/evening", string(body))
	r.Header.Set("Prefer", "wait=60")
	w := s.do(t, r)
	status(t, w, http.StatusOK)
	evening := decodeAs[api.KlaverjasEvening](t, w)
	if len(evening.Hands) != len(positions) || len(positions) < 6 {
		t.Fatalf("%d hands of %d", len(evening.Hands), len(positions))
	}
	var totals api.KlaverjasTeamPoints
	finished, mistakes := 0, 0
	for i, hand := range evening.Hands {
		var played struct{ Played []string }
		if err := json.Unmarshal(positions[i], &played); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(hand.Position)
		if err != nil {
			t.Fatal(err)
		}
		alone := strings.TrimSuffix(string(got), "}")
		if len(played.Played) == 32 {
			w := s.post(t, "/v1/klaverjas/score", string(got))
			status(t, w, http.StatusOK)
			score := decodeAs[api.KlaverjasHandScore](t, w)
			if diff := cmp.Diff(&score.Points, hand.Points); diff != "" || *hand.Won != score.Won || *hand.Pit != score.Pit {
				t.Errorf("hand %d: %s", i+1, diff)
			}
			totals.NS, totals.EW, finished = totals.NS+score.Points.NS, totals.EW+score.Points.EW, finished+1
		} else if hand.Points != nil {
			t.Errorf("hand %d has points", i+1)
		}
		if len(played.Played) == 0 {
			continue
		}
		r := request(http.MethodPost, "/v1/klaverjas/review", alone+`, "worlds": 3, "seed": "7"}`)
		r.Header.Set("Prefer", "wait=60")
		w := s.do(t, r)
		status(t, w, http.StatusOK)
		review := decodeAs[api.KlaverjasReview](t, w)
		if diff := cmp.Diff(review.Seats, hand.Seats); diff != "" {
			t.Errorf("hand %d: %s", i+1, diff)
		}
		names := map[api.KlaverjasSeat]string{"N": hand.Names.N, "E": hand.Names.E, "S": hand.Names.S, "W": hand.Names.W}
		want := []api.KlaverjasEveningMistake{}
		for _, c := range review.Cards {
			if c.Verdict == api.VerdictMistake || c.Verdict == api.VerdictLucky {
				want = append(want, api.KlaverjasEveningMistake{
					Number: c.Number, Trick: c.Trick, Seat: c.Seat, Player: names[c.Seat], Card: c.Card, Verdict: c.Verdict, Cost: c.Knowledge.Cost,
					OpenCost: c.Open.Cost, Advised: c.Knowledge.Advised, Best: c.Open.Best,
				})
			}
		}
		if diff := cmp.Diff(want, hand.Mistakes); diff != "" {
			t.Errorf("hand %d: %s", i+1, diff)
		}
		mistakes += len(want)
	}
	sum := 0
	for _, p := range evening.Players {
		sum += p.Verdicts.Mistake + p.Verdicts.Lucky
	}
	if evening.Totals != totals || finished < 2 || mistakes == 0 || sum != mistakes {
		t.Errorf("totals %v, want %v; %d finished, %d mistakes, %d of players", evening.Totals, totals, finished, mistakes, sum)
	}
}

// A player has the name of the tags, whatever the seat, and the points of the team.
func TestEveningPlayersHaveNames(t *testing.T) {
	s := newServer(t)
	text := recordVectors(t)[0].Text
	text = strings.Replace(text, "[Rules", "[North \"An\"]\n[East \"Bo\"]\n[Rules", 1)
	text, _, _ = strings.Cut(text, "[Check")
	second := strings.Replace(text, "[North \"An\"]\n[East \"Bo\"]", "[North \"Bo\"]\n[West \"An\"]", 1)
	body, err := json.Marshal(map[string]any{"text": text + "\n" + second, "worlds": 1})
	if err != nil {
		t.Fatal(err)
	}
	r := request(http.MethodPost, "/v1/klaverjas/evening", string(body))
	r.Header.Set("Prefer", "wait=60")
	w := s.do(t, r)
	status(t, w, http.StatusOK)
	evening := decodeAs[api.KlaverjasEvening](t, w)
	got := map[string][2]int{}
	for _, p := range evening.Players {
		got[p.Name] = [2]int{p.Hands, p.Points}
	}
	one := evening.Hands[0].Points
	want := map[string][2]int{
		"An": {2, one.NS + one.EW}, "Bo": {2, one.EW + one.NS}, "S": {2, 2 * one.NS}, "W": {1, one.EW}, "E": {1, one.EW},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBadEvenings(t *testing.T) {
	s := newServer(t)
	vectors := recordVectors(t)
	for text, want := range map[string]string{
		"[Game \"tarok\"]\n": `"tarok" is not one of klaverjas`, "nothing": "stands outside a record",
		vectors[1].Text: "record 1 has no trump, or the hand",
		strings.Repeat(vectors[0].Text+"\n", 101): "is record 101, expected at most 100",
	} {
		body, err := json.Marshal(map[string]string{"text": text})
		if err != nil {
			t.Fatal(err)
		}
		w := s.post(t, "/v1/klaverjas/evening", string(body))
		refused := w.Code == http.StatusBadRequest || w.Code == http.StatusUnprocessableEntity
		if !refused || !strings.Contains(strings.ReplaceAll(w.Body.String(), `\"`, `"`), want) {
			t.Errorf("%d %s, want %s", w.Code, w.Body, want)
		}
	}
}
