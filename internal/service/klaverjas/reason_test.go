package klaverjas

import (
	"slices"
	"testing"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/reason"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/testkit"
)

func isMistake(v api.Verdict) bool { return v == api.VerdictMistake || v == api.VerdictLucky }

// The codes of the engine agree with the contract.
func TestReasonCodes(t *testing.T) {
	for c := range reason.Code(reason.NumCodes) {
		if !api.KlaverjasReasonCode(c.String()).Valid() {
			t.Errorf("%s is not in the contract", c)
		}
	}
}

// cardsRead reads the cards of an answer.
func cardsRead(t *testing.T, list api.Cards) (out []piquet.Card) {
	t.Helper()
	for _, text := range list {
		c, err := piquet.ParseCard(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// Each card that cost something has two lines to the end of the hand. They begin with the card and with a best one, and end with the
// outcomes of the analysis. Other cards have none. The second answer is read from the cache, and the same.
func TestAnalysisHasLines(t *testing.T) {
	rng := index.NewRand(12)
	reasons, costly := 0, 0
	for range 12 {
		p := randomPosition(t, rng, 10+rng.IntN(23))
		g := newGame(t, service.Options{Slots: 1, Cache: newCache(t)}, Options{TableBytes: 4 << 20})
		a := answerTo[api.KlaverjasAnalysis](t, g, "analyse", fieldsOf(p), nil)
		again := answerTo[api.KlaverjasAnalysis](t, g, "analyse", fieldsOf(p), nil)
		at := p.start
		for i, c := range a.Cards {
			if (c.Lines == nil) != (c.Cost == 0) || c.Reason != nil && c.Lines == nil {
				t.Fatalf("%s costs %d: lines %v, reason %v", c.Card, c.Cost, c.Lines, c.Reason)
			}
			if c.Lines != nil {
				costly++
				if again.Cards[i].Lines == nil || !slices.Equal(c.Lines.Best, again.Cards[i].Lines.Best) {
					t.Errorf("the cache has other lines of %s", c.Card)
				}
				for line, outcome := range map[*api.Cards]int{&c.Lines.Played: c.After, &c.Lines.Best: c.Before} {
					end, err := at.Replay(cardsRead(t, *line))
					if err != nil || !end.Finished() || end.Outcome() != outcome {
						t.Errorf("%s: the line %v ends with %d, expected %d (%v)", c.Card, *line, end.Outcome(), outcome, err)
					}
				}
				if c.Lines.Played[0] != c.Card || !slices.Contains(c.Best, c.Lines.Best[0]) {
					t.Errorf("%s: the lines begin with %s and %s; best are %v", c.Card, c.Lines.Played[0], c.Lines.Best[0], c.Best)
				}
			}
			if c.Reason != nil {
				reasons++
				if c.Reason.Text == "" || c.Reason.Decides != (c.Before > 0 != (c.After > 0)) {
					t.Errorf("%s from %d to %d: %+v", c.Card, c.Before, c.After, c.Reason)
				}
			}
			var err error
			if at, err = at.Play(p.played[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if 4*reasons < 3*costly || costly < 30 {
		t.Errorf("%d of %d costly cards have a reason", reasons, costly)
	}
}

// The lines of a review begin with the card and the advised one, and the second is better for the seat. They are of the deal that was
// played or of a deal that was possible for the seat. A lucky mistake costs nothing in the deal that was played.
func TestReviewHasReasons(t *testing.T) {
	testkit.NotRaced(t, "one request after the other")
	rng := index.NewRand(21)
	mistakes, reasons, others := 0, 0, 0
	for range 6 {
		p := randomPosition(t, rng, 20+rng.IntN(13))
		g := newGame(t, service.Options{Slots: 2, Cache: newCache(t)}, Options{TableBytes: 4 << 20})
		r := answerTo[api.KlaverjasReview](t, g, "review", fieldsOf(p), map[string]any{"worlds": 30})
		for _, c := range r.Cards {
			if c.Lines == nil {
				if c.Reason != nil || c.Evidence != nil {
					t.Errorf("%s has no lines, but %v and %v", c.Card, c.Reason, c.Evidence)
				}
				continue
			}
			mistakes++
			if !isMistake(c.Verdict) || c.Lines.Played[0] != c.Card || c.Lines.Best[0] != c.Knowledge.Advised {
				t.Errorf("%s is %s, advised is %s: %+v", c.Card, c.Verdict, c.Knowledge.Advised, c.Lines)
			}
			at, err := p.start.Replay(p.played[:c.Number-1])
			if err != nil {
				t.Fatal(err)
			}
			turn := at.Turn()
			if hands := c.Evidence.Hands; hands != nil {
				others++
				own := [4]api.Cards{hands.N, hands.E, hands.S, hands.W}
				var held [4]piquet.Set
				for s, hand := range own {
					held[s] = piquet.SetOf(cardsRead(t, hand)...)
				}
				if held[turn] != at.Hand(turn) {
					t.Errorf("%s: the seat holds %s, in the lines %s", c.Card, at.Hand(turn), held[turn])
				}
				if at, err = at.Redealt(held); err != nil {
					t.Fatal(err)
				}
			} else if c.Verdict == api.VerdictLucky {
				t.Errorf("%s was lucky, but its lines are played in the deal", c.Card)
			}
			played, err := at.Replay(cardsRead(t, c.Lines.Played))
			if err != nil {
				t.Fatal(err)
			}
			best, err := at.Replay(cardsRead(t, c.Lines.Best))
			if err != nil {
				t.Fatal(err)
			}
			if (best.Outcome()-played.Outcome() > 0) != (turn.Team() == at.Deal().Declarer) {
				t.Errorf("%s: the best line ends with %d, the other one with %d", c.Card, best.Outcome(), played.Outcome())
			}
			if (c.Reason != nil) != (c.Evidence.Applies > 0) {
				t.Errorf("%s: %v applies in %d of %d deals", c.Card, c.Reason, c.Evidence.Applies, c.Evidence.Worlds)
			}
			if c.Reason != nil {
				reasons++
			}
		}
	}
	if mistakes < 10 || reasons == 0 || others == 0 {
		t.Errorf("%d mistakes, %d reasons, %d in other deals", mistakes, reasons, others)
	}
	t.Logf("%d mistakes, %d reasons, %d in other deals", mistakes, reasons, others)
}
