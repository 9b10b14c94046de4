package test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"roem/internal/redistest"
	"roem/internal/testkit"
)

// What a request may cost outside the slots for searches, whatever is in it.
const (
	costCPU      = 50 * time.Millisecond  // of the server, for a body of up to smallBody bytes
	costCPUList  = 300 * time.Millisecond // for a larger one
	costMemory   = 20                     // bytes allocated for each byte of the request and its answer, of which there are at least smallBody
	costList     = 4 * smallBody          // the same for a route with lists: a thousand items may have fewer bytes than what is known of each
	smallBody    = 64 << 10
	largestBody  = 4 << 20
	costTries    = 10 // the least of them counts: what else happens in the process and on the machine is not the cost of the request
	reportedCost = 10
	hangUpEach   = 10 // each of the given number of requests is hung up
)

// spentAddress is where the client sends from that has no time left.
const spentAddress = "127.0.0.2"

// cost is what a request has cost.
type cost struct {
	list      bool          // the route has lists
	cpu       time.Duration // of all threads of the server
	allocated float64       // bytes allocated on the heap, by the runtime's own count: at least what the request had at a time
	status    int           // 0 if the client hung up
	answer    int           // bytes of its body
}

// priced measures what requests to a server cost. One client has no time of searchers left, so what it gets is what is done outside the
// slots. The others have: each request of theirs comes from an address of its own, because explaining a request is charged too.
type priced struct {
	*server
	spent, fresh *http.Client
	addresses    int     // how many have been used
	idle         float64 // bytes that reading the metrics allocates
	reads        int     // how often they have been read
}

// newPriced starts a server that runs no jobs, with two clients.
func newPriced(t *testing.T) *priced {
	t.Helper()
	redis := redistest.Start(t, redistest.Options{})
	s := start(t, "ROEM_REDIS_URL="+redis.URL(), "ROEM_ROLE=api", "ROEM_SEARCH_SEARCHERS=1", "ROEM_SEARCH_TABLE=1MiB", "ROEM_LOG_LEVEL=info",
		"ROEM_LIMITS_SEARCH_TIME=0.0001", "ROEM_LIMITS_SEARCH_BURST=1s", "ROEM_LIMITS_JOBS=0", "ROEM_LIMITS_SESSIONS=0",
		"ROEM_LIMITS_SESSIONS_PER_MINUTE=0", "ROEM_LIMITS_NETWORK_SESSIONS_PER_MINUTE=0", "ROEM_HEALTH_INTERVAL=1h")
	p := &priced{server: s, spent: client(testkit.Patience), fresh: client(testkit.Patience)}
	p.spent.Transport.(*http.Transport).DialContext = from(spentAddress).DialContext
	p.fresh.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		return p.fromAnother().DialContext(ctx, network, address)
	}
	p.fresh.Transport.(*http.Transport).DisableKeepAlives = true
	t.Cleanup(p.spent.CloseIdleConnections)
	t.Cleanup(p.fresh.CloseIdleConnections)
	// 300 worlds take a second or so, and at this rate hours to earn again.
	hard := `{"trump":"S","leader":"S","seat":"S","hand":["7C","JC","AC","JH","KH","7S","9S","KS"],"worlds":1000}`
	p.ask(t, p.spent, http.MethodPost, "/v1/klaverjas/advise", nil, []byte(hard))
	p.settle(t)
	if status, _ := p.ask(t, p.spent, http.MethodPost, "/v1/klaverjas/solve", nil, []byte(solvable)); status != http.StatusTooManyRequests {
		t.Fatalf("the client still has time: status %d", status)
	}
	return p
}

// fromAnother returns a dialer from an address that no request has come from.
func (p *priced) fromAnother() *net.Dialer {
	p.addresses++
	return from(fmt.Sprintf("127.1.%d.%d", p.addresses>>8, p.addresses&255))
}

// read reads a metric.
func (p *priced) read(t *testing.T, name string) float64 {
	t.Helper()
	p.reads++
	return p.metric(t, name)
}

const allocatedBytes = "go_memstats_alloc_bytes_total"

// settle measures what reading the metrics allocates. It grows with the routes that have been used.
func (p *priced) settle(t *testing.T) {
	t.Helper()
	p.idle = math.Inf(1)
	for range 5 {
		before := p.read(t, allocatedBytes)
		p.idle = min(p.idle, p.read(t, allocatedBytes)-before)
	}
}

