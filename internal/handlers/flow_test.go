package handlers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	game "roem/internal/service/klaverjas"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/service"
)

const someDeal = `{"trump": "S", "leader": "S", "hands": ` + goodHands + `}`

// counting counts the searches of a real solver, which all wait for the gate first.
func counting(searches *atomic.Int64, gate <-chan struct{}) func(*config) {
	return func(c *config) {
		c.searcher = func() game.Searcher {
			solver := search.New(search.Options{TableBytes: 4 << 20})
			return searcherFunc(func(ctx context.Context, q search.Query) (search.Result, error) {
				searches.Add(1)
				select {
				case <-gate:
				case <-ctx.Done():
					return search.Result{}, ctx.Err()
				}
				return solver.Solve(ctx, q)
			})
		}
	}
}

func open() <-chan struct{} {
	gate := make(chan struct{})
	close(gate)
	return gate
}

// 200 equal requests at a time cost one search, and all get its answer.
func TestEqualRequestsShareOneSearch(t *testing.T) {
	const n = 200
	var searches atomic.Int64
	gate := make(chan struct{})
	s := newServer(t, counting(&searches, gate))
	answers := make([]*httptest.ResponseRecorder, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			answers[i] = httptest.NewRecorder()
			s.ServeHTTP(answers[i], request(http.MethodPost, "/v1/klaverjas/solve", someDeal))
		})
	}
	for searches.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond) // most of the others arrive meanwhile; those that come later must not search either
	close(gate)
	all.Wait()
	for _, w := range answers {
		status(t, w, 200)
		if got := decodeAs[api.Solution](t, w); *got.Outcome != 32 {
			t.Errorf("outcome %d, want 32", *got.Outcome)
		}
	}
	if got := searches.Load(); got != 1 {
		t.Errorf("%d searches, want 1", got)
	}
}

// A search stops when its client leaves.
func TestClientLeaves(t *testing.T) {
	for _, path := range []string{"/v1/klaverjas/solve", "/v1/klaverjas/table", "/v1/klaverjas/analyse"} {
		t.Run(path, func(t *testing.T) {
			waiting := newWaiting()
			s := newServer(t, withSearcher(waiting.solve))
			web := httptest.NewServer(s)
			defer web.Close()
			body := someDeal
			switch path {
			case "/v1/klaverjas/table":
				body = `{"leader": "S", "hands": ` + goodHands + `}`
			case "/v1/klaverjas/analyse":
				body = with(`"played": ["JH", "8S"]`)
			}
			ctx, leave := context.WithCancel(context.Background())
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, web.URL+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			done := make(chan struct{})
			go func() {
				defer close(done)
				if answer, err := web.Client().Do(r); err == nil {
					_ = answer.Body.Close()
				}
			}()
			within(t, waiting.started, "the search")
			leave()
			within(t, waiting.stopped, "the end of the search")
			within(t, done, "the client")
		})
	}
}

// A client that leaves does not take the search away from another one that waits for the same; when the last has gone,
// the search stops.
func TestOneOfTwoClientsLeaves(t *testing.T) {
	waiting := newWaiting()
	s := newServer(t, withSearcher(waiting.solve))
	serve := func(ctx context.Context) <-chan struct{} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.ServeHTTP(httptest.NewRecorder(), request(http.MethodPost, "/v1/klaverjas/solve", someDeal).WithContext(ctx))
		}()
		return done
	}
	first, leaveFirst := context.WithCancel(context.Background())
	second, leaveSecond := context.WithCancel(context.Background())
	defer leaveSecond()
	firstDone := serve(first)
	within(t, waiting.started, "the search")
	secondDone := serve(second)
	until(t, "the second to join", func() bool { return s.service.Shared() == 1 })
	leaveFirst()
	within(t, firstDone, "the first client")
	select {
	case <-waiting.stopped:
		t.Fatal("the search stopped although a client waits")
	case <-waiting.started:
		t.Fatal("the second client searches for itself")
	case <-time.After(50 * time.Millisecond):
	}
	leaveSecond()
	within(t, waiting.stopped, "the end of the search")
	within(t, secondDone, "the second client")
}

