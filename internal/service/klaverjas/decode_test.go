package klaverjas

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/model/klaverjas/hand"
	"roem/internal/service"
)

const (
	someHands = `{"N": ["9C", "10C", "7D", "7H", "9H", "10H", "10S", "AS"], "E": ["8C", "QC", "KC", "JD", "KD", "8H", "QH", "AH"], ` +
		`"S": ["7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"], "W": ["8D", "9D", "10D", "QD", "AD", "8S", "JS", "QS"]}`
	someDeal = `"trump": "S", "leader": "S", "hands": ` + someHands
	handOnly = `"hand": ["7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"]`
	someHand = `"seat": "S", "leader": "S", "hand": ["7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"]`
	someView = `"trump": "S", "leader": "S", "seat": "S", "hand": ["7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"]`
)

// withModels returns a game with the models that are part of the program.
func withModels(t *testing.T) *Game {
	t.Helper()
	predictor, err := DefaultPredictor()
	if err != nil {
		t.Fatal(err)
	}
	hands, err := hand.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return newGame(t, service.Options{}, Options{Predictor: predictor, HandModel: hands})
}

// withoutContract returns a game that fails if it reads the contract.
func withoutContract(t *testing.T) *Game {
	t.Helper()
	g := withModels(t)
	t.Cleanup(func() {
		if g.schemas.Needed() {
			t.Error("the contract is read")
		}
	})
	return g
}

// request decodes a body as the request with the given name.
func request(g *Game, name string, body []byte) (any, error) {
	switch name {
	case "Position":
		return ParsePosition(context.Background(), g, body)
	case "Analyse":
		return ParseAnalyse(context.Background(), g, body)
	case "Solve":
		return ParseSolve(context.Background(), g, body)
	case "Table":
		return ParseTable(context.Background(), g, body)
	case "Hybrid":
		return ParseHybrid()(context.Background(), g, body)
	case "Advise":
		return ParseAdvise(context.Background(), g, body)
	case "Review":
		return ParseReview(context.Background(), g, body)
	case "Knowledge":
		return ParseKnowledge(context.Background(), g, body)
	case "Worlds":
		return ParseWorlds(context.Background(), g, body)
	case "KnowledgeCheck":
		return ParseKnowledgeCheck(context.Background(), g, body)
	case "CardModel":
		return ParseCardModel(context.Background(), g, body)
	case "SolveBatch":
		return ParseSolveBatch(context.Background(), g, body)
	case "Match":
		return ParseMatch()(context.Background(), g, body)
	case "HandStrength":
		return ParseHandStrength()(context.Background(), g, body)
	case "HandStrengthBatch":
		return ParseHandStrengthBatch()(context.Background(), g, body)
	case "Bid":
		return ParseBid()(context.Background(), g, body)
	case "Session":
		return ParseSession()(context.Background(), g, body)
	case "SessionCall":
		return service.Decode(context.Background(), g.schemas, body, "KlaverjasSessionCallRequest", sessionCallBody.act)
	case "SessionPlay":
		return service.Decode(context.Background(), g.schemas, body, "KlaverjasSessionPlayRequest", sessionPlayBody.act)
	case "SessionNext":
		return service.Decode(context.Background(), g.schemas, body, "SessionNextRequest", sessionNextBody.act)
	case "SessionClaim":
		return service.Decode(context.Background(), g.schemas, body, "KlaverjasSessionClaimRequest", sessionClaimBody.act)
	case "Predict":
		return ParsePredict()(context.Background(), g, body)
	case "Features":
		return ParseFeatures(context.Background(), g, body)
	case "PredictBatch":
		return ParsePredictBatch()(context.Background(), g, body)
	case "HybridBatch":
		return ParseHybridBatch()(context.Background(), g, body)
	default:
		request, err := g.service.ParseJob(context.Background(), body)
		if err != nil {
			return nil, err
		}
		return request.Query(), nil
	}
}