// ask sends a request and reads its answer. It returns the status, or 0 if the connection ended, and how many bytes the answer had.
func (p *priced) ask(t *testing.T, c *http.Client, method, path string, header http.Header, body []byte) (status, size int) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), method, p.url+path, bytes.NewReader(body))
	if err != nil {
		return 0, 0
	}
	q.Header = header.Clone()
	if q.Header == nil {
		q.Header = http.Header{}
	}
	q.Header.Set("Content-Type", "application/json")
	answer, err := c.Do(q)
	if err != nil {
		return 0, 0
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.Header.Get("Content-Type") == "text/event-stream" {
		return answer.StatusCode, 0
	}
	n, _ := io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, int(n)
}

// hangUp sends a request from an address, closes the connection without reading, and waits until the server has nothing more to do.
func (p *priced) hangUp(t *testing.T, with *net.Dialer, path string, body []byte) (status, size int) {
	t.Helper()
	if err := sendOnly(t, with, p.server, path, body); err != nil {
		t.Error(err)
	}
	p.quiet(t)
	eventually(t, testkit.Patience, "the request has ended", func() bool { return p.read(t, "roem_http_requests_in_flight") <= 1 })
	return 0, 0
}

// explained reports whether a request is refused by an explanation that only clients with time get.
func (p *priced) explained(t *testing.T, method, path string, header http.Header, body []byte) bool {
	t.Helper()
	status, _ := p.ask(t, p.fresh, method, path, header, body)
	return status >= 400 && status != http.StatusTooManyRequests
}

// leaving returns a function that sends a request and hangs up. A request that gets a slot is sent by the client that has no time left:
// what a search uses until it sees that nobody waits for it is used in the slot.
func (p *priced) leaving(t *testing.T, path string, body []byte) func() (status, size int) {
	t.Helper()
	status, _ := p.ask(t, p.spent, http.MethodPost, path, nil, body)
	if status == http.StatusTooManyRequests && !p.explained(t, http.MethodPost, path, nil, body) {
		return func() (int, int) { return p.hangUp(t, from(spentAddress), path, body) }
	}
	return func() (int, int) { return p.hangUp(t, p.fromAnother(), path, body) }
}

// cpu returns the time that the threads of the process have run.
func (s *server) cpu(tb testing.TB) time.Duration {
	tb.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", s.cmd.Process.Pid))
	if err != nil || len(threads) == 0 {
		tb.Fatalf("no threads of the server: %v", err)
	}
	sum := int64(0)
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			continue // it has ended
		}
		first, _, _ := strings.Cut(string(text), " ")
		ran, err := strconv.ParseInt(first, 10, 64)
		if err != nil {
			tb.Fatalf("%s: %q", thread, text)
		}
		sum += ran
	}
	return time.Duration(sum)
}

// quiet waits until the server does nothing, and returns the time that its threads have run.
func (p *priced) quiet(t *testing.T) time.Duration {
	t.Helper()
	for now := p.cpu(t); ; {
		time.Sleep(5 * time.Millisecond)
		next := p.cpu(t)
		if next-now < 500*time.Microsecond {
			return next
		}
		now = next
	}
}

// measure returns the least cost of a request that is sent until it costs no more than it may, at most costTries times.
func (p *priced) measure(t *testing.T, list bool, bytes int, send func() (status, size int)) cost {
	t.Helper()
	least := cost{list: list, cpu: time.Hour, allocated: math.Inf(1)}
	for range costTries {
		memory, reads := p.read(t, allocatedBytes), p.reads
		began := p.cpu(t)
		least.status, least.answer = send()
		least.cpu = min(least.cpu, p.cpu(t)-began)
		used := p.read(t, allocatedBytes) - memory
		least.allocated = min(least.allocated, max(0, used-float64(p.reads-reads)*p.idle))
		if !least.dear(bytes) {
			break
		}
		// Reading the metrics costs more for a while when the collector of garbage has freed the buffers for it.
		p.settle(t)
	}
	return least
}

// dear reports whether a request of the given number of bytes has cost more than it may.
func (c cost) dear(bytes int) bool {
	most := costCPU
	if bytes > smallBody {
		most = costCPUList
	}
	return c.cpu > most || c.allocated > costMemory*float64(c.counted(bytes))
}

// counted returns how many bytes count for the memory that a request may use.
func (c cost) counted(bytes int) int {
	least := smallBody
	if c.list {
		least = costList
	}
	return max(bytes+c.answer, least)
}