// What was solved once comes from the cache, for other goals that it answers, and for the same deal under other names.
func TestCache(t *testing.T) {
	var searches atomic.Int64
	s := newServer(t, counting(&searches, open()))
	solve := func(body string, want api.Source) api.Solution {
		t.Helper()
		w := s.post(t, "/v1/klaverjas/solve", body)
		status(t, w, 200)
		got := decodeAs[api.Solution](t, w)
		if got.Source != want {
			t.Errorf("from the %s, want the %s", got.Source, want)
		}
		if (got.Source == api.Cache) != (got.Stats.Nodes == 0) {
			t.Errorf("%s with %d nodes", got.Source, got.Stats.Nodes)
		}
		return got
	}
	solve(with(`"goal": "win"`), api.Search)
	solve(with(`"goal": "win"`), api.Cache)
	value := solve(with(`"goal": "value"`), api.Search)
	solve(with(`"goal": "win"`), api.Cache)
	moves := solve(with(`"goal": "moves"`), api.Search)
	if again := solve(with(`"goal": "moves"`), api.Cache); cmp.Diff(moves.Moves, again.Moves) != "" || cmp.Diff(moves.Line, again.Line) != "" {
		t.Errorf("the cache answers %+v, the search %+v", again, moves)
	}
	if *moves.Outcome != *value.Outcome || *value.Outcome != 32 {
		t.Errorf("outcomes %d, %d, want 32", *value.Outcome, *moves.Outcome)
	}
	// The same deal with its suits renamed S H D C -> D C S H and its seats turned one place on.
	var hands map[string][]string
	if err := json.Unmarshal([]byte(goodHands), &hands); err != nil {
		t.Fatal(err)
	}
	next := map[string]string{"N": "E", "E": "S", "S": "W", "W": "N"}
	turned := map[string][]string{}
	for seat, hand := range hands {
		for _, card := range hand {
			suit := map[byte]string{'S': "D", 'H': "C", 'D': "S", 'C': "H"}[card[len(card)-1]]
			turned[next[seat]] = append(turned[next[seat]], card[:len(card)-1]+suit)
		}
	}
	twin, err := json.Marshal(map[string]any{"trump": "D", "leader": "W", "hands": turned, "goal": "moves"})
	if err != nil {
		t.Fatal(err)
	}
	got := solve(string(twin), api.Cache)
	if *got.Outcome != 32 || *got.Turn != "W" || got.Deal.Trump != "D" || *got.Deal.Declarer != "EW" {
		t.Errorf("the twin is answered by %+v", got)
	}
	if first := (*got.Line)[0]; first != "JC" {
		t.Errorf("the twin's line starts with %s, want JC", first)
	}
	if got.Deal.CanonicalIndex != moves.Deal.CanonicalIndex || got.Deal.Index == moves.Deal.Index {
		t.Errorf("indices %+v and %+v", got.Deal, moves.Deal)
	}
	if n := searches.Load(); n != 3 {
		t.Errorf("%d searches, want 3", n)
	}
	// Whatever else the answer depends on makes another question of it.
	for _, other := range []string{
		with(`"declarer": "EW"`), with(`"rules": {"system": "amsterdam"}`), with(`"rules": {"melds": false}`),
		with(`"rules": {"pit": {"declarers": 0}}`), with(`"rules": {"four_of_a_kind": {"J": 200}}`),
		with(`"rules": {"nat_melds": "all"}`), with(`"rules": {"under_ruff": "free"}`), with(`"played": ["JH"]`),
		strings.Replace(someDeal, `"trump": "S"`, `"trump": "H"`, 1), strings.Replace(someDeal, `"leader": "S"`, `"leader": "N"`, 1),
	} {
		solve(other, api.Search)
	}
}

