package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// goodHands is a valid deal. Each bad request below differs from it in one way.
const goodHands = `{"N": ["9C", "10C", "7D", "7H", "9H", "10H", "10S", "AS"], ` +
	`"E": ["8C", "QC", "KC", "JD", "KD", "8H", "QH", "AH"], ` +
	`"S": ["7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"], ` +
	`"W": ["8D", "9D", "10D", "QD", "AD", "8S", "JS", "QS"]}`

// goodView is what South sees after three tricks. South is to lead, and there are 116,424 worlds.
const goodView = `{"trump": "S", "leader": "S", "seat": "S", "hand": ["7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"], ` +
	`"played": ["KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S", "QS", "AS", "JD", "9S"]}`

// with returns a request body with trump, leader, the good hands and the given fields.
func with(fields string) string {
	return `{"trump": "S", "leader": "S", "hands": ` + goodHands + `, ` + fields + `}`
}

// replaced returns a request body with the good hands after one replacement, which must change something.
func replaced(old, by string) string {
	hands := strings.Replace(goodHands, old, by, 1)
	if hands == goodHands {
		panic("nothing replaced: " + old)
	}
	return `{"trump": "S", "leader": "S", "hands": ` + hands + `}`
}

// Every kind of bad request has its exact status and the places of its errors: "/x" is a pointer into the body, "" is the whole body,
// "?x" is a parameter. The whole answers are in testdata/bad_requests.txt, with those to the mistakes that integrators make.
func TestBadRequests(t *testing.T) {
	s := newServer(t)
	answers := newAnswers(t)
	const legal, solve, analyse = "/v1/klaverjas/legal-moves", "/v1/klaverjas/solve", "/v1/klaverjas/analyse"
	const table, index = "/v1/klaverjas/table", "/v1/klaverjas/deals/index"
	tests := []struct {
		name, path, body string
		status           int
		where            []string
		says             string // the first detail contains it
	}{
		// ---- 400: not JSON ----
		{"empty body", solve, ``, 400, []string{""}, "is empty"},
		{"only spaces", solve, " \n\t ", 400, []string{""}, "is empty"},
		{"cut short", solve, `{"trump": "S"`, 400, []string{""}, "not JSON"},
		{"plain words", solve, `solve this`, 400, []string{""}, "not JSON"},
		{"trailing comma", solve, `{"trump": "S",}`, 400, []string{""}, "not JSON"},
		{"single quotes", solve, `{'trump': 'S'}`, 400, []string{""}, "not JSON"},
		{"comment", solve, `{/* trump */ "trump": "S"}`, 400, []string{""}, "not JSON"},
		{"NaN", legal, with(`"rules": {"pit": {"declarers": NaN}}`), 400, []string{"/rules/pit/declarers"}, "not JSON"},
		{"leading zero", legal, with(`"rules": {"pit": {"declarers": 0100}}`), 400, []string{"/rules/pit"}, "not JSON"},
		{"broken escape", legal, `{"trump": "\q", "leader": "S"}`, 400, []string{"/trump"}, "not JSON"},
		{"lone surrogate", legal, `{"trump": "\ud800", "leader": "S"}`, 400, []string{"/trump"}, "not JSON"},
		{"not UTF-8", legal, "{\"trump\": \"\xff\", \"leader\": \"S\"}", 400, []string{"/trump"}, "UTF-8"},
		{
			"not UTF-8 in a list", "POST /v1/klaverjas/features", "{\"positions\": [{\"trump\": \"\xff\"}]}", 400,
			[]string{"/positions/0/trump"},
			"at byte 26: invalid UTF-8",
		},
		{"trailing data", solve, with(`"goal": "win"`) + ` {}`, 400, []string{""}, "data after"},
		{"two values", solve, `{} {}`, 400, []string{""}, "data after"},
		{"trailing garbage", solve, with(`"goal": "win"`) + `garbage`, 400, []string{""}, "not JSON"},
		{"trailing bracket", solve, with(`"goal": "win"`) + `}`, 400, []string{""}, "not JSON"},
		{"duplicate field", legal, with(`"trump": "H"`), 400, []string{"/trump"}, "given twice"},
		{"duplicate nested", legal, with(`"rules": {"melds": true, "melds": true}`), 400, []string{"/rules/melds"}, "given twice"},
		{"duplicate by escape", legal, with(`"tr\u0075mp": "H"`), 400, []string{"/trump"}, "given twice"},
		{"duplicate hand", legal, replaced(`"E":`, `"N":`), 400, []string{"/hands/N"}, "given twice"},
		{"nested too deep", legal, strings.Repeat("[", 20) + strings.Repeat("]", 20), 400, []string{""}, "deeper"},
		{"nested far too deep", legal, strings.Repeat(`{"a":`, 10000), 400, []string{""}, "deeper"},
		{
			"nested far too deep in a list", "POST /v1/klaverjas/features", `{"positions": [` + strings.Repeat("[", 20000), 400,
			[]string{""},
			"deeper",
		},
		{"number out of range", legal, with(`"rules": {"pit": {"declarers": 1e999}}`), 400, []string{"/rules/pit/declarers"}, "is 1e999"},

		// ---- 400: not the contract ----
		{"null", solve, `null`, 400, []string{""}, "null"},
		{"array", solve, `[]`, 400, []string{""}, "must be an object"},
		{"string", solve, `"S"`, 400, []string{""}, "must be an object"},
		{"number", solve, `1`, 400, []string{""}, "must be an object"},
		{"empty object", solve, `{}`, 400, []string{"/leader", "/trump"}, "is missing"},
		{"no trump", legal, `{"leader": "N", "deal": "0"}`, 400, []string{"/trump"}, "is missing"},
		{"no leader", legal, `{"trump": "C", "deal": "0"}`, 400, []string{"/leader"}, "is missing"},
		{"no hands and no deal", legal, `{"trump": "C", "leader": "N"}`, 400, []string{"/hands"}, "is missing"},
		{"hands and deal", legal, with(`"deal": "0"`), 400, []string{"/deal"}, "only one of them"},
		{
			"a hand missing", legal, replaced(`, "W": ["8D", "9D", "10D", "QD", "AD", "8S", "JS", "QS"]`, ``), 400,
			[]string{"/hands/W"},
			"is missing",
		},
		{"a fifth hand", legal, replaced(`{`, `{"X": [], `), 400, []string{"/hands/X"}, "E, N, S, W"},
		{"unknown field", solve, with(`"gaol": "win"`), 400, []string{"/gaol"}, "goal"},
		{"field in capitals", solve, with(`"GOAL": "win"`), 400, []string{"/GOAL"}, "goal"},
		{"goal where it is unknown", legal, with(`"goal": "win"`), 400, []string{"/goal"}, "is not a field here"},
		{
			"trump where it is unknown", table, `{"trump": "S", "leader": "S", "hands": ` + goodHands + `}`, 400,
			[]string{"/trump"},
			"is not a field here",
		},
		{
			"played where it is unknown", table, `{"leader": "S", "played": [], "hands": ` + goodHands + `}`, 400,
			[]string{"/played"},
			"is not a field here",
		},
		{"table without hands", table, `{"leader": "S"}`, 400, []string{"/hands"}, "is missing"},
		{"odd field name", solve, with(`"a/b~c": 1`), 400, []string{"/a~1b~0c"}, "is not a field here"},
		{"several at once", solve, with(`"x": 1, "y": 2, "goal": 3`), 400, []string{"/goal", "/x", "/y"}, "must be a string"},
		{"unknown goal", solve, with(`"goal": "guess"`), 400, []string{"/goal"}, `is not one of win, value, moves`},
		{"goal in capitals", solve, with(`"goal": "WIN"`), 400, []string{"/goal"}, `did you mean win?; it must be one of win, value, moves`},
		{"trump a number", legal, `{"trump": 1, "leader": "N", "deal": "0"}`, 400, []string{"/trump"}, "must be a string"},
		{"trump null", legal, `{"trump": null, "leader": "N", "deal": "0"}`, 400, []string{"/trump"}, "null"},
		{"leader a list", legal, `{"trump": "C", "leader": ["N"], "deal": "0"}`, 400, []string{"/leader"}, "must be a string"},
		{"declarer a boolean", legal, with(`"declarer": true`), 400, []string{"/declarer"}, "must be a string"},
		{"hands a list", legal, `{"trump": "C", "leader": "N", "hands": []}`, 400, []string{"/hands"}, "must be an object"},
		{
			"hand a string", legal, replaced(`["9C", "10C", "7D", "7H", "9H", "10H", "10S", "AS"]`, `"9C 10C"`), 400,
			[]string{"/hands/N"},
			"must be an array",
		},
		{"card a number", legal, replaced(`"9C"`, `9`), 400, []string{"/hands/N/0"}, "must be a string"},
		{"card null", legal, replaced(`"9C"`, `null`), 400, []string{"/hands/N/0"}, "null"},
		{"card far too long", legal, replaced(`"9C"`, `"`+strings.Repeat("9", 40)+`"`), 400, []string{"/hands/N/0"}, "32"},
		{"played a string", legal, with(`"played": "JH"`), 400, []string{"/played"}, "must be an array"},
		{"played holds a number", legal, with(`"played": ["JH", 8]`), 400, []string{"/played/1"}, "must be a string"},
		{"deal a number", legal, `{"trump": "C", "leader": "N", "deal": 7}`, 400, []string{"/deal"}, "must be a string: the index of a deal"},
		{"deal not a number", legal, `{"trump": "C", "leader": "N", "deal": "first"}`, 400, []string{"/deal"}, "decimal number"},
		{"deal negative", legal, `{"trump": "C", "leader": "N", "deal": "-1"}`, 400, []string{"/deal"}, "decimal number"},
		{"deal empty", legal, `{"trump": "C", "leader": "N", "deal": ""}`, 400, []string{"/deal"}, "decimal number"},
		{"rules a string", legal, with(`"rules": "rotterdam"`), 400, []string{"/rules"}, "must be an object"},
		{"system a number", legal, with(`"rules": {"system": 1}`), 400, []string{"/rules/system"}, "must be a string"},
		{"melds a string", legal, with(`"rules": {"melds": "yes"}`), 400, []string{"/rules/melds"}, "must be a boolean"},
		{"pit a number", legal, with(`"rules": {"pit": 100}`), 400, []string{"/rules/pit"}, "must be an object"},
		{"bonus a string", legal, with(`"rules": {"pit": {"declarers": "100"}}`), 400, []string{"/rules/pit/declarers"}, "must be an integer"},
		{"bonus a fraction", legal, with(`"rules": {"pit": {"declarers": 100.5}}`), 400, []string{"/rules/pit/declarers"}, "must be an integer"},
		{
			"wrong type and impossible rule", legal, with(`"rules": {"system": "utrecht", "melds": 1}`), 400,
			[]string{"/rules/melds", "/rules/system"},
			"must be a boolean",
		},

		// ---- 422: rule switches ----
		{"no such system", legal, with(`"rules": {"system": "utrecht"}`), 400, []string{"/rules/system"}, `is not one of rotterdam, amsterdam`},
		{
			"system in capitals", legal, with(`"rules": {"system": "Rotterdam"}`), 400,
			[]string{"/rules/system"},
			`did you mean rotterdam?; it must be one of rotterdam, amsterdam`,
		},
		{
			"no such under_ruff", legal, with(`"rules": {"under_ruff": "maybe"}`), 400,
			[]string{"/rules/under_ruff"},
			`is not one of forced, forbidden, free`,
		},
		{"no such nat_melds", legal, with(`"rules": {"nat_melds": "none"}`), 400, []string{"/rules/nat_melds"}, `is not one of defenders, all`},
		{"no such switch", legal, with(`"rules": {"troef": true}`), 400, []string{"/rules/troef"}, "under_ruff"},
		{"no such pit", legal, with(`"rules": {"pit": {"NS": 100}}`), 400, []string{"/rules/pit/NS"}, "declarers"},
		{"no such face", legal, with(`"rules": {"four_of_a_kind": {"T": 100}}`), 400, []string{"/rules/four_of_a_kind/T"}, "10"},
		{
			"bonus below zero", legal, with(`"rules": {"four_of_a_kind": {"J": -10}}`), 400,
			[]string{"/rules/four_of_a_kind/J"},
			"is -10, expected a multiple of 10, 0 to 1000",
		},
		{"bonus too high", legal, with(`"rules": {"four_of_a_kind": {"J": 1010}}`), 400, []string{"/rules/four_of_a_kind/J"}, "0 to 1000"},
		{
			"bonus not a multiple of 10", legal, with(`"rules": {"pit": {"defenders": 15}}`), 400,
			[]string{"/rules/pit/defenders"},
			"multiple of 10",
		},
		{
			"several switches", table, `{"leader": "S", "rules": {"system": "x", "y": 1}, "hands": ` + goodHands + `}`, 400,
			[]string{"/rules/system", "/rules/y"},
			`is not one of rotterdam, amsterdam`,
		},

		// ---- 422: impossible positions ----
		{"no such trump", legal, `{"trump": "X", "leader": "N", "deal": "0"}`, 400, []string{"/trump"}, ""},
		{"empty trump", legal, `{"trump": "", "leader": "N", "deal": "0"}`, 400, []string{"/trump"}, ""},
		{"no such leader", legal, `{"trump": "C", "leader": "Q", "deal": "0"}`, 400, []string{"/leader"}, ""},
		{"no such declarer", legal, with(`"declarer": "NE"`), 400, []string{"/declarer"}, ""},
		{
			"trump, leader and declarer", legal, `{"trump": "X", "leader": "Y", "declarer": "Z", "deal": "0"}`, 400,
			[]string{"/trump", "/leader", "/declarer"},
			"",
		},
		{"not a card", legal, replaced(`"9C"`, `"1C"`), 400, []string{"/hands/N/0"}, ""},
		{"a joker", legal, replaced(`"9C"`, `"joker"`), 400, []string{"/hands/N/0"}, ""},
		{"an empty card", legal, replaced(`"9C"`, `""`), 400, []string{"/hands/N/0"}, ""},
		{"suit before face", legal, replaced(`"9C"`, `"C9"`), 400, []string{"/hands/N/0"}, ""},
		{"a card twice in a hand", legal, replaced(`"10C"`, `"9C"`), 422, []string{"/hands/N/1"}, "9C is also in /hands/N/0"},
		{"a card in two hands", legal, replaced(`"8C"`, `"9C"`), 422, []string{"/hands/E/0"}, "9C is also in /hands/N/0"},
		{"the same card in two spellings", legal, replaced(`"9C", "10C"`, `"9C", "9♣"`), 422, []string{"/hands/N/1"}, "9C is also in /hands/N/0"},
		{"seven cards", legal, replaced(`"9C", `, ``), 422, []string{"/hands/N"}, "8"},
		{
			"hands of nine and seven cards", legal, replaced(`"AS"], "E": ["8C", `, `"AS", "8C"], "E": [`), 422,
			[]string{"/hands/N", "/hands/E"},
			"8",
		},
		{"empty hand", legal, replaced(`["9C", "10C", "7D", "7H", "9H", "10H", "10S", "AS"]`, `[]`), 422, []string{"/hands/N"}, "8"},
		{
			"two wrong cards", table, `{"leader": "S", "hands": ` + strings.NewReplacer(`"9C"`, `"1C"`, `"8D"`, `"1D"`).Replace(goodHands) + `}`,
			400,
			[]string{"/hands/N/0", "/hands/W/0"},
			"",
		},
		{"no such leader in a table", table, `{"leader": "Z", "hands": ` + goodHands + `}`, 400, []string{"/leader"}, ""},
		{"deal past the last", legal, `{"trump": "C", "leader": "N", "deal": "99561092450391000"}`, 400, []string{"/deal"}, "99561092450390999"},
		{
			"deal past 64 bits", legal, `{"trump": "C", "leader": "N", "deal": "99999999999999999999"}`, 400,
			[]string{"/deal"},
			"99561092450390999",
		},
		{"played not a card", legal, with(`"played": ["JH", "what"]`), 400, []string{"/played/1"}, ""},
		{"does not follow suit", solve, with(`"played": ["7C", "8S", "7H"]`), 422, []string{"/played/2"}, "expected one of 9C, 10C"},
		{"does not ruff", solve, with(`"played": ["JH", "9D"]`), 422, []string{"/played/1"}, "expected one of 8S, JS, QS"},
		{"does not overtake in trump", solve, with(`"played": ["9S", "8S"]`), 422, []string{"/played/1"}, "expected one of JS"},
		{"out of turn", analyse, with(`"played": ["9C", "8C"]`), 422, []string{"/played/0"}, "expected one of"},
		{"a card played twice", legal, with(`"played": ["JH", "8S", "7H", "QH", "8S"]`), 422, []string{"/played/4"}, "expected one of"},
		{"nothing to analyse", analyse, with(`"played": []`), 422, []string{"/played"}, "2 to 32"},
		{"no cards to analyse", analyse, with(`"declarer": "NS"`), 422, []string{"/played"}, "2 to 32"},
		{"one card to analyse", analyse, with(`"played": ["JH"]`), 422, []string{"/played"}, "2 to 32"},
		{
			"33 cards", legal, with(`"played": ["KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S", "QS", "AS", "JD", "9S", "KS", "8D", "9C", "8C", ` +
				`"AC", "9D", "10C", "QC", "7C", "10D", "7D", "KC", "QH", "JH", "QD", "10H", "9H", "AH", "JC", "AD", "KH"]`), 422,
			[]string{"/played"},
			"has 33 cards",
		},
		{"index of an impossible deal", index, replaced(`"8C"`, `"9C"`), 422, []string{"/hands/E/0"}, "9C is also in"},

		// ---- parameters ----
		{"index not a number", "GET /v1/klaverjas/deals/abc", "", 400, []string{"?index"}, "decimal"},
		{"index negative", "GET /v1/klaverjas/deals/-1", "", 400, []string{"?index"}, "decimal"},
		{"index with a sign", "GET /v1/klaverjas/deals/+1", "", 400, []string{"?index"}, "decimal"},
		{"index a fraction", "GET /v1/klaverjas/deals/1.5", "", 400, []string{"?index"}, "decimal"},
		{"index too long", "GET /v1/klaverjas/deals/" + strings.Repeat("1", 30), "", 400, []string{"?index"}, "decimal"},
		{"index past the last", "GET /v1/klaverjas/deals/99561092450391000", "", 400, []string{"?index"}, "99561092450390999"},
		{"no such trump of a deal", "GET /v1/klaverjas/deals/1?trump=X", "", 400, []string{"?trump"}, ""},
		{"no such leader of a deal", "GET /v1/klaverjas/deals/1?leader=X", "", 400, []string{"?leader"}, ""},
		{"unknown parameter", "GET /v1/klaverjas/deals/1?trmp=C", "", 400, []string{"?trmp"}, "trump, leader"},
		{"parameter twice", "GET /v1/klaverjas/deals/1?trump=C&trump=D", "", 400, []string{"?trump"}, "more than once"},
		{"broken query", "GET /v1/klaverjas/deals/1?trump=%zz", "", 400, []string{"?trump"}, "hexadecimal"},
		{"broken name in a query", "GET /v1/klaverjas/deals/1?%zz=C", "", 400, nil, "hexadecimal"},
		{"a value without a name", "GET /v1/klaverjas/deals/1?=C", "", 400, nil, "a value without a name"},
		{"17 parameters", "GET /v1/klaverjas/deals/1?trump=C" + strings.Repeat("&x=1", 16), "", 400, nil, "17 parameters, expected at most 16"},
		{"seed not a number", "GET /v1/klaverjas/deals/random?seed=abc", "", 400, []string{"?seed"}, "18446744073709551615"},
		{"seed too large", "GET /v1/klaverjas/deals/random?seed=18446744073709551616", "", 400, []string{"?seed"}, "18446744073709551615"},
		{"seed empty", "GET /v1/klaverjas/deals/random?seed=", "", 400, []string{"?seed"}, "18446744073709551615"},
		{"no such draw", "GET /v1/klaverjas/deals/random?draw=fair", "", 400, []string{"?draw"}, "class-uniform"},
		{"no such trump to draw", "GET /v1/klaverjas/deals/random?trump=1", "", 400, []string{"?trump"}, ""},
		{"unknown parameter to draw", "GET /v1/klaverjas/deals/random?n=2", "", 400, []string{"?n"}, "seed"},
		{"puzzles of no kind", "GET /v1/klaverjas/puzzles?cards=closed", "", 400, []string{"?cards"}, "open, hidden"},
		{"puzzles of no level", "GET /v1/klaverjas/puzzles?level=easy", "", 400, []string{"?level"}, "casual"},
		{"puzzles without a theme", "GET /v1/klaverjas/puzzles?theme=", "", 400, []string{"?theme"}, "last_trick"},
		{"no puzzles", "GET /v1/klaverjas/puzzles?limit=0", "", 400, []string{"?limit"}, "1 to 100"},
		{"101 puzzles", "GET /v1/klaverjas/puzzles?limit=101", "", 400, []string{"?limit"}, "1 to 100"},
		{"no number of puzzles", "GET /v1/klaverjas/puzzles?limit=all", "", 400, []string{"?limit"}, "1 to 100"},
		{"no page of puzzles", "GET /v1/klaverjas/puzzles?page_token=2", "", 400, []string{"?page_token"}, "next_page_token"},
		{"puzzles near no rating", "GET /v1/klaverjas/puzzles?near=master", "", 400, []string{"?near"}, "0 to 4000"},
		{"puzzles near a high rating", "GET /v1/klaverjas/puzzles?near=4001", "", 400, []string{"?near"}, "0 to 4000"},
		{"no cards for a puzzle", strings.TrimSuffix(tried, "?cards="), "", 400, []string{"?cards"}, "is missing"},
		{"an empty list for a puzzle", tried, "", 400, []string{"?cards"}, "card 1"},
		{"no card for a puzzle", tried + "8D,DA", "", 400, []string{"?cards"}, `card 2: "DA" is not a card`},
		{"65 cards for a puzzle", tried + "8D" + strings.Repeat(",8D", 64), "", 400, []string{"?cards"}, "1 to 64"},
		{"a card that cannot be tried", tried + "8D,9S", "", 422, []string{"?cards"}, "expected 8D, JD, AD"},
		{"a hidden card", "GET /v1/klaverjas/puzzles/239g8z/answer?cards=10S,8C", "", 422, []string{"?cards"}, "expected 7H, 10H"},
		{"a card after a puzzle", tried + "AD,8D", "", 422, []string{"?cards"}, "last decision"},
		{"a puzzle of no day", "GET /v1/klaverjas/puzzles/daily?date=2026-02-30", "", 400, []string{"?date"}, "1970-01-01"},
		{"a puzzle of an early day", "GET /v1/klaverjas/puzzles/daily?date=1969-12-31", "", 400, []string{"?date"}, "1970-01-01"},
		{"a puzzle with a day", "GET /v1/klaverjas/puzzles/aaaaaa?date=2026-12-05", "", 400, []string{"?date"}, ""},
		{"a picture of nothing", "GET " + strings.TrimSuffix(picturePath, "?"), "", 400, []string{"?t", "?l", "?d", "?h"}, "is missing"},
		{"a picture of another version", pictured("v=2"), "", 400, []string{"?v"}, "1"},
		{"a picture without a trump", pictured("t=X"), "", 400, []string{"?t"}, "suit"},
		{"a picture without a leader", pictured("l=X"), "", 400, []string{"?l"}, "N, E, S or W"},
		{"a picture without declarers", pictured("d=N"), "", 400, []string{"?d"}, "NS or EW"},
		{"a picture of 31 cards", pictured("h=SENNSEESNWWWEWEWNENNSESESWSNWWS"), "", 400, []string{"?h"}, "has 31 characters"},
		{"a picture with a card of nobody", pictured("h=.ENNSEESNWWWEWEWNENNSESESWSNWWSN"), "", 400, []string{"?h"}, "gives 7C to nobody"},
		{"a picture with a card of X", pictured("h=SXNNSEESNWWWEWEWNENNSESESWSNWWSN"), "", 400, []string{"?h"}, `has "X" for 8C`},
		{"a picture of nine cards", pictured("h=NENNSEESNWWWEWEWNENNSESESWSNWWSN"), "", 422, []string{"?h"}, "gives N 9 cards, expected 8"},
		{"a picture with markup", pictured("h=" + url.QueryEscape(`"><script>alert(1)</script>abcdef`)), "", 400, []string{"?h"}, ""},
		{"a picture of no rule", pictured("r=utrecht"), "", 400, []string{"?r"}, `"utrecht" is not a switch`},
		{"a picture of no under-ruff", pictured("r=under:always"), "", 400, []string{"?r"}, `"under:always" is not a switch`},
		{"a picture of a bonus", pictured("r=fourJ:205"), "", 400, []string{"?r"}, "is 205: expected a multiple of 10"},
		{"a picture of half a card", pictured("p=KH8"), "", 400, []string{"?p"}, "has 3 characters"},
		{"a picture of 33 cards", pictured("p=" + strings.Repeat("KH", 33)), "", 400, []string{"?p"}, "has 66 characters"},
		{"a picture of no card", pictured("p=KHXX"), "", 400, []string{"?p"}, `card 2, "XX", is not a card`},
		{"a picture of an illegal card", pictured("p=KH8D"), "", 422, []string{"?p"}, "card 2: 8D is not legal"},
		{"a picture of a card played twice", pictured("p=KHKH"), "", 422, []string{"?p"}, "card 2: KH is not legal"},
		{"a picture of more cards than played", pictured("p=KH&i=2"), "", 400, []string{"?i"}, "is 2: expected 0 to 1"},
		{"a picture of minus one card", pictured("p=KH&i=-1"), "", 400, []string{"?i"}, `"-1" is not a number`},
		{"a picture of no view", pictured("view=hand"), "", 400, []string{"?view"}, "tricks"},
		{"a picture of no theme", pictured("theme=blue"), "", 400, []string{"?theme"}, "dark"},
		{"a picture of no language", pictured("language=de"), "", 400, []string{"?language"}, "nl"},
		{"a picture of one seat", pictured("s=S"), "", 400, []string{"?s"}, "is not a parameter here"},
		{
			"parameter where it is unknown", "POST /v1/klaverjas/solve?goal=win", with(`"goal": "win"`), 400,
			[]string{"?goal"},
			"is not a parameter here",
		},

		// ---- paths and methods ----
		{"no such path", "GET /v1/nothing", "", 404, nil, ""},
		{"no such version", "POST /v2/solve", "{}", 404, nil, ""},
		{"trailing slash", "POST /v1/klaverjas/solve/", "{}", 404, nil, ""},
		{"index missing", "GET /v1/klaverjas/deals/", "", 404, nil, ""},
		{"no such asset", "GET /docs/assets/secret", "", 404, nil, ""},
		{"asset outside the folder", "GET /docs/assets/..%2f..%2fweb.go", "", 404, nil, ""},
		{"GET of solve", "GET /v1/klaverjas/solve", "", 405, nil, ""},
		{"GET of index", "GET /v1/klaverjas/deals/index", "", 405, nil, ""},
		{"GET of classes", "GET /v1/klaverjas/classes", "", 405, nil, ""},
		{"post a class", "POST /v1/klaverjas/classes/1", "{}", 405, nil, ""},
		{"post to random", "POST /v1/klaverjas/deals/random", "{}", 405, nil, ""},
		{"put", "PUT /v1/klaverjas/solve", "{}", 405, nil, ""},
		{"delete a deal", "DELETE /v1/klaverjas/deals/1", "", 405, nil, ""},
		{"post a deal", "POST /v1/klaverjas/deals/1", "{}", 405, nil, ""},
		{"post to health", "POST /healthz", "{}", 405, nil, ""},
		{"odd method", "BREW /v1/klaverjas/solve", "", 405, nil, ""},

		// ---- sizes ----
		{"too large", solve, with(`"goal": "win"`) + strings.Repeat(" ", maxBody), 413, []string{""}, "bytes"},
		{"large but allowed", legal, strings.Repeat(" ", maxBody-len(with(`"x": 1`))) + with(`"x": 1`), 400, []string{"/x"}, ""},
	}
	kinds := map[int]string{400: "malformed", 404: "not-found", 405: "method-not-allowed", 413: "too-large", 422: "impossible"}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			method, target, ok := strings.Cut(tt.path, " ")
			if !ok {
				method, target = http.MethodPost, tt.path
			}
			w := s.do(t, request(method, target, tt.body))
			status(t, w, tt.status)
			p := decodeAs[api.Problem](t, w)
			if want := "/docs/errors#" + kinds[tt.status]; p.Type != want {
				t.Errorf("type %s, want %s", p.Type, want)
			}
			first := p.Detail
			if p.Errors != nil {
				first = (*p.Errors)[0].Detail
			}
			if !strings.Contains(first, tt.says) {
				t.Errorf("detail %q, want one with %q", first, tt.says)
			}
			if diff := cmp.Diff(tt.where, places(t, p)); diff != "" {
				t.Errorf("places (-want +got)\n%s%s", diff, w.Body)
			}
			answers.add(tt.name, p)
		})
	}
	made := s.makeMistakes(t, answers)
	answers.check(t)
	t.Logf("%d bad requests and %d mistakes", len(tests), made)
}

