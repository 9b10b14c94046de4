package test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/testkit"
)

// smallMachine is the memory of a server that must survive every client, in bytes.
const smallMachine = 384 << 20

// watched is a server whose memory is watched. It is killed as the kernel kills a process beyond its limit.
type watched struct {
	*server
	limit  int64
	peak   atomic.Int64 // of its private memory
	killed atomic.Bool
	stop   func()
}

// limited watches the memory of a server until the end of the test.
func limited(tb testing.TB, s *server, limit int64) *watched {
	tb.Helper()
	w := &watched{server: s, limit: limit}
	ctx, cancel := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	watching.Go(func() {
		for ctx.Err() == nil {
			own := s.private()
			w.peak.Store(max(w.peak.Load(), own))
			if own > limit && !raced() {
				w.killed.Store(true)
				_ = s.cmd.Process.Kill()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
	w.stop = func() { cancel(); watching.Wait() }
	tb.Cleanup(w.stop)
	return w
}

// private returns the private bytes of the process, 0 if it has ended.
func (s *server) private() int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		var kilobytes int64
		if n, _ := fmt.Sscanf(line, "RssAnon: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10
		}
	}
	return 0
}

// alive fails the test if the server has ended.
func (w *watched) alive(tb testing.TB) {
	tb.Helper()
	if w.killed.Load() {
		tb.Fatalf("the server was killed: it used more than %d MiB", w.limit>>20)
	}
	select {
	case <-w.done:
		tb.Fatalf("the server ended: %v\n%s", w.ended, tail(w.logged()))
	default:
	}
}

// cheapTimes are the durations of cheap requests of another client.
type cheapTimes struct {
	took   []time.Duration
	failed []error
}

func (c cheapTimes) String() string {
	if len(c.took) == 0 {
		return "no cheap request was answered"
	}
	at := func(q float64) time.Duration { return c.quantile(q).Round(10 * time.Microsecond) }
	return fmt.Sprintf("%d cheap requests of another client: median %v, p95 %v, p99 %v, slowest %v; %d failed",
		len(c.took), at(0.5), at(0.95), at(0.99), at(1), len(c.failed))
}

// quantile returns a quantile of the durations, an hour without any.
func (c cheapTimes) quantile(q float64) time.Duration {
	if len(c.took) == 0 {
		return time.Hour
	}
	return slices.Sorted(slices.Values(c.took))[int(q*float64(len(c.took)-1))]
}

// meanwhile sends cheap requests of another client during an attack, which goes on until enough is closed: when n of them have been
// answered. Each must be answered before the next one is sent, so an attack that keeps the other client from answers has no end. The
// control are the same requests, sent at the same time to another server that nobody attacks: what the machine delays, with the clients of
// the attack on the same cores, delays them too.
func (w *watched) meanwhile(tb testing.TB, n int, attack func(enough <-chan struct{})) (attacked, control cheapTimes) {
	tb.Helper()
	beside := &watched{server: start(tb, "ROEM_SEARCH_SEARCHERS=1", "ROEM_SEARCH_TABLE=1MiB")}
	stop, enough := make(chan struct{}), make(chan struct{})
	var both sync.WaitGroup
	both.Go(func() { attacked = w.cheaply(stop, n, enough) })
	both.Go(func() { control = beside.cheaply(stop, n, make(chan struct{})) })
	attack(enough)
	close(stop)
	both.Wait()
	beside.kill()
	tb.Logf("attacked: %v", attacked)
	tb.Logf("control:  %v", control)
	return attacked, control
}

// prompt fails the test unless all cheap requests were answered during an attack. With -full, which has the machine for itself, they must
// be answered within 100 ms: half of them in any case, and 19 of 20 except for what the machine delays.
func prompt(tb testing.TB, attacked, control cheapTimes) {
	tb.Helper()
	const within = 100 * time.Millisecond
	late := attacked.quantile(0.5) > within || attacked.quantile(0.95) > within+control.quantile(0.95)
	if len(attacked.failed) > 0 || len(attacked.took) == 0 || testkit.Full() && late {
		tb.Errorf("cheap requests of another client had to wait: %v; %v", attacked, attacked.failed)
	}
}

// cheaply sends cheap requests from another address until stop is closed. It closes enough when n have been answered, or some have failed.
func (w *watched) cheaply(stop <-chan struct{}, n int, enough chan<- struct{}) (c cheapTimes) {
	one := client(testkit.Patience)
	one.Transport.(*http.Transport).DialContext = from("127.0.0.2").DialContext
	defer one.CloseIdleConnections()
	for {
		if enough != nil && (len(c.took) >= n || len(c.failed) >= 3) {
			close(enough)
			enough = nil
		}
		select {
		case <-stop:
			return c
		case <-time.After(5 * time.Millisecond):
		}
		began := time.Now()
		if err := w.cheap(one); err != nil {
			c.failed = append(c.failed, err)
			continue
		}
		c.took = append(c.took, time.Since(began))
	}
}

func (w *watched) cheap(c *http.Client) error {
	answer, err := c.Post(w.url+"/v1/klaverjas/legal-moves", "application/json", strings.NewReader(solvable))
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	if answer.StatusCode != http.StatusOK {
		err = errors.Join(err, fmt.Errorf("status %d", answer.StatusCode))
	}
	return errors.Join(err, answer.Body.Close())
}

// from returns a dialer from an address of this machine.
func from(ip string) *net.Dialer {
	return &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}
}