// A deal under all names: the plain suits in each of the 6 orders, for each of the 4 seats that the leader can have. One
// after the other or all at a time, they cost one search, and each is answered in its own names.
func TestNamesOfADealShareOneSearch(t *testing.T) {
	var hands map[string][]string
	if err := json.Unmarshal([]byte(goodHands), &hands); err != nil {
		t.Fatal(err)
	}
	const seats, suits = "NESW", "CDHS"
	var bodies, firsts []string
	for turn := range 4 {
		for _, order := range []string{"CDH", "CHD", "DCH", "DHC", "HCD", "HDC"} {
			// Spades are trump in the deal, and stay so here; the other trumps are the vectors' business.
			rename := strings.NewReplacer("C", order[0:1], "D", order[1:2], "H", order[2:3]).Replace
			renamed := map[string][]string{}
			for seat, hand := range hands {
				to := string(seats[(strings.Index(seats, seat)+turn)%4])
				for _, card := range hand {
					face := strings.TrimRight(card, suits)
					renamed[to] = append(renamed[to], face+rename(strings.TrimPrefix(card, face)))
				}
			}
			leader := string(seats[(strings.Index(seats, "S")+turn)%4])
			body, err := json.Marshal(map[string]any{"trump": "S", "leader": leader, "hands": renamed})
			if err != nil {
				t.Fatal(err)
			}
			bodies, firsts = append(bodies, string(body)), append(firsts, leader+rename("JH"))
		}
	}
	if len(bodies) != 24 {
		t.Fatalf("%d requests", len(bodies))
	}
	check := func(i int, w *httptest.ResponseRecorder) (canonical string) {
		t.Helper()
		status(t, w, 200)
		got := decodeAs[api.Solution](t, w)
		if *got.Outcome != 32 || string(*got.Turn)+(*got.Line)[0] != firsts[i] {
			t.Errorf("request %d: outcome %d, %s plays %s; want 32, %s", i, *got.Outcome, *got.Turn, (*got.Line)[0], firsts[i])
		}
		return got.Deal.CanonicalIndex
	}
	t.Run("one after the other", func(t *testing.T) {
		var searches atomic.Int64
		s := newServer(t, counting(&searches, open()))
		indices := map[string]bool{}
		for i, body := range bodies {
			indices[check(i, s.post(t, "/v1/klaverjas/solve", body))] = true
		}
		if n := searches.Load(); n != 1 || len(indices) != 1 {
			t.Errorf("%d searches, %d canonical indices, want 1 of each", n, len(indices))
		}
	})
	t.Run("all at a time", func(t *testing.T) {
		var searches atomic.Int64
		gate := make(chan struct{})
		s := newServer(t, counting(&searches, gate))
		answers := make([]*httptest.ResponseRecorder, len(bodies))
		var all sync.WaitGroup
		for i, body := range bodies {
			all.Go(func() {
				answers[i] = httptest.NewRecorder()
				s.ServeHTTP(answers[i], request(http.MethodPost, "/v1/klaverjas/solve", body))
			})
		}
		for searches.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond) // most of the others arrive meanwhile; those that come later must not search either
		close(gate)
		all.Wait()
		for i, w := range answers {
			check(i, w)
		}
		if n := searches.Load(); n != 1 {
			t.Errorf("%d searches, want 1", n)
		}
	})
}

// An analysis agrees with itself: each value after a card is the one before the next, costs are never below zero and
// add up, and a second request comes from the cache.
func TestAnalysisAddsUp(t *testing.T) {
	s := newServer(t)
	body := with(`"played": ["KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S", "QS", "AS", "JD", "9S", "KS", "8D", "9C", "8C", "AC", "9D", "10C", "QC", "7C", "10D", "7D", "KC", "QH", "JH", "QD", "10H", "9H", "AH", "JC", "AD"]`)
	w := s.post(t, "/v1/klaverjas/analyse", body)
	status(t, w, 200)
	got := decodeAs[api.Analysis](t, w)
	if !got.Finished || len(got.Cards) != 32 || got.Before != 32 {
		t.Fatalf("finished %v, %d cards, before %d", got.Finished, len(got.Cards), got.Before)
	}
	sum := map[api.Seat]api.Tally{}
	for i, c := range got.Cards {
		if i > 0 && c.Before != got.Cards[i-1].After {
			t.Errorf("card %d starts at %d, the one before ended at %d", i+1, c.Before, got.Cards[i-1].After)
		}
		change := c.Before - c.After
		if c.Seat == "E" || c.Seat == "W" {
			change = -change
		}
		best := false
		for _, b := range c.Best {
			best = best || b == c.Card
		}
		if c.Cost < 0 || c.Cost != change || best != (c.Cost == 0) || len(c.Best) == 0 {
			t.Errorf("card %d: %+v", i+1, c)
		}
		tally := sum[c.Seat]
		tally.Cards, tally.Cost = tally.Cards+1, tally.Cost+c.Cost
		if c.Cost > 0 {
			tally.Mistakes++
		}
		sum[c.Seat] = tally
		// Each value is what solve says of the same position.
		if i%5 == 0 {
			var object map[string]any
			if err := json.Unmarshal([]byte(body), &object); err != nil {
				t.Fatal(err)
			}
			object["played"] = object["played"].([]any)[:i]
			text, err := json.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			w := s.post(t, "/v1/klaverjas/solve", string(text))
			status(t, w, 200)
			if outcome := *decodeAs[api.Solution](t, w).Outcome; outcome != c.Before {
				t.Errorf("card %d: before %d, solve says %d", i+1, c.Before, outcome)
			}
		}
	}
	want := api.SeatTallies{N: sum["N"], E: sum["E"], S: sum["S"], W: sum["W"]}
	if diff := cmp.Diff(want, got.Seats); diff != "" {
		t.Errorf("seats (-sum +answer)\n%s", diff)
	}
	ns, ew := got.Seats.N.Cost+got.Seats.S.Cost, got.Seats.E.Cost+got.Seats.W.Cost
	if got.Teams.NS.Cost != ns || got.Teams.EW.Cost != ew || got.Before-ns+ew != got.After || ns == 0 {
		t.Errorf("teams %+v of seats %+v, from %d to %d", got.Teams, got.Seats, got.Before, got.After)
	}
	w = s.post(t, "/v1/klaverjas/solve", body)
	status(t, w, 200)
	if end := decodeAs[api.Solution](t, w); *end.Outcome != got.After {
		t.Errorf("the hand ended at %d, the analysis says %d", *end.Outcome, got.After)
	}
	w = s.post(t, "/v1/klaverjas/analyse", body)
	again := decodeAs[api.Analysis](t, w)
	if again.Source != api.Cache || cmp.Diff(got.Cards, again.Cards) != "" {
		t.Errorf("the second analysis comes from the %s", again.Source)
	}
}

