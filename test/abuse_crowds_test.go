package test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/testkit"
)

// crowd is what some clients do to a server on 384 MiB, in its default configuration, while others send honest requests.
type crowd struct {
	name    string
	before  string                                                      // what it did before the server had bounds against it
	environ []string                                                    // besides the defaults
	one     func() (path, body string)                                  // an attacker's request, whose cost is measured alone; nil for none
	begin   func(a *attackers)                                          // starts the attackers, and returns when they are at work
	honest  func(ctx context.Context, c *http.Client, url string) reply // an honest request
	asked   [4]int                                                      // how many of them, by testkit.Times
}

// attackers are the clients of a crowd.
type attackers struct {
	*watched
	t       *testing.T
	ctx     context.Context
	all     sync.WaitGroup
	held    atomic.Int64 // connections that have sent their first bytes
	mu      sync.Mutex
	answers map[int]int // by status; 0 for a connection that ended without one
}

func (a *attackers) count(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answers[status]++
}

// seen returns how many answers the attackers have got, and a list of them.
func (a *attackers) seen() (n int, list string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, status := range slices.Sorted(maps.Keys(a.answers)) {
		n += a.answers[status]
		if list += fmt.Sprintf(", %d: %d", status, a.answers[status]); status == 0 {
			list = fmt.Sprintf(", closed: %d", a.answers[status])
		}
	}
	return n, strings.TrimPrefix(list, ", ")
}

// answering waits until the attackers have got n answers.
func (a *attackers) answering(n int) {
	a.t.Helper()
	eventually(a.t, testkit.Patience, "answers to the attackers", func() bool { got, _ := a.seen(); return got >= n })
}

// refused waits until n requests of the attackers have been refused.
func (a *attackers) refused(n int) {
	a.t.Helper()
	eventually(a.t, testkit.Patience, "refusals", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.answers[http.StatusTooManyRequests]+a.answers[http.StatusServiceUnavailable] >= n
	})
}

// repeat lets n clients at an address send a request again and again, after a pause if it is refused or not answered.
func (a *attackers) repeat(from string, n int, method string, next func() (path, body string), header ...string) {
	a.t.Helper()
	c := clientAt(a.t, from)
	c.Timeout = 0
	for range n {
		a.all.Go(func() {
			for a.ctx.Err() == nil {
				path, body := next()
				answer := exchange(a.ctx, c, method, a.url+path, body, header...)
				if a.ctx.Err() != nil {
					return
				}
				a.count(answer.status)
				if answer.status == 0 || answer.status == http.StatusTooManyRequests || answer.status == http.StatusServiceUnavailable {
					time.Sleep(time.Second)
				}
			}
		})
	}
}

// hold keeps a connection from an address open: it sends the first text, and then the drip every second. It connects again some seconds
// after the server has closed the connection.
func (a *attackers) hold(from, first, drip string) {
	a.all.Go(func() {
		for a.ctx.Err() == nil {
			dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: testkit.Patience}
			conn, err := dialer.DialContext(a.ctx, "tcp", a.addr)
			if err != nil {
				continue
			}
			stop := context.AfterFunc(a.ctx, func() { _ = conn.Close() })
			if _, err = io.WriteString(conn, first); err == nil {
				a.held.Add(1)
			}
			go func() {
				for err == nil && drip != "" && a.ctx.Err() == nil {
					time.Sleep(time.Second)
					_, err = io.WriteString(conn, drip)
				}
			}()
			_, _ = io.Copy(io.Discard, conn) // until the server closes it
			stop()
			_ = conn.Close()
			if a.ctx.Err() == nil {
				a.count(0)
			}
			select {
			case <-a.ctx.Done():
			case <-time.After(5 * time.Second):
			}
		}
	})
}

// holding waits until n connections have sent their first bytes, and gives the server a second to accept or close them.
func (a *attackers) holding(n int) {
	a.t.Helper()
	eventually(a.t, testkit.Patience, "connections", func() bool { return a.held.Load() >= int64(n) })
	time.Sleep(time.Second)
}