func TestContentTypes(t *testing.T) {
	s := newServer(t)
	for contentType, want := range map[string]int{
		"application/json": 200, "application/json; charset=utf-8": 200, `Application/JSON;charset="UTF-8"`: 200,
		"": 415, "text/plain": 415, "application/xml": 415, "application/json; charset=latin1": 415, "application/json;;": 415,
		"application/x-www-form-urlencoded": 415, "application/json, text/plain": 415, "multipart/form-data": 415,
	} {
		t.Run(contentType, func(t *testing.T) {
			r := request(http.MethodPost, "/v1/klaverjas/legal-moves", `{"trump": "S", "leader": "S", "deal": "0"}`)
			r.Header.Del("Content-Type")
			if contentType != "" {
				r.Header.Set("Content-Type", contentType)
			}
			status(t, s.do(t, r), want)
		})
	}
	t.Run("compressed", func(t *testing.T) {
		r := request(http.MethodPost, "/v1/klaverjas/legal-moves", `{"trump": "S", "leader": "S", "deal": "0"}`)
		r.Header.Set("Content-Encoding", "gzip")
		status(t, s.do(t, r), 415)
	})
}

// The answer to a hostile body is not much larger than the body.
func TestManyErrorsHaveShortAnswer(t *testing.T) {
	s := newServer(t)
	var fields []string
	for i := range 3000 {
		fields = append(fields, fmt.Sprintf(`"f%d": 1`, i))
	}
	w := s.post(t, "/v1/klaverjas/solve", with(strings.Join(fields, ", ")))
	status(t, w, 400)
	if p := decodeAs[api.Problem](t, w); p.Errors == nil || len(*p.Errors) != 32 {
		t.Errorf("%d bytes, want 32 errors", w.Body.Len())
	}
	long := strings.Repeat("x", 30000)
	w = s.post(t, "/v1/klaverjas/solve", with(`"`+long+`": 1, "`+long+`y": {"z": 1e999}`))
	status(t, w, 400)
	if w.Body.Len() > 4000 {
		t.Errorf("an answer of %d bytes", w.Body.Len())
	}
}