// A table holds what eight solves say.
func TestTableAgreesWithSolve(t *testing.T) {
	s := newServer(t)
	w := s.post(t, "/v1/klaverjas/table", `{"leader": "S", "hands": `+goodHands+`}`)
	status(t, w, 200)
	table := decodeAs[api.Table](t, w)
	rows := map[string]api.TableRow{"C": table.Outcomes.C, "D": table.Outcomes.D, "H": table.Outcomes.H, "S": table.Outcomes.S}
	for trump, row := range rows {
		for declarer, entry := range map[string]api.TableEntry{"NS": row.NS, "EW": row.EW} {
			body := strings.Replace(with(`"declarer": "`+declarer+`"`), `"trump": "S"`, `"trump": "`+trump+`"`, 1)
			w := s.post(t, "/v1/klaverjas/solve", body)
			status(t, w, 200)
			got := decodeAs[api.Solution](t, w)
			if *got.Outcome != entry.Outcome || got.Won != entry.Won || got.Source != api.Cache {
				t.Errorf("%s %s: table %+v, solve %d %v from the %s", trump, declarer, entry, *got.Outcome, got.Won, got.Source)
			}
		}
	}
}

// Cheap requests are answered at once while every searcher is busy and the queue is full.
func TestCheapRequestsWhileBusy(t *testing.T) {
	waiting := newWaiting()
	s := newServer(t, withSearcher(waiting.solve), func(c *config) { c.searchers, c.queue = 1, 1 })
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i := range 2 { // one searches, one waits
		all.Go(func() {
			body := fmt.Sprintf(`{"trump": "C", "leader": "N", "deal": "%d"}`, i)
			s.ServeHTTP(httptest.NewRecorder(), request(http.MethodPost, "/v1/klaverjas/solve", body).WithContext(ctx))
		})
	}
	within(t, waiting.started, "the search")
	defer all.Wait()
	defer cancel()
	until(t, "the other to wait", func() bool { return s.service.Load().Waiting == 1 })
	busy := s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", someDeal), "wait=1"))
	if got := decodeAs[api.Problem](t, busy).Type; busy.Code != 503 || got != "/docs/errors#busy" {
		t.Errorf("%d %s", busy.Code, got)
	}
	began := time.Now()
	status(t, s.post(t, "/v1/klaverjas/legal-moves", someDeal), 200)
	status(t, s.post(t, "/v1/klaverjas/deals/index", someDeal), 200)
	status(t, s.get(t, "/v1/klaverjas/deals/random"), 200)
	status(t, s.get(t, "/healthz"), 200)
	status(t, s.get(t, "/readyz"), 200)
	if took := time.Since(began); took > time.Second {
		t.Errorf("cheap requests took %v", took)
	}
}

