package test

import (
	"bufio"
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
	"time"
)

var (
	recordTo = flag.String("record.to", "", "the `file` to which TestRecord writes its answers")
	recordAs = flag.String("record.as", "", "a `file` of TestRecord, with whose answers it compares")
)

// recorded is a request, and what was answered to it.
type recorded struct {
	Request string // method, path and body
	Answer  string // status and body
}

// The requests of TestRecord.
const (
	recordedRequests = 10_000
	recordedDeals    = 100
	recordedSeed     = 27
	unfinished       = "unfinished" // the answer of a job that takes too long: it is not compared
)

// TestRecord sends the same 10,000 requests each time, for every operation, half of them damaged, one after the other. It writes the
// answers to a file, or compares them with a file that another version of the program has written: all bytes but versions, ids and times.
func TestRecord(t *testing.T) {
	if *recordTo == "" && *recordAs == "" {
		t.Skip("without -record.to and -record.as")
	}
	s := start(t, "ROEM_LIMITS_SEARCH_TIME=0", "ROEM_LIMITS_JOBS=0", "ROEM_LIMITS_JOBS_TIME=0", "ROEM_LIMITS_SESSIONS_PER_MINUTE=0",
		"ROEM_LIMITS_NETWORK_SESSIONS_PER_MINUTE=0")
	r := &recorder{server: s, http: client(time.Minute)}
	all := r.requests(t, stormDeals(t, recordedSeed, recordedDeals))
	if *recordTo != "" {
		var out bytes.Buffer
		for _, one := range all {
			line, err := json.Marshal(one)
			if err != nil {
				t.Fatal(err)
			}
			out.Write(append(line, '\n'))
		}
		if err := os.WriteFile(*recordTo, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if *recordAs != "" {
		compareRecorded(t, readRecorded(t, *recordAs), all)
	}
}

func readRecorded(t *testing.T, name string) []recorded {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var all []recorded
	for lines := bufio.NewReader(file); ; {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return all
		}
		var one recorded
		if err == nil {
			err = json.Unmarshal(line, &one)
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
}

func compareRecorded(t *testing.T, before, now []recorded) {
	t.Helper()
	if len(before) != len(now) {
		t.Fatalf("%d answers, and %d before", len(now), len(before))
	}
	different, left := 0, 0
	for i := range now {
		switch {
		case before[i].Request != now[i].Request:
			t.Fatalf("request %d is %.300s, and was %.300s", i, now[i].Request, before[i].Request) // the recorder has changed
		case before[i].Answer == unfinished || now[i].Answer == unfinished:
			left++
		case before[i].Answer != now[i].Answer:
			if different++; different <= 20 {
				t.Errorf("%.600s\nbefore %.1000s\nnow    %.1000s", now[i].Request, before[i].Answer, now[i].Answer)
			}
		}
	}
	t.Logf("%d answers, of which %d are different and %d were not compared", len(now), different, left)
	if left > len(now)/20 {
		t.Errorf("%d of %d answers were not compared", left, len(now))
	}
}

// recorder sends requests and takes down the answers.
type recorder struct {
	*server
	http *http.Client
}

// requests sends all requests: valid ones, damaged ones, and some acts in each session.
func (r *recorder) requests(t *testing.T, deals []stormDeal) []recorded {
	t.Helper()
	rng := rand.New(rand.NewPCG(recordedSeed, 1))
	var operations []stormOperation
	for _, w := range stormAll {
		if w.op != opListJobs {
			operations = append(operations, w.op)
		}
	}
	m := &mutator{rng: rng, redeals: 4}
	var all []recorded
	for i := 0; len(all) < recordedRequests; i++ {
		q := newStormRequest(operations[i%len(operations)], rng, deals, i%len(deals))
		q.prefer, q.key = "wait=20", ""
		switch q.op {
		case opCreateSession, opGinCreateSession, opTarokCreateSession:
			q.body = changed(t, q.body, "seed", fmt.Sprint(i))
		case opHybrid, opHybridBatch:
			q.body = changed(t, q.body, "budget_ms", nil) // the answer within a budget depends on the time
		}
		if len(q.body) > 0 {
			if m.others = append(m.others, q.body); rng.IntN(2) == 0 {
				q.body, q.session = m.body(q.body), nil
			}
		}
		all = append(all, r.answer(t, q))
		for range 6 {
			if q.session == nil || !q.session.begun() || q.session.over() {
				break
			}
			all = append(all, r.answer(t, q.session.act(rng)))
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

// answer sends a request, and follows its job if it becomes one.
func (r *recorder) answer(t *testing.T, q stormRequest) recorded {
	t.Helper()
	status, header, body := r.send(t, q.op.method, q.target, q.prefer, q.body)
	text := fmt.Sprintf("%d %s", status, body)
	if status == http.StatusAccepted {
		at := header.Get("Location")
		_, _, body = r.send(t, http.MethodGet, at+"?wait=20", "", nil)
		var j job
		if err := json.Unmarshal(body, &j); err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		text = fmt.Sprintf("%d, the job is %s: %s%s", status, j.Status, j.Result, j.Error)
		if j.Status == "queued" || j.Status == "running" {
			text = unfinished
			r.send(t, http.MethodDelete, at, "", nil)
		}
	}
	if q.session != nil && status < 300 {
		if err := q.right(body); err != nil {
			t.Errorf("%s: %v", q.target, err)
			q.session = nil
		}
	}
	// A damaged body can be no UTF-8, which the file cannot hold.
	return recorded{
		Request: strings.ToValidUTF8(changing.ReplaceAllString(q.op.method+" "+q.target+" "+string(q.body), "$1$2$3…"), "\ufffd"),
		Answer:  strings.ToValidUTF8(changing.ReplaceAllString(text, "$1$2$3…"), "\ufffd"),
	}
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

// changing matches what is different each time: versions, ids, times.
var changing = regexp.MustCompile(`("(?:version|request_id|id|source|created_at|started_at|finished_at|expires_at)":)"[^"]*"` +
	`|("(?:elapsed_us|mean_us|p99_us)":)[0-9.]+|(/(?:sessions|jobs)/)[0-9A-Za-z_-]+`)
