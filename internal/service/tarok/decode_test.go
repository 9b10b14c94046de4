package tarok

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/enginetest"
	"roem/internal/service"
	"roem/internal/service/servicetest"
)

// parse decodes a body as the request with the given name.
func parse(g *Game, name string, body []byte) (any, error) {
	switch name {
	case "Position":
		return ParsePosition(context.Background(), g, body)
	case "Score":
		return ParseScore(context.Background(), g, body)
	case "Worlds":
		return ParseWorlds(context.Background(), g, body)
	case "Complexity":
		return ParseComplexity(context.Background(), g, body)
	case "Session":
		return ParseSession(context.Background(), g, body)
	case "SessionCall":
		return service.Decode(context.Background(), g.schemas, body, "TarokSessionCallRequest", sessionCallBody.act)
	case "SessionExchange":
		return service.Decode(context.Background(), g.schemas, body, "TarokSessionExchangeRequest", sessionExchangeBody.act)
	case "SessionAnnounce":
		return service.Decode(context.Background(), g.schemas, body, "TarokSessionAnnounceRequest", sessionAnnounceBody.act)
	case "SessionPlay":
		return service.Decode(context.Background(), g.schemas, body, "TarokSessionPlayRequest", sessionPlayBody.act)
	case "SessionNext":
		return service.Decode(context.Background(), g.schemas, body, "TarokSessionNextRequest", sessionNextBody.act)
	case "Bid":
		return ParseBid(context.Background(), g, body)
	case "Exchange":
		return ParseExchange(context.Background(), g, body)
	case "Announce":
		return ParseAnnounce(context.Background(), g, body)
	case "Advise":
		return ParseAdvise(context.Background(), g, body)
	case "Review":
		return ParseReview(context.Background(), g, body)
	case "Match":
		return ParseMatch(context.Background(), g, body)
	default:
		return ParseSolve(context.Background(), g, body)
	}
}

func (g *Game) decoder() servicetest.Decoder {
	return func(request string, body []byte) (any, error) { return parse(g, request, body) }
}

// schemaOf is the schema of each request.
var schemaOf = map[string]string{
	"Position": "TarokPosition", "Score": "TarokScoreRequest", "Solve": "TarokSolveRequest", "Worlds": "TarokWorldsRequest",
	"Complexity": "TarokComplexityRequest",
	"Session":    "TarokSessionRequest", "SessionCall": "TarokSessionCallRequest", "SessionExchange": "TarokSessionExchangeRequest",
	"SessionAnnounce": "TarokSessionAnnounceRequest", "SessionPlay": "TarokSessionPlayRequest", "SessionNext": "TarokSessionNextRequest",
	"Bid": "TarokBidRequest", "Exchange": "TarokExchangeRequest", "Announce": "TarokAnnounceRequest", "Advise": "TarokAdviseRequest",
	"Match": "TarokMatchRequest", "Review": "TarokReviewRequest",
}

// exampleBody is the example game with the given number of cards played, and more fields.
func exampleBody(cards int, more string) string {
	setup, played := enginetest.Example()
	return bodyOf(setup, played[:cards], more)
}

func zeroBody(more string) string {
	setup, _ := enginetest.Example()
	setup.Contract, setup.Discards, setup.Declarer = tarok.Zero, 0, tarok.C
	return bodyOf(setup, nil, more)
}

// viewOf is what B knows of the example game after the given number of cards, and more fields.
func viewOf(cards int, more string) string {
	setup, played := enginetest.Example()
	list := func(cards []tarok.Card) string {
		text, _ := json.Marshal(outCards(cards))
		return string(text)
	}
	return `{"seat":"B","hand":` + list(setup.Deal.Hands[tarok.B].Slice()) + `,"contract":"two","declarer":"A","talon":` +
		list(setup.Deal.Talon[:]) +
		`,"group":2,"played":` + list(played[:cards]) + more + `}`
}

// dealBody is the deal of the example game, and more fields.
func dealBody(more string) string {
	setup, _ := enginetest.Example()
	text, _ := json.Marshal(map[string]any{"hands": outHands(setup.Deal.Hands), "talon": outCards(setup.Deal.Talon[:])})
	return strings.TrimSuffix(string(text), "}") + more + "}"
}

// handOfA and knownToA are what A knows in the example game: the hand, and the exchange too.
const (
	handOfA  = `"seat":"A","hand":["T1","T4","T6","T11","T14","T15","T21","HK","SK","D4","D3","D1","DJ","DK","C8","CJ"]`
	turnedUp = `,"contract":"two","declarer":"A","talon":["T7","H1","HC","T5","T20","SC"]`
	knownToA = handOfA + turnedUp + `,"group":2,"discards":["C8","CJ"]`
)