func preferring(r *http.Request, preferences ...string) *http.Request {
	for _, p := range preferences {
		r.Header.Add("Prefer", p)
	}
	return r
}

func TestPrefer(t *testing.T) {
	s := newServer(t)
	tests := []struct {
		prefer  []string
		applied string
	}{
		{nil, ""},
		{[]string{"wait=10"}, "wait=10"},
		{[]string{"WAIT = 10"}, "wait=10"},
		{[]string{`wait="10"`}, "wait=10"},
		{[]string{"wait=100000"}, "wait=30"},
		{[]string{"respond-async, wait=7; foo=bar"}, "wait=7"},
		{[]string{"respond-async", "wait=8"}, "wait=8"},
		{[]string{"wait=5, wait=6"}, "wait=5"},
		{[]string{"respond-async"}, ""},
		{[]string{"wait"}, ""},
		{[]string{"wait=soon"}, ""},
		{[]string{"wait=-1"}, ""},
		{[]string{"wait=99999999999999999999"}, ""},
		{[]string{",,;=,"}, ""},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.prefer, "|"), func(t *testing.T) {
			w := s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", someDeal), tt.prefer...))
			status(t, w, 200)
			if got := w.Header().Get("Preference-Applied"); got != tt.applied {
				t.Errorf("applied %q, want %q", got, tt.applied)
			}
		})
	}
}

// A panic anywhere is a 500 that shows nothing of the inside, is logged, and leaves the server working.
func TestPanic(t *testing.T) {
	core, logs := observer.New(zap.InfoLevel)
	var broken atomic.Bool
	broken.Store(true)
	s := newServer(t, func(c *config) {
		c.log = zap.New(core)
		c.searchers = 1
		c.searcher = func() game.Searcher {
			solver := search.New(search.Options{TableBytes: 4 << 20})
			return searcherFunc(func(ctx context.Context, q search.Query) (search.Result, error) {
				if broken.Load() {
					panic("the inside of the server")
				}
				return solver.Solve(ctx, q)
			})
		}
	})
	for _, path := range []string{"/v1/klaverjas/solve", "/v1/klaverjas/analyse", "/v1/klaverjas/table"} {
		body := someDeal
		switch path {
		case "/v1/klaverjas/table":
			body = `{"leader": "S", "hands": ` + goodHands + `}`
		case "/v1/klaverjas/analyse":
			body = with(`"played": ["JH", "8S"]`)
		}
		w := s.post(t, path, body)
		status(t, w, 500)
		if strings.Contains(w.Body.String(), "inside") || strings.Contains(w.Body.String(), "goroutine") {
			t.Errorf("the answer shows the inside: %s", w.Body)
		}
		if logs.FilterField(zap.String("request_id", w.Header().Get("X-Request-ID"))).FilterLevelExact(zap.ErrorLevel).Len() != 1 {
			t.Errorf("the request is not in the log as an error")
		}
	}
	broken.Store(false)
	status(t, s.post(t, "/v1/klaverjas/solve", someDeal), 200)
}

// A searcher that finds what cannot be is a fault of the server, never an answer.
func TestWrongSearch(t *testing.T) {
	s := newServer(t, withSearcher(func(context.Context, search.Query) (search.Result, error) {
		return search.Result{Goal: search.Value, Won: true, Outcome: 999}, nil
	}))
	w := httptest.NewRecorder()
	s.ServeHTTP(w, request(http.MethodPost, "/v1/klaverjas/solve", someDeal))
	status(t, w, 500)
}