// TestAbuseCost sends requests that are made to be expensive to every route of the contract, and measures what each costs outside the
// slots for searches: the processor time of the server, and the memory that it allocates.
func TestAbuseCost(t *testing.T) {
	if raced() {
		t.Skip("the race detector costs more")
	}
	p := newPriced(t)
	var worst []pricedRequest
	requests := 0
	for _, r := range routes(t) {
		t.Run(strings.ReplaceAll(r.String(), "/", " "), func(t *testing.T) {
			if testkit.Full() { // elsewhere a request whose cost is not known this exactly is measured again
				p.settle(t)
			}
			for one := range p.costly(t, r) {
				if t.Failed() && !testkit.Full() {
					return
				}
				requests++
				body := one.body()
				one.bytes = size(one.path, one.header, body)
				if requests%hangUpEach == 0 && r.method == http.MethodPost && one.header == nil {
					one.name += ", hung up"
					if one.cost = p.measure(t, one.list, one.bytes, p.leaving(t, one.path, body)); one.cost.dear(one.bytes) {
						t.Errorf("%s", one)
					}
					continue
				}
				one.cost = p.measure(t, one.list, one.bytes, func() (int, int) { return p.ask(t, p.spent, r.method, one.path, one.header, body) })
				if one.cost.status == http.StatusTooManyRequests {
					// It has got as far as a slot, or as a place for slow explanations: those are for clients with time only.
					if p.explained(t, r.method, one.path, one.header, body) {
						again := func() (int, int) { return p.ask(t, p.fresh, r.method, one.path, one.header, body) }
						one.cost = p.measure(t, one.list, one.bytes, again)
					}
				}
				if one.cost.status >= 500 && one.cost.status != http.StatusServiceUnavailable || one.cost.status == 0 && body != nil {
					t.Errorf("%s: status %d", one.name, one.cost.status)
				}
				if one.cost.dear(one.bytes) {
					t.Errorf("%s", one)
				}
				worst = append(worst, one)
			}
		})
	}
	for name, by := range map[string]func(a, b pricedRequest) int{
		"CPU":    func(a, b pricedRequest) int { return int(b.cost.cpu - a.cost.cpu) },
		"memory": func(a, b pricedRequest) int { return int(b.cost.allocated - a.cost.allocated) },
	} {
		slices.SortFunc(worst, by)
		for _, large := range []bool{false, true} {
			some := slices.DeleteFunc(slices.Clone(worst), func(one pricedRequest) bool { return (one.bytes > smallBody) != large })
			for _, one := range some[:min(reportedCost, len(some))] {
				t.Logf("most %s: %s", name, one)
			}
		}
	}
	t.Logf("%d requests", requests)
	p.sound(t)
}

// pricedRequest is a request and what it has cost.
type pricedRequest struct {
	name   string
	route  string
	path   string
	header http.Header
	body   func() []byte
	list   bool
	bytes  int
	cost   cost
}

func (r pricedRequest) String() string {
	return fmt.Sprintf("%s: %s: %d bytes, %v of CPU, %.0f kB allocated (%.1f times), status %d with %d bytes",
		r.route, r.name, r.bytes, r.cost.cpu.Round(100*time.Microsecond), r.cost.allocated/1000,
		r.cost.allocated/float64(r.cost.counted(r.bytes)),
		r.cost.status, r.cost.answer)
}

// costly returns the expensive requests of a route: all in the full test, every fortieth in the long one, otherwise every two-hundredth.
func (p *priced) costly(t *testing.T, r route) func(func(pricedRequest) bool) {
	t.Helper()
	base, limit := p.examplePath(t, r), 0
	if len(r.bodies) > 0 {
		limit = p.largest(t, r, base)
	}
	all := r.costly(base, limit)
	every := testkit.Times(200, 200, 40, 1)
	return func(yield func(pricedRequest) bool) {
		for i := len(r.path) % every; i < len(all); i += every { // other ones for each route
			if !yield(all[i]) {
				return
			}
		}
	}
}

