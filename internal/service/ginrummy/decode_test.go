package ginrummy

import (
	"context"
	"strings"
	"testing"

	"roem/internal/service"
	"roem/internal/service/servicetest"
)

const (
	tenCards = `["AD", "AS", "AH", "AC", "2C", "3C", "4C", "4H", "4D", "4S"]`
	knocker  = `"knocker": {"hand": ["AC", "2C", "3C", "5H", "5S", "5D", "7H", "8H", "9H", "4S"], "melds": [["AC", "2C", "3C"], ["5H", ` +
		`"5S", "5D"], ["7H", "8H", "9H"]]}`
	opponent = `"opponent": {"hand": ["4C", "5C", "10H", "JH", "KC", "KH", "KS", "QD", "QS", "2S"]}`
	aView    = `"seat": "A", "starter": "B", "upcard": "9D", "hand": ["2C", "3C", "4C", "8C", "QC", "KH", "AS", "7S", "KS", "JD"], ` +
		`"events": [{"seat": "B", "kind": "take", "card": "9D"}, {"seat": "B", "kind": "discard", "card": "QS"}]`
)

// parse decodes a body as the request with the given name.
func parse(g *Game, name string, body []byte) (any, error) {
	switch name {
	case "Melds":
		return ParseMelds(context.Background(), g, body)
	case "Score":
		return ParseScore(context.Background(), g, body)
	case "Estimate":
		return ParseEstimate(context.Background(), g, body)
	case "Advise":
		return ParseAdvise(context.Background(), g, body)
	case "Review":
		return ParseReview(context.Background(), g, body)
	case "Session":
		return ParseSession(context.Background(), g, body)
	case "SessionPlay":
		return service.Decode(context.Background(), g.schemas, body, "GinSessionPlayRequest", sessionPlayBody.act)
	case "SessionNext":
		return service.Decode(context.Background(), g.schemas, body, "SessionNextRequest", sessionNextBody.act)
	default:
		return ParseMatch(context.Background(), g, body)
	}
}

func (g *Game) decoder() servicetest.Decoder {
	return func(request string, body []byte) (any, error) { return parse(g, request, body) }
}

// schemaOf is the schema of each request.
var schemaOf = map[string]string{
	"Melds": "GinMeldsRequest", "Score": "GinScoreRequest", "Estimate": "GinEstimateRequest", "Advise": "GinAdviseRequest",
	"Match": "GinMatchRequest", "Review": "GinReviewRequest",
	"Session": "GinSessionRequest", "SessionPlay": "GinSessionPlayRequest", "SessionNext": "SessionNextRequest",
}

var goodBodies = []struct{ request, body string }{
	{"Melds", `{"hand": ` + tenCards + `}`},
	{"Melds", `{"hand": ` + strings.Replace(tenCards, `"4S"`, `"4♠", "th"`, 1) + `}`},
	{"Score", `{` + knocker + `, ` + opponent + `}`},
	{"Estimate", `{` + aView + `}`},
	{"Estimate", `{` + aView + `, "method": "uniform", "threshold": 1}`},
	{"Estimate", `{"seat": "A", "starter": "A", "upcard": "9d", "hand": ["2C", "3C", "4C", "8C", "QC", "KH", "AS", "7S", "KS", "JD"]}`},
	{"Advise", `{` + aView + `, "totals": {"A": 99, "B": 0}, "player": "simple"}`},
	{"Review", `{` + aRound + `}`},
	{"Review", `{` + aRound + `, "seat": "B", "worlds": 5000, "seed": "18446744073709551615"}`},
	{"Session", `{}`},
	{"Session", `{"players": {"opponent": "simple"}, "hands": 1, "seat": "B", "starter": "B", "seed": "0"}`},
	{"SessionPlay", `{"acts": 0, "action": {"kind": "pass"}}`},
	{"SessionPlay", `{"acts": 1000000, "action": {"kind": "discard", "card": "th"}}`},
	{"SessionPlay", `{"acts": 7, "action": {"kind": "knock", "melds": []}}`},
	{"SessionPlay", `{"acts": 7, "action": {"kind": "melds", "melds": [["AC", "2C", "3C"], ["5H", "5S", "5D"]]}}`},
	{"SessionNext", `{"acts": 3}`},
	{"Match", `{"a": "simple", "b": "random"}`},
	{"Match", `{"a": "simple", "b": "random", "deals": 10000, "seed": "18446744073709551615"}`},
}

func newGame(tb testing.TB) *Game {
	tb.Helper()
	return newGameOf(tb, Options{})
}

func newGameOf(tb testing.TB, o Options) *Game {
	tb.Helper()
	return New(servicetest.New(tb, false), o)
}

// Valid bodies are decoded without the contract, since reading it takes longer than most answers.
func TestGoodBodies(t *testing.T) {
	g := newGame(t)
	for _, tt := range goodBodies {
		if _, err := parse(g, tt.request, []byte(tt.body)); err != nil {
			t.Errorf("%s: %v", tt.body, err)
		}
		if g.schemas.Needed() {
			t.Fatalf("%s: the contract is read", tt.body)
		}
	}
}