// A number that the contract refuses is refused with the numbers that it accepts, whether or not the field has a description.
func TestNumbersOutOfRange(t *testing.T) {
	s := newServer(t)
	for _, tt := range []struct{ name, path, body, where, says string }{
		{"no description", "/v1/belote/compare", `{"suits": [1, 5]}`, "/suits/1", "is 5, expected 1 to 4"},
		{
			"a description without bounds", "/v1/tarok/sessions/aaaaaaaaaaaaaaaaaaaaaaaaaa/exchange", `{"acts": 0, "group": 6, "discards": []}`,
			"/group", "is 6, expected 0 to 5: the group",
		},
		{"a description with bounds", "/v1/tarok/sessions", `{"hands": 31}`, "/hands", "is 31, expected 1 to 30: number of hands"},
		{"a large number", "/v1/belote/match", `{"a": "random", "b": "random", "deals": 1e9}`, "/deals", "is 1000000000, expected 1 to 10000: "},
		{"a fraction", "/v1/gin-rummy/estimate", ginSituation(`, "threshold": -0.5`), "/threshold", "is -0.5, expected 0 to 1: "},
		{
			"a very small fraction", "/v1/gin-rummy/estimate", ginSituation(`, "threshold": -1e-200`), "/threshold",
			"is -1e-200, expected 0 to 1: ",
		},
		{"no multiple", "/v1/tarok/solve", ofTarok(`"depth": 7`), "/depth", "is 7, expected a multiple of 3, 3 to 18: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := s.post(t, tt.path, tt.body)
			status(t, w, http.StatusBadRequest)
			list := *decodeAs[api.Problem](t, w).Errors
			if len(list) != 1 || *list[0].Pointer != tt.where || !strings.HasPrefix(list[0].Detail, tt.says) {
				t.Errorf("%s, want %s: %s", w.Body, tt.where, tt.says)
			}
			if strings.HasSuffix(list[0].Detail, " ") {
				t.Errorf("%q ends with a space", list[0].Detail)
			}
		})
	}
}