var goodBodies = []struct{ request, body string }{
	{"Position", exampleBody(3, ``)},
	{"Position", exampleBody(0, `,"rules":{"mond":20,"emperor":false,"lead":"declarer","difference":"rounded"}`)},
	{"Position", zeroBody(``)},
	{"Score", exampleBody(48, `,"kontra":"mort",`+
		`"announcements":{"valat":{"by":"opponents"},"pagat":{"by":"declarer","kontra":"none"}},"radli":{"B":3}`)},
	{"Solve", exampleBody(30, `,"goal":"moves"`)},
	{"Worlds", viewOf(7, `,"worlds":3,"method":"clustered","base":10,"seed":"1","rules":{"emperor":false}`)},
	{"Worlds", `{"seat":"c","hand":["T1","T4","T6","T11","T14","T15","T21","HK","SK","D4","D3","D1","DJ","DK","C8","CJ"]}`},
	{"Worlds", strings.NewReplacer(`"group":2,`, ``, `"played":[],`, ``).Replace(viewOf(0, `,"discards":[],"worlds":0`))},
	{"Complexity", `{}`},
	{"Complexity", dealBody(`,"contract":"klop","rules":{"lead":"declarer"},"playouts":10000,"seed":"0"`)},
	{"Complexity", dealBody(`,"declarer":"c"`)},
	{"Session", `{"seat":"b","players":{"left":"program","right":"random"},"hands":9,"radli":false,"rules":{"mond":20},"seed":"7"}`},
	{"Session", `{"players":{"left":"paper"}}`},
	{"SessionCall", `{"acts":0,"call":"pass"}`},
	{"SessionExchange", `{"acts":2,"group":2,"discards":["D2"]}`},
	{"SessionAnnounce", `{"acts":3,"bonuses":["kings"],"double":["game","pagat"]}`},
	{"SessionPlay", `{"acts":4,"card":"T21"}`},
	{"SessionNext", `{"acts":20}`},
	{"Bid", `{` + handOfA + `,"calls":["three","pass","two"],"margin":-3,"worlds":5,"seed":"7","rules":{"mond":0}}`},
	{"Bid", `{` + handOfA + `}`},
	{"Bid", `{` + handOfA + `,"evaluation":"searches","method":"plain","worlds":9}`},
	{"Exchange", `{` + handOfA + turnedUp + `,"method":"clustered"}`},
	{"Announce", `{` + knownToA + `,"evaluation":"playouts"}`},
	{"Announce", `{` + handOfA + `,"contract":"beggar","declarer":"A","evaluation":"searches"}`},
	{"Exchange", `{` + handOfA + turnedUp + `,"options":2,"worlds":7,"seed":"1"}`},
	{"Announce", `{` + knownToA + `,"said":[{"bonuses":["kings"]},{"double":["kings"],"kontra":true},{}],"threshold":0.5}`},
	{"Advise", `{` + knownToA + `,"worlds":3,"method":"plain","choice":"vote","depth":6,"seed":"3"}`},
	{"Advise", `{` + knownToA + `,"evaluation":"playouts","worlds":30,"weigh":["cards","calls"]}`},
	{"Advise", `{` + knownToA + `,"evaluation":"searches"}`},
	{"Advise", `{` + handOfA + `,"contract":"beggar","declarer":"A","evaluation":"searches","depth":6,"method":"plain"}`},
	{"Advise", `{` + handOfA + `,"contract":"klop","method":"clustered","worlds":3,"calls":["pass","pass","pass"],"said":[],"radli":{"B":1}}`},
	{
		"Advise", viewOf(1, `,"calls":["pass","pass","two"],"rules":{"bidding":"forehand_last"},"weigh":["calls"],"radli":{"A":1,"B":0},`+
			`"said":[{"bonuses":["kings"]},{"double":["kings"],"kontra":true},{},{"kontra":true}]`),
	},
	{"Advise", `{` + knownToA + `,"said":[{"bonuses":["valat"]}],"evaluation":"searches"}`},
	{"Advise", strings.Replace(viewOf(6, ``), `"B"`, `"b"`, 1)},
	{"Review", exampleBody(0, ``)},
	{
		"Review", exampleBody(48, `,"kontra":"mort","announcements":{"valat":{"by":"opponents"},"pagat":{"by":"declarer","kontra":"none"}},`+
			`"radli":{"B":3},"seat":"b","worlds":1200,"seed":"18446744073709551615"`),
	},
	{"Match", `{"a":"program","b":"quick-plain","deals":3,"hands":4,"radli":false,"seating":"two","rules":{"lead":"declarer"},"seed":"9"}`},
	{"Solve", zeroBody(`,"depth":9,"deepening":false,"history":true,"selection":"learned","table":"plain"`)},
}

