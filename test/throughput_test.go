package test

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"roem/internal/api"
	"roem/internal/loadtest"
	"roem/internal/testkit"
)

// If the environment variable bareVariable is set, the test program is the bare server of TestCachedThroughput, which answers with the
// content of the file that the variable names.
const bareVariable = "TEST_AS_BARE_SERVER"

// bare runs a server that answers POST /v1/klaverjas/solve by decoding the body and encoding the same solution each time.
func bare(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var solution api.KlaverjasSolution
	if err := json.Unmarshal(text, &solution); err != nil {
		return err
	}
	r := chi.NewRouter()
	r.Post("/v1/klaverjas/solve", func(w http.ResponseWriter, r *http.Request) {
		var in api.KlaverjasSolveRequest
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(solution)
	})
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if _, err := os.Stdout.WriteString(listener.Addr().String() + "\n"); err != nil {
		return err
	}
	return (&http.Server{Handler: r, ReadHeaderTimeout: time.Minute}).Serve(listener)
}

// startBare starts this program as the bare server.
func startBare(t *testing.T, file string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), bareVariable+"="+file)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	addr := make([]byte, 64)
	n, err := out.Read(addr)
	if err != nil {
		t.Fatal(err)
	}
	return "http://" + strings.TrimSpace(string(addr[:n]))
}

// throughput sends requests from several clients, which wait for each answer, and returns the answers per second. body returns the body of
// the n-th request.
func throughput(t *testing.T, url string, body func(n int64) []byte, clients int, duration time.Duration) float64 {
	t.Helper()
	c := client(testkit.Patience)
	defer c.CloseIdleConnections()
	var sent, answers atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for range clients {
		all.Go(func() {
			for time.Since(began) < duration {
				answer, err := c.Post(url+"/v1/klaverjas/solve", "application/json", bytes.NewReader(body(sent.Add(1))))
				if err != nil {
					t.Error(err)
					return
				}
				_, err = io.Copy(io.Discard, answer.Body)
				_ = answer.Body.Close()
				if err != nil || answer.StatusCode != http.StatusOK {
					t.Errorf("%d, %v", answer.StatusCode, err)
					return
				}
				answers.Add(1)
			}
		})
	}
	all.Wait()
	return float64(answers.Load()) / time.Since(began).Seconds()
}

// TestCachedThroughput compares cached solves with a bare chi handler that decodes and encodes the same bodies, in turns, on the same
// machine, with the same clients.
func TestCachedThroughput(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	rounds, each := 1, 300*time.Millisecond
	if testkit.Full() {
		rounds, each = 9, 2*time.Second
	}
	s := startLogging(t, "127.0.0.1:0", withoutRequests, "ROEM_LOG_LEVEL=info")
	route, err := loadtest.NewRoute("solve-cached", 1, 71)
	if err != nil {
		t.Fatal(err)
	}
	q, err := route.Next()
	if err != nil {
		t.Fatal(err)
	}
	c := client(testkit.Patience)
	defer c.CloseIdleConnections()
	answer, err := c.Post(s.url+q.Path, "application/json", bytes.NewReader(q.Body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%d, %v: %s", answer.StatusCode, err, text)
	}
	file := filepath.Join(t.TempDir(), "solution.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	plain := startBare(t, file)
	var unequal atomic.Int64
	for _, tt := range []struct {
		name string
		body func(int64) []byte
		want float64
	}{
		{"in the same bytes each time", func(int64) []byte { return q.Body }, 0.75},
		{"in other bytes each time", func(int64) []byte { return spaced(q.Body, unequal.Add(1)) }, 0.6},
	} {
		var ratios, served, decoded []float64
		for range rounds {
			a := throughput(t, s.url, tt.body, 16, each)
			b := throughput(t, plain, tt.body, 16, each)
			served, decoded, ratios = append(served, a), append(decoded, b), append(ratios, a/b)
		}
		median := func(v []float64) float64 { return slices.Sorted(slices.Values(v))[len(v)/2] }
		t.Logf("cached solves %s: %.0f per second, a bare handler %.0f; the ratio is %.2f (the median of %d rounds of %v)",
			tt.name, median(served), median(decoded), median(ratios), rounds, each)
		if testkit.Full() && median(ratios) < tt.want {
			t.Errorf("%s: the ratio is %.2f, want %v", tt.name, median(ratios), tt.want)
		}
	}
	s.sound(t)
}

// spaced returns the body with n after it, in binary, as spaces and tabs: the same request in other bytes.
func spaced(body []byte, n int64) []byte {
	out := append(make([]byte, 0, len(body)+24), body...)
	for range 24 {
		out = append(out, " \t"[n&1])
		n >>= 1
	}
	return out
}
