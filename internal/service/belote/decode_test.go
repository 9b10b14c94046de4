package belote

import (
	"context"
	"errors"
	"strings"
	"testing"

	"roem/internal/service"
	"roem/internal/service/servicetest"
)

// parse decodes a body as the request with the given name.
func parse(g *Game, name string, body []byte) (any, error) {
	switch name {
	case "Position":
		return ParsePosition(context.Background(), g, body)
	case "Solve":
		return ParseSolve(context.Background(), g, body)
	case "Compare":
		return ParseCompare(context.Background(), g, body)
	case "Advise":
		return ParseAdvise(context.Background(), g, body)
	case "Review":
		return ParseReview(context.Background(), g, body)
	case "Bid":
		return ParseBid(context.Background(), g, body)
	case "Score":
		return ParseScore(context.Background(), g, body)
	case "Match":
		return ParseMatch(context.Background(), g, body)
	case "Session":
		return ParseSession(context.Background(), g, body)
	case "SessionCall":
		return service.Decode(context.Background(), g.schemas, body, "BeloteSessionCallRequest", sessionCallBody.act)
	case "SessionPlay":
		return service.Decode(context.Background(), g.schemas, body, "BeloteSessionPlayRequest", sessionPlayBody.act)
	case "SessionNext":
		return service.Decode(context.Background(), g.schemas, body, "SessionNextRequest", sessionNextBody.act)
	default:
		return ParseAnalyse(context.Background(), g, body)
	}
}

func (g *Game) decoder() servicetest.Decoder {
	return func(request string, body []byte) (any, error) { return parse(g, request, body) }
}

// schemaOf is the schema of each request.
var schemaOf = map[string]string{
	"Position": "BelotePosition", "Solve": "BeloteSolveRequest", "Analyse": "BelotePosition", "Compare": "BeloteCompareRequest",
	"Advise": "BeloteAdviseRequest", "Bid": "BeloteBidRequest", "Score": "BeloteScoreRequest", "Match": "BeloteMatchRequest",
	"Session": "BeloteSessionRequest", "SessionCall": "BeloteSessionCallRequest", "SessionPlay": "BeloteSessionPlayRequest",
	"SessionNext": "SessionNextRequest", "Review": "BeloteReviewRequest",
}

// oneView is the deal oneSuit with the cards face down.
const oneView = `"trump": "H", "suits": ["H"], "leader": "A", "stacks": {"A": [["QH", null], ["KH", ` +
	`null]], "B": [["10H", null], ["JH", null]]}`

var goodBodies = []struct{ request, body string }{
	{"Position", `{` + oneSuit + `}`},
	{"Position", `{` + oneSuit + `, "declarer": "b", "threshold": 72, "flip": "immediate", "played": ["k♥", "jh"]}`},
	{"Position", `{` + strings.Replace(oneSuit, `"trump": "H"`, `"trump": null`, 1) + `}`},
	{"Solve", `{` + oneSuit + `, "utility": "contract", "goal": "moves", "algorithm": "minimax", "forward_pruning": false}`},
	{"Analyse", `{` + oneSuit + `, "played": ["KH"]}`},
	{"Advise", `{` + oneSuit + `}`},
	{"Advise", `{` + oneView + `}`},
	{"Advise", `{` + oneView + `, "played": ["KH"], "utility": "contract", "method": "expectimax", "worlds": 10000, "seed": ` +
		`"18446744073709551615"}`},
	{"Review", `{` + oneSuit + `, "played": ["KH", "JH"]}`},
	{"Review", `{` + oneSuit + `, "flip": "immediate", "played": ["KH", "JH"], "seat": "b", "worlds": 1000, "seed": "18446744073709551615"}`},
	{"Bid", `{"open": {"A": ["7H", "8H", "9C", "AS"], "B": []}}`},
	{"Bid", `{"suits": ["h"], "open": {"A": ["7h", "k♥"], "B": ["8H", "9H"]}, "threshold": 72, "worlds": 4, "seed": "0"}`},
	{"Score", `{"made": {"declarer": "b", "points": {"A": 81, "B": 81}}, "contract": "standard", "litige": true, "capot": 50}`},
	{"Score", `{"made": {"declarer": "A", "points": {"A": 162, "B": 0}, "belote": "B", "melds": {"B": 1000}, "all_tricks": "A", ` +
		`"threshold": 162}, "belote": false}`},
	{"Score", `{"made": {"points": {"A": 30, "B": 18}}, "contract": "none"}`},
	{"Score", `{"position": {` + oneSuit + `, "played": ["KH", "JH", "9H", "AH", "10H", "QH", "8H", "7H"]}, "melds": "owned"}`},
	{"Match", `{"a": "random", "b": "sampling:200"}`},
	{"Match", `{"a": "simple", "b": "expectimax", "deals": 10000, "suits": 1, "trump": "none", ` +
		`"utility": "contract", "worlds": 10, "seed": "7"}`},
	{"Session", `{}`},
	{"Session", `{"seat":"b","players":{"opponent":"expectimax:100"},"hands":30,"suits":["h","S"],` +
		`"trump":"none","flip":"immediate","seed":"7"}`},
	{"SessionCall", `{"acts":0,"call":"pass"}`},
	{"SessionCall", `{"acts":1,"call":"h"}`},
	{"SessionPlay", `{"acts":4,"card":"k♥"}`},
	{"SessionNext", `{"acts":20}`},
	{"Compare", `{}`},
	{"Compare", `{"suits": [4, 1], "deals": 100, "seed": "18446744073709551615", "limit": 1}`},
}