// Valid bodies are decoded without the contract, since reading it takes longer than most answers.
func TestGoodBodies(t *testing.T) {
	g := newGame(t, false)
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
	g := newGame(t, false)
	edit := func(cards int, old, by string) string {
		body := exampleBody(cards, ``)
		if !strings.Contains(body, old) {
			t.Fatalf("no %s to replace in %s", old, body)
		}
		return strings.Replace(body, old, by, 1)
	}
	servicetest.Refuses(t, g.decoder(), []servicetest.Bad{
		{"no contract", "Position", edit(0, `"contract":"two",`, ``), service.Malformed, []string{"/contract"}, "missing"},
		{"unknown contract", "Position", edit(0, `"two"`, `"TWO"`), service.Malformed, []string{"/contract"}, "TWO"},
		{"a short hand", "Position", edit(0, `"T1",`, ``), service.Impossible, []string{"/hands/A"}, "16"},
		{"no hand", "Position", edit(0, `"A":[`, `"X":[`), service.Malformed, []string{"/hands/A", "/hands/X"}, ""},
		{"a long talon", "Position", edit(0, `"T20","SC"`, `"T20","SC","T1"`), service.Impossible, []string{"/talon"}, "6"},
		{"group 6", "Position", edit(0, `"group":2`, `"group":6`), service.Malformed, []string{"/group"}, "6"},
		{"four discards", "Position", edit(0, `["C8","CJ"]`, `["C8","CJ","D1","D3"]`), service.Impossible, []string{"/discards"}, "3"},
		{"a number for a card", "Position", edit(1, `["DK"]`, `[3]`), service.Malformed, []string{"/played/0"}, "string"},
		{"mond", "Position", exampleBody(0, `,"rules":{"mond":-1}`), service.Malformed, []string{"/rules/mond"}, "-1"},
		{"lead", "Position", exampleBody(0, `,"rules":{"lead":"B"}`), service.Malformed, []string{"/rules/lead"}, "B"},
		{"difference", "Position", exampleBody(0, `,"rules":{"difference":"5"}`), service.Malformed, []string{"/rules/difference"}, "5"},
		{"unknown field", "Position", exampleBody(0, `,"depth":3`), service.Malformed, []string{"/depth"}, "not a field"},
		{"kontra", "Score", exampleBody(48, `,"kontra":"x"`), service.Malformed, []string{"/kontra"}, "x"},
		{
			"announced by nobody", "Score", exampleBody(48, `,"announcements":{"kings":{}}`), service.Malformed,
			[]string{"/announcements/kings/by"},
			"missing",
		},
		{"radli", "Score", exampleBody(48, `,"radli":{"A":-1}`), service.Malformed, []string{"/radli/A"}, "-1"},
		{"no player", "Worlds", strings.Replace(viewOf(0, ``), `"seat":"B",`, ``, 1), service.Malformed, []string{"/seat"}, "missing"},
		{"a short hand", "Worlds", strings.Replace(viewOf(0, ``), `"T2",`, ``, 1), service.Impossible, []string{"/hand"}, "16"},
		{"501 worlds", "Worlds", viewOf(0, `,"worlds":501`), service.Malformed, []string{"/worlds"}, "500"},
		{"unknown method", "Worlds", viewOf(0, `,"method":"medoid"`), service.Malformed, []string{"/method"}, "medoid"},
		{"base 0", "Worlds", viewOf(0, `,"method":"clustered","base":0`), service.Malformed, []string{"/base"}, "0"},
		{"a seed with a sign", "Worlds", viewOf(0, `,"seed":"-1"`), service.Malformed, []string{"/seed"}, "form"},
		{"rules of a view", "Worlds", viewOf(0, `,"rules":{"mond":101}`), service.Malformed, []string{"/rules/mond"}, "101"},
		{"no play-outs", "Complexity", `{"playouts":0}`, service.Malformed, []string{"/playouts"}, "0"},
		{
			"a hand of a deal is missing", "Complexity", strings.Replace(dealBody(``), `"B":`, `"D":`, 1), service.Malformed,
			[]string{"/hands/B", "/hands/D"},
			"",
		},
		{"an unknown bid", "Bid", `{` + handOfA + `,"calls":["four"]}`, service.Malformed, []string{"/calls/0"}, "four"},
		{
			"klop out of turn", "Bid", `{` + handOfA + `,"calls":["klop"]}`, service.Impossible,
			[]string{"/calls/0"},
			"klop is not legal for A: expected one of pass, three, two, one, beggar, zero",
		},
		{"an unknown order", "Bid", `{` + handOfA + `,"rules":{"bidding":"dealer"}}`, service.Malformed, []string{"/rules/bidding"}, "dealer"},
		{"a great margin", "Bid", `{` + handOfA + `,"margin":36}`, service.Malformed, []string{"/margin"}, "35"},
		{"an unknown evaluation", "Bid", `{` + handOfA + `,"evaluation":"guess"}`, service.Malformed, []string{"/evaluation"}, "guess"},
		{
			"a method of playouts", "Bid", `{` + handOfA + `,"evaluation":"playouts","method":"plain"}`, service.Impossible,
			[]string{"/method"},
			"",
		},
		{
			"a method of an exchange by playouts", "Exchange", `{` + handOfA + turnedUp + `,"evaluation":"playouts","method":"plain"}`,
			service.Impossible,
			[]string{"/method"},
			"applies only to searches",
		},
		{
			"playouts of a beggar's announcements", "Announce",
			`{` + handOfA + `,"contract":"beggar","declarer":"A","evaluation":"playouts","method":"clustered"}`, service.Impossible,
			[]string{"/evaluation", "/method"},
			"",
		},
		{"no trials", "Bid", `{` + handOfA + `,"worlds":0}`, service.Malformed, []string{"/worlds"}, "1"},
		{"no talon", "Exchange", `{` + handOfA + `,"contract":"two","declarer":"A"}`, service.Malformed, []string{"/talon"}, "missing"},
		{"options", "Exchange", `{` + handOfA + turnedUp + `,"options":21}`, service.Malformed, []string{"/options"}, "20"},
		{"a group before the exchange", "Exchange", `{` + knownToA + `}`, service.Malformed, []string{"/discards", "/group"}, "not a field"},
		{
			"an unknown bonus", "Announce", `{` + knownToA + `,"said":[{"bonuses":["king"]}]}`, service.Malformed,
			[]string{"/said/0/bonuses/0"},
			"king",
		},
		{"a great share", "Announce", `{` + knownToA + `,"threshold":1.5}`, service.Malformed, []string{"/threshold"}, "1"},
		{"cards before the announcements", "Announce", `{` + knownToA + `,"played":[]}`, service.Malformed, []string{"/played"}, "not a field"},
		{"301 deals", "Advise", `{` + knownToA + `,"worlds":301}`, service.Malformed, []string{"/worlds"}, "300"},
		{"choice", "Advise", `{` + knownToA + `,"choice":"best"}`, service.Malformed, []string{"/choice"}, "best"},
		{"depth 4", "Advise", `{` + knownToA + `,"depth":4}`, service.Malformed, []string{"/depth"}, "3"},
		{
			"a long bidding", "Advise", `{` + knownToA + `,"calls":[` + strings.Repeat(`"pass",`, 32) + `"pass"]}`, service.Malformed,
			[]string{"/calls"},
			"32",
		},
		{"a bid of a card that is unknown", "Advise", `{` + knownToA + `,"calls":["four"]}`, service.Malformed, []string{"/calls/0"}, "four"},
		{
			"an unknown bonus of a card", "Advise", `{` + knownToA + `,"said":[{},{"double":["game"]}]}`, service.Malformed,
			[]string{"/said/1/double/0"},
			"game",
		},
		{"radli of a card", "Advise", `{` + knownToA + `,"radli":{"A":1001}}`, service.Malformed, []string{"/radli/A"}, "1000"},
		{"no contract of a card", "Advise", `{` + handOfA + `}`, service.Malformed, []string{"/contract"}, "missing"},
		{"no contract of a review", "Review", edit(1, `"contract":"two",`, ``), service.Malformed, []string{"/contract"}, "missing"},
		{"one world of a review", "Review", exampleBody(1, `,"worlds":1`), service.Malformed, []string{"/worlds"}, "2"},
		{"bids of a review", "Review", exampleBody(1, `,"calls":["two"]`), service.Malformed, []string{"/calls"}, "not a field"},
		{"a seat of a review", "Review", exampleBody(1, `,"seat":"D"`), service.Malformed, []string{"/seat"}, "D"},
		{"who has not played", "Review", exampleBody(1, `,"seat":"B"`), service.Impossible, []string{"/played"}, "no card of B"},
		{"nothing to review", "Review", zeroBody(``), service.Impossible, []string{"/played"}, "no card: "},
		{"a review before the exchange", "Review", edit(0, `"group":2,`, ``), service.Impossible, []string{"/group"}, "missing"},
		{
			"a review before the discards", "Review", edit(0, `"C8","CJ"],"group"`, `],"group"`), service.Impossible,
			[]string{"/discards"},
			"expected 2",
		},
		{
			"a bonus in zero", "Review", zeroBody(`,"announcements":{"kings":{"by":"declarer"}}`), service.Impossible,
			[]string{"/announcements/kings"},
			"zero has no bonuses",
		},
		{"a card of a review that is not legal", "Review", edit(1, `"DK"]`, `"DK","SQ"]`), service.Impossible, []string{"/played/1"}, ""},
		{"no second player", "Match", `{"a":"random"}`, service.Malformed, []string{"/b"}, "missing"},
		{"no deals", "Match", `{"a":"random","b":"random","deals":0}`, service.Malformed, []string{"/deals"}, "1"},
		{"seating", "Match", `{"a":"random","b":"random","seating":"three"}`, service.Malformed, []string{"/seating"}, "three"},
		{"goal", "Solve", exampleBody(30, `,"goal":"best"`), service.Malformed, []string{"/goal"}, "best"},
		{"depth 10", "Solve", exampleBody(30, `,"depth":10`), service.Malformed, []string{"/depth"}, "3"},
		{"depth 21", "Solve", exampleBody(30, `,"depth":21`), service.Malformed, []string{"/depth"}, "18"},
		{"selection", "Solve", exampleBody(30, `,"depth":9,"selection":"some"`), service.Malformed, []string{"/selection"}, "some"},
		{"table", "Solve", exampleBody(30, `,"depth":9,"table":"big"`), service.Malformed, []string{"/table"}, "big"},

		{"31 hands", "Session", `{"hands":31}`, service.Malformed, []string{"/hands"}, "30"},
		{"unknown kind", "Session", `{"players":{"right":"wizard"}}`, service.Malformed, []string{"/players/right"}, "wizard"},
		{"rules of a session", "Session", `{"rules":{"mond":101}}`, service.Malformed, []string{"/rules/mond"}, "101"},
		{"no bid", "SessionCall", `{"acts":0}`, service.Malformed, []string{"/call"}, "missing"},
		{"acts of a bid", "SessionCall", `{"acts":-1,"call":"pass"}`, service.Malformed, []string{"/acts"}, "0"},
		{"group 6 of a session", "SessionExchange", `{"acts":0,"group":6,"discards":[]}`, service.Malformed, []string{"/group"}, "6"},
		{
			"four discards of a session", "SessionExchange", `{"acts":0,"group":0,"discards":["D1","D2","D3","D4"]}`, service.Impossible,
			[]string{"/discards"},
			"3",
		},
		{"five bonuses", "SessionAnnounce", `{"acts":0,"bonuses":["a","b","c","d","e"]}`, service.Malformed, []string{"/bonuses"}, "4"},
		{"no card to play", "SessionPlay", `{"acts":0}`, service.Malformed, []string{"/card"}, "missing"},
		{"no acts", "SessionNext", `{}`, service.Malformed, []string{"/acts"}, "missing"},

		{"no such seat", "Session", `{"seat":"D"}`, service.Malformed, []string{"/seat"}, "is not a seat"},
		{
			"a seed of a session too large", "Session", `{"seed":"18446744073709551616"}`, service.Malformed,
			[]string{"/seed"},
			"18446744073709551615",
		},
		{"no such bid", "SessionCall", `{"acts":0,"call":"four"}`, service.Malformed, []string{"/call"}, "is not one of pass"},
		{
			"a discard twice in a session", "SessionExchange", `{"acts":0,"group":0,"discards":["D1","D1"]}`, service.Impossible,
			[]string{"/discards/1"},
			"also at /discards/0",
		},
		{
			"no such bonus", "SessionAnnounce", `{"acts":0,"bonuses":["kings","king"],"double":["game","game"]}`, service.Malformed,
			[]string{"/bonuses/1", "/double/1"},
			"did you mean kings?",
		},
		{"no such card", "SessionPlay", `{"acts":0,"card":"T23"}`, service.Malformed, []string{"/card"}, "not a card"},

		{"no card", "Position", edit(0, `"T20","SC"`, `"T23","SC"`), service.Malformed, []string{"/talon/4"}, "not a card"},
		{"a card twice in a hand", "Position", edit(0, `"T1",`, `"T4",`), service.Impossible, []string{"/hands/A/1"}, "T4 is also at /hands/A/0"},
		{"a card in two hands", "Position", edit(0, `"T1",`, `"T2",`), service.Impossible, []string{"/hands/B/0"}, "T2 is also at /hands/A/0"},
		{
			"a card in two hands, in another order", "Position", edit(0, `"T1","T4"`, `"T4","T2"`), service.Impossible,
			[]string{"/hands/B/0"},
			"T2 is also at /hands/A/1",
		},
		{
			"a card in hand and talon", "Position", edit(0, `"T20","SC"`, `"T20","T1"`), service.Impossible,
			[]string{"/talon/5"},
			"T1 is also at /hands/A/0",
		},
		{"no declarer", "Position", edit(0, `"declarer":"A",`, ``), service.Impossible, []string{"/declarer"}, "missing"},
		{"no player", "Position", edit(0, `"declarer":"A"`, `"declarer":"N"`), service.Malformed, []string{"/declarer"}, "is not a seat"},
		{"klop with a declarer", "Position", edit(0, `"two"`, `"klop"`), service.Impossible, []string{"/declarer", "/group"}, "klop"},
		{"group 3 of two", "Position", edit(0, `"group":2`, `"group":3`), service.Impossible, []string{"/group"}, "0 to 2"},
		{"cards before the talon", "Position", edit(1, `"group":2,`, ``), service.Impossible, []string{"/group"}, "missing"},
		{"cards before the discards", "Position", edit(1, `["C8","CJ"]`, `["C8"]`), service.Impossible, []string{"/discards"}, "expected 2"},
		{"a king discarded", "Position", edit(0, `["C8","CJ"]`, `["C8","DK"]`), service.Impossible, []string{"/discards/1"}, "kings"},
		{
			"a king discarded before a jack", "Position", edit(0, `["C8","CJ"]`, `["DK","CJ"]`), service.Impossible,
			[]string{"/discards/0"},
			"DK may not be discarded: kings",
		},
		{
			"the pagat discarded", "Position", edit(0, `["C8","CJ"]`, `["C8","T1"]`), service.Impossible,
			[]string{"/discards/1"},
			"T1 may not be discarded: kings and taroks 1, 21 and 22 are kept",
		},
		{
			"a tarok and a card of another discarded", "Position", edit(0, `["C8","CJ"]`, `["S7","T4"]`), service.Impossible,
			[]string{"/discards/0", "/discards/1"},
			"T4 may not be discarded: taroks",
		},
		{
			"a tarok discarded", "Position", edit(0, `["C8","CJ"]`, `["CJ","T4"]`), service.Impossible,
			[]string{"/discards/1"},
			"only if there is nothing else",
		},
		{
			"a king discarded first", "Position", edit(0, `["C8","CJ"]`, `["DK"]`), service.Impossible,
			[]string{"/discards/0"},
			"DK may not be discarded: kings",
		},
		{
			"a discard twice", "Position", edit(0, `["C8","CJ"]`, `["C8","C8"]`), service.Impossible,
			[]string{"/discards/1"},
			"also at /discards/0",
		},
		{"illegal card", "Position", edit(2, `["DK","DC"]`, `["DK","T2"]`), service.Impossible, []string{"/played/1"}, "must follow diamonds"},
		{
			"discards in zero", "Position", strings.Replace(zeroBody(`,"discards":["C8"]`), `,"group":2`, ``, 1), service.Impossible,
			[]string{"/discards"},
			"no exchange",
		},
		{"score of an unfinished hand", "Score", exampleBody(47, ``), service.Impossible, []string{"/played"}, "not finished"},
		{
			"score before the talon", "Score", strings.NewReplacer(`"group":2,`, ``, `"discards":["C8","CJ"],`, ``).Replace(exampleBody(0, ``)),
			service.Impossible,
			[]string{"/group"},
			"missing",
		},
		{"no such player", "Worlds", strings.Replace(viewOf(0, ``), `"B"`, `"D"`, 1), service.Malformed, []string{"/seat"}, "is not a seat"},
		{
			"a card twice in the hand", "Worlds", strings.Replace(viewOf(0, ``), `"T2"`, `"T8"`, 1), service.Impossible,
			[]string{"/hand/1"},
			"also at /hand/0",
		},
		{"talon in the bidding", "Worlds", strings.NewReplacer(`"contract":"two",`, ``, `"declarer":"A",`, ``, `"group":2,`,
			``).Replace(viewOf(0, ``)), service.Impossible, []string{"/talon"}, "bidding"},
		{
			"view without declarer", "Worlds", strings.Replace(viewOf(0, ``), `"declarer":"A",`, ``, 1), service.Impossible,
			[]string{"/declarer"},
			"missing",
		},
		{
			"group in klop", "Worlds", strings.NewReplacer(`"two"`, `"klop"`, `"declarer":"A",`, ``).Replace(viewOf(0, ``)), service.Impossible,
			[]string{"/group"},
			"klop",
		},
		{"hidden talon", "Worlds", strings.Replace(viewOf(0, ``), `"T7",`, ``, 1), service.Impossible, []string{"/talon"}, "expected the 6"},
		{
			"cards before the exchange", "Worlds", strings.Replace(viewOf(1, ``), `"group":2,`, ``, 1), service.Impossible,
			[]string{"/played"},
			"none",
		},
		{"a hidden discard", "Worlds", viewOf(0, `,"discards":["C8"]`), service.Impossible, []string{"/discards/0"}, "shown"},
		{
			"a discard in the hand of a view", "Worlds", viewOf(0, `,"discards":["T20","T2"]`), service.Impossible,
			[]string{"/discards/1"},
			"does not hold",
		},
		{
			"the talon twice in a view", "Worlds", strings.Replace(viewOf(0, ``), `"HC","T5"`, `"T7","CK"`, 1), service.Impossible,
			[]string{"/talon/2", "/talon/3"},
			"T7 is also at /talon/0",
		},
		{
			"a king discarded in a view", "Advise", `{` + handOfA + turnedUp + `,"group":2,"discards":["HK","CJ"]}`, service.Impossible,
			[]string{"/discards/0"},
			"kings",
		},
		{"a revoke", "Worlds", strings.Replace(viewOf(27, ``), `"T14"`, `"C8"`, 1), service.Impossible, []string{"/played/26"}, "cannot"},
		{
			"a card played twice", "Worlds", strings.Replace(viewOf(4, ``), `"D2","HK"`, `"D2","DK"`, 1), service.Impossible,
			[]string{"/played/3"},
			"DK is also at /played/0",
		},
		{
			"an own revoke", "Worlds", strings.Replace(viewOf(2, ``), `["DK","DC"]`, `["DK","T2"]`, 1), service.Impossible,
			[]string{"/played/1"},
			"T2 is not legal: B must follow diamonds; expected one of DC, DQ",
		},
		{
			"an own revoke of taroks", "Advise", strings.Replace(viewOf(6, ``), `"HK","T2"`, `"HK","SQ"`, 1), service.Impossible,
			[]string{"/played/4"},
			"SQ is not legal: B must play a tarok",
		},
		{
			"beat in klop", "Worlds",
			strings.NewReplacer(`"two"`, `"klop"`, `"declarer":"A",`, ``, `"group":2,`, ``, `"talon":["T7","H1","HC","T5","T20","SC"]`, `"talon":[]`,
				`"played":[]`, `"played":["T11","T2"]`).Replace(viewOf(0, ``)),
			service.Impossible,
			[]string{"/played/1"},
			"T2 is not legal: B must beat the trick",
		},
		{"base below count", "Worlds", viewOf(0, `,"method":"clustered","base":29`), service.Impossible, []string{"/base"}, "30"},
		{"base of plain", "Worlds", viewOf(0, `,"base":300`), service.Impossible, []string{"/base"}, "clustered"},
		{
			"a seed too large", "Worlds", viewOf(0, `,"seed":"18446744073709551616"`), service.Malformed,
			[]string{"/seed"},
			"18446744073709551615",
		},
		{
			"hands without a talon", "Complexity", strings.Replace(dealBody(``), `,"talon":["T7","H1","HC","T5","T20","SC"]`, ``, 1),
			service.Impossible,
			[]string{"/talon"},
			"missing",
		},
		{"talon without hands", "Complexity", `{"talon":["T7","H1","HC","T5","T20","SC"]}`, service.Impossible, []string{"/hands"}, "missing"},
		{"declarer without hands", "Complexity", `{"declarer":"A"}`, service.Impossible, []string{"/declarer"}, "missing"},
		{"declarer of klop", "Complexity", dealBody(`,"contract":"klop","declarer":"A"`), service.Impossible, []string{"/declarer"}, "klop"},
		{
			"a card in two places", "Complexity", strings.Replace(dealBody(``), `"T7"`, `"T1"`, 1), service.Impossible,
			[]string{"/talon/0"},
			"T1 is also at /hands/A/0",
		},
		{
			"a card in two hands of a deal", "Complexity", strings.Replace(dealBody(``), `"T4"`, `"T2"`, 1), service.Impossible,
			[]string{"/hands/B/0"},
			"T2 is also at /hands/A/1",
		},
		{"not its turn to bid", "Bid", `{` + handOfA + `,"calls":["three"]}`, service.Impossible, []string{"/seat"}, "turn of B"},
		{"a bid too low", "Bid", `{` + handOfA + `,"calls":["two","three"]}`, service.Impossible, []string{"/calls/1"}, "not legal"},
		{"the bidding is over", "Bid", `{` + handOfA + `,"calls":["two","pass","pass","two"]}`, service.Impossible, []string{"/calls"}, "nobody"},
		{
			"exchange of an opponent", "Exchange", `{` + strings.Replace(handOfA+turnedUp, `"declarer":"A"`, `"declarer":"B"`, 1) + `}`,
			service.Impossible,
			[]string{"/seat"},
			"declarer",
		},
		{
			"exchange in zero", "Exchange", `{` + strings.Replace(handOfA+turnedUp, `"two"`, `"zero"`, 1) + `}`, service.Impossible,
			[]string{"/contract"},
			"no exchange",
		},
		{
			"words out of turn", "Announce", `{` + knownToA + `,"said":[{"kontra":true}]}`, service.Impossible,
			[]string{"/said/0/kontra"},
			"double",
		},
		{
			"bonuses that are not allowed", "Announce", `{` + knownToA +
				`,"said":[{"bonuses":["kings"]},{"bonuses":["trula","kings"],"double":["pagat","valat","kings"]}]}`,
			service.Impossible,
			[]string{"/said/1/bonuses/1", "/said/1/double/0", "/said/1/double/1"},
			"B may not announce kings",
		},
		{"announcements are over", "Announce", `{` + knownToA + `,"said":[{},{},{}]}`, service.Impossible, []string{"/said"}, "nobody"},
		{"announcements of another", "Announce", `{` + knownToA + `,"said":[{}]}`, service.Impossible, []string{"/seat"}, "turn of B"},
		{"klop has nothing to announce", "Announce", `{` + handOfA + `,"contract":"klop"}`, service.Impossible, []string{"/contract"}, "klop"},
		{"card of another", "Advise", viewOf(3, ``), service.Impossible, []string{"/seat"}, "turn of A"},
		{"a card before the exchange", "Advise", `{` + handOfA + turnedUp + `}`, service.Impossible, []string{"/group"}, "missing"},
		{"a card after the last", "Advise", viewOf(48, ``), service.Impossible, []string{"/played"}, "no card left"},
		{"too deep for a card", "Advise", `{` + knownToA + `,"depth":15}`, service.Impossible, []string{"/depth"}, "at most 12"},
		{
			"a depth of playouts", "Advise", `{` + knownToA + `,"evaluation":"playouts","depth":9,"method":"plain"}`, service.Impossible,
			[]string{"/depth", "/method"},
			"only to searches",
		},
		{
			"words that cannot have been said", "Advise", `{` + knownToA + `,"said":[{"bonuses":["kings"],"double":["trula"]}]}`,
			service.Impossible,
			[]string{"/said/0/double/0"},
			"A may not double trula",
		},
		{
			"words after the last", "Advise", `{` + knownToA + `,"said":[{},{},{},{"kontra":true}]}`, service.Impossible,
			[]string{"/said/3"},
			"after the end",
		},
		{"words in klop", "Advise", `{` + handOfA + `,"contract":"klop","said":[{}]}`, service.Impossible, []string{"/said/0"}, "after the end"},
		{
			"an illegal bid of a card", "Advise", `{` + knownToA + `,"calls":["two","one","two"]}`, service.Impossible,
			[]string{"/calls/2"},
			"two is not legal for C",
		},
		{"an unfinished bidding", "Advise", `{` + knownToA + `,"calls":["two","pass"]}`, service.Impossible, []string{"/calls"}, "turn of C"},
		{
			"another contract", "Advise", `{` + knownToA + `,"calls":["three","pass","pass","three"]}`, service.Impossible,
			[]string{"/contract"},
			"end with three",
		},
		{
			"another declarer", "Advise", `{` + knownToA + `,"calls":["pass","two","pass","two"]}`, service.Impossible,
			[]string{"/declarer"},
			"B has made the last bid",
		},
		{"a depth of klop", "Advise", `{` + handOfA + `,"contract":"klop","depth":9}`, service.Impossible, []string{"/depth"}, "klop has none"},
		{
			"playouts of klop", "Advise", `{` + handOfA + `,"contract":"klop","evaluation":"playouts","weigh":[],"depth":9,"method":"plain"}`,
			service.Impossible,
			[]string{"/depth", "/evaluation", "/method", "/weigh"},
			"klop has no playouts",
		},
		{
			"playouts of a beggar", "Advise", `{` + handOfA + `,"contract":"beggar","declarer":"A","evaluation":"playouts","weigh":["cards"]}`,
			service.Impossible,
			[]string{"/evaluation", "/weigh"},
			"beggar has no playouts",
		},
		{
			"weights of a beggar", "Advise", `{` + handOfA + `,"contract":"beggar","declarer":"A","weigh":["cards"]}`, service.Impossible,
			[]string{"/weigh"},
			"beggar has none",
		},
		{
			"searches weigh nothing", "Advise", `{` + knownToA + `,"depth":9,"weigh":["cards"]}`, service.Impossible,
			[]string{"/weigh"},
			"only to playouts",
		},
		{"an unknown player", "Match", `{"a":"random","b":"best"}`, service.Malformed, []string{"/b"}, "is not one of random"},
		{"a match of days", "Match", `{"a":"random","b":"program","deals":10000,"hands":2}`, service.Impossible, []string{"/deals"}, "10000"},
		{
			"a great seed", "Match", `{"a":"random","b":"random","seed":"18446744073709551616"}`, service.Malformed,
			[]string{"/seed"},
			"18446744073709551615",
		},
		{"klop", "Solve", strings.NewReplacer(`"two"`, `"klop"`, `"declarer":"A",`, ``, `"group":2,`, ``, `"discards":["C8","CJ"],`,
			``).Replace(exampleBody(0, ``)), service.Impossible, []string{"/contract"}, "alone"},
		{"too many cards", "Solve", exampleBody(9, ``), service.Impossible, []string{"/depth"}, "missing"},
		{"too deep without a table", "Solve", exampleBody(0, `,"depth":12,"table":"none"`), service.Impossible, []string{"/depth"}, "at most 9"},
		{"too deep", "Solve", exampleBody(0, `,"depth":15`), service.Impossible, []string{"/depth"}, "at most 12"},
		{"a switch of the exact search", "Solve", exampleBody(30, `,"table":"none"`), service.Impossible, []string{"/table"}, "depth"},
	})
}

// FuzzDecode searches for a body on which the decoder and the schema of the contract differ.
func FuzzDecode(f *testing.F) {
	for _, b := range goodBodies {
		f.Add([]byte(b.body))
	}
	for _, body := range []string{
		``, `{}`, `null`, exampleBody(0, `,"group":1e0`), exampleBody(0, `,"rules":null`), exampleBody(0, `,"rules":{}`),
		exampleBody(30, `,"depth":9.0`),
		exampleBody(48, `,"radli":{"A":1e1}`), exampleBody(48, `,"announcements":{"trula":{"by":"A"}}`),
	} {
		f.Add([]byte(body))
	}
	g := newGame(f, false)
	servicetest.FuzzDecoder(f, g.decoder(), g.schemas, schemaOf)
}
