package test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"roem/internal/testkit"
)

// worstBody is a request that was among the most expensive ones.
type worstBody struct {
	name, path, body string
	was              string // what it cost before
	valid            bool
}

// worstBodies are the invalid requests that cost most when every violation was collected, and the records that cost most when each had
// its cards read again.
func worstBodies() []worstBody {
	zeros := func(n int) string { return "[" + strings.Repeat("0,", n-1) + "0]" }
	objects := func(n int) string { return "[" + strings.Repeat("{},", n-1) + "{}]" }
	unknown := string(numbered("{", `"a%d":0,`, `"b":0}`, 4_190_000))
	item := `{"trump":"C","leader":"N","deal":"0","played":` + zeros(2050) + `}`
	const seen = `"trump":"S","leader":"S","seat":"S","hand":["7C","JC","AC","JH","KH","7S","9S","KS"]`
	const position = `{"trump":"C","leader":"N","deal":"0","played":`
	const cfn = "W:.AKQJT987../...AKQJT987/7..AKQJ987./AKQJT98..T. - 100hNS\n"
	records := func(before string) string {
		return string(mustJSON(map[string]any{"text": before + strings.Repeat(cfn, 983)}))
	}
	all := []worstBody{
		{name: "a thousand records of one line", path: "/v1/records/convert", body: records(""), was: "103 ms", valid: true},
		{name: "a thousand records after a tag", path: "/v1/records/convert", body: records("[Game \"klaverjas\"]\n"), was: "146 ms"},
	}
	for _, one := range []struct{ name, path, body, was string }{
		{"a list of empty events", "/v1/gin-rummy/estimate", `{"events":` + objects(21_000) + `}`, "570 ms"},
		{"zeros instead of cards, legal moves", "/v1/klaverjas/legal-moves", position + zeros(32_000) + `}`, "300 ms"},
		{"zeros instead of cards, solve", "/v1/klaverjas/solve", position + zeros(32_000) + `}`, "300 ms"},
		{"zeros instead of cards, tarok", "/v1/tarok/score", `{"played":` + zeros(32_000) + `}`, "300 ms"},
		{"a card of emoji", "/v1/klaverjas/knowledge/card", `{` + seen + `,"card":"` + strings.Repeat("🂡", 16_000) + `"}`, "4.6 s"},
		{"a list of empty positions", "/v1/klaverjas/predict/batch", `{"positions":` + objects(1_390_000) + `}`, "1.0 s"},
		{"unknown fields in a job", "/v1/jobs", `{"kind":"klaverjas.solve","request":` + unknown + `}`, "58 s"},
		{"a thousand items of zeros", "/v1/klaverjas/predict/batch", `{"positions":[` + strings.Repeat(item+",", 999) + item + `]}`, "223 s"},
	} {
		all = append(all, worstBody{name: one.name, path: one.path, body: one.body, was: one.was})
	}
	return all
}

// worstLists are the worst bodies of the largest size.
func worstLists() []worstBody {
	return slices.DeleteFunc(worstBodies(), func(one worstBody) bool { return len(one.body) <= smallBody })
}

// TestAbuseWorst sends each of the worst requests, and hangs up after it.
func TestAbuseWorst(t *testing.T) {
	if raced() {
		t.Skip("the race detector costs more")
	}
	p := newPriced(t)
	for _, worst := range worstBodies() {
		t.Run(worst.name, func(t *testing.T) {
			if len(worst.body) > largestBody {
				t.Fatalf("%d bytes", len(worst.body))
			}
			one := pricedRequest{name: worst.name, route: worst.path, bytes: len(worst.body)}
			one.list = one.bytes > smallBody || worst.path == opRecordsConvert.path
			one.cost = p.measure(t, one.list, one.bytes, func() (int, int) {
				return p.ask(t, p.fresh, http.MethodPost, worst.path, nil, []byte(worst.body))
			})
			t.Logf("%s; it was %s of CPU", one, worst.was)
			if one.cost.dear(one.bytes) || (one.cost.status == http.StatusOK) != worst.valid {
				t.Errorf("it costs too much, or has another status: %s", one)
			}
			one.name += ", hung up"
			// The server may have made the answer before it sees that nobody reads it.
			leave, answer := p.leaving(t, worst.path, []byte(worst.body)), one.cost.answer
			one.cost = p.measure(t, one.list, one.bytes, func() (int, int) {
				leave()
				return 0, answer
			})
			t.Logf("%s", one)
			if one.cost.dear(one.bytes) {
				t.Errorf("it costs too much: %s", one)
			}
		})
	}
	p.sound(t)
}

// TestAbusePictures asks for pictures of links, each of another position, which are drawn without a slot.
func TestAbusePictures(t *testing.T) {
	if raced() {
		t.Skip("the race detector costs more")
	}
	p := newPriced(t)
	const cards = "KH8S7H8HJSTSKD7SQSASJD9SKS8D9C8CAC9DTCQC7CTD7DKCQHJHQDTH9HAHJCAD"
	const deal = "SENNSEESNWWWEWEWNENNSESESWSNWWSN"
	n := 0
	for _, path := range []string{"/board/picture.png?", "/board?"} {
		one := pricedRequest{name: "a link", route: path, bytes: smallBody}
		one.cost = p.measure(t, false, one.bytes, func() (int, int) {
			n++
			return p.ask(t, p.fresh, http.MethodGet, fmt.Sprintf("%sv=1&t=S&l=S&d=NS&h=%s&p=%s&i=%d", path, deal, cards, n), nil, nil)
		})
		t.Logf("%s", one)
		if one.cost.dear(one.bytes) || one.cost.status != http.StatusOK {
			t.Errorf("it costs too much, or has another status: %s", one)
		}
	}
	p.sound(t)
}

