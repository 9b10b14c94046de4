package nim

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roem/internal/cli"
	"roem/internal/cli/clitest"
	"roem/internal/cli/lines"
	"roem/internal/handlers/handlerstest"
	"roem/internal/service"
	converter "roem/internal/service/records"
)

func TestNimOverHTTP(t *testing.T) {
	s := handlerstest.New(t, handlerstest.Merged(t, "../../api", "nim.yaml"), func(s *service.Service) {
		New(s)
		converter.New(s, s.Records())
	})
	const sessions, convert = "/v1/nim/sessions", "/v1/records/convert"
	at := sessions + "/" + s.Do(t, "POST", sessions, `{"piles": [3, 4, 5]}`, 201, "NimSession")["id"].(string)
	for _, c := range []struct {
		path, body, schema, want string
		status                   int
	}{
		{"/v1/nim/legal-moves", `{"piles": [1, 1]}`, "NimLegalMoves", "moves:[map[pile:0 take:1] map[pile:1 take:1]]", 200},
		{"/v1/nim/solve", `{"piles": [3, 4, 5]}`, "NimSolution", "won:true", 200},
		{"/v1/nim/solve", `{"piles": [16]}`, "Problem", "expected 0 to 15", 400},
		{"/v1/nim/solve", `{}`, "Problem", "is missing", 400},
		{"/v1/nim/solve", `{"piles": [0]}`, "Problem", "are empty", 422},
		{"/v1/nim/match", `{"a": "best", "b": "random", "deals": 50}`, "NimMatch", "lost:0", 200},
		{"/v1/nim/match", `{"a": "best", "b": "worst"}`, "Problem", "not one of best, random", 400},
		{at + "/play", `{"acts": 0, "pile": 0, "take": 4}`, "Problem", "more than the pile has", 422},
		{at + "/play", `{"acts": 0, "take": 4}`, "Problem", "is missing", 400},
		{at + "/play", `{"acts": 0, "pile": 2, "take": 5}`, "NimSession", "piles:[3 3 0]", 200}, // the program leaves 3 and 3
		{at + "/play", `{"acts": 3, "pile": 0, "take": 1}`, "Problem", "has the number 1", 409},
		{at + "/play", `{"acts": 1, "pile": 0, "take": 3}`, "NimSession", "state:over", 200},
		{convert, `{"form": "text", "text": "roem1:nim;Piles=3.4.5;Play=2:5.1:1.0:3.1:3;Result=1"}`, "", `[Play "2:5 1:1`, 200},
		{convert, `{"form": "json", "text": "[Game \"nim\"]\n[Piles \"2\"]\n[Play \"0:2\"]"}`, "", `"play":["0:2"],"result":["0"]}`, 200},
		{convert, `{"form": "line", "text": "[Game \"nim\"]\n[Piles \"2\"]\n[Play \"0:1 0:2\"]"}`, "Problem", "column 12: Play: take is", 422},
		{convert, `{"form": "line", "text": "roem1:nim;Piles=3.16"}`, "Problem", `"16" is not a number from 0 to 15`, 400},
	} {
		if got := fmt.Sprint(s.Do(t, "POST", c.path, c.body, c.status, c.schema)); !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %s", c.path, c.body, got)
		}
	}
	if got := s.Do(t, "GET", at+"/records", "", 200, "")["text"].(string); !strings.Contains(got, `[Play "2:5 1:1 0:3 1:3"]`) {
		t.Errorf("records %s", got)
	}
	job := s.Do(t, "POST", "/v1/jobs", `{"kind": "nim.solve", "request": {"piles": [1, 1]}}`, 202, "")
	done := s.Do(t, "GET", "/v1/jobs/"+job["id"].(string)+"?wait=20", "", 200, "")
	if result := done["result"].(map[string]any); done["status"] != "succeeded" || result["won"] != false {
		t.Errorf("job %v", done)
	}
	s.Do(t, "DELETE", at, "", 204, "")
	s.Do(t, "GET", at, "", 404, "Problem")
}

func TestNimInABrowser(t *testing.T) {
	b := handlerstest.New(t, handlerstest.Merged(t, "../../api", "nim.yaml"), func(s *service.Service) { New(s) }).Browse(t, "page.tsx")
	b.Click("#lobby-play", "[data-start='3, 4, 5']", "#move-2-4", "[data-acts='1'] #move-0-2:not([aria-disabled=true])")
	b.Shows("document.querySelector('#status').textContent.includes('The computer has won.')")
}

func TestNimAtTheCommandLine(t *testing.T) {
	game := lines.Game[*Game]{Version: "v1", New: func(s *service.Service) (*Game, error) { return New(s), nil }}
	game.Contract = handlerstest.Merged(t, "../../api", "nim.yaml")
	p := cli.Program{Name: "nim", Commands: game.Commands(Operations)}
	clitest.Help(t, p)
	out, _, status := clitest.Run(t, p, "{\"piles\": [1, 2]}\n{}\n", "solve")
	want := `{"source":"search","version":"v1","winning":[{"pile":1,"take":1}],"won":true}`
	got, rest, _ := strings.Cut(out, "\n")
	if got != want || status != 1 || !strings.Contains(rest, `{"pointer":"/piles","code":"missing","detail":"is missing"}`) {
		t.Errorf("status %d: %s", status, out)
	}
	if out, _, _ := clitest.Run(t, p, `{"a": "random", "b": "best", "deals": 50}`, "match"); !strings.Contains(out, `"won":0}`) {
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
