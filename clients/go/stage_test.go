package roem_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	roem "roem/clients/go"
)

// stage is a real server behind a proxy that refuses, cuts and restarts (clients/stage).
type stage struct {
	URL, Control, Key string
	Direct            string // the server itself
	Closed            string // an address where nothing listens
	Strangers         string // a server that is not Roem
}

// counts is what the server has, and what the proxy saw.
type counts struct{ Jobs, Sessions, Requests, Cut int }

// stream is what a client asked of a stream of events, and got.
type stream struct {
	After string
	Sent  []string
}

func start(t *testing.T) *stage {
	t.Helper()
	program, server := os.Getenv("ROEM_STAGE"), os.Getenv("ROEM_SERVER")
	if program == "" || server == "" {
		t.Fatal("run the tests with make test-clients")
	}
	process := exec.Command(program, "-server", server) // it ends with its standard input
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	check(t, err)
	out, err := process.StdoutPipe()
	check(t, err)
	check(t, process.Start())
	t.Cleanup(func() { check(t, in.Close()); check(t, process.Wait()) })
	line, err := bufio.NewReader(out).ReadBytes('\n')
	check(t, err)
	s := &stage{}
	check(t, json.Unmarshal(line, s))
	return s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func must[V any](v V, err error) func(*testing.T) V {
	return func(t *testing.T) V {
		t.Helper()
		check(t, err)
		return v
	}
}

func (s *stage) ask(t *testing.T, method, what string, into any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.Control+what, http.NoBody)
	check(t, err)
	answer, err := http.DefaultClient.Do(r)
	check(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	check(t, err)
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", what, text)
	}
	if into != nil {
		check(t, json.Unmarshal(text, into))
	}
}

func (s *stage) tell(t *testing.T, what string) {
	t.Helper()
	s.ask(t, http.MethodPost, what, nil)
}

func (s *stage) counts(t *testing.T) (c counts) {
	t.Helper()
	s.ask(t, http.MethodGet, "/counts", &c)
	return c
}

func (s *stage) streams(t *testing.T) (all []stream) {
	t.Helper()
	s.ask(t, http.MethodGet, "/streams", &all)
	return all
}

func (s *stage) client() *roem.Client { return roem.New(s.URL, roem.Settings{Key: s.Key}) }

// hasty returns a client that does not really wait between attempts, and its waits. Each wait is told to during.
func (s *stage) hasty(during func(time.Duration)) (*roem.Client, *[]time.Duration) {
	pauses := new([]time.Duration)
	return roem.New(s.URL, roem.Settings{Key: s.Key, Patience: 20 * time.Second, Pause: func(_ context.Context, wait time.Duration) error {
		*pauses = append(*pauses, wait)
		if during != nil {
			during(wait)
		}
		return nil
	}}), pauses
}
