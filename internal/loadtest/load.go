// Package loadtest sends requests to a server at given rates and measures the latency of each request from the time at which it was due.
//
// This is an open loop: the times at which requests are due are a Poisson process, as with many independent clients, and do not depend
// on the answers. A generator that waits for an answer before it sends the next request omits the requests that would have waited
// longest (coordinated omission). This one includes all waits in the latencies, also its own delays.
package loadtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"roem/internal/engine/klaverjas/index"
)

// Request is a request: a method, a path with its query, and a JSON body, which may be empty.
type Request struct {
	Method string
	Path   string
	Body   []byte
}

// Source returns the next request of a route. It is called by one goroutine at a time.
type Source func() (Request, error)

// Route is a kind of request with the rate at which it comes.
type Route struct {
	Name string
	// Rate is the mean number of requests per second.
	Rate float64
	// Next returns the requests.
	Next Source
	// Warm holds requests that are sent one after the other before the measurement, to fill the cache.
	Warm []Request
}

// Options are the options of Run.
type Options struct {
	URL    string // of the server, such as http://localhost:8080
	Routes []Route
	// Warmup is the time for which requests are sent before the measurement.
	Warmup time.Duration
	// Duration is the time of the measurement.
	Duration time.Duration
	// Timeout is the timeout of a request.
	Timeout time.Duration
	// Connections is the maximum number of concurrent requests of a route. Further requests wait, and the wait is part of their
	// latency.
	Connections int
	// Header is added to every request.
	Header http.Header
	// Seed determines when requests are due.
	Seed uint64
}

func (o Options) validate() error {
	u, err := url.Parse(o.URL)
	switch {
	case err != nil:
		return err
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return fmt.Errorf("%q is not the URL of a server, such as http://localhost:8080", o.URL)
	case len(o.Routes) == 0:
		return errors.New("there is no route with a rate")
	case o.Duration <= 0, o.Timeout <= 0, o.Connections <= 0, o.Warmup < 0:
		return errors.New("duration, timeout and connections must be more than 0, and the warm-up must not be negative")
	}
	for _, r := range o.Routes {
		if r.Rate <= 0 || r.Rate > maxRate || math.IsNaN(r.Rate) {
			return fmt.Errorf("%s: a rate of %v is not above 0 and at most %d", r.Name, r.Rate, maxRate)
		}
	}
	return nil
}

// maxRate is more than one generator can send.
const maxRate = 1_000_000

// Run sends the requests and returns the measurements. If ctx ends, it stops early and reports the answers until then. The error is about
// the options, a source, or a request of Warm.
func Run(ctx context.Context, o Options) (Report, error) {
	if err := o.validate(); err != nil {
		return Report{}, err
	}
	report := Report{URL: o.URL, Version: serverVersion(ctx, o), Seed: strconv.FormatUint(o.Seed, 10)}
	runs := make([]*run, 0, len(o.Routes))
	defer func() {
		for _, r := range runs {
			r.client.CloseIdleConnections()
		}
	}()
	for _, route := range o.Routes {
		r := newRun(route, o)
		runs = append(runs, r)
		for i, request := range route.Warm {
			if status := r.send(ctx, request).status; status != "200" {
				return Report{}, fmt.Errorf("%s: request %d of the warm-up was answered by %s", route.Name, i+1, status)
			}
		}
	}
	report.Started = time.Now().UTC()
	errs := make([]error, len(runs))
	var all sync.WaitGroup
	for i, r := range runs {
		all.Go(func() { errs[i] = r.drive(ctx, report.Started) })
	}
	all.Wait()
	report.Seconds = o.Duration.Seconds()
	if ctx.Err() != nil {
		report.Seconds = max(0, min(o.Duration, time.Since(report.Started)-o.Warmup).Seconds())
	}
	for _, r := range runs {
		report.Routes = append(report.Routes, r.report(report.Seconds))
	}
	return report, errors.Join(errs...)
}

// run measures one route. Each route has its own connections, so that routes do not wait for each other in the client.
type run struct {
	Route
	o      Options
	client *http.Client
	slots  chan struct{}

	mu      sync.Mutex
	due     int64
	late    *spread
	answers map[string]*answers
}

