package handlerstest

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"roem/internal/cli"
	"roem/internal/cli/clitest"
	"roem/internal/cli/lines"
	"roem/internal/service"
	"roem/internal/service/records"
)

// Game is a game as a test adds it to the program: its declaration, what adds it to a service, and its part of the contract, a file.
type Game[G any] struct {
	Declared *service.Declaration[G]
	New      func(*service.Service) G
	Part     string
}

// Server returns a server of the game and of the records of its hands.
func (g Game[G]) Server(t *testing.T) *Server {
	t.Helper()
	return New(t, Merged(t, filepath.Join(moduleRoot(t), "api"), g.Part), func(s *service.Service) {
		g.New(s)
		records.New(s, s.Records())
	})
}

// CommandLine returns what runs the commands of the game on lines of input. Their help is checked.
func (g Game[G]) CommandLine(t *testing.T) func(input string, args ...string) (out string, status int) {
	t.Helper()
	game := lines.Game[G]{
		Version: "v1", New: func(s *service.Service) (G, error) { return g.New(s), nil },
	}
	p := cli.Program{Name: g.Declared.Name, Commands: game.Commands(g.Declared)}
	clitest.Help(t, p)
	return func(input string, args ...string) (string, int) {
		out, _, status := clitest.Run(t, p, input, args...)
		return out, status
	}
}

// Row is a request, and its answer: the path, the body, which a GET has not, the status, with a space and the name of its schema if it has
// one, and what the answer has among other things.
type Row [4]string

// Rows sends requests one after the other.
func (s *Server) Rows(t *testing.T, rows ...Row) {
	t.Helper()
	for _, r := range rows {
		method := "POST"
		if r[1] == "" {
			method = "GET"
		}
		number, schema, _ := strings.Cut(r[2], " ")
		status, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(s.Do(t, method, r[0], r[1], status, schema)); !strings.Contains(got, r[3]) {
			t.Errorf("%s %s: %s", r[0], r[1], got)
		}
	}
}

// Job returns the result of a job of the kind.
func (s *Server) Job(t *testing.T, kind, request string) map[string]any {
	t.Helper()
	job := s.Do(t, "POST", "/v1/jobs", `{"kind": "`+kind+`", "request": `+request+`}`, 202, "")
	id, _ := job["id"].(string)
	done := s.Do(t, "GET", "/v1/jobs/"+id+"?wait=20", "", 200, "")
	result, is := done["result"].(map[string]any)
	if done["status"] != "succeeded" || !is {
		t.Fatalf("job %v", done)
	}
	return result
}
