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
)

func TestNimOverHTTP(t *testing.T) {
	s := handlerstest.New(t, handlerstest.Merged(t, "../../api", "nim.yaml"), func(s *service.Service) { New(s) })
	if got := s.Do(t, "POST", "/v1/nim/legal-moves", `{"piles": [1, 2]}`, 200, "NimLegalMoves"); len(got["moves"].([]any)) != 3 {
		t.Errorf("moves %v", got)
	}
	if got := s.Do(t, "POST", "/v1/nim/solve", `{"piles": [3, 4, 5]}`, 200, "NimSolution"); got["won"] != true {
		t.Errorf("solution %v", got)
	}
	s.Do(t, "POST", "/v1/nim/solve", `{"piles": [16]}`, 400, "Problem")
	s.Do(t, "POST", "/v1/nim/solve", `{}`, 400, "Problem")
	s.Do(t, "POST", "/v1/nim/solve", `{"piles": [0]}`, 422, "Problem")

	job := s.Do(t, "POST", "/v1/jobs", `{"kind": "nim.solve", "request": {"piles": [1, 1]}}`, 202, "")
	done := s.Do(t, "GET", "/v1/jobs/"+job["id"].(string)+"?wait=20", "", 200, "")
	if result := done["result"].(map[string]any); done["status"] != "succeeded" || result["won"] != false {
		t.Errorf("job %v", done)
	}

	at := "/v1/nim/sessions"
	at += "/" + s.Do(t, "POST", at, `{"piles": [3, 4, 5]}`, 201, "NimSession")["id"].(string)
	s.Do(t, "POST", at+"/play", `{"acts": 0, "pile": 0, "take": 4}`, 422, "Problem")
	s.Do(t, "POST", at+"/play", `{"acts": 0, "take": 4}`, 400, "Problem")
	s.Do(t, "POST", at+"/play", `{"acts": 0, "pile": 2, "take": 5}`, 200, "NimSession") // the program leaves 3 and 3
	if got := fmt.Sprint(s.Do(t, "GET", at, "", 200, "NimSession")["piles"]); got != "[3 3 0]" {
		t.Errorf("piles %s", got)
	}
	s.Do(t, "POST", at+"/play", `{"acts": 3, "pile": 0, "take": 1}`, 409, "Problem")
	s.Do(t, "POST", at+"/play", `{"acts": 1, "pile": 0, "take": 3}`, 200, "NimSession")
	if got := s.Do(t, "GET", at, "", 200, "NimSession"); got["state"] != "lost" {
		t.Errorf("session %v", got)
	}
	s.Do(t, "DELETE", at, "", 204, "")
	s.Do(t, "GET", at, "", 404, "Problem")
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
}

// The formula agrees with trying all moves.
func TestWinning(t *testing.T) {
	var wins func(p piles) bool
	wins = func(p piles) bool {
		return slices.ContainsFunc(p.moves(), func(m NimMove) bool { return !wins(p.after(m)) })
	}
	for i := range 4 * 4 * 4 {
		if p := (piles{i % 4, i / 4 % 4, i / 16}); wins(p) != (len(p.winning()) > 0) {
			t.Errorf("%v: %v", p, p.winning())
		}
	}
}
