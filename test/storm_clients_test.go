package test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// What a storm is made of: clients that only ask for what is searched, so that searches are queued all the time, and clients of
// every operation. Many of them share one address, so that its limits are met as well; the others have some addresses between them.
const (
	stormSearching = 64
	stormClients   = stormSearching + 32
	stormOwners    = 12
	stormCrowd     = 5 // of stormOwners clients, how many are at the address that many share
)

// A client gives a request up after a random time up to stormPatience; every stormPatient-th request waits for its answer instead,
// for stormAnswer at most, which is more than the server lets any request wait. Every deal is asked for by stormPerDeal
// requests or so before the next one takes its place.
const (
	stormPatience = 200 * time.Millisecond
	stormPatient  = 16
	stormAnswer   = 60 * time.Second
	stormPause    = 10 * time.Millisecond // between two requests of a client, at most
	stormPerDeal  = 8
)

// stormWeights says how often each operation is asked for, of those that do not follow from another.
type stormWeights []struct {
	op     stormOperation
	weight int
}

var (
	stormSearches = stormWeights{{opSolve, 70}, {opTable, 10}, {opHybridBatch, 10}, {opAnalyse, 10}}
	stormAll      = stormWeights{
		{opSolve, 20}, {opTable, 5}, {opHybridBatch, 5}, {opHybrid, 6}, {opAnalyse, 5}, {opSolveBatch, 6}, {opCreateJob, 15}, {opLegalMoves, 4},
		{opPredict, 3}, {opPredictBatch, 3}, {opIndexDeal, 1}, {opDealAt, 1}, {opRandomDeal, 1}, {opModel, 1}, {opListJobs, 3},
	}
)

// pick draws an operation.
func (all stormWeights) pick(rng *rand.Rand) stormOperation {
	sum := 0
	for _, w := range all {
		sum += w.weight
	}
	n := rng.IntN(sum)
	for _, w := range all {
		if n -= w.weight; n < 0 {
			return w.op
		}
	}
	panic("unreachable")
}

// storm is many clients of one server.
type storm struct {
	url    string
	deals  []stormDeal
	routes map[string]route // of the contract, by method and path
	tally  *stormTally
	sent   atomic.Int64
}

// stormClient is one of them.
type stormClient struct {
	*storm
	owner   string // the address that the server knows it by
	weights stormWeights
	rng     *rand.Rand
	http    *http.Client
}

// client returns the client of a number. Some end a connection that they give up by a reset, the others in order.
func (s *storm) client(seed uint64, number int) *stormClient {
	dialer := &net.Dialer{Timeout: stormAnswer}
	reset, weights := number%2 == 0, stormAll
	if number < stormSearching {
		weights = stormSearches
	}
	return &stormClient{
		storm:   s,
		weights: weights,
		owner:   fmt.Sprintf("192.0.2.%d", max(stormCrowd, number%stormOwners)),
		rng:     rand.New(rand.NewPCG(seed, uint64(100+number))),
		http: &http.Client{Transport: &http.Transport{
			DisableCompression: true,
			DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				conn, err := dialer.DialContext(ctx, network, addr)
				if tcp, ok := conn.(*net.TCPConn); ok && reset {
					err = tcp.SetLinger(0)
				}
				return conn, err
			},
		}},
	}
}

// run sends requests until the context ends.
func (c *stormClient) run(ctx context.Context) {
	defer c.http.CloseIdleConnections()
	for ctx.Err() == nil {
		at := int(c.sent.Add(1) / stormPerDeal)
		q := newStormRequest(c.weights.pick(c.rng), c.rng, c.deals, at)
		id, answered := c.ask(ctx, q)
		// Most who have hung up come back with the same request, when the server may not have noticed yet.
		for again := 0; !answered && again < 4 && c.rng.IntN(4) > 0 && ctx.Err() == nil; again++ {
			id, answered = c.ask(ctx, q)
		}
		if id != "" {
			c.follow(ctx, id, q.right)
		}
		if c.rng.IntN(2) == 0 {
			select {
			case <-ctx.Done():
			case <-time.After(rand.N(stormPause)):
			}
		}
	}
}

// follow does with a job what clients do: look at it, wait for it, follow its events, cancel it, or forget it.
func (c *stormClient) follow(ctx context.Context, id string, right func([]byte) error) {
	for range c.rng.IntN(4) {
		if ctx.Err() != nil {
			return
		}
		op := []stormOperation{opGetJob, opGetJob, opJobEvents, opCancelJob}[c.rng.IntN(4)]
		if op == opCancelJob {
			c.tally.cancels(id)
		}
		c.ask(ctx, ofJob(op, id, c.rng, right))
	}
}

