package test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"roem/internal/testkit"
)

// crowds are the attacks that were found, each against the shared part of the server that it took.
func crowds() []*crowd {
	return []*crowd{
		recordsOfNothing(), longFormulas(), longJobs(), slowUploads(), manyConnections(1), manyConnections(10),
		slowRequests("slow headers", "answered", "GET /version HTTP/1.1\r\n", "X: a\r\n"),
		slowRequests("slow bodies", "one request in ten answered after 15 s",
			"POST /v1/klaverjas/solve HTTP/1.1\r\nHost: roem\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n", " "),
		manyWaits(), manyStreams(),
	}
}

// posting asks for an operation as the first example of the contract does.
func posting(path string) func(ctx context.Context, c *http.Client, url string) reply {
	return func(ctx context.Context, c *http.Client, url string) reply {
		all, err := readRoutes()
		if err != nil {
			return reply{body: err.Error()}
		}
		for _, r := range all {
			if r.method == http.MethodPost && r.path == path {
				return exchange(ctx, c, http.MethodPost, url+path, string(r.bodies[0]))
			}
		}
		return reply{body: "no such operation"}
	}
}

func recordsOfNothing() *crowd {
	const most = 330_000
	nothing := strings.Repeat("{},", most-1) + "{}"
	var bodies []string
	for _, text := range []string{
		`{"game":"klaverjas","tags":[` + nothing + `]}`,
		`{"game":"gin-rummy","position":{"events":[` + nothing + `]}}`,
		`{"TroefKleur":"ruiten","History":[` + nothing + `]}`,
		`[` + nothing + `]`,
	} {
		body, _ := json.Marshal(map[string]string{"text": text})
		bodies = append(bodies, string(body))
	}
	var n atomic.Int64
	one := func() (string, string) { return "/v1/records/convert", bodies[(n.Add(1)-1)%int64(len(bodies))] }
	return &crowd{
		name: "records of 330,000 times nothing, 16 connections of 2 addresses", before: "209 ms, 246 MB for 990 kB; the server was killed",
		one: one, honest: posting("/v1/records/convert"), asked: [4]int{3, 5, 20, 100},
		begin: func(a *attackers) {
			for i := range 2 {
				a.repeat(fmt.Sprintf("127.0.23.%d", 1+i), 8, http.MethodPost, one)
			}
			a.answering(8)
		},
	}
}

func longFormulas() *crowd {
	one := func() (string, string) {
		return "/v1/klaverjas/knowledge/check", `{"trump": "D", "leader": "N", "hands": {"N": ["10D","AD","10H","8C","JD","KD","8H","KS"],
			"E": ["7H","10S","AS","8D","9H","AH","8S","QS"], "S": ["9C","10C","9S","7C","JC","7D","KH","7S"],
			"W": ["QC","QD","QH","KC","AC","9D","JH","JS"]}, "played": ["8C","8D","7C","KC","QS","7S","JS","KS","KD","8S","7D","9D","AC","JD",
			"9H","JC","8H","AH","KH","JH"], "formula": "` + strings.Repeat("C_NE C_ES ", 98) + `own(N,7C)"}`
	}
	return &crowd{
		name: "long formulas in 4,320 worlds, 16 connections of 2 addresses", before: "148 ms, 27.6 MB for 1.4 kB, without a slot",
		one: one, honest: posting("/v1/klaverjas/knowledge/check"), asked: [4]int{3, 5, 20, 100},
		begin: func(a *attackers) {
			for i := range 2 {
				a.repeat(fmt.Sprintf("127.0.24.%d", 1+i), 8, http.MethodPost, one)
			}
			a.answering(8)
		},
	}
}

// done creates a small job and reads its events until it has succeeded. Each time it is another client if the server trusts a
// proxy.
func done(n *atomic.Int64) func(ctx context.Context, c *http.Client, url string) reply {
	return func(ctx context.Context, c *http.Client, url string) reply {
		i := n.Add(1)
		client := []string{"X-Forwarded-For", fmt.Sprintf("198.51.100.%d", i%250)}
		created := exchange(ctx, c, http.MethodPost, url+"/v1/jobs",
			fmt.Sprintf(`{"kind": "klaverjas.match", "request": {"a": "simple", "b": "simple", "deals": 1, "seed": "%d"}}`, i), client...)
		if created.status != http.StatusAccepted {
			return created
		}
		events := exchange(ctx, c, http.MethodGet, url+created.header.Get("Location")+"/events", "", client...)
		if events.status == http.StatusOK && !strings.Contains(events.body, `"status":"succeeded"`) {
			return reply{body: "the job has not succeeded: " + events.body}
		}
		return events
	}
}

func longJobs() *crowd {
	return &crowd{
		name: "matches of 10,000 deals from four /64s", environ: append(small("ROEM_JOBS_QUEUE=120"), trusts),
		before: "two held both slots for hours; 998 filled the queue in 17 s, everybody else got `queue-full` with `Retry-After: 1`",
		honest: done(new(atomic.Int64)), asked: [4]int{2, 2, 10, 30},
		begin: func(a *attackers) {
			var n atomic.Int64
			for i := range 4 {
				a.repeat("127.0.25.1", 3, http.MethodPost, func() (string, string) {
					return "/v1/jobs", fmt.Sprintf(`{"kind": "tarok.match",
						"request": {"a": "heuristic", "b": "heuristic", "deals": 10000, "seed": "%d"}}`, n.Add(1))
				}, "X-Forwarded-For", fmt.Sprintf("2001:db8:%x:1::1", i))
			}
			a.refused(12)
		},
	}
}

