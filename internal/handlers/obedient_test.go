package handlers_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/testkit"
)

// obedient is a client that sends its requests over HTTP, from an address of its own, and tries again after the time in Retry-After.
type obedient struct {
	tb     testing.TB
	url    string
	client *http.Client

	refused int           // answers with Retry-After
	waited  time.Duration // because of them
}

// mostRefusals is how often a request of an obedient client is refused at most. The balance of its client can be negative, from what came
// before, so that it is refused once. When it has waited, nothing stands in its way.
const mostRefusals = 2

var clients atomic.Uint32

// newObedient returns a client with another address than those before.
func newObedient(tb testing.TB, url string) *obedient {
	tb.Helper()
	var ip [4]byte
	binary.BigEndian.PutUint32(ip[:], 127<<24+2<<16+clients.Add(1))
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: ip[:]}}
	transport := &http.Transport{DialContext: dialer.DialContext}
	tb.Cleanup(transport.CloseIdleConnections)
	return &obedient{tb: tb, url: url, client: &http.Client{Transport: transport, Timeout: testkit.Patience}}
}

// ServeHTTP answers a request with what the server answers in the end.
func (o *obedient) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		o.tb.Fatal(err)
	}
	for refused := 0; ; refused++ {
		again, err := http.NewRequestWithContext(r.Context(), r.Method, o.url+r.URL.RequestURI(), bytes.NewReader(body))
		if err != nil {
			o.tb.Fatal(err)
		}
		again.Header = r.Header.Clone()
		got, err := o.client.Do(again)
		if err != nil {
			o.tb.Fatal(err)
		}
		text, err := io.ReadAll(got.Body)
		_ = got.Body.Close()
		if err != nil {
			o.tb.Fatal(err)
		}
		if got.StatusCode != http.StatusTooManyRequests && got.StatusCode != http.StatusServiceUnavailable {
			maps.Copy(w.Header(), got.Header)
			w.WriteHeader(got.StatusCode)
			_, _ = w.Write(text)
			return
		}
		after, err := strconv.Atoi(got.Header.Get("Retry-After"))
		if err != nil || refused >= mostRefusals {
			o.tb.Fatalf("%s %s: refused %d times although the client obeys Retry-After, which is now %q: %s",
				r.Method, r.URL.Path, refused+1, got.Header.Get("Retry-After"), text)
		}
		o.refused++
		o.waited += time.Duration(after) * time.Second
		time.Sleep(time.Duration(after) * time.Second)
	}
}

// smallShare is the searcher time that an obedient client may use, in seconds per second.
const smallShare = 0.5

// newSmallBudget returns a server on whose searchers a client may be for a millisecond at once, its address, and how often a searcher has
// been given to a search.
func newSmallBudget(t *testing.T) (s *server, url string, searched *atomic.Int64) {
	t.Helper()
	searched = new(atomic.Int64)
	s = newServer(t, func(c *config) {
		c.searchers, c.noCache = 2, true
		c.limits = computation.Limits{Searches: 4, Time: smallShare, Burst: time.Millisecond}
		c.observer.Waited = func(time.Duration) { searched.Add(1) }
	})
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	return s, web.URL, searched
}

// Every operation ends for a client that obeys Retry-After, however small the time on slots that it may use: a request that has begun is
// not refused. The requests are all examples of the contract.
func TestObedientClientsGetAnswers(t *testing.T) {
	s, url, _ := newSmallBudget(t)
	for _, e := range collect(t, s.doc) {
		if e.server != "" || strings.HasPrefix(e.name, "problem.") {
			continue
		}
		t.Run(e.name, func(t *testing.T) {
			through := *s
			through.through = newObedient(t, url).ServeHTTP
			w := e.ask(t, &through)
			if e.status != 0 {
				status(t, w, e.status)
			}
		})
	}
}

