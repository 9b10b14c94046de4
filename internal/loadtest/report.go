package loadtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Report holds the measurements.
type Report struct {
	URL     string        `json:"url"`
	Version string        `json:"version,omitempty"` // of the server
	Started time.Time     `json:"started"`
	Seconds float64       `json:"seconds"` // duration of the measurement
	Seed    string        `json:"seed"`
	Routes  []RouteReport `json:"routes"`
}

// RouteReport holds the measurements of a route.
type RouteReport struct {
	Route string  `json:"route"`
	Rate  float64 `json:"rate"` // configured requests per second
	Due   int64   `json:"due"`  // number of requests that were due
	// Answered is the number of answers per second, of any status.
	Answered float64 `json:"answered_per_second"`
	// Late is the delay from the due time of a request to its sending, in milliseconds. Every latency includes it. If it is not small,
	// the machine of the generator was too busy, or all connections of the route were in use.
	Late    Latency  `json:"late_ms"`
	Answers []Answer `json:"answers"`
}

// Answer holds the measurements of the answers with one status.
type Answer struct {
	// Status is the HTTP status code. For a request without an answer it is timeout, refused, reset, failed, or unsent; unsent is a
	// request that had no connection until the end.
	Status string `json:"status"`
	Count  int64  `json:"count"`
	// Latency is the time from when the requests were due to the end of their answers, in milliseconds.
	Latency Latency `json:"latency_ms"`
	// RetryAfter describes the Retry-After headers of 429 and 503. It is absent for other answers.
	RetryAfter *RetryAfter `json:"retry_after_s,omitempty"`
}

// Latency holds percentiles of a duration in milliseconds, to three digits. The maximum is exact.
type Latency struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p99_9"`
	Max  float64 `json:"max"`
}

// RetryAfter holds the least and the greatest value of the header Retry-After in seconds.
type RetryAfter struct {
	Min int `json:"min"`
	Max int `json:"max"`
	// Wrong is the number of answers without the header or with a value that is not a whole number of seconds.
	Wrong int64 `json:"wrong"`
}

// spread collects durations in a histogram of microseconds up to one hour.
type spread struct {
	histogram *hdrhistogram.Histogram
	max       time.Duration
}

func newSpread() *spread {
	return &spread{histogram: hdrhistogram.New(1, time.Hour.Microseconds(), 3)}
}

func (s *spread) add(d time.Duration) {
	d = max(0, min(d, time.Hour))
	s.max = max(s.max, d)
	_ = s.histogram.RecordValue(d.Microseconds()) // the value is within the bounds
}

func (s *spread) latency() Latency {
	at := func(percent float64) float64 { return float64(s.histogram.ValueAtQuantile(percent)) / 1000 }
	return Latency{
		Mean: s.histogram.Mean() / 1000, P50: at(50), P90: at(90), P99: at(99), P999: at(99.9),
		Max: float64(s.max.Microseconds()) / 1000,
	}
}

// answers collects the answers with one status.
type answers struct {
	latency    *spread
	retryAfter *RetryAfter
}

func (a *answers) noteRetryAfter(header string) {
	if a.retryAfter == nil {
		a.retryAfter = &RetryAfter{Min: -1, Max: -1}
	}
	r := a.retryAfter
	seconds, err := strconv.Atoi(header)
	if err != nil || seconds < 0 {
		r.Wrong++
		return
	}
	if r.Min < 0 || seconds < r.Min {
		r.Min = seconds
	}
	r.Max = max(r.Max, seconds)
}

func (r *run) report(seconds float64) RouteReport {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := RouteReport{Route: r.Name, Rate: r.Rate, Due: r.due, Late: r.late.latency(), Answers: []Answer{}}
	for _, status := range slices.Sorted(maps.Keys(r.answers)) {
		a := r.answers[status]
		count := a.latency.histogram.TotalCount()
		out.Answers = append(out.Answers, Answer{Status: status, Count: count, Latency: a.latency.latency(), RetryAfter: a.retryAfter})
		if _, err := strconv.Atoi(status); err == nil && seconds > 0 {
			out.Answered += float64(count) / seconds
		}
	}
	// The most frequent status comes first.
	slices.SortStableFunc(out.Answers, func(a, b Answer) int { return cmp.Compare(b.Count, a.Count) })
	return out
}

// Find returns the answers of a route with the given status. If there are none, the result is zero.
func (r Report) Find(route, status string) Answer {
	for _, candidate := range r.Routes {
		if candidate.Route != route {
			continue
		}
		for _, a := range candidate.Answers {
			if a.Status == status {
				return a
			}
		}
	}
	return Answer{Status: status}
}

// WriteText writes the report as a table with one line per status and route.
func (r Report) WriteText(w io.Writer) error {
	version := ""
	if r.Version != "" {
		version = " (" + r.Version + ")"
	}
	if _, err := fmt.Fprintf(w, "%s%s, %.1f s, seed %s; milliseconds from when requests were due\n\n", r.URL, version, r.Seconds,
		r.Seed); err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	lines := []string{"route\trate\tdue\tstatus\tcount\tp50\tp90\tp99\tp99.9\tmax\tlate p99\tretry after\t"}
	for _, route := range r.Routes {
		for _, a := range route.Answers {
			retry := ""
			if a.RetryAfter != nil {
				retry = fmt.Sprintf("%d..%d s", a.RetryAfter.Min, a.RetryAfter.Max)
				if a.RetryAfter.Wrong > 0 {
					retry = fmt.Sprintf("%s, %d without", retry, a.RetryAfter.Wrong)
				}
			}
			l := a.Latency
			lines = append(lines, fmt.Sprintf("%s\t%g\t%d\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t", route.Route, route.Rate, route.Due,
				a.Status, a.Count, ms(l.P50), ms(l.P90), ms(l.P99), ms(l.P999), ms(l.Max), ms(route.Late.P99), retry))
		}
	}
	if _, err := fmt.Fprintln(t, strings.Join(lines, "\n")); err != nil {
		return err
	}
	return t.Flush()
}

// ms formats milliseconds with the significant digits.
func ms(v float64) string {
	switch {
	case v < 10:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 100:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

// versionIn reads the version from the answer of /version.
func versionIn(r io.Reader) string {
	var v struct {
		Version string `json:"version"`
	}
	if json.NewDecoder(io.LimitReader(r, 1<<16)).Decode(&v) != nil {
		return ""
	}
	return v.Version
}