func newRun(route Route, o Options) *run {
	return &run{
		Route: route, o: o,
		client: &http.Client{
			Timeout: o.Timeout,
			Transport: &http.Transport{
				DialContext:         (&net.Dialer{Timeout: o.Timeout}).DialContext,
				MaxIdleConnsPerHost: o.Connections, MaxConnsPerHost: o.Connections, DisableCompression: true,
			},
			// A redirect counts as an answer.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		slots: make(chan struct{}, o.Connections), late: newSpread(), answers: make(map[string]*answers),
	}
}

// drive sends each request when it is due, and returns when all are answered.
func (r *run) drive(ctx context.Context, start time.Time) error {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(r.Name))
	rng := index.NewRand(r.o.Seed ^ hash.Sum64()) // each route has its own random times
	counted := start.Add(r.o.Warmup)
	end := counted.Add(r.o.Duration)
	var under sync.WaitGroup
	defer under.Wait()
	for due := start; ; {
		due = due.Add(time.Duration(rng.ExpFloat64() / r.Rate * float64(time.Second)))
		if !due.Before(end) {
			return nil
		}
		request, err := r.Next()
		if err != nil {
			return fmt.Errorf("%s: %w", r.Name, err)
		}
		if !sleepUntil(ctx, due) {
			return nil
		}
		counts := due.After(counted)
		if !r.take(ctx, end) {
			if ctx.Err() != nil {
				return nil
			}
			// It had no connection until the end, so its latency is at least this.
			if counts {
				r.note(due, end, end, result{status: unsent})
			}
			continue
		}
		under.Go(func() {
			defer func() { <-r.slots }()
			sent := time.Now()
			got := r.send(ctx, request)
			if counts && ctx.Err() == nil {
				r.note(due, sent, time.Now(), got)
			}
		})
	}
}

// take waits for a connection until the end.
func (r *run) take(ctx context.Context, end time.Time) bool {
	select {
	case r.slots <- struct{}{}:
		return true
	default:
	}
	timer := time.NewTimer(time.Until(end))
	defer timer.Stop()
	select {
	case r.slots <- struct{}{}:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

func sleepUntil(ctx context.Context, t time.Time) bool {
	wait := time.Until(t)
	if wait <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// result is the result of a request.
type result struct {
	status     string
	retryAfter string
}

// The texts used as status of requests without an answer.
const (
	unsent  = "unsent"
	timeout = "timeout"
	refused = "refused"
	reset   = "reset"
	failed  = "failed"
)

// send sends a request and reads the whole answer.
func (r *run) send(ctx context.Context, q Request) result {
	request, err := http.NewRequestWithContext(ctx, q.Method, r.o.URL+q.Path, bytes.NewReader(q.Body))
	if err != nil {
		return result{status: failed}
	}
	if len(q.Body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(request.Header, r.o.Header)
	answer, err := r.client.Do(request)
	if err != nil {
		return result{status: whatFailed(err)}
	}
	_, err = io.Copy(io.Discard, answer.Body)
	if closed := answer.Body.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return result{status: whatFailed(err)}
	}
	return result{status: strconv.Itoa(answer.StatusCode), retryAfter: answer.Header.Get("Retry-After")}
}

func whatFailed(err error) string {
	if of, ok := errors.AsType[net.Error](err); ok && of.Timeout() || os.IsTimeout(err) {
		return timeout
	}
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return refused
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return reset
	}
	return failed
}

func (r *run) note(due, sent, done time.Time, got result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.due++
	r.late.add(sent.Sub(due))
	a := r.answers[got.status]
	if a == nil {
		a = &answers{latency: newSpread()}
		r.answers[got.status] = a
	}
	a.latency.add(done.Sub(due))
	if got.status == "429" || got.status == "503" {
		a.noteRetryAfter(got.retryAfter)
	}
}

// serverVersion returns the version of the server, or an empty string if it is not available.
func serverVersion(ctx context.Context, o Options) string {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, o.URL+"/version", http.NoBody)
	if err != nil {
		return ""
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return ""
	}
	defer func() { _ = answer.Body.Close() }()
	return versionIn(answer.Body)
}