// Each request is logged once, with what it took, and without its body.
func TestLog(t *testing.T) {
	core, logs := observer.New(zap.DebugLevel)
	s := newServer(t, func(c *config) { c.log = zap.New(core) })
	status(t, s.post(t, "/v1/klaverjas/solve", someDeal), 200)
	status(t, s.get(t, "/v1/klaverjas/deals/123?trump=H"), 200)
	status(t, s.post(t, "/v1/klaverjas/solve", `{"secret": "10H"}`), 400)
	status(t, s.get(t, "/nothing"), 404)
	entries := logs.TakeAll()
	if len(entries) != 4 {
		t.Fatalf("%d entries, want 4", len(entries))
	}
	want := []map[string]any{
		{"route": "/v1/klaverjas/solve", "status": int64(200), "source": "search", "method": "POST"},
		{"route": "/v1/klaverjas/deals/{index}", "status": int64(200), "method": "GET"},
		{"route": "/v1/klaverjas/solve", "status": int64(400), "problem": "malformed", "violations": int64(3)},
		{"status": int64(404), "problem": "not-found"},
	}
	for i, fields := range want {
		got := entries[i].ContextMap()
		for key, value := range fields {
			if got[key] != value {
				t.Errorf("entry %d: %s is %v, want %v", i, key, got[key], value)
			}
		}
		if got["elapsed"] == nil || got["request_id"] == "" {
			t.Errorf("entry %d: %v", i, got)
		}
		if text := fmt.Sprint(got); strings.Contains(text, "10H") || strings.Contains(text, "secret") {
			t.Errorf("entry %d holds the body: %s", i, text)
		}
	}
	if nodes, _ := entries[0].ContextMap()["nodes"].(int64); nodes <= 0 {
		t.Errorf("nodes %d", nodes)
	}
}

func TestRequestID(t *testing.T) {
	s := newServer(t)
	for sent, kept := range map[string]bool{
		"0af76519-16cd-43dd-8448-eb211c80319c": true, "abc.DEF:123_456": true,
		"": false, "short": false, "with space in it": false, "line\nbreak-12345": false, "<script>alert</script>": false,
		strings.Repeat("a", 65): false, "-starts-with-a-dash": false,
	} {
		r := request(http.MethodGet, "/healthz", "")
		r.Header["X-Request-Id"] = []string{sent}
		got := s.do(t, r).Header().Get("X-Request-ID")
		if (got == sent) != kept || len(got) < 8 {
			t.Errorf("sent %q, got %q", sent, got)
		}
	}
	if a, b := s.get(t, "/healthz").Header().Get("X-Request-ID"), s.get(t, "/healthz").Header().Get("X-Request-ID"); a == b {
		t.Errorf("%s twice", a)
	}
}

func TestHeadAndOptions(t *testing.T) {
	s := newServer(t)
	for path, allow := range map[string]string{
		"/v1/klaverjas/solve": "POST, OPTIONS", "/v1/klaverjas/deals/index": "POST, OPTIONS", "/v1/klaverjas/deals/random": "GET, HEAD, OPTIONS", "/v1/klaverjas/deals/7": "GET, HEAD, OPTIONS",
		"/healthz": "GET, HEAD, OPTIONS", "/openapi.yaml": "GET, HEAD, OPTIONS", "/docs/errors": "GET, HEAD, OPTIONS",
	} {
		w := s.do(t, request(http.MethodOptions, path, ""))
		status(t, w, 204)
		if got := w.Header().Get("Allow"); got != allow {
			t.Errorf("%s allows %q, want %q", path, got, allow)
		}
		head := s.do(t, request(http.MethodHead, path, ""))
		if strings.Contains(allow, "HEAD") {
			status(t, head, 200)
			if head.Body.Len() != 0 || head.Header().Get("Content-Length") == "0" {
				t.Errorf("HEAD %s: %d bytes, length %s", path, head.Body.Len(), head.Header().Get("Content-Length"))
			}
		} else {
			status(t, head, 405)
		}
	}
	status(t, s.do(t, request(http.MethodOptions, "/v1/nothing", "")), 404)
}

