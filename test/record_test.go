package test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"roem/internal/testkit"
)

var (
	recordTo = flag.String("record.to", "", "the `file` to which TestRecord writes its answers")
	recordAs = flag.String("record.as", "", "a `file` of TestRecord, with whose answers it compares")
)

// recorded is a request, and what was answered to it.
type recorded struct {
	Method, Target, Prefer string // the target has thisSession instead of the id of a session
	Body                   []byte
	Answer                 string // status and body
}

// The requests of TestRecord.
const (
	recordedRequests = 10_000
	recordedDeals    = 100
	recordedSeed     = 27
	thisSession      = "…"          // the session that was created last
	unfinished       = "unfinished" // an answer that cannot be compared: of a job that takes too long, or with a seed that was drawn
)

// TestRecord sends 10,000 requests of all operations, half of them damaged, one after the other, and writes them and the answers to a file.
// With a file that another version of the program has written, it sends the requests in the file, and compares the answers: all bytes but
// versions, ids and times.
func TestRecord(t *testing.T) {
	if *recordTo == "" && *recordAs == "" {
		t.Skip("without -record.to and -record.as")
	}
	s := start(t, "ROEM_LIMITS_SEARCH_TIME=0", "ROEM_LIMITS_JOBS=0", "ROEM_LIMITS_JOBS_TIME=0", "ROEM_LIMITS_SESSIONS_PER_MINUTE=0",
		"ROEM_LIMITS_NETWORK_SESSIONS_PER_MINUTE=0")
	r := &recorder{server: s, http: client(testkit.Patience)}
	if *recordAs != "" {
		r.compare(t, readRecorded(t, *recordAs))
		return
	}
	var out bytes.Buffer
	for _, one := range r.requests(t, stormDeals(t, recordedSeed, recordedDeals)) {
		out.Write(append(mustJSON(one), '\n'))
	}
	if err := os.WriteFile(*recordTo, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func readRecorded(t *testing.T, name string) []recorded {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all []recorded
	for line := range bytes.Lines(text) {
		var one recorded
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// compare sends the requests again.
func (r *recorder) compare(t *testing.T, all []recorded) {
	t.Helper()
	different, left := 0, 0
	for _, before := range all {
		now := before
		r.answer(t, &now)
		switch {
		case before.Answer == unfinished || now.Answer == unfinished:
			left++
		case before.Answer != now.Answer:
			if different++; different <= 20 {
				t.Errorf("%s %s %.600s\nbefore %.1000s\nnow    %.1000s", now.Method, now.Target, now.Body, before.Answer, now.Answer)
			}
		}
	}
	t.Logf("%d answers, of which %d are different and %d were not compared", len(all), different, left)
	if len(all) < recordedRequests || left > len(all)/20 {
		t.Errorf("%d answers, of which %d were not compared", len(all), left)
	}
}

// recorder sends requests and takes down the answers.
type recorder struct {
	*server
	http    *http.Client
	session string // the id of the session that was created last
}

// requests sends all requests: valid ones, damaged ones, and some acts in each session.
func (r *recorder) requests(t *testing.T, deals []stormDeal) []recorded {
	t.Helper()
	rng := rand.New(rand.NewPCG(recordedSeed, 1))
	var operations []stormOperation
	for _, w := range stormAll {
		// The items of a list of hybrid are answered by the cache or by a search, as the time has it.
		if w.op != opListJobs && w.op != opHybridBatch {
			operations = append(operations, w.op)
		}
	}
	m := &mutator{rng: rng, redeals: 4}
	var all []recorded
	send := func(q stormRequest) (text []byte) {
		one := recorded{Method: q.op.method, Target: changing.ReplaceAllString(q.target, "$1$2$3"+thisSession), Prefer: q.prefer, Body: q.body}
		text = r.answer(t, &one)
		all = append(all, one)
		return text
	}
	for i := 0; len(all) < recordedRequests; i++ {
		q := newStormRequest(operations[i%len(operations)], rng, deals, i%len(deals))
		q.prefer = "wait=20"
		switch q.op {
		case opCreateSession, opBeloteCreateSession, opGinCreateSession, opTarokCreateSession, opTarokWorlds:
			q.body = changed(t, q.body, "seed", fmt.Sprint(i))
		case opHybrid:
			q.body = changed(t, q.body, "budget_ms", nil) // the answer within a budget depends on the time
		}
		if len(q.body) > 0 {
			if m.others = append(m.others, q.body); rng.IntN(2) == 0 {
				q.body, q.session = m.body(q.body), nil
			}
		}
		text := send(q)
		for range 6 {
			if q.session == nil || q.right(text) != nil || q.session.over() {
				break
			}
			q = q.session.act(rng)
			text = send(q)
		}
	}
	return all
}

// changed returns the body with another value of a field, or without the field if the value is nil.
func changed(t *testing.T, body []byte, name string, value any) []byte {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal(body, &fields); err != nil {
		t.Fatal(err)
	}
	delete(fields, name)
	if value != nil {
		fields[name] = value
	}
	return mustJSON(fields)
}

// answer sends a request, and follows its job if it becomes one. It notes the answer, and returns its body.
func (r *recorder) answer(t *testing.T, one *recorded) []byte {
	t.Helper()
	status, header, body := r.send(t, one.Method, strings.Replace(one.Target, thisSession, r.session, 1), one.Prefer, one.Body)
	text := fmt.Sprintf("%d %s", status, body)
	switch {
	case status == http.StatusCreated && strings.HasSuffix(one.Target, "/sessions"):
		var created struct{ ID string }
		if err := json.Unmarshal(body, &created); err != nil {
			t.Fatal(err)
		}
		r.session = created.ID
	case status == http.StatusAccepted:
		at := header.Get("Location")
		_, _, result := r.send(t, http.MethodGet, at+"?wait=20", "", nil)
		var j job
		if err := json.Unmarshal(result, &j); err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		text = fmt.Sprintf("%d, the job is %s: %s%s", status, j.Status, j.Result, j.Error)
		if j.Status == "queued" || j.Status == "running" {
			text = unfinished
			r.send(t, http.MethodDelete, at, "", nil)
		}
	}
	if status < 300 && drawsSeeds.MatchString(one.Target) && !bytes.Contains(one.Body, []byte(`"seed"`)) {
		text = unfinished
	}
	one.Answer = strings.ToValidUTF8(changing.ReplaceAllString(text, "$1$2$3…"), "…")
	return body
}

func (r *recorder) send(t *testing.T, method, target, prefer string, body []byte) (status int, header http.Header, text []byte) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), method, r.url+target, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	if prefer != "" {
		q.Header.Set("Prefer", prefer)
	}
	answer, err := r.http.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if text, err = io.ReadAll(answer.Body); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, text
}

// drawsSeeds matches the operations that draw a seed if the request has none.
var drawsSeeds = regexp.MustCompile(`/(sessions|sample|complexity|match)$`)

// changing matches what is different each time: versions, ids, times.
var changing = regexp.MustCompile(`("(?:version|request_id|id|source|created_at|started_at|finished_at|expires_at)":)"[^"]*"` +
	`|("(?:elapsed_us|mean_us|p99_us|ms|ms_p90)":)[0-9.]+|(/(?:sessions|jobs)/)[0-9A-Za-z_-]+`)