// TestAbuseByCrowds lets each crowd do its worst. The server stays within 384 MiB, and every honest client is answered. It logs a table.
func TestAbuseByCrowds(t *testing.T) {
	testkit.NotRaced(t, "384 MiB are for a server without it")
	table := []string{
		"| attack | before | a request of it alone: CPU, allocated | attackers' requests, by status | most memory | " +
			"honest: answered, median, p99 | of a server beside it that nobody attacks |",
		"|---|---|---|---|---|---|---|",
	}
	control := start(t, "ROEM_SEARCH_SEARCHERS=1", "ROEM_SEARCH_TABLE=1MiB", trusts)
	for _, one := range crowds() {
		t.Run(one.name, func(t *testing.T) { table = append(table, one.run(t, control.url)) })
	}
	t.Logf("\n%s", strings.Join(table, "\n"))
}

// run attacks a server and returns a row of the table. Honest requests are sent to the control too: what the machine delays, with the
// attackers on the same cores, delays these too.
func (c *crowd) run(t *testing.T, control string) string {
	t.Helper()
	s := startSmall(t, c.environ...)
	ctx, stop := context.WithCancel(t.Context())
	a := &attackers{t: t, watched: s, ctx: ctx, answers: map[int]int{}}
	defer a.all.Wait()
	defer stop()
	alone := "–"
	if c.one != nil {
		path, body := c.one()
		cpu, allocated := s.costs(t, path, body)
		alone = fmt.Sprintf("%v, %.1f MB for %.1f kB", cpu.Round(100*time.Microsecond), allocated/1e6, float64(len(body))/1e3)
	}
	c.begin(a)
	attacked, calm := beside(t, testkit.Times(c.asked[0], c.asked[1], c.asked[2], c.asked[3]), c.honest, s.url, control)
	_, seen := a.seen()
	if held := a.held.Load(); held > 0 {
		seen = strings.TrimSuffix(fmt.Sprintf("%d connections, %s", held, seen), ", ")
	}
	s.alive(t)
	s.sound(t)
	return fmt.Sprintf("| %s | %s | %s | %s | %d MiB | %s | %s |", c.name, c.before, alone, seen, s.peak.Load()>>20, attacked, calm)
}

// costs returns the least processor time and memory of a request that is sent alone, of three.
func (s *server) costs(t *testing.T, path, body string) (cpu time.Duration, allocated float64) {
	t.Helper()
	c := clientAt(t, "127.0.0.1")
	for i := range 3 {
		reading := s.metric(t, allocatedBytes)
		reading = s.metric(t, allocatedBytes) - reading // what reading the metric takes itself
		bytes, began := s.metric(t, allocatedBytes), s.cpu(t)
		exchange(t.Context(), c, http.MethodPost, s.url+path, body)
		ran := s.cpu(t) - began
		bytes = s.metric(t, allocatedBytes) - bytes - reading
		if i == 0 || ran < cpu {
			cpu = ran
		}
		if i == 0 || bytes < allocated {
			allocated = bytes
		}
	}
	return cpu, max(0, allocated)
}

// beside sends n requests to a server that is attacked and as many to a control, in turns, each with a client of its own. It returns for
// both how many were answered and how long that took, and fails for those that were not.
func beside(t *testing.T, n int, ask func(ctx context.Context, c *http.Client, url string) reply, urls ...string) (attacked, calm string) {
	t.Helper()
	var said [2]string
	took, failed := [2][]time.Duration{}, map[string]int{}
	answered := [2]int{}
	for range n {
		for i, url := range urls {
			c := clientAt(t, "127.0.0.1")
			began := time.Now()
			answer := ask(t.Context(), c, url)
			took[i] = append(took[i], time.Since(began))
			c.CloseIdleConnections()
			if answer.status == http.StatusOK {
				answered[i]++
			} else {
				failed[fmt.Sprintf("%d %.200s", answer.status, answer.body)]++
			}
		}
	}
	for i := range urls {
		slices.Sort(took[i])
		said[i] = fmt.Sprintf("%d of %d, %.1f ms, %.1f ms", answered[i], n,
			float64(took[i][n/2].Microseconds())/1000, float64(took[i][n*99/100].Microseconds())/1000)
	}
	t.Logf("honest requests: %s; of the control: %s", said[0], said[1])
	if len(failed) > 0 {
		t.Errorf("not answered: %v", failed)
	}
	return said[0], said[1]
}