// ask sends a request, gives it up after a while, and checks what has been answered until then. It returns the id of the job
// that the answer tells of, if it does.
func (c *stormClient) ask(ctx context.Context, q stormRequest) (id string, answered bool) {
	patience := time.Millisecond + time.Duration(c.rng.Int64N(int64(stormPatience)))
	patient := c.rng.IntN(stormPatient) == 0
	if patient {
		// The end of the storm does not end it: everybody who waits is answered.
		ctx, patience = context.WithoutCancel(ctx), stormAnswer
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	status, header, body, err := c.send(ctx, q)
	switch {
	case err != nil && ctx.Err() != nil && patient && (q.op != opJobEvents || status == 0):
		// A stream lasts as long as its job, so of that only the beginning must come.
		c.tally.count(q.op, "none")
		c.tally.mistake("%v: no answer within %v", q.op, stormAnswer)
		return "", false
	case err != nil && ctx.Err() != nil:
		c.tally.count(q.op, hungUp)
		return "", false
	case err != nil:
		c.tally.count(q.op, "cut")
		c.tally.mistake("%v: the connection broke: %v", q.op, err)
		return "", false
	}
	c.tally.count(q.op, fmt.Sprint(status))
	id, err = c.check(q, status, header, body)
	if err != nil {
		c.tally.mistake("%v, %s: %d: %v\n\tanswer  %s\n\trequest %.700s", q.op, q.prefer, status, err, body[max(0, len(body)-1500):], q.body)
	}
	return id, true
}

// send sends the request and reads the answer to its end.
func (c *stormClient) send(ctx context.Context, q stormRequest) (status int, header http.Header, body []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, q.op.method, c.url+q.target, bytes.NewReader(q.body))
	if err != nil {
		return 0, nil, nil, err
	}
	request.Header.Set("X-Forwarded-For", c.owner)
	for name, value := range map[string]string{"Prefer": q.prefer, "Idempotency-Key": q.key} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	if q.body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return 0, nil, nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err = io.ReadAll(answer.Body)
	return answer.StatusCode, answer.Header, body, err
}

// check says what is wrong with an answer that was read whole. The contract must have it, and what it says must be so.
func (c *stormClient) check(q stormRequest, status int, header http.Header, body []byte) (id string, err error) {
	r, ok := c.routes[q.op.String()]
	if !ok {
		return "", fmt.Errorf("the contract has no %v", q.op)
	}
	// Whole schemas are checked at times only: it takes the clients longer than the answer takes the server.
	if status >= 400 || c.rng.IntN(32) == 0 {
		if err := r.check(status, header, body); err != nil {
			return "", err
		}
	} else if r.op.Responses.Status(status) == nil {
		return "", fmt.Errorf("the contract has no such status")
	}
	switch {
	case status >= 400 || status == http.StatusNoContent:
		return "", nil
	case len(body) == 0:
		return "", fmt.Errorf("nothing in it")
	case q.op == opJobEvents:
		return "", rightEvents(body, q, c.tally)
	case status == http.StatusAccepted || q.isJob:
		var j job
		if err := json.Unmarshal(body, &j); err != nil {
			return "", err
		}
		if q.op == opGetJob || q.op == opCancelJob {
			if !strings.Contains(q.target, j.ID) {
				return "", fmt.Errorf("it is another job")
			}
		} else {
			c.tally.job(j.ID, c.owner)
		}
		if q.op == opCancelJob && !j.final() {
			return "", fmt.Errorf("cancelled, and it has not ended")
		}
		return j.ID, rightJob(j, q.right, c.tally)
	default:
		return "", q.right(body)
	}
}

// rightJob says what is wrong with a job.
func rightJob(j job, right func([]byte) error, tally *stormTally) error {
	switch {
	case j.ID == "":
		return fmt.Errorf("a job without an id")
	case j.Status == "failed":
		return fmt.Errorf("the job has failed: %s", j.Error)
	case j.Status == "cancelled" && !tally.mayBeCancelled(j.ID):
		return fmt.Errorf("nobody has cancelled the job")
	case j.Status == "succeeded":
		return right(j.Result)
	}
	return nil
}

// rightEvents says what is wrong with a stream of events that has ended.
func rightEvents(body []byte, q stormRequest, tally *stormTally) error {
	last, event := "", ""
	for lines := bufio.NewScanner(bytes.NewReader(body)); lines.Scan(); {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			event = name
		} else if data, ok := strings.CutPrefix(line, "data: "); ok {
			last = event
			var j job
			if err := json.Unmarshal([]byte(data), &j); err != nil {
				return err
			}
			if !strings.Contains(q.target, j.ID) {
				return fmt.Errorf("it is another job")
			}
			if (event == "finished") != j.final() {
				return fmt.Errorf("the event %s of a job that is %s", event, j.Status)
			}
			if err := rightJob(j, q.right, tally); err != nil {
				return err
			}
		}
	}
	if last != "finished" {
		return fmt.Errorf("the stream has ended with the event %q", last)
	}
	return nil
}