// Valid bodies are decoded without the contract, since reading it takes longer than solving most deals.
func TestDecodeGoodBodiesWithoutContract(t *testing.T) {
	for _, tt := range []struct{ request, body string }{
		{"Position", `{` + someDeal + `}`},
		{"Position", " {\n\t\"leader\":\"n\",\r\n\"trump\":\"c\",\"deal\":\"0\"}\n"},
		{"Position", `{"trump": "♠", "leader": "S", "deal": "1", "declarer": "ew", "played": []}`},
		{"Position", `{"tr\u0075mp": "\u2660", "leader": "S", "deal": "1"}`},
		{"Position", `{` + strings.NewReplacer(`"9C"`, `"9\u2663"`, `"10C"`, `"t♣"`).Replace(someDeal) + `, "played": ["JH", "8s"]}`},
		{"Position", `{` + someDeal + `, "rules": {"system": "amsterdam", "under_ruff": "free", "melds": false, "nat_melds": "all",
			"four_of_a_kind": {"7": 0, "8": 10, "9": 20, "10": 30, "J": 200, "Q": 40, "K": 50, "A": 1000},
			"pit": {"declarers": 0, "defenders": 100}}}`},
		{"Analyse", `{` + someDeal + `, "played": ["JH", "8S"]}`},
		{"Solve", `{` + someDeal + `, "goal": "moves"}`},
		{"Table", `{"leader": "S", "rules": {}, "hands": ` + someHands + `}`},
		{"Hybrid", `{` + someDeal + `, "budget_ms": 0.5, "min_confidence": 1}`},
		{"Advise", `{` + playedView + `, "method": "playout", "bidding": {"flow": "turned", "dealer": "E", "again": true, "turned": ["H", ` +
			`"S"], "calls": ["pass", "pass", "pass", "pass", "S"]}}`},
		{"Advise", `{` + playedView + `, "worlds": 1, "budget_ms": 1.5, "objective": "win", "seed": ` +
			`"18446744073709551615", "known": {"W": ["7D"], "N": []}}`},
		{"Review", `{` + someDeal + `, "played": ["JH", "8s"], "seat": "w", "worlds": 5000, "seed": "18446744073709551615"}`},
		{"Knowledge", `{` + someView + `, "played": ["JH", "8s"], "known": {"N": ["10S", "as"], "E": []}, "level": "paper"}`},
		{"Worlds", `{` + someView + `, "worlds": 1000, "seed": "18446744073709551615", "distinct": false, "method": "uniform"}`},
		{"KnowledgeCheck", `{` + someView + `, "known": {}, "formula": "K_S void(W,H)"}`},
		{"KnowledgeCheck", `{"trump": "S", "leader": "S", "deal": "7", "formula": "true"}`},
		{"CardModel", `{` + someView + `, "known": {}, "card": "7C"}`},
		{"CardModel", `{"trump": "S", "leader": "S", "deal": "7", "card": "7C"}`},
		{"SolveBatch", `{"goal": "win", "positions": [{` + someDeal + `}, {` + someDeal + `}]}`},
		{"Match", `{"a": "simple", "b": "logical:compat", "deals": 10000, "seed": "18446744073709551615", "rules": {"system": "amsterdam"},
			"declarer": "best", "game": "16", "worlds": 200}`},
		{"Match", `{"b": "pimc:200", "a": "open", "deals": 200, "bidding": "official"}`},
		{"HandStrength", `{` + someHand + `, "declarer": "EW", "trump": "♠", "precision": 0.1, "method": "exact", "seed": ` +
			`"18446744073709551615"}`},
		{"HandStrengthBatch", `{"hands": [{` + someHand + `}, {` + someHand +
			`, "rules": {"system": "amsterdam"}}], "trump": "c", "method": "auto", "precision": 10}`},
		{"Bid", `{"flow": "turned", "dealer": "w", "turned": ["♠"], "again": true, "calls": ["pass", "pass"], "seat": "S", ` + handOnly +
			`, "rules": {}, "seed": "18446744073709551615"}`},
		{"Bid", `{"flow": "free", "dealer": "N", ` + handOnly + `}`},
		{"Session", `{}`},
		{"Session", `{"seat": "n", "players": {"partner": "pimc:40", "opponents": "logical:rules"}, "hands": 16,
			"trump": "♠", "declarer": "ew", "leader": "w",
			"bidding": "none", "rules": {"melds": false}, "seed": "18446744073709551615"}`},
		{"Session", `{"players": {"opponents": "playout:100"}, "bidding": "turned", "again": true, "rules": {"system": "amsterdam"}}`},
		{"SessionCall", `{"acts": 0, "call": "pass"}`},
		{"SessionCall", `{"acts": 1000000, "call": "♠"}`},
		{"SessionPlay", `{"acts": 3, "card": "t♠"}`},
		{"SessionNext", `{"acts": 8}`},
		{"SessionClaim", `{"acts": 8}`},
		{"Session", `{"position": {` + someDeal + `, "played": ["JH", "8s"]}, "seat": "w", "compare": "master", "players": {"partner": "club"}}`},
		{"Session", `{"view": {` + someView + `, "played": ["JH", "8s"], "known": {"N": ["10S"]}}, "compare": "playout:20", "hands": 1}`},
		{"Predict", `{` + someDeal + `, "model": "network"}`},
		{"PredictBatch", `{"positions": [{` + someDeal + `}], "model": "network"}`},
		{"Features", `{"positions": [{` + someDeal + `}]}`},
		{"HybridBatch", `{"positions": [{` + someDeal + `}], "budget_ms": 600000, "min_confidence": 0.5}`},
		{"Job", `{"kind": "klaverjas.table", "request": {"leader": "S", "hands": ` + someHands + `}}`},
		{"Job", `{"request": {"positions": [{` + someDeal + `}]}, "kind": "klaverjas.solve_batch"}`},
	} {
		t.Run(tt.request, func(t *testing.T) {
			got, err := request(withoutContract(t), tt.request, []byte(tt.body))
			if err != nil {
				t.Fatalf("%v\n%s", err, tt.body)
			}
			checkItems(t, got)
		})
	}
}