const (
	obedientDeal = `"hands": {"A": ["T1","T4","T6","T11","T14","T15","T21","HK","SK","D4","D3","D1","DJ","DK","C8","CJ"], ` +
		`"B": ["T2","T8","T9","T13","T16","T17","T18","T19","S8","SQ","DC","DQ","C7","C10","CC","CK"], ` +
		`"C": ["T3","T10","T12","T22","H4","H3","H2","HJ","HQ","S7","S9","S10","SJ","D2","C9","CQ"]}, ` + obedientTalon
	obedientTalon = `"talon": ["T7","H1","HC","T5","T20","SC"]`
	obedientHand  = `"hand": ["T1","T4","T6","T11","T14","T15","T21","HK","SK","D4","D3","D1","DJ","DK","C8","CJ"], "seat": "A", "seed": "1"`
	obedientView  = `"hand": ["7C","JC","AC","JH","KH","7S","9S","KS"], "leader": "S", "seat": "S", "trump": "S"`
	obedientFour  = `{"deal": "1", "leader": "N", "trump": "C"}, {"deal": "71234567890123456", "leader": "W", "trump": "D"}, ` +
		`{"deal": "31234567890123456", "leader": "W", "trump": "D"}, {"deal": "51234567890123456", "leader": "W", "trump": "D"}`
	obedientRound = `{"starter": "A", "upcard": "10S", "hands": {"A": ["5H","6H","7H","JS","AS","2D","3D","6D","7D","8D"], ` +
		`"B": ["2C","3C","4C","8C","QC","KH","7S","KS","JD","QS"]}, "events": [{"seat": "A", "kind": "take", "card": "10S"}, ` +
		`{"seat": "A", "kind": "discard", "card": "5H"}]}`
	obedientTarok = `{"hands": {"A": ["T1","T4","T6","T11","T14","T15","T21","HK","SK","D4","D3","D1","DJ","DK","C8","CJ"], ` +
		`"B": ["T2","T8","T9","T13","T16","T17","T18","T19","S8","SQ","DC","DQ","C7","C10","CC","CK"], ` +
		`"C": ["T3","T10","T12","T22","H4","H3","H2","HJ","HQ","S7","S9","S10","SJ","D2","C9","CQ"]}, ` +
		`"talon": ["T7","H1","HC","T5","T20","SC"], "contract": "two", "declarer": "A", "group": 2, "discards": ["C8","CJ"], ` +
		`"played": ["DK","DC","D2","HK"], "worlds": 20}`
	obedientStacks = `"stacks": {"A": [["7S",null],["10H",null],["7H",null],["10S",null],["KD",null],["QH",null],["8C",null],["QS",null]], ` +
		`"B": [["QD",null],["AD",null],["KS",null],["KH",null],["7D",null],["10C",null],["JD",null],["JC",null]]}, "leader": "A", "trump": "H"`
)

