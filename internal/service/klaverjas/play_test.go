package klaverjas

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/api"
	engine "roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/service"
)

func playGame(t *testing.T) *Game {
	t.Helper()
	return newGame(t, service.Options{Version: "v", Slots: 2}, Options{})
}

func played(t *testing.T, g *Game, fields map[string]any) api.KlaverjasPlay {
	t.Helper()
	return answerTo[api.KlaverjasPlay](t, g, "play", fields, nil)
}

func everybody(kind string) map[string]any {
	return map[string]any{"N": kind, "E": kind, "S": kind, "W": kind}
}

func bySeat(h *api.KlaverjasHeldHands) map[string]api.Cards {
	return map[string]api.Cards{"N": h.N, "E": h.E, "S": h.S, "W": h.W}
}

// In hands of all kinds of players with 0 to 7 open cards, each card has a thought and was legal, nobody excludes the true holder of a card
// at the level of the rules, the pairs never grow, and the facts are true.
func TestPlayIsTrue(t *testing.T) {
	g := playGame(t)
	kinds := []string{"logical", "logical:rules", "simple", "random", "policy", "playout:4", "mixture:4", "pimc:2", "belief:2", "open", "club"}
	for i := range 22 {
		fields := map[string]any{"seed": string(rune('1' + i%9)), "open": i % 8, "possibles": "rules", "players": map[string]any{
			"N": kinds[i%len(kinds)], "E": kinds[(i+3)%len(kinds)], "S": kinds[(i+5)%len(kinds)], "W": kinds[(i+8)%len(kinds)],
		}}
		out := played(t, g, fields)
		hand := out.Hands[0]
		dealt := map[string]api.Cards{"N": hand.Hands.N, "E": hand.Hands.E, "S": hand.Hands.S, "W": hand.Hands.W}
		left := maps.Clone(dealt)
		for seat, open := range bySeat(&hand.Open) {
			if len(open) != i%8 || !within(open, dealt[seat]) {
				t.Fatalf("%v: %v of %v lie open", fields, open, dealt[seat])
			}
		}
		before := holdsTruth(t, hand.Possibles, left)
		if i%8 == 0 && before != [4]int{72, 72, 72, 72} {
			t.Errorf("%d pairs at the start", before)
		}
		for _, c := range hand.Played {
			seat := string(c.Seat)
			if !slices.Contains(left[seat], c.Card) || len(c.Thoughts) == 0 || len(c.Reasons) != len(c.Thoughts) || slices.Contains(c.Thoughts, "") {
				t.Fatalf("%v: %+v", fields, c)
			}
			left[seat] = slices.DeleteFunc(slices.Clone(left[seat]), func(x string) bool { return x == c.Card })
			now := holdsTruth(t, c.Possibles, left)
			for s := range now {
				if now[s] > before[s] {
					t.Errorf("%v, card %d: %d pairs after %d", fields, c.Number, now, before)
				}
			}
			before = now
			for _, f := range c.Facts {
				checkFact(t, &f, left)
			}
		}
		if before != [4]int{} || out.Points != hand.Points {
			t.Errorf("%v: at the end %d pairs, %+v and %+v", fields, before, out.Points, hand.Points)
		}
	}
}

func within(some, all api.Cards) bool {
	return !slices.ContainsFunc(some, func(c string) bool { return !slices.Contains(all, c) })
}

// holdsTruth checks that every seat and the public hold the true hands for possible, and returns the pairs of the seats.
func holdsTruth(t *testing.T, p *api.KlaverjasPossibles, left map[string]api.Cards) (pairs [4]int) {
	t.Helper()
	for i, s := range []api.KlaverjasSeatPossibles{p.Seats.N, p.Seats.E, p.Seats.S, p.Seats.W} {
		pairs[i] = s.Pairs
		for seat, may := range bySeat(&s.May) {
			if !within(left[seat], may) || !within(may, bySeat(&p.Public)[seat]) {
				t.Fatalf("%s may hold %v; it holds %v; public are %v", seat, may, left[seat], bySeat(&p.Public)[seat])
			}
		}
	}
	return pairs
}