// checkItems fails the test if an item of a list has an error.
func checkItems(t *testing.T, got any) {
	t.Helper()
	var items positions
	switch list := got.(type) {
	case *SolveBatchQuery:
		items = list.items
	case PredictBatchQuery:
		items = list.items
	case FeaturesQuery:
		items = list.items
	case HybridBatchQuery:
		items = list.items
	case *HandStrengthBatchQuery:
		if anyItemFails(list) {
			t.Errorf("an item has an error: %+v", list.items)
		}
	}
	for i, item := range items {
		if item.Err != nil {
			t.Errorf("item %d: %v", i, item.Err)
		}
	}
}

// Null in an optional field is as if the field were absent. In any other place it is refused, with the place.
func TestNullIsAbsent(t *testing.T) {
	g := newGame(t, service.Options{}, Options{})
	for _, tt := range []struct{ request, without, with string }{
		{"Position", `{` + someDeal + `}`, `{` + someDeal + `, "declarer": null, "rules": null, "played": null}`},
		{"Position", `{` + someDeal + `, "rules": {}}`, `{` + someDeal + `, "rules": {"melds": null, "pit": null}}`},
		{"Solve", `{` + someDeal + `}`, `{` + someDeal + `, "goal": null}`},
		{"Hybrid", `{` + someDeal + `}`, `{` + someDeal + `, "budget_ms": null, "min_confidence": null}`},
		{"Advise", `{` + playedView + `}`, `{` + playedView + `, "known": {"W": null}, "worlds": null, "seed": null}`},
		{"Review", `{` + someDeal + `, "played": ["JH"]}`, `{` + someDeal + `, "played": ["JH"], "seat": null, "worlds": null}`},
		{
			"SolveBatch", `{"positions": [{` + someDeal + `}]}`,
			`{"goal": null, "positions": [{` + someDeal + `, "played": null, "rules": {"under_ruff": null}}]}`,
		},
	} {
		want, err := request(g, tt.request, []byte(tt.without))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := request(g, tt.request, []byte(tt.with)); err != nil || !sameRequest(got, want) {
			t.Errorf("%s: %v, %+v, want %+v", tt.with, err, got, want)
		}
	}
}

