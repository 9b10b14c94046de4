package nim

import (
	"slices"
	"strings"
	"testing"

	"roem/internal/handlers/handlerstest"
)

var game = handlerstest.Game[*Game]{Declared: Operations, New: New, Part: "nim.yaml"}

func TestNimOverHTTP(t *testing.T) {
	s := game.Server(t)
	const sessions, convert, game = "/v1/nim/sessions", "/v1/records/convert", "roem1:nim;Piles=3.4.5;Play=2:5.1:1.0:3.1:3;Result=1"
	at := sessions + "/" + s.Do(t, "POST", sessions, `{"piles": [3, 4, 5]}`, 201, "NimSession")["id"].(string)
	s.Rows(t, []handlerstest.Row{
		{"/v1/nim/legal-moves", `{"piles": [1, 1]}`, "200 NimLegalMoves", "moves:[map[pile:0 take:1] map[pile:1 take:1]]"},
		{"/v1/nim/solve", `{"piles": [3, 4, 5]}`, "200 NimSolution", "won:true"},
		{"/v1/nim/solve", `{"piles": [16]}`, "400 Problem", "expected 0 to 15"},
		{"/v1/nim/solve", `{}`, "400 Problem", "is missing"},
		{"/v1/nim/solve", `{"piles": [0]}`, "422 Problem", "are empty"},
		{"/v1/nim/match", `{"a": "best", "b": "random", "deals": 50}`, "200 NimMatch", "lost:0"},
		{"/v1/nim/match", `{"a": "best", "b": "worst"}`, "400 Problem", "not one of best, random"},
		{at + "/play", `{"acts": 0, "pile": 0, "take": 4}`, "422 Problem", "more than the pile has"},
		{at + "/play", `{"acts": 0, "take": 4}`, "400 Problem", "is missing"},
		{at + "/play", `{"acts": 0, "pile": 2, "take": 5}`, "200 NimSession", "piles:[3 3 0]"}, // the program leaves 3 and 3
		{at + "/play", `{"acts": 3, "pile": 0, "take": 1}`, "409 Problem", "has the number 1"},
		{at + "/play", `{"acts": 1, "pile": 0, "take": 3}`, "200 NimSession", "state:over"},
		{at + "/records", "", "200", `[Play "2:5 1:1 0:3 1:3"]`},
		{convert, `{"form": "text", "text": "` + game + `"}`, "200", `[Play "2:5 1:1 0:3 1:3"]`},
		{convert, `{"form": "json", "text": "[Game \"nim\"]\n[Piles \"2\"]\n[Play \"0:2\"]"}`, "200", `"play":["0:2"],"result":["0"]}`},
		{convert, `{"form": "line", "text": "[Game \"nim\"]\n[Piles \"2\"]\n[Play \"0:1 0:2\"]"}`, "422 Problem", "column 12: Play: take is"},
		{convert, `{"form": "line", "text": "roem1:nim;Piles=3.16"}`, "400 Problem", `"16" is not a number from 0 to 15`},
		{"/v1/nim/review", `{"record": "` + game + `"}`, "200 NimReview", "verdicts:[mistake right right right]"},
		{"/v1/nim/review", `{"record": "roem1:nim;Piles=1"}`, "422 Problem", "/record: has no act"},
	}...)
	if got := s.Job(t, "nim.solve", `{"piles": [1, 1]}`); got["won"] != false {
		t.Errorf("job %v", got)
	}
	s.Do(t, "DELETE", at, "", 204, "")
	s.Do(t, "GET", at, "", 404, "Problem")
}

func TestNimInABrowser(t *testing.T) {
	b := game.Server(t).Browse(t, "page.tsx")
	b.Click("#lobby-play", "[data-start='3, 4, 5']", "#move-2-4", "[data-acts='1'] #move-0-2:not([aria-disabled=true])")
	b.Shows("document.querySelector('#status').textContent.includes('The computer has won.')")
}

func TestNimAtTheCommandLine(t *testing.T) {
	run := game.CommandLine(t)
	out, status := run("{\"piles\": [1, 2]}\n{}\n", "solve")
	want := `{"won":true,"winning":[{"pile":1,"take":1}],"source":"search","version":"v1"}`
	got, rest, _ := strings.Cut(out, "\n")
	if got != want || status != 1 || !strings.Contains(rest, `{"pointer":"/piles","code":"missing","detail":"is missing"}`) {
		t.Errorf("status %d: %s", status, out)
	}
	if out, _ := run(`{"a": "random", "b": "best", "deals": 50}`, "match"); !strings.Contains(out, `{"won":0,`) {
		t.Errorf("%s", out)
	}
}

// The formula agrees with trying all moves.
func TestWinning(t *testing.T) {
	var wins func(h hand) bool
	wins = func(h hand) bool {
		return slices.ContainsFunc(h.moves(), func(m NimMove) bool {
			next, err := h.Act(m)
			return err == nil && !wins(next)
		})
	}
	for i := range 4 * 4 * 4 {
		if h := (hand{Piles: []int{i % 4, i / 4 % 4, i / 16}}); wins(h) != (len(h.winning()) > 0) {
			t.Errorf("%v: %v", h, h.winning())
		}
	}
}