func checkFact(t *testing.T, f *api.KlaverjasFact, left map[string]api.Cards) {
	t.Helper()
	hand := left[string(f.Seat)]
	held := func(c string) bool { return slices.Contains(hand, c) }
	if f.Excluded != nil && f.Kind != api.KlaverjasFactKindBelief && slices.ContainsFunc(*f.Excluded, held) ||
		f.Holds != nil && !within(*f.Holds, hand) {
		t.Errorf("%s holds %v: %s", f.Seat, hand, f.Text)
	}
}

// Equal requests have equal hands; another trump keeps the cards; hands of a match are drawn one by one, the leaders in turn.
func TestPlayDrawsHands(t *testing.T) {
	g := playGame(t)
	request := map[string]any{"count": 5, "open": 2, "seed": "3", "players": everybody("logical")}
	first, second := played(t, g, request), played(t, g, request)
	if diff := cmp.Diff(first, second, cmpopts.IgnoreFields(first, "Stats")); diff != "" {
		t.Errorf("equal requests differ:\n%s", diff)
	}
	sum := api.KlaverjasTeamPoints{}
	for i, h := range first.Hands {
		sum.NS, sum.EW = sum.NS+h.Points.NS, sum.EW+h.Points.EW
		if i > 0 && (h.Deal.Leader == first.Hands[i-1].Deal.Leader || cmp.Equal(h.Hands, first.Hands[i-1].Hands)) {
			t.Errorf("hand %d: %+v after %+v", i, h.Deal, first.Hands[i-1].Deal)
		}
	}
	if sum != first.Points {
		t.Errorf("points %+v, want %+v", first.Points, sum)
	}
	for _, trump := range []string{"C", "D", "H", "S"} {
		h := played(t, g, map[string]any{"seed": "3", "trump": trump, "leader": "E", "declarer": "NS"}).Hands[0]
		if !cmp.Equal(h.Hands, first.Hands[0].Hands) || string(h.Deal.Trump) != trump || h.Deal.Leader != "E" || *h.Deal.Declarer != "NS" {
			t.Errorf("trump %s: %+v with the hands %+v", trump, h.Deal, h.Hands)
		}
	}
	// The hand goes on from a position as it went before, with the cards that lie open by name.
	whole := first.Hands[0]
	half := map[string]any{
		"trump": whole.Deal.Trump, "leader": whole.Deal.Leader, "hands": whole.Hands, "known": bySeat(&whole.Open), "seed": "3",
		"players": everybody("logical"), "card": "AH",
	}
	var cards []string
	for _, c := range whole.Played[:13] {
		cards = append(cards, c.Card)
	}
	half["played"] = cards
	rest := played(t, g, half).Hands[0]
	if diff := cmp.Diff(whole.Played[13:], rest.Played); diff != "" {
		t.Errorf("from the middle the hand goes on differently:\n%s", diff)
	}
	if rest.Models == nil || len(*rest.Models) == 0 || (*rest.Models)[0].Number != 0 {
		t.Errorf("models %+v", rest.Models)
	}
}

// At the level of the paper the possibles are what its agents hold for possible: after each trick about as many pairs as in the authors'
// program, of which 3,000 hands were measured.
func TestPlayAtTheLevelOfThePaper(t *testing.T) {
	g := playGame(t)
	out := played(t, g, map[string]any{"count": 16, "seed": "1", "possibles": "paper", "players": everybody("logical")})
	more := played(t, g, map[string]any{"count": 16, "seed": "2", "possibles": "paper", "players": everybody("logical")})
	hands := slices.Concat(out.Hands, more.Hands)
	for trick, want := range []float64{61.8, 51.8, 41.9, 32.2, 22.7, 14.0, 6.2, 0} {
		sum := 0
		for _, h := range hands {
			s := h.Played[4*trick+3].Possibles.Seats
			sum += s.N.Pairs + s.E.Pairs + s.S.Pairs + s.W.Pairs
		}
		if mean := float64(sum) / float64(4*len(hands)); math.Abs(mean-want) > 3 {
			t.Errorf("after trick %d a seat holds %.1f pairs for possible on average, and %.1f in the authors' program", trick+1, mean, want)
		}
	}
}