// Bodies that the Go types accept but the schema refuses are refused.
func TestDecodeLeavesNothingToTheTypes(t *testing.T) {
	g := newGame(t, service.Options{}, Options{})
	list := func(n int, more string) string {
		return `{"positions": [` + strings.TrimSuffix(strings.Repeat(`{"trump": "C", "leader": "N", "deal": "0"},`, n), ",") + `]` + more + `}`
	}
	long := strings.Repeat("\ufe0f", 32)
	for _, tt := range []struct{ name, request, body, pointer string }{
		{"null for a required field", "Position", strings.Replace(`{`+someDeal+`}`, `"S"`, `null`, 1), "/trump"},
		{"null for a card", "Position", `{` + someDeal + `, "played": ["JH", null]}`, "/played/1"},
		{"null for a field that does not exist", "Position", `{` + someDeal + `, "tromp": null}`, "/tromp"},
		{"selectors after a trump", "Position", `{"trump": "♠` + long + `", "leader": "N", "deal": "0"}`, "/trump"},
		{"selectors after a card", "Position", `{` + strings.Replace(someDeal, `9C`, `9♣`+long, 1) + `}`, "/hands/N/0"},
		{"selectors after a card played", "Position", `{` + someDeal + `, "played": ["J♥` + long + `"]}`, "/played/0"},
		{"an index of 21 digits", "Position", `{"trump": "C", "leader": "N", "deal": "` + strings.Repeat("0", 21) + `"}`, "/deal"},
		{"a budget below 0", "Hybrid", `{` + someDeal + `, "budget_ms": -0.5}`, "/budget_ms"},
		{"a budget too large", "Hybrid", `{` + someDeal + `, "budget_ms": 600000.5}`, "/budget_ms"},
		{"a confidence too low", "Hybrid", `{` + someDeal + `, "min_confidence": 0.49}`, "/min_confidence"},
		{"a confidence above 1", "HybridBatch", list(1, `, "min_confidence": 1.01`), "/min_confidence"},
		{"a budget of a list below 0", "HybridBatch", list(1, `, "budget_ms": -1`), "/budget_ms"},
		{"a view without a seat", "Advise", `{"trump": "S", "leader": "S", "hand": []}`, "/seat"},
		{"a view without a hand", "Advise", `{"trump": "S", "leader": "S", "seat": "S"}`, "/hand"},
		{"no worlds", "Advise", `{` + playedView + `, "worlds": 0}`, "/worlds"},
		{
			"a bidding without calls", "Advise", `{` + playedView + `, "method": "playout", "bidding": {"flow": "free", "dealer": "E"}}`,
			"/bidding/calls",
		},
		{"a flow that is none", "Advise", `{` + playedView +
			`, "method": "playout", "bidding": {"flow": "leids", "dealer": "E", "calls": ["S"]}}`, "/bidding/flow"},
		{"a bidding with an unknown field", "Advise", `{` + playedView +
			`, "method": "playout", "bidding": {"flow": "free", "dealer": "E", "calls": ["S"], "hand": []}}`, "/bidding/hand"},
		{"too many worlds", "Advise", `{` + playedView + `, "worlds": 50001}`, "/worlds"},
		{"no budget of advice", "Advise", `{` + playedView + `, "budget_ms": 0.9}`, "/budget_ms"},
		{"a budget of advice too large", "Advise", `{` + playedView + `, "budget_ms": 600001}`, "/budget_ms"},
		{"an objective that is none", "Advise", `{` + playedView + `, "objective": "points"}`, "/objective"},
		{"a seed with a sign", "Advise", `{` + playedView + `, "seed": "-1"}`, "/seed"},
		{"a seed too large", "Advise", `{` + playedView + `, "seed": "18446744073709551616"}`, "/seed"},
		{"a seed that is a number", "Advise", `{` + playedView + `, "seed": 1}`, "/seed"},
		{"cards of no seat", "Advise", `{` + playedView + `, "known": {"X": []}}`, "/known/X"},
		{"a review of no worlds", "Review", `{` + someDeal + `, "played": ["JH"], "seat": "S", "worlds": 0}`, "/worlds"},
		{"a review of too many worlds", "Review", `{` + someDeal + `, "played": ["JH"], "seat": "S", "worlds": 5001}`, "/worlds"},
		{
			"a review with a seed too large", "Review", `{` + someDeal + `, "played": ["JH"], "seat": "S", "seed": "18446744073709551616"}`,
			"/seed",
		},
		{"a review with a budget", "Review", `{` + someDeal + `, "played": ["JH"], "seat": "S", "budget_ms": 5}`, "/budget_ms"},
		{"an empty list", "PredictBatch", list(0, ""), "/positions"},
		{"a list too long", "PredictBatch", list(service.MostItems+1, ""), "/positions"},
		{"no list", "HybridBatch", `{}`, "/positions"},
		{"two lists", "PredictBatch", list(1, `, "positions": []`), "/positions"},
		{"an unknown goal", "SolveBatch", list(1, `, "goal": "guess"`), "/goal"},
		{"no second player", "Match", `{"a": "simple"}`, "/b"},
		{"a player that is none", "Match", `{"a": "simple", "b": "best"}`, "/b"},
		{"an option that is none", "Match", `{"a": "simple:2", "b": "random"}`, "/a"},
		{"no deals", "Match", `{"a": "simple", "b": "random", "deals": 0}`, "/deals"},
		{"too many deals", "Match", `{"a": "simple", "b": "random", "deals": 10001}`, "/deals"},
		{"too many worlds", "Match", `{"a": "simple", "b": "random", "worlds": 1001}`, "/worlds"},
		{"a seed too large", "Match", `{"a": "simple", "b": "random", "seed": "18446744073709551616"}`, "/seed"},
		{"a seed that is no text", "Match", `{"a": "simple", "b": "random", "seed": 1}`, "/seed"},
		{"declarers that are none", "Match", `{"a": "simple", "b": "random", "declarer": "NS"}`, "/declarer"},
		{"a game that is none", "Match", `{"a": "simple", "b": "random", "game": "15"}`, "/game"},
		{"a name in capitals", "Position", `{` + someDeal + `, "Declarer": "NS"}`, "/Declarer"},
		{"a hand twice", "Table", `{"leader": "S", "hands": ` + strings.Replace(someHands, `"E":`, `"N":`, 1) + `}`, "/hands/N"},
		{"a name twice by an escape", "Position", `{` + someDeal + `, "tr\u0075mp": "S"}`, "/trump"},
		{"cards in a list of a list", "Position", `{` + someDeal + `, "played": [["JH", "8S"]]}`, "/played/0"},
		{"no level", "Knowledge", `{` + someView + `, "level": "best"}`, "/level"},
		{"a level in capitals", "Knowledge", `{` + someView + `, "level": "RULES"}`, "/level"},
		{"no hand", "Knowledge", `{"trump": "S", "leader": "S", "seat": "S"}`, "/hand"},
		{"no seat", "Knowledge", `{"trump": "S", "leader": "S", "hand": []}`, "/seat"},
		{"hands in a view", "Knowledge", `{` + someDeal + `, "seat": "S", "hand": []}`, "/hands"},
		{"a seat that is none in known", "Knowledge", `{` + someView + `, "known": {"X": []}}`, "/known/X"},
		{"no worlds", "Worlds", `{` + someView + `, "worlds": 0}`, "/worlds"},
		{"too many worlds", "Worlds", `{` + someView + `, "worlds": 1001}`, "/worlds"},
		{"half a world", "Worlds", `{` + someView + `, "worlds": 1.5}`, "/worlds"},
		{"a seed that is none", "Worlds", `{` + someView + `, "seed": "-1"}`, "/seed"},
		{"a seed out of range", "Worlds", `{` + someView + `, "seed": "18446744073709551616"}`, "/seed"},
		{"no method", "Worlds", `{` + someView + `, "method": "guess"}`, "/method"},
		{"no formula", "KnowledgeCheck", `{` + someView + `}`, "/formula"},
		{"no card", "CardModel", `{` + someView + `}`, "/card"},
		{"a long formula", "KnowledgeCheck", `{` + someView + `, "formula": "` + strings.Repeat("♥", 1001) + `"}`, "/formula"},
		{"neither view nor position", "KnowledgeCheck", `{"trump": "S", "leader": "S", "formula": "true"}`, "/seat"},
		{"a view without its hand", "KnowledgeCheck", `{"trump": "S", "leader": "S", "seat": "S", "formula": "true"}`, "/hand"},
		{"a view and a position", "KnowledgeCheck", `{` + someDeal + `, "hand": [], "formula": "true"}`, "/hand"},
		{"an unknown kind of job", "Job", `{"kind": "klaverjas.predict", "request": {` + someDeal + `}}`, "/kind"},
		{"a job without a request", "Job", `{"kind": "klaverjas.solve", "request": []}`, "/request"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := request(g, tt.request, []byte(tt.body))
			e, ok := errors.AsType[*service.Error](err)
			if !ok || e.Kind != service.Malformed || e.Violations[0].Pointer != tt.pointer {
				t.Errorf("%v, want a violation of %s\n%.300s", err, tt.pointer, tt.body)
			}
		})
	}
}