// Every kind of bad request has its kind of error and the places of its violations.
func TestBadBodies(t *testing.T) {
	g := newGame(t)
	edit := func(body, old, by string) string {
		if !strings.Contains(body, old) {
			t.Fatalf("no %s to replace", old)
		}
		return `{` + strings.Replace(body, old, by, 1) + `}`
	}
	score := knocker + `, ` + opponent
	servicetest.Refuses(t, g.decoder(), []servicetest.Bad{
		{"nine cards", "Melds", `{"hand": ` + strings.Replace(tenCards, `, "4S"`, ``, 1) + `}`, service.Impossible, []string{"/hand"}, "9"},
		{
			"twelve cards", "Melds", `{"hand": ` + strings.Replace(tenCards, `"4S"`, `"4S", "5S", "6S"`, 1) + `}`, service.Impossible,
			[]string{"/hand"},
			"12",
		},
		{"no hand", "Melds", `{}`, service.Malformed, []string{"/hand"}, "missing"},
		{
			"a number for a card", "Melds", `{"hand": ` + strings.Replace(tenCards, `"4S"`, `4`, 1) + `}`, service.Malformed,
			[]string{"/hand/9"},
			"string",
		},
		{"an unknown field", "Melds", `{"hand": ` + tenCards + `, "cards": 1}`, service.Malformed, []string{"/cards"}, "not a field"},
		{
			"a card twice", "Melds", `{"hand": ` + strings.Replace(tenCards, `"4S"`, `"as"`, 1) + `}`, service.Impossible,
			[]string{"/hand/9"},
			"AS is also at /hand/1",
		},
		{
			"no card", "Melds", `{"hand": ` + strings.Replace(tenCards, `"4S"`, `"1S"`, 1) + `}`, service.Malformed,
			[]string{"/hand/9"},
			"not a card",
		},

		{"no opponent", "Score", `{` + knocker + `}`, service.Malformed, []string{"/opponent"}, "missing"},
		{
			"two cards as a meld", "Score", edit(score, `["AC", "2C", "3C"], ["5H"`, `["AC", "2C"], ["5H"`), service.Impossible,
			[]string{"/knocker/melds/0"},
			"2",
		},
		{"four melds", "Score", edit(score, `"melds": [`, `"melds": [["AC", "2C", "3C"], `), service.Malformed, []string{"/knocker/melds"}, "4"},
		{"eleven cards", "Score", edit(score, `"2S"]`, `"2S", "2D"]`), service.Impossible, []string{"/opponent/hand"}, "11"},
		{
			"a card of both", "Score", edit(score, `"2S"]`, `"4S"]`), service.Impossible,
			[]string{"/opponent/hand/9"},
			"4S is also in the knocker's hand",
		},
		{
			"no meld", "Score", edit(score, `["AC", "2C", "3C"], ["5H"`, `["AC", "2C", "4S"], ["5H"`), service.Impossible,
			[]string{"/knocker/melds/0"},
			"neither",
		},
		{
			"a meld not held", "Score", edit(score, `["AC", "2C", "3C"], ["5H"`, `["2C", "3C", "4C"], ["5H"`), service.Impossible,
			[]string{"/knocker/melds/0"},
			"4C is not in the hand",
		},
		{
			"a card in two melds", "Score", edit(score, `["AC", "2C", "3C"], ["5H", "5S", "5D"]`, `["5H", "5S", "5D"], ["5H", "5S", "5D"]`),
			service.Impossible,
			[]string{"/knocker/melds/1"},
			"another meld",
		},
		{"too much deadwood", "Score", edit(score, `, ["7H", "8H", "9H"]]`, `]`), service.Impossible, []string{"/knocker"}, "28 points"},

		{"no starter", "Estimate", edit(aView, `"starter": "B", `, ``), service.Malformed, []string{"/starter"}, "missing"},
		{"unknown starter", "Estimate", edit(aView, `"starter": "B"`, `"starter": "you"`), service.Malformed, []string{"/starter"}, "you"},
		{
			"unknown action", "Estimate", edit(aView, `"kind": "take"`, `"kind": "knock"`), service.Malformed,
			[]string{"/events/0/kind"},
			"knock",
		},
		{
			"no player of an event", "Estimate", edit(aView, `{"seat": "B", "kind": "take", `, `{"kind": "take", `), service.Malformed,
			[]string{"/events/0/seat"},
			"missing",
		},
		{"nine own cards", "Estimate", edit(aView, `, "JD"]`, `]`), service.Impossible, []string{"/hand"}, "9"},
		{"unknown method", "Estimate", `{` + aView + `, "method": "best"}`, service.Malformed, []string{"/method"}, "best"},
		{"a threshold above 1", "Estimate", `{` + aView + `, "threshold": 1.5}`, service.Malformed, []string{"/threshold"}, "1.5"},
		{"no card of a discard", "Estimate", edit(aView, `, "card": "QS"`, ``), service.Impossible, []string{"/events/1/card"}, "missing"},
		{"no such card", "Estimate", edit(aView, `"QS"`, `"QX"`), service.Malformed, []string{"/events/1/card"}, "not a card"},
		{
			"an own card discarded by the opponent", "Estimate", edit(aView, `"QS"`, `"KS"`), service.Impossible,
			[]string{"/events/1/card"},
			"in the player's hand",
		},
		{
			"not the top discard", "Estimate", edit(aView, `"take", "card": "9D"`, `"take", "card": "8D"`), service.Impossible,
			[]string{"/events/0/card"},
			"9D",
		},
		{
			"a card of a pass", "Estimate", edit(aView, `"kind": "take"`, `"kind": "pass"`), service.Impossible,
			[]string{"/events/0/card"},
			"a pass has no card",
		},
		{
			"a hidden card", "Estimate", edit(aView, `"kind": "take"`, `"kind": "stock"`), service.Impossible,
			[]string{"/events/0/card"},
			"nobody sees",
		},
		{"the first card held", "Estimate", edit(aView, `"upcard": "9D"`, `"upcard": "JD"`), service.Impossible, []string{"/upcard"}, "JD"},
		{
			"without the discard", "Estimate", edit(aView, `, {"seat": "B", "kind": "discard", "card": "QS"}`, ``), service.Impossible,
			[]string{"/events/0"},
			"must still discard",
		},

		{"a score of 100", "Advise", `{` + aView + `, "totals": {"A": 100, "B": 0}}`, service.Malformed, []string{"/totals/A"}, "100"},
		{"one score", "Advise", `{` + aView + `, "totals": {"A": 10}}`, service.Malformed, []string{"/totals/B"}, "missing"},
		{"unknown player", "Advise", `{` + aView + `, "player": "best"}`, service.Malformed, []string{"/player"}, "random, simple"},
		{
			"not the own turn", "Advise", edit(aView,
				`{"seat": "B", "kind": "take", "card": "9D"}, {"seat": "B", "kind": "discard", "card": "QS"}`, ``),
			service.Impossible,
			[]string{"/events"},
			"turn of B",
		},

		{
			"a meld twice", "SessionPlay", `{"acts": 0, "action": {"kind": "melds", "melds": [["AC", "2C", "3C"], ["AC", "2C", "3C"]]}}`,
			service.Impossible,
			[]string{"/action/melds/1"},
			"another meld",
		},
		{"acts below 0", "SessionNext", `{"acts": -1}`, service.Malformed, []string{"/acts"}, "-1"},

		{"no player", "Match", `{"a": "simple"}`, service.Malformed, []string{"/b"}, "missing"},
		{"too many deals", "Match", `{"a": "simple", "b": "random", "deals": 10001}`, service.Malformed, []string{"/deals"}, "10001"},
		{"no seed", "Match", `{"a": "simple", "b": "random", "seed": "-1"}`, service.Malformed, []string{"/seed"}, ""},
		{
			"a large seed", "Match", `{"a": "simple", "b": "random", "seed": "18446744073709551616"}`, service.Malformed,
			[]string{"/seed"},
			"18446744073709551615",
		},
		{"unknown players", "Match", `{"a": "a", "b": "b"}`, service.Malformed, []string{"/a", "/b"}, "is not one of random"},
	})
}