func slowUploads() *crowd {
	const addresses, each = 12, 2
	const first = "POST /v1/klaverjas/predict/batch HTTP/1.1\r\nHost: roem\r\nContent-Type: application/json\r\n" +
		"Content-Length: 4194304\r\n\r\n"
	list := `{"positions": [` + strings.Repeat(" ", 200_000) + strings.Repeat(solvable+",", 500) + solvable + `]}`
	return &crowd{
		name: "bodies of 4 MiB that come by a byte a second, 24 connections of 12 addresses", before: "66 of 67 lists of others got 503",
		asked: [4]int{5, 10, 20, 67},
		honest: func(ctx context.Context, c *http.Client, url string) reply {
			return exchange(ctx, c, http.MethodPost, url+"/v1/klaverjas/predict/batch", list)
		},
		begin: func(a *attackers) {
			for i := range addresses * each {
				a.hold(fmt.Sprintf("127.0.20.%d", 1+i/each), first+`{"positions": [`+strings.Repeat(" ", 66_000), " ")
			}
			a.holding(addresses * each)
		},
	}
}

// version asks for something that costs nothing but a connection.
func version(ctx context.Context, c *http.Client, url string) reply {
	return exchange(ctx, c, http.MethodGet, url+"/version", "")
}

// small is the configuration of a server that a test attacks with little, unless it does with all.
func small(environ ...string) []string {
	if testkit.Full() {
		return nil
	}
	return environ
}

// fewer is how many connections attack a server, and the configuration for it.
func fewer() (connections int, environ []string) {
	return testkit.Times(400, 400, 400, 8500), small("ROEM_HTTP_MAX_CONNECTIONS=100")
}

func plural(addresses int) string {
	if addresses == 1 {
		return "one address"
	}
	return fmt.Sprintf("%d addresses", addresses)
}

func manyConnections(addresses int) *crowd {
	n, environ := fewer()
	return &crowd{
		name: fmt.Sprintf("%d connections of %s", n, plural(addresses)), environ: environ,
		before: "the server was killed after a second", honest: version, asked: [4]int{10, 20, 40, 200},
		begin: func(a *attackers) {
			for i := range n {
				a.hold(fmt.Sprintf("127.0.21.%d", 1+i%addresses), "GET /version HTTP/1.1\r\nHost: roem\r\n\r\n", "")
			}
			a.holding(n)
		},
	}
}

// slowRequests begins more requests than there may be connections, and goes on by a few bytes a second.
func slowRequests(what, before, first, drip string) *crowd {
	const addresses = 10
	n, environ := fewer()
	return &crowd{
		name: fmt.Sprintf("%s on %d connections of %d addresses", what, n, addresses), environ: environ,
		before: before, honest: version, asked: [4]int{5, 10, 20, 100},
		begin: func(a *attackers) {
			for i := range n {
				a.hold(fmt.Sprintf("127.0.26.%d", 1+i%addresses), first, drip)
			}
			a.holding(n)
		},
	}
}

// longJob creates a job that does not end during the test.
func (a *attackers) longJob(c *http.Client, header ...string) (path string) {
	a.t.Helper()
	const long = `{"kind": "tarok.match", "request": {"a": "program", "b": "heuristic", "deals": 100}}`
	answer := exchange(a.ctx, c, http.MethodPost, a.url+"/v1/jobs", long, header...)
	if answer.status != http.StatusAccepted {
		a.t.Fatalf("no job: %d %s", answer.status, answer.body)
	}
	return answer.header.Get("Location")
}

func manyWaits() *crowd {
	n := testkit.Times(440, 440, 600, 4000)
	return &crowd{
		name: fmt.Sprintf("%d waits of 30 s for jobs, of 4 addresses", n), before: "120 MiB more",
		honest: done(new(atomic.Int64)), asked: [4]int{2, 3, 10, 30},
		begin: func(a *attackers) {
			for i := range 4 {
				from := fmt.Sprintf("127.0.22.%d", 1+i)
				path := a.longJob(clientAt(a.t, from))
				a.repeat(from, n/4, http.MethodGet, func() (string, string) { return path + "?wait=30", "" })
			}
			a.refused(40)
		},
	}
}

func manyStreams() *crowd {
	n := testkit.Times(480, 480, 600, 1200)
	return &crowd{
		name: fmt.Sprintf("%d event streams of four /64s", n), before: "all 1,000 streams were theirs", environ: []string{trusts},
		honest: done(new(atomic.Int64)), asked: [4]int{2, 3, 10, 30},
		begin: func(a *attackers) {
			for i := range 4 {
				header := []string{"X-Forwarded-For", fmt.Sprintf("2001:db8:%x:1::1", i)}
				path := a.longJob(clientAt(a.t, "127.0.25.1"), header...)
				a.repeat("127.0.25.1", n/4, http.MethodGet, func() (string, string) { return path + "/events", "" }, header...)
			}
			a.refused(40)
		},
	}
}