// Numbers such as 1e2 are integers, as in the schema, although the Go types do not accept them.
func TestDecodeReadsWhatTheSchemaNormalised(t *testing.T) {
	g := newGame(t, service.Options{}, Options{})
	want, err := ParsePosition(context.Background(), g, []byte(`{`+someDeal+`, "rules": {"pit": {"declarers": 200}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, number := range []string{"2e2", "200.0", "20000e-2", "2E+2"} {
		got, err := ParsePosition(context.Background(), g, []byte(`{`+someDeal+`, "rules": {"pit": {"declarers": `+number+`}}}`))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", number, got.now.Rules().Pit, err)
		}
	}
}

// The types into which bodies are decoded have the fields of their schemas.
func TestBodiesHaveTheFieldsOfTheContract(t *testing.T) {
	schemas := newGame(t, service.Options{}, Options{}).schemas
	for name, body := range map[string]any{
		"KlaverjasPosition": positionBody{}, "KlaverjasSolveRequest": solveBody{}, "KlaverjasTableRequest": tableBody{},
		"KlaverjasHybridRequest": hybridBody{}, "KlaverjasPredictRequest": predictBody{}, "KlaverjasFeaturesRequest": featuresBody{},
		"KlaverjasAdviseRequest": adviseBody{}, "KlaverjasReviewRequest": reviewBody{},
		"KlaverjasKnowledgeRequest": knowledgeBody{}, "KlaverjasWorldsRequest": worldsBody{},
		"KlaverjasKnowledgeCheckRequest": knowledgeCheckBody{},
		"KlaverjasCardModelRequest":      cardModelBody{}, "KlaverjasMatchRequest": matchBody{},
		"KlaverjasSolveBatchRequest": solveBatchBody{}, "KlaverjasPredictBatchRequest": predictBatchBody{},
		"KlaverjasHybridBatchRequest": hybridBatchBody{},
	} {
		shape, err := schemas.Shape(name)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, field := range reflect.VisibleFields(reflect.TypeOf(body)) {
			if !field.Anonymous {
				got = append(got, field.Tag.Get("json"))
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(shape.FieldNames(), got); diff != "" {
			t.Errorf("%s (-contract +type)\n%s", name, diff)
		}
	}
}