// sendOnly sends a request and closes the connection. The error is of the connection.
func sendOnly(tb testing.TB, with *net.Dialer, s *server, path string, body []byte) error {
	tb.Helper()
	conn, err := with.DialContext(tb.Context(), "tcp", s.addr)
	if err != nil {
		return err
	}
	// The server may refuse the request before it has read all of it.
	_, _ = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", path, len(body))
	_, _ = conn.Write(body)
	return conn.Close()
}

// TestAbuseHungUp has three clients send the worst invalid requests and hang up, again and again, while the server may use 384 MiB. The
// server survives, and answers cheap requests of another client in the meantime.
func TestAbuseHungUp(t *testing.T) {
	for _, test := range []struct {
		name    string
		environ []string
	}{
		{"limits", nil},
		{"no limits", []string{"ROEM_LIMITS_SEARCH_TIME=0", "ROEM_LIMITS_SEARCHES=0"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := limited(t, start(t, append(test.environ, "ROEM_SEARCH_SEARCHERS=2")...), smallMachine)
			sent := make(chan int, 3)
			attacked, control := s.meanwhile(t, testkit.Times(50, 150, 150, 3000), func(enough <-chan struct{}) {
				for _, worst := range worstLists() {
					go func() {
						for n := 0; ; n++ {
							select {
							case <-enough:
								sent <- n
								return
							default:
							}
							if err := sendOnly(t, from("127.0.0.1"), s.server, worst.path, []byte(worst.body)); err != nil {
								t.Error(err)
							}
						}
					}()
				}
				t.Logf("%d, %d and %d requests, hung up", <-sent, <-sent, <-sent)
			})
			t.Logf("at most %d MiB of memory", s.peak.Load()>>20)
			s.alive(t)
			prompt(t, attacked, control)
			s.sound(t)
		})
	}
}

// TestAbuseUnfinished has clients of several addresses send large bodies up to their last byte, while the server may use 384 MiB.
func TestAbuseUnfinished(t *testing.T) {
	clients := 150
	if testkit.Full() {
		clients = 600
	}
	s := limited(t, start(t, "ROEM_SEARCH_SEARCHERS=2"), smallMachine)
	head := fmt.Sprintf("POST /v1/klaverjas/predict/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		largestBody)
	body := bytes.Repeat([]byte(" "), largestBody-1)
	attacked, control := s.meanwhile(t, 600, func(enough <-chan struct{}) {
		var all, sent sync.WaitGroup
		sent.Add(clients)
		over := make(chan struct{})
		for i := range clients {
			all.Go(func() {
				defer sent.Done()
				conn, err := from(fmt.Sprintf("127.0.1.%d", 1+i%20)).DialContext(t.Context(), "tcp", s.addr)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.WriteString(conn, head)
				_, _ = conn.Write(body) // the server may refuse it
				all.Go(func() { <-over; _ = conn.Close() })
			})
		}
		sent.Wait()
		<-enough
		close(over)
		all.Wait()
	})
	t.Logf("%d unfinished bodies: at most %d MiB of memory", clients, s.peak.Load()>>20)
	s.alive(t)
	prompt(t, attacked, control)
	s.sound(t)
}

// TestAbuseSIGTERM stops a server while it reads the worst invalid requests, of clients that wait and of clients that hang up. They send
// requests until they know of the signal.
func TestAbuseSIGTERM(t *testing.T) {
	const grace = 500 * time.Millisecond
	s := start(t, "ROEM_SHUTDOWN_GRACE="+grace.String(), "ROEM_SHUTDOWN_DRAIN=3m", "ROEM_SEARCH_TABLE=8MiB",
		"ROEM_LIMITS_SEARCH_TIME=0", "ROEM_LIMITS_SEARCHES=0", "ROEM_LOG_LEVEL=info")
	var clients sync.WaitGroup
	var stopped atomic.Bool
	for _, worst := range worstLists() {
		for range 3 {
			clients.Go(func() {
				for !stopped.Load() {
					if err := sendOnly(t, from("127.0.0.1"), s, worst.path, []byte(worst.body)); err != nil && !stopped.Load() {
						t.Error(err)
					}
				}
			})
			clients.Go(func() {
				c := client(testkit.Patience)
				defer c.CloseIdleConnections()
				for !stopped.Load() {
					if answer, err := c.Post(s.url+worst.path, "application/json", strings.NewReader(worst.body)); err == nil {
						_, _ = io.Copy(io.Discard, answer.Body)
						_ = answer.Body.Close()
					}
				}
			})
		}
	}
	eventually(t, testkit.Patience, "the requests have arrived", func() bool { return s.metric(t, "roem_http_requests_in_flight") > 3 })
	stopped.Store(true)
	began, cpu := time.Now(), s.cpu(t)
	s.signal(t, syscall.SIGTERM)
	if status := s.ends(t, testkit.Patience); status != 0 {
		t.Errorf("exit status %d\n%s", status, tail(s.logged()))
	}
	took := time.Since(began)
	used := s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime() - cpu
	t.Logf("ended %v after the signal, with a grace of %v, and %v of CPU; it was 21.6 s", took.Round(time.Millisecond), grace,
		used.Round(time.Millisecond))
	clients.Wait()
	// The processor time belongs to the requests that wait. Other programs may delay the end, but not with -full.
	if most := 18 * costCPUList; !raced() && (used > most || testkit.Full() && took > grace+most) {
		t.Errorf("the server ends after %v and %v of CPU", took, used)
	}
	s.sound(t)
}