// costly returns the expensive requests of a route to a path, with bodies of at most limit bytes.
func (r route) costly(base string, limit int) (all []pricedRequest) {
	list := limit > smallBody
	add := func(name, path string, header http.Header, body func() []byte) {
		all = append(all, pricedRequest{name: name, route: r.String(), path: path, header: header, body: body, list: list})
	}
	for name, header := range longHeaders() {
		add(name, base, header, r.firstBody)
	}
	for _, name := range append([]string{"unknown"}, r.parameters("query")...) {
		for what, query := range map[string]string{
			"many":            string(numbered(name+"=0", "&"+name+"%d=1", "", 14<<10)),
			"again and again": string(filled(name+"=1", "&"+name+"=1", "", 14<<10)),
			"digits":          string(filled(name+"=", "9", "", 14<<10)),
			"escapes":         string(filled(name+"=", "%41", "", 14<<10)),
		} {
			add("query: "+name+": "+what, base+"?"+query, nil, r.firstBody)
		}
		for _, value := range r.examplesOf(name) {
			add("query: "+name+": an example", base+"?"+name+"="+url.QueryEscape(value), nil, r.firstBody)
		}
	}
	if strings.Contains(r.path, "{") {
		head, rest, _ := strings.Cut(r.path, "{")
		_, rest, _ = strings.Cut(rest, "}")
		for name, segment := range map[string]string{
			"digits": strings.Repeat("9", 14<<10), "letters": strings.Repeat("x", 14<<10),
			"escapes": strings.Repeat("%41", 5<<10),
		} {
			add("path: "+name, head+segment+rest, nil, r.firstBody)
		}
	}
	had := map[string]bool{} // what other examples had at the same place
	for i, body := range r.bodies {
		for _, one := range append(costlyBodies(body, limit), longLists(body, limit)...) {
			if had[one.name] {
				continue
			}
			had[one.name] = true
			for _, media := range append([]string{""}, r.otherMedia()...) {
				name, header := fmt.Sprintf("example %d, %s", i, one.name), http.Header(nil)
				if media != "" {
					name, header = name+", as "+media, http.Header{"Accept": {media}}
				}
				add(name, base, header, one.text)
			}
		}
	}
	return all
}

// TestCostlyRequests looks for what the expensive requests of an operation leave out: parameters of its own, and answers that are not JSON.
func TestCostlyRequests(t *testing.T) {
	for _, r := range routes(t) {
		have := map[string]bool{}
		for _, one := range r.costly(r.path, smallBody) {
			have[one.header.Get("Accept")] = true
			if _, query, ok := strings.Cut(one.path, "?"); ok {
				name, _, _ := strings.Cut(query, "=")
				have["?"+name] = true
			}
		}
		var want []string
		for _, parameter := range append(r.item.Parameters, r.op.Parameters...) {
			if parameter.Value.In == "query" {
				want = append(want, "?"+parameter.Value.Name)
			}
		}
		for status, answer := range r.op.Responses.Map() {
			for media := range answer.Value.Content {
				if r.op.RequestBody != nil && strings.HasPrefix(status, "2") && media != "application/json" {
					want = append(want, media)
				}
			}
		}
		for _, one := range want {
			if !have[one] {
				t.Errorf("%v has no expensive request with %s", r, one)
			}
		}
	}
}

// size returns how many bytes a request has, without the headers that every request has.
func size(path string, header http.Header, body []byte) int {
	n := len(path) + len(body)
	for name, values := range header {
		n += len(name) + len(strings.Join(values, ""))
	}
	return n
}

// firstBody returns the first example of the body, nil for a route without one.
func (r route) firstBody() []byte {
	if len(r.bodies) == 0 {
		return nil
	}
	return r.bodies[0]
}

// largest returns how large a body of the route may be.
func (p *priced) largest(t *testing.T, r route, path string) int {
	t.Helper()
	if status, _ := p.ask(t, p.fresh, r.method, path, nil,
		bytes.Repeat([]byte(" "), smallBody+1)); status == http.StatusRequestEntityTooLarge {
		return smallBody
	}
	return largestBody
}

// examplePath returns the path of a route with the examples of its parameters, of a new session where it has the id of one.
func (p *priced) examplePath(t *testing.T, r route) string {
	t.Helper()
	path := r.path
	for _, parameter := range append(r.item.Parameters, r.op.Parameters...) {
		if v := parameter.Value; v.In == "path" {
			value := r.examplesOf(v.Name)[0]
			if strings.Contains(r.path, "/sessions/") {
				value = someSessions(t, p.server, r)[0]
			}
			path = strings.ReplaceAll(path, "{"+v.Name+"}", url.PathEscape(value))
		}
	}
	return path
}

// longHeaders returns headers that are as long as the server reads.
func longHeaders() map[string]http.Header {
	const most = 14 << 10
	all := map[string]http.Header{"headers: many": {}}
	for i := range 400 {
		all["headers: many"].Set(fmt.Sprintf("X-Header-%d", i), "0123456789")
	}
	for name, value := range map[string]string{
		"Prefer": "wait=1,", "Accept": "text/html;q=0.1,", "Idempotency-Key": "a", "X-Request-ID": "a", "Authorization": "Bearer a",
		"If-None-Match":   `"a",`,
		"X-Forwarded-For": "10.0.0.1,", "Traceparent": "00-", "Tracestate": "a=1,", "Last-Event-ID": "9", "Cookie": "a=b; ",
		"Accept-Language": "nl,", "Origin": "a",
		"Content-Encoding": "identity,",
	} {
		all["header: "+name] = http.Header{http.CanonicalHeaderKey(name): {strings.Repeat(value, most/len(value))}}
	}
	return all
}