// FuzzDecode searches for a body on which the decoder and the schema of the contract differ.
func FuzzDecode(f *testing.F) {
	for _, b := range goodBodies {
		f.Add([]byte(b.body))
	}
	for _, body := range []string{
		``, `{}`, `null`, `{"acts": 1e0, "action": null}`, `{"acts": -1, "action": {"kind": "take"}}`,
		`{"acts": 0, "action": {"kind": "take", "melds": [[]]}}`,
		`{"hands": 0, "starter": "", "seed": ""}`, `{"acts": 0, "action": {"kind": "melds", "melds": [["AC", "2C", ` +
			`"3C"], ["AC", "2C", "3C"]]}}`, `{"hand": null}`, `{"hand": [1]}`, `{"a": "simple", "b": "random", "deals": 1e1}`, `{` + aView +
			`, "threshold": 1e400}`,
		`{` + aView + `, "threshold": -0}`, `{` + aView + `, "totals": {"A": 1e1, "B": 0}}`, `{` + aView + `, "events": []}`,
		`{"seat": "A", "starter": "A", "upcard": "9D", "hand": ` + tenCards + `, "events": [{"seat": "A", "kind": "pass"}]}`,
		`{` + knocker + `, "opponent": {}}`,
	} {
		f.Add([]byte(body))
	}
	g := newGame(f)
	servicetest.FuzzDecoder(f, g.decoder(), g.schemas, schemaOf)
}