// An operation that takes a searcher several times, one after another or at the same time, is refused before the first time or never. The
// operations that are missing here keep a searcher for less than a turn.
func TestRequestsAreAdmittedOnce(t *testing.T) {
	testkit.NotRaced(t, "one request after the other")
	s, url, searched := newSmallBudget(t)
	// Those give a searcher back after a turn of 100 ms. On a fast machine they may need only one.
	inTurns := map[string]bool{"belote/bid": true, "klaverjas/hand-strength": true, "tarok/solve": true, "tarok/advise": true}
	for path, body := range map[string]string{
		"klaverjas/table": `{"leader": "N", "hands": ` + someHands + `}`,
		"klaverjas/advise": `{` + obedientView +
			`, "worlds": 400, "played": ["KH","8S","7H","8H","JS","10S","KD","7S","QS","AS","JD","9S"]}`,
		"klaverjas/review": `{"leader": "S", "seat": "S", "trump": "S", "worlds": 20, "hands": ` + someHands +
			`, "played": ["KH", "8S", "7H", "8H"]}`,
		"klaverjas/hand-strength": `{"hand": ["JC","AC","QC","8C","AD","7D","9H","AS"], "leader": "N", "method": "exact", "precision": ` +
			`0.2, "seat": "W", "trump": "C"}`,
		"klaverjas/hand-strength/batch": `{"hands": [{"hand": ["JH","9H","AH","7H","AS","10S","KD","8C"]}, {"hand": ` +
			`["JH","9H","AH","8H","AS","10S","KD","8C"]}], "leader": "S", "method": "network", "precision": 2, "seat": "S", "trump": "H"}`,
		"klaverjas/hybrid/batch": `{"min_confidence": 1, "positions": [` + obedientFour + `]}`,
		"belote/compare":         `{"deals": 6, "seed": "1", "suits": [2]}`,
		"belote/advise":          `{` + obedientStacks + `, "worlds": 15}`,
		"belote/bid":             `{"open": {"A": ["QH","AS","10S","7H"], "B": ["JH","9H","KS","8S"]}, "suits": ["H","S"], "worlds": 400}`,
		"tarok/solve": `{"contract": "two", "declarer": "A", "depth": 9, "deepening": false, "history": false, "selection": "all", ` +
			`"table": "none", "discards": ["C8","CJ"], "goal": "moves", "group": 2, ` + obedientDeal + `}`,
		"tarok/complexity": `{"playouts": 3000}`,
		"tarok/advise": `{"contract": "two", "declarer": "A", "discards": ["C8","CJ"], "group": 2, ` + obedientHand + `, ` +
			obedientTalon + `, "evaluation": "searches", "worlds": 300}`,
		"klaverjas/sessions":    `{"players": {"partner": "playout:60", "opponents": "playout:60"}, "leader": "W", "trump": "S", "seed": "2"}`,
		"tarok/sessions":        `{"seed": "2", "seat": "C"}`,
		"klaverjas/play":        `{"players": {"N": "playout:60", "E": "pimc:20"}, "seed": "2"}`,
		"klaverjas/match":       `{"a": "simple", "b": "playout:2", "deals": 3}`,
		"klaverjas/solve/batch": `{"positions": [` + obedientFour + `]}`,
		"belote/match":          `{"a": "simple", "b": "sampling:2", "deals": 3, "suits": 1}`,
		"gin-rummy/review":      obedientRound,
		"gin-rummy/match":       `{"a": "simple", "b": "playout", "deals": 2}`,
		"tarok/review":          obedientTarok,
		"tarok/match":           `{"a": "heuristic", "b": "program", "deals": 1, "hands": 1}`,
	} {
		t.Run(path, func(t *testing.T) {
			before := searched.Load()
			client := newObedient(t, url)
			through := *s
			through.through = client.ServeHTTP
			w := through.post(t, "/v1/"+path, body)
			if w.Code == http.StatusAccepted {
				job := decodeAs[api.Job](t, w)
				// The race detector and other programs make a job several times as long.
				for end := time.Now().Add(10 * time.Minute); job.Status != "succeeded"; job = decodeAs[api.Job](t, w) {
					if job.FinishedAt != nil || time.Now().After(end) {
						t.Fatalf("the job: %+v", job)
					}
					w = through.get(t, job.Links.Self+"?wait=30")
				}
			}
			if w.Code != http.StatusOK && w.Code != http.StatusCreated {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if n := searched.Load() - before; n < 2 && !inTurns[path] {
				t.Errorf("it took a searcher %d times: this request is too small for the test", n)
			}
			t.Logf("took a searcher %d times, was refused %d times", searched.Load()-before, client.refused)
		})
	}
}

// The time that a job uses is charged to its client. While none is left, the client can create no job that needs work.
func TestJobsAreCharged(t *testing.T) {
	onEachQueue(t, func(t *testing.T, queue func(*config)) {
		t.Helper()
		s := newServer(t, queue, keyed, func(c *config) {
			c.noCache, c.limits = true, computation.Limits{Time: 0.001, Burst: time.Millisecond}
		})
		first := request(http.MethodPost, "/v1/jobs", jobOf("klaverjas.table", `{"leader": "N", "hands": `+someHands+`}`))
		job := s.finished(t, accepted(t, s.do(t, first)))
		if job.Status != "succeeded" {
			t.Fatalf("the job: %+v", job)
		}
		other := jobOf("klaverjas.solve", `{"trump": "C", "leader": "N", "deal": "1"}`)
		for what, w := range map[string]*httptest.ResponseRecorder{
			"another job": s.post(t, "/v1/jobs", other),
			"a search":    s.post(t, "/v1/klaverjas/solve", `{"trump": "C", "leader": "N", "deal": "2"}`),
			"a batch":     s.post(t, "/v1/klaverjas/solve/batch", `{"positions": [{"trump": "C", "leader": "N", "deal": "3"}]}`),
		} {
			status(t, w, http.StatusTooManyRequests)
			after, err := strconv.Atoi(w.Header().Get("Retry-After"))
			if problem := decodeAs[api.Problem](t, w); err != nil || after < 2 || !strings.Contains(problem.Detail, "more time than is allowed") {
				t.Errorf("%s: %v %+v", what, w.Header(), problem)
			}
		}
		again := s.post(t, "/v1/jobs", jobOf("klaverjas.table", `{"leader": "N", "hands": `+someHands+`}`))
		status(t, again, http.StatusOK)
		if got := decodeAs[api.Job](t, again); got.Id != job.Id {
			t.Errorf("an equal job is %s, want %s", got.Id, job.Id)
		}
		bob := request(http.MethodPost, "/v1/jobs", other)
		bob.RemoteAddr = "192.0.2.77:1"
		accepted(t, s.do(t, bob))
	})
}