// Valid bodies are decoded without the contract, since reading it takes longer than solving most deals. A body with null is not: only the
// schema says where null is allowed.
func TestGoodBodies(t *testing.T) {
	g := newGame(t, false)
	for _, tt := range goodBodies {
		if _, err := parse(g, tt.request, []byte(tt.body)); err != nil {
			t.Errorf("%s: %v", tt.body, err)
		}
	}
	g.schemas = service.NewSchemas(nil, shapes)
	for _, tt := range goodBodies {
		if strings.Contains(tt.body, "null") {
			continue
		}
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
	g := newGame(t, false)
	edit := func(old, by string) string {
		if !strings.Contains(oneSuit, old) {
			t.Fatalf("no %s to replace", old)
		}
		return `{` + strings.Replace(oneSuit, old, by, 1) + `}`
	}
	servicetest.Refuses(t, g.decoder(), []servicetest.Bad{
		{"no trump given", "Position", edit(`"trump": "H", `, ``), service.Malformed, []string{"/trump"}, "missing"},
		{"trump a number", "Position", edit(`"trump": "H"`, `"trump": 1`), service.Malformed, []string{"/trump"}, "string"},
		{"no leader", "Position", edit(`"leader": "A", `, ``), service.Malformed, []string{"/leader"}, "missing"},
		{"one card in a stack", "Position", edit(`["KH", "AH"]`, `["KH"]`), service.Impossible, []string{"/stacks/A/1"}, "1"},
		{"three cards in a stack", "Position", edit(`["KH", "AH"]`, `["KH", "AH", "9H"]`), service.Impossible, []string{"/stacks/A/1"}, "3"},
		{"one stack", "Position", edit(`, ["KH", "AH"]`, ``), service.Malformed, []string{"/stacks/A"}, "1"},
		{
			"no stacks of B", "Position", edit(`"B": [["10H", "8H"], ["JH", "9H"]]`, `"C": []`), service.Malformed,
			[]string{"/stacks/B", "/stacks/C"},
			"",
		},
		{"threshold 0", "Position", `{` + oneSuit + `, "threshold": 0}`, service.Malformed, []string{"/threshold"}, "0"},
		{"unknown flip", "Position", `{` + oneSuit + `, "flip": "never"}`, service.Malformed, []string{"/flip"}, "never"},
		{"no suits", "Position", edit(`"suits": ["H"]`, `"suits": []`), service.Malformed, []string{"/suits"}, "0"},
		{"unknown field", "Position", `{` + oneSuit + `, "hands": {}}`, service.Malformed, []string{"/hands"}, "not a field"},
		{"review of nothing", "Review", `{` + oneSuit + `}`, service.Impossible, []string{"/played"}, "has no card: expected at least one"},
		{
			"review of who has not played", "Review", `{` + oneSuit + `, "played": ["KH"], "seat": "B"}`, service.Impossible,
			[]string{"/played"},
			"has no card of B",
		},
		{"review of nobody", "Review", `{` + oneSuit + `, "played": ["KH"], "seat": "C"}`, service.Malformed, []string{"/seat"}, "A"},
		{"review of a world", "Review", `{` + oneSuit + `, "played": ["KH"], "worlds": 1}`, service.Malformed, []string{"/worlds"}, "2"},
		{
			"review of hidden cards", "Review", `{` + oneView + `, "played": ["KH"]}`, service.Malformed,
			[]string{"/stacks/A/0/1", "/stacks/A/1/1", "/stacks/B/0/1", "/stacks/B/1/1"},
			"null",
		},
		{"unknown goal", "Solve", `{` + oneSuit + `, "goal": "win"}`, service.Malformed, []string{"/goal"}, "win"},
		{"unknown utility", "Solve", `{` + oneSuit + `, "utility": "win"}`, service.Malformed, []string{"/utility"}, "win"},
		{"unknown algorithm", "Solve", `{` + oneSuit + `, "algorithm": "best"}`, service.Malformed, []string{"/algorithm"}, "best"},
		{"goal of a position", "Position", `{` + oneSuit + `, "goal": "value"}`, service.Malformed, []string{"/goal"}, "not a field"},

		{"five suits", "Compare", `{"suits": [5]}`, service.Malformed, []string{"/suits/0"}, "5"},
		{"no deals", "Compare", `{"deals": 0}`, service.Malformed, []string{"/deals"}, "0"},
		{"no seed", "Compare", `{"seed": "x"}`, service.Malformed, []string{"/seed"}, ""},
		{"a large seed", "Compare", `{"seed": "18446744073709551616"}`, service.Malformed, []string{"/seed"}, "18446744073709551615"},
		{"no card", "Position", edit(`"AH"`, `"1H"`), service.Malformed, []string{"/stacks/A/1/1"}, "not a card"},
		{"a card twice", "Position", edit(`"AH"`, `"9H"`), service.Impossible, []string{"/stacks/B/1/1"}, "/stacks/A/1/1"},
		{"a wrong suit", "Position", edit(`"AH"`, `"AC"`), service.Impossible, []string{"/stacks/A/1/1"}, "suits"},
		{"trump of no suit", "Position", edit(`"trump": "H"`, `"trump": "C"`), service.Impossible, []string{"/trump"}, "suits"},
		{"trump no suit", "Position", edit(`"trump": "H"`, `"trump": "X"`), service.Malformed, []string{"/trump"}, "not a suit"},
		{"suit twice", "Position", edit(`"suits": ["H"]`, `"suits": ["H", "h"]`), service.Malformed, []string{"/suits/1"}, "twice"},
		{
			"too few stacks", "Position", edit(`"suits": ["H"]`, `"suits": ["H", "C"]`), service.Impossible,
			[]string{"/stacks/A", "/stacks/B"},
			"expected 4",
		},
		{"no such player", "Position", edit(`"leader": "A"`, `"leader": "N"`), service.Malformed, []string{"/leader"}, "is not a seat"},
		{"threshold too large", "Position", `{` + oneSuit + `, "threshold": 73}`, service.Impossible, []string{"/threshold"}, "1 to 72"},
		{"illegal card", "Position", `{` + oneSuit + `, "played": ["AH"]}`, service.Impossible, []string{"/played/0"}, "covers"},
		{"a card of the other", "Position", `{` + oneSuit + `, "played": ["JH"]}`, service.Impossible, []string{"/played/0"}, "B does"},
		{
			"a card again", "Position", `{` + oneSuit + `, "played": ["KH", "JH", "9H", "KH"]}`, service.Impossible,
			[]string{"/played/3"},
			"has been played",
		},
		{
			"not the higher trump", "Position", `{` + oneSuit + `, "played": ["KH", "10H", "JH", "QH", "9H", "AH", "8H", "7H", "7H"]}`,
			service.Impossible,
			[]string{"/played/8"},
			"every card",
		},
		{
			"an unknown upper card", "Advise", `{` + strings.Replace(oneView, `["QH", null]`, `[null, "QH"]`, 1) + `}`, service.Impossible,
			[]string{"/stacks/A/0/0"},
			"upper card",
		},
		{
			"turned and null", "Advise", `{` + oneView + `, "played": ["KH", "JH"]}`, service.Impossible,
			[]string{"/stacks/A/1/1", "/stacks/B/1/1"},
			"turned",
		},
		{
			"turned at once and null", "Advise", `{` + oneView + `, "played": ["KH"], "flip": "immediate"}`, service.Impossible,
			[]string{"/stacks/A/1/1"},
			"KH above it",
		},
		{
			"a card face down is played", "Advise", `{` + oneView + `, "played": ["AH"]}`, service.Impossible,
			[]string{"/played/0"},
			"neither the open card",
		},
		{
			"an open card twice", "Advise", `{` + strings.Replace(oneView, `"KH"`, `"QH"`, 1) + `}`, service.Impossible,
			[]string{"/stacks/A/1/0"},
			"/stacks/A/0/0",
		},
		{
			"a known card twice", "Advise", `{` + strings.Replace(oneView, `["KH", null]`, `["KH", "QH"]`, 1) + `}`, service.Impossible,
			[]string{"/stacks/A/1/1"},
			"/stacks/A/0/0",
		},
		{"an illegal card", "Advise", `{` + oneView + `, "played": ["JH"]}`, service.Impossible, []string{"/played/0"}, "B does"},
		{
			"three cards in a stack of a view", "Advise", `{` + strings.Replace(oneView, `["KH", null]`, `["KH", null, null]`, 1) + `}`,
			service.Impossible,
			[]string{"/stacks/A/1"},
			"3",
		},
		{
			"a null card of a position", "Position", `{` + oneView + `}`, service.Malformed,
			[]string{"/stacks/A/0/1", "/stacks/A/1/1", "/stacks/B/0/1", "/stacks/B/1/1"},
			"null",
		},
		{"one world", "Advise", `{` + oneView + `, "worlds": 1}`, service.Malformed, []string{"/worlds"}, "1"},
		{"unknown method", "Advise", `{` + oneView + `, "method": "pimc"}`, service.Malformed, []string{"/method"}, "pimc"},
		{
			"a finished hand", "Advise", `{` + oneSuit + `, "played": ["KH", "JH", "9H", "AH", "10H", "QH", "8H", "7H"]}`, service.Impossible,
			[]string{"/played"},
			"no card left",
		},
		{"expectimax of a whole deal", "Advise", fourView(`"method": "expectimax"`), service.Impossible, []string{"/method"}, "at most 6"},

		{"no open cards", "Bid", `{}`, service.Malformed, []string{"/open"}, "missing"},
		{"three open cards", "Bid", `{"open": {"A": ["7H", "8H", "9C"], "B": []}}`, service.Impossible, []string{"/open/A"}, "expected 4 or 8"},
		{
			"open cards of B first", "Bid", `{"open": {"A": ["7H", "8H", "9C", "AS"], "B": ["7S"]}}`, service.Impossible,
			[]string{"/open/B"},
			"expected 0 or 4",
		},
		{
			"an open card of both", "Bid", `{"suits": ["H"], "open": {"A": ["7H"], "B": ["7H"]}}`, service.Impossible,
			[]string{"/open/B/0"},
			"/open/A/0",
		},
		{
			"an open card of no suit", "Bid", `{"suits": ["H"], "open": {"A": ["7S"], "B": []}}`, service.Impossible,
			[]string{"/open/A/0"},
			"suits",
		},
		{"no open card", "Bid", `{"suits": ["H"], "open": {"A": ["1H"], "B": []}}`, service.Malformed, []string{"/open/A/0"}, "not a card"},
		{
			"a large threshold", "Bid", `{"suits": ["H"], "open": {"A": ["7H"], "B": []}, "threshold": 73}`, service.Impossible,
			[]string{"/threshold"},
			"1 to 72",
		},
		{"two worlds", "Bid", `{"suits": ["H"], "open": {"A": ["7H"], "B": []}, "worlds": 2}`, service.Malformed, []string{"/worlds"}, "2"},

		{"no hand", "Score", `{}`, service.Malformed, []string{""}, "no hand"},
		{
			"two hands", "Score", `{"position": {` + oneSuit + `}, "made": {"declarer": "A", "points": {"A": 100, "B": 62}}}`, service.Malformed,
			[]string{"/made"},
			"one of them",
		},
		{
			"an unfinished hand", "Score", `{"position": {` + oneSuit + `, "played": ["KH"]}}`, service.Impossible,
			[]string{"/position/played"},
			"all 8",
		},
		{
			"an illegal card of a hand", "Score", `{"position": {` + oneSuit + `, "played": ["AH"]}}`, service.Impossible,
			[]string{"/position/played/0"},
			"covers",
		},
		{"a threshold of another contract", "Score", `{"made": {"declarer": "A", "points": {"A": 81, "B": 81}, ` +
			`"threshold": 82}, "contract": "standard"}`, service.Impossible, []string{"/made/threshold"}, "contract paper"},
		{
			"points that do not add up", "Score", `{"made": {"declarer": "A", "points": {"A": 100, "B": 100}}}`, service.Impossible,
			[]string{"/made/points"},
			"200",
		},
		{
			"litige of the paper", "Score", `{"made": {"declarer": "A", "points": {"A": 81, "B": 81}}, "litige": true}`, service.Impossible,
			[]string{"/litige"},
			"standard",
		},
		{
			"a bonus of 60", "Score", `{"made": {"declarer": "A", "points": {"A": 81, "B": 81}}, "capot": 60}`, service.Malformed,
			[]string{"/capot"},
			"0, 50 or 90",
		},
		{
			"all tricks of one without points", "Score", `{"made": {"declarer": "A", "points": {"A": 81, "B": 81}, "all_tricks": "A"}}`,
			service.Impossible,
			[]string{"/made/all_tricks"},
			"B has 81",
		},
		{
			"a declarer too many", "Score", `{"made": {"declarer": "N", "points": {"A": 81, "B": 81}}}`, service.Malformed,
			[]string{"/made/declarer"},
			"is not a seat",
		},
		{
			"melds of a hand in made", "Score", `{"made": {"declarer": "A", "points": {"A": 81, "B": 81}}, "melds": "open"}`, service.Impossible,
			[]string{"/melds"},
			"/made/melds",
		},
		{"no declarer", "Score", `{"made": {"points": {"A": 81, "B": 81}}}`, service.Impossible, []string{"/made/declarer"}, "missing"},
		{
			"belote-rebelote without a contract", "Score", `{"made": {"points": {"A": 81, "B": 81}, "belote": "A"}, "contract": "none"}`,
			service.Impossible,
			[]string{"/made/belote"},
			"nobody has chosen",
		},
		{
			"belote-rebelote without trump", "Score", `{"made": {"declarer": "A", "points": {"A": 30, "B": 18}, "belote": "A"}}`, service.Impossible,
			[]string{"/made/belote"},
			"48 is a total without trump",
		},
		{
			"points with trump without a contract", "Score", `{"made": {"points": {"A": 70, "B": 2}}, "contract": "none"}`, service.Impossible,
			[]string{"/made/points"},
			"as with trump",
		},
		{
			"trump without a contract", "Score", `{"position": {` + oneSuit +
				`, "played": ["KH", "JH", "9H", "AH", "10H", "QH", "8H", "7H"]}, "contract": "none"}`, service.Impossible,
			[]string{"/position/trump"},
			"expected null",
		},
		{
			"melds of both", "Score", `{"made": {"declarer": "A", "points": {"A": 81, "B": 81}, "melds": {"A": 20, "B": 50}}}`, service.Impossible,
			[]string{"/made/melds"},
			"best meld",
		},
		{
			"a card twice in a hand", "Score", `{"position": {` + strings.Replace(oneSuit, `"7H"`, `"KH"`, 1) + `}}`, service.Impossible,
			[]string{"/position/stacks/A/1/0"},
			"also at /position/stacks/A/0/1",
		},
		{
			"an illegal card before one that it would turn", "Advise", `{` + oneView + `, "played": ["KH", "QH"]}`, service.Impossible,
			[]string{"/played/1"},
			"QH",
		},
		{"no points", "Score", `{"made": {"declarer": "A", "points": {"A": 81}}}`, service.Malformed, []string{"/made/points/B"}, "missing"},
		{
			"unknown melds", "Score", `{"made": {"declarer": "A", "points": {"A": 81, "B": 81}}, "melds": "all"}`, service.Malformed,
			[]string{"/melds"},
			"all",
		},

		{"one player", "Match", `{"a": "simple"}`, service.Malformed, []string{"/b"}, "missing"},
		{"no such kind of player", "Match", `{"a": "simple", "b": "pimc"}`, service.Malformed, []string{"/b"}, "random, simple"},
		{"worlds of a player without", "Match", `{"a": "simple:3", "b": "random"}`, service.Malformed, []string{"/a"}, "no option"},
		{"too many worlds", "Match", `{"a": "sampling:201", "b": "random"}`, service.Impossible, []string{"/a"}, "at most 200"},
		{
			"too many searches", "Match", `{"a": "sampling:100", "b": "random", "deals": 10000}`, service.Impossible,
			[]string{"/a"},
			"deals times worlds",
		},
		{"no deals of a match", "Match", `{"a": "simple", "b": "random", "deals": 0}`, service.Malformed, []string{"/deals"}, "0"},
		{"a trump of a match", "Match", `{"a": "simple", "b": "random", "trump": "H"}`, service.Malformed, []string{"/trump"}, "H"},
		{"nothing to analyse", "Analyse", `{` + oneSuit + `}`, service.Impossible, []string{"/played"}, "empty"},
	})
}

// fourView is a deal of four suits with the cards face down, and further fields.
func fourView(more string) string {
	return `{"trump": "C", "leader": "A", "stacks": {"A": ` +
		`[["7C",null],["9C",null],["JC",null],["KC",null],["7D",null],["9D",null],["JD",null],["KD",null]],` +
		` "B": [["7H",null],["9H",null],["JH",null],["KH",null],["7S",null],["9S",null],["JS",null],["KS",null]]}, ` + more + `}`
}

// The paper's algorithms are refused where they would take hours.
func TestTooLong(t *testing.T) {
	g := newGame(t, false)
	four := `"trump": "C", "leader": "A", "stacks": {"A": ` +
		`[["7C","8C"],["9C","10C"],["JC","QC"],["KC","AC"],["7D","8D"],["9D","10D"],["JD","QD"],["KD","AD"]],` +
		` "B": [["7H","8H"],["9H","10H"],["JH","QH"],["KH","AH"],["7S","8S"],["9S","10S"],["JS","QS"],["KS","AS"]]}`
	for _, tt := range []struct {
		body    string
		refused bool
	}{
		{`{` + four + `, "algorithm": "minimax", "utility": "contract"}`, true},
		{`{` + four + `, "algorithm": "alphabeta"}`, true},
		{`{` + four + `, "algorithm": "alphabeta", "utility": "contract", "goal": "moves"}`, true},
		{`{` + four + `, "algorithm": "alphabeta", "utility": "contract"}`, false},
		{`{` + four + `}`, false},
		{`{` + oneSuit + `, "algorithm": "minimax"}`, false},
	} {
		_, err := ParseSolve(context.Background(), g, []byte(tt.body))
		problem, _ := errors.AsType[*service.Error](err)
		if refused := problem != nil; refused != tt.refused {
			t.Errorf("%s: error %v", tt.body, err)
		} else if refused && (problem.Kind != service.Impossible || problem.Violations[0].Pointer != "/algorithm") {
			t.Errorf("%s: %v", tt.body, err)
		}
	}
}

// FuzzDecode searches for a body on which the decoder and the schema of the contract differ.
func FuzzDecode(f *testing.F) {
	for _, b := range goodBodies {
		f.Add([]byte(b.body))
	}
	for _, body := range []string{
		`{` + oneView + `, "played": ["KH", "JH"]}`, `{"made": {"declarer": "A", "points": {"A": 81}}}`, `{"a": "simple", "b": null}`,
		``, `{}`, `null`, `{"trump": null}`, `{` + oneSuit + `, "threshold": 1e1}`, `{` + oneSuit + `, "played": [1]}`,
		`{` + strings.Replace(oneSuit, `["KH", "AH"]`, `["KH"]`, 1) + `}`, `{` + oneSuit + `, "flip": null}`,
	} {
		f.Add([]byte(body))
	}
	g := newGame(f, false)
	servicetest.FuzzDecoder(f, g.decoder(), g.schemas, schemaOf)
}