// Each refusal names its field.
func TestPlayRefuses(t *testing.T) {
	g := playGame(t)
	const position = `"trump": "S", "leader": "S", "deal": "1"`
	for body, pointer := range map[string]string{
		`{"players": {"E": "nobody"}}`:                                      "/players/E",
		`{"players": {"W": "pimc:300"}}`:                                    "/players/W",
		`{"known": {"N": ["AH"]}}`:                                          "/known",
		`{"played": ["AH"]}`:                                                "/played",
		`{"deal": "1"}`:                                                     "/trump /leader",
		`{` + position + `, "count": 2}`:                                    "/count",
		`{` + position + `, "open": 1, "known": {"N": []}}`:                 "/known",
		`{` + position + `, "known": {"N": ["7C", "AS"]}}`:                  "/known/N",
		`{` + position + `, "played": ["AH", "AH"]}`:                        "/played/0",
		`{"count": 17, "possibles": "rules"}`:                               "/possibles",
		`{"card": "11H"}`:                                                   "/card",
		`{"trump": "X", "leader": "Y", "declarer": "Z"}`:                    "/trump /leader /declarer",
		`{"seed": "18446744073709551616"}`:                                  "/seed",
		`{` + position + `, "hands": {"N": [], "E": [], "S": [], "W": []}}`: "/deal",
	} {
		_, err := ParsePlay()(context.Background(), g, []byte(body))
		var e *service.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", body, err)
			continue
		}
		var got []string
		for _, v := range e.Violations {
			got = append(got, v.Pointer)
		}
		if strings.Join(got, " ") != pointer {
			t.Errorf("%s: violations at %q, want %q: %v", body, got, pointer, err)
		}
	}
}

// The contract and the page have a text for each code of a thought, and no others; and the rules of the paper on the page are the engine's.
func TestThoughtsOfTheContract(t *testing.T) {
	var want []string
	for _, code := range players.Whys() {
		want = append(want, string(code))
		if !api.KlaverjasThoughtCode(code).Valid() {
			t.Errorf("the contract does not have the code %s", code)
		}
	}
	slices.Sort(want)
	for _, lang := range []string{"en", "nl"} {
		text, err := os.ReadFile("../../web/board/src/watch/words-" + lang + ".ts")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range regexp.MustCompile(`(?m)^  t_(\w+):`).FindAllStringSubmatch(string(text), -1) {
			if m[1] != "next_chance" && m[1] != "next_cost" { // they follow other texts
				got = append(got, m[1])
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: texts of thoughts (-want +got):\n%s", lang, diff)
		}
	}
	g := playGame(t)
	none := map[string]any{"7": 0, "8": 0, "9": 0, "10": 0, "J": 0, "Q": 0, "K": 0, "A": 0}
	pit := map[string]any{"declarers": 100, "defenders": 100}
	body, err := json.Marshal(map[string]any{"rules": map[string]any{
		"system": "amsterdam", "under_ruff": "free", "nat_melds": "all", "four_of_a_kind": none, "pit": pit,
	}})
	if err != nil {
		t.Fatal(err)
	}
	q, err := ParsePlay()(context.Background(), g, body)
	if err != nil || q.rules != players.LogicalRules() || q.rules == engine.DefaultRules(engine.Amsterdam) {
		t.Errorf("%+v, %v", q.rules, err)
	}
}