func TestDocuments(t *testing.T) {
	s := newServer(t)
	for path, want := range map[string]struct{ mediaType, holds string }{
		"/":                                 {"text/html; charset=utf-8", "curl -s http://example.com/v1/klaverjas/solve"},
		"/docs":                             {"text/html; charset=utf-8", "swagger-ui-bundle.js"},
		"/docs/errors":                      {"text/html; charset=utf-8", `<h2 id="impossible">`},
		"/docs/assets/swagger-ui-bundle.js": {"text/javascript; charset=utf-8", "SwaggerUIBundle"},
		"/docs/assets/swagger-ui.css":       {"text/css; charset=utf-8", ".swagger-ui"},
		"/docs/assets/icon.svg":             {"image/svg+xml", "<svg"},
		"/openapi.yaml":                     {"application/yaml", "openapi: 3.0.3"},
		"/openapi.json":                     {"application/json", `"openapi":"3.0.3"`},
	} {
		t.Run(path, func(t *testing.T) {
			w := s.get(t, path)
			status(t, w, 200)
			if got := w.Header().Get("Content-Type"); got != want.mediaType {
				t.Errorf("type %q, want %q", got, want.mediaType)
			}
			if !strings.Contains(w.Body.String(), want.holds) {
				t.Errorf("does not hold %q", want.holds)
			}
			etag := w.Header().Get("ETag")
			r := request(http.MethodGet, path, "")
			r.Header.Set("If-None-Match", etag)
			if again := s.do(t, r); etag == "" || again.Code != 304 {
				t.Errorf("ETag %s, then %d", etag, again.Code)
			}
			if strings.HasPrefix(want.mediaType, "text/html") {
				policy := w.Header().Get("Content-Security-Policy")
				if !strings.Contains(policy, "script-src 'self';") || strings.Contains(policy, "unsafe") {
					t.Errorf("policy %q", policy)
				}
				for _, bad := range []string{"<script>", "style=", "onclick", "https://", "//cdn"} {
					if strings.Contains(w.Body.String(), bad) {
						t.Errorf("the page holds %q", bad)
					}
				}
			}
		})
	}
	for _, kind := range service.Kinds() {
		if !strings.Contains(s.get(t, "/docs/errors").Body.String(), `id="`+kind.Info().Slug+`"`) {
			t.Errorf("the page of errors does not explain %s", kind.Info().Slug)
		}
	}
}

func TestReadiness(t *testing.T) {
	s := newServer(t)
	status(t, s.get(t, "/readyz"), 200)
	s.Stop()
	status(t, s.get(t, "/readyz"), 503)
	status(t, s.get(t, "/healthz"), 200)
	status(t, s.post(t, "/v1/klaverjas/solve", someDeal), 200)
}

// What random draws can be sent on as it is, and a seed draws the same deal again.
func TestRandomDealsCanBeSolved(t *testing.T) {
	s := newServer(t)
	for _, query := range []string{"", "?trump=h&leader=w", "?draw=class-uniform&trump=♠", "?seed=18446744073709551615"} {
		w := s.get(t, "/v1/klaverjas/deals/random"+query)
		status(t, w, 200)
		drawn := decodeAs[api.NumberedDeal](t, w)
		position, err := json.Marshal(drawn.Position)
		if err != nil {
			t.Fatal(err)
		}
		w = s.post(t, "/v1/klaverjas/legal-moves", string(position))
		status(t, w, 200)
		w = s.get(t, fmt.Sprintf("/v1/klaverjas/deals/%s?trump=%s&leader=%s", drawn.Deal.Index, drawn.Deal.Trump, drawn.Deal.Leader))
		status(t, w, 200)
		if diff := cmp.Diff(drawn.Position, decodeAs[api.NumberedDeal](t, w).Position); diff != "" {
			t.Errorf("(-drawn +unranked)\n%s", diff)
		}
		again := "?seed=" + *drawn.Seed
		if query != "" {
			again = query + "&seed=" + *drawn.Seed
		}
		if strings.Contains(query, "seed") {
			again = query
		}
		if diff := cmp.Diff(drawn, decodeAs[api.NumberedDeal](t, s.get(t, "/v1/klaverjas/deals/random"+again))); diff != "" {
			t.Errorf("the same seed gives another deal\n%s", diff)
		}
	}
	a, b := s.get(t, "/v1/klaverjas/deals/random").Body.String(), s.get(t, "/v1/klaverjas/deals/random").Body.String()
	if a == b {
		t.Error("the same deal twice without a seed")
	}
}

// The server answers over a real connection, too, with the headers that clients rely on.
func TestOverTheWire(t *testing.T) {
	web := httptest.NewServer(newServer(t))
	defer web.Close()
	answer, err := web.Client().Post(web.URL+"/v1/klaverjas/solve", "application/json", strings.NewReader(someDeal))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK || int64(len(body)) != answer.ContentLength {
		t.Errorf("%v, status %d, %d bytes of %d", err, answer.StatusCode, len(body), answer.ContentLength)
	}
	if !strings.HasPrefix(string(body), `{"goal":"value","won":true,"outcome":32,`) {
		t.Errorf("the fields are not in the order of the contract: %.80s", body)
	}
	if answer.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", answer.Header)
	}
}
