package test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"roem/internal/testkit"
)

// The storm has clients that send only requests with a search, and clients that send every operation. The former use several addresses,
// since refused searches would keep the queue short, and the test needs clients that disconnect from the queue. The latter share one
// address, so that they reach its limits.
const (
	stormSearching = 64
	stormClients   = stormSearching + 32
	stormOwners    = 12
)

// A client disconnects after a random time of at most stormHangUp. One in stormWaiting requests waits for its answer, for at most
// stormAnswer, which is longer than the server lets any request wait. After stormPerDeal requests the storm moves to the next deal.
const (
	stormHangUp  = 200 * time.Millisecond
	stormWaiting = 16
	stormAnswer  = testkit.Patience
	stormPause   = 10 * time.Millisecond // maximum time between two requests of a client
	stormPerDeal = 8
)

// stormWeights holds the frequency of each operation. Operations on a job follow other operations.
type stormWeights []struct {
	op     stormOperation
	weight int
}

var (
	stormSearches = stormWeights{
		{opSolve, 70},
		{opTable, 10},
		{opHybridBatch, 10},
		{opAnalyse, 10},
		{opAdvise, 10},
		{opReview, 5},
		{opStrength, 10},
		{opBeloteSolve, 15},
		{opBeloteAnalyse, 5},
		{opBeloteAdvise, 5},
		{opTarokSolve, 8},
	}
	stormAll = stormWeights{
		{opSolve, 20},
		{opTable, 5},
		{opAdvise, 5},
		{opReview, 3},
		{opEvening, 1},
		{opHybridBatch, 5},
		{opHybrid, 6},
		{opAnalyse, 5},
		{opSolveBatch, 6},
		{opStrength, 4},
		{opStrengths, 3},
		{opBid, 3},
		{opMatch, 3},
		{opPlay, 3},
		{opCreateSession, 4},
		{opCreateJob, 15},
		{opLegalMoves, 4},
		{opScore, 2},
		{opPredict, 3},
		{opPredictBatch, 3},
		{opFeatures, 2},
		{opIndexDeal, 1},
		{opDealAt, 1},
		{opRandomDeal, 1},
		{opClass, 1},
		{opClassAt, 1},
		{opModel, 1},
		{opKnowledge, 2},
		{opCheck, 1},
		{opCardModel, 1},
		{opWorlds, 1},
		{opOperations, 1},
		{opPicture, 1},
		{opPuzzles, 1},
		{opDailyPuzzle, 1},
		{opPuzzle, 1},
		{opPuzzleAnswer, 1},
		{opSolution, 1},
		{opListJobs, 3},
		{opBeloteSolve, 8},
		{opBeloteAnalyse, 3},
		{opBeloteReview, 2},
		{opBeloteCompare, 2},
		{opBeloteLegal, 2},
		{opTarokSolve, 5},
		{opTarokLegal, 2},
		{opTarokScore, 2},
		{opTarokWorlds, 2},
		{opTarokComplexity, 1},
		{opTarokDeal, 1},
		{opBeloteCreateSession, 2},
		{opTarokCreateSession, 2},
		{opTarokBid, 1},
		{opTarokExchange, 1},
		{opTarokAnnounce, 1},
		{opTarokAdvise, 3},
		{opTarokReview, 1},
		{opTarokMatch, 2},
		{opBeloteDeal, 1},
		{opRecordsConvert, 2},
		{opGinMelds, 1},
		{opGinScore, 1},
		{opGinEstimate, 1},
		{opGinEstimates, 1},
		{opGinAdvise, 1},
		{opGinReview, 1},
		{opGinMatch, 2},
		{opGinCreateSession, 2},
		{opGinDeal, 1},
		{opBeloteAdvise, 4},
		{opBeloteBid, 2},
		{opBeloteScore, 2},
		{opBeloteMatch, 2},
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

// storm holds the clients of one server.
type storm struct {
	url    string
	deals  []stormDeal
	routes map[string]route // of the contract, by method and path
	tally  *stormTally
	sent   atomic.Int64 // requests that do not follow others
	asks   atomic.Int64 // all requests
	most   int64        // the storm ends after this number of requests
	end    context.CancelFunc
	asked  sync.Map // the operations that were requested
}

// stormClient is one of the clients.
type stormClient struct {
	*storm
	owner   string // the address by which the server identifies it
	weights stormWeights
	rng     *rand.Rand
	http    *http.Client
}

// client returns a client by its number. To disconnect, half of the clients reset the connection and half close it.
func (s *storm) client(seed uint64, number int) *stormClient {
	dialer := &net.Dialer{Timeout: stormAnswer}
	reset, weights, owner := number%2 == 0, stormAll, 0
	if number < stormSearching {
		weights, owner = stormSearches, 1+number%stormOwners
	}
	return &stormClient{
		storm:   s,
		weights: weights,
		owner:   fmt.Sprintf("192.0.2.%d", owner),
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

// run sends requests until the context ends. All clients together begin with each operation once.
func (c *stormClient) run(ctx context.Context) {
	defer c.http.CloseIdleConnections()
	for ctx.Err() == nil {
		n := int(c.sent.Add(1))
		op := c.weights.pick(c.rng)
		if n <= len(stormAll) {
			op = stormAll[n-1].op
		}
		q := newStormRequest(op, c.rng, c.deals, n/stormPerDeal)
		id, answered := c.ask(ctx, q)
		// After most disconnections the same request follows, possibly before the server has noticed the disconnection.
		for again := 0; !answered && again < 4 && c.rng.IntN(4) > 0 && ctx.Err() == nil; again++ {
			id, answered = c.ask(ctx, q)
		}
		switch {
		case id != "":
			c.follow(ctx, id, q.right)
		case q.session != nil && q.session.begun():
			c.playOn(ctx, q.session)
		}
		if c.rng.IntN(2) == 0 {
			select {
			case <-ctx.Done():
			case <-time.After(rand.N(stormPause)):
			}
		}
	}
}

// follow reads a job, waits for it, follows its events, cancels it, or does nothing.
func (c *stormClient) follow(ctx context.Context, id string, right func([]byte) error) {
	for range c.rng.IntN(4) {
		if ctx.Err() != nil {
			return
		}
		switch op := []stormOperation{opGetJob, opGetJob, opJobEvents, opJobToken, opCancelJob}[c.rng.IntN(5)]; op {
		case opJobToken:
			if events := (stormRequest{op: opJobEvents}); c.tokenOf(ctx, id, &events) {
				c.ask(ctx, events)
			}
		case opCancelJob:
			c.tally.cancels(id)
			fallthrough
		default:
			c.ask(ctx, ofJob(op, id, c.rng, right))
		}
	}
}

// tokenOf asks for a token and puts the address of the events with it into a request. It returns false if it has none.
func (c *stormClient) tokenOf(ctx context.Context, id string, events *stormRequest) bool {
	q := ofJob(opJobToken, id, c.rng, rightToken(id, &events.target))
	_, answered := c.ask(ctx, q)
	return answered && events.target != ""
}

// ask sends a request and disconnects after some time. It checks the answer if it is complete by then, and returns the id of the job in
// it, if any.
func (c *stormClient) ask(ctx context.Context, q stormRequest) (id string, answered bool) {
	if c.asks.Add(1) == c.most {
		c.end()
	}
	wait := time.Millisecond + time.Duration(c.rng.Int64N(int64(stormHangUp)))
	patient := c.rng.IntN(stormWaiting) == 0
	if patient {
		// The server must answer this request, also after the end of the storm.
		ctx, wait = context.WithoutCancel(ctx), stormAnswer
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	status, header, body, err := c.send(ctx, q)
	switch {
	case err != nil && ctx.Err() != nil && patient && (q.op != opJobEvents || status == 0):
		// A stream lasts as long as its job, so only its start is checked.
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
	id, err = c.check(q, status, header, body) // check does not wait
	if err != nil {
		c.tally.mistake("%v, %s: %d: %v\n\tanswer  %s\n\trequest %.700s", q.op, q.prefer, status, err, body[max(0, len(body)-1500):], q.body)
	}
	return id, true
}

// send sends the request and reads the whole answer.
func (c *stormClient) send(ctx context.Context, q stormRequest) (status int, header http.Header, body []byte, err error) {
	c.asked.Store(q.op.String(), true)
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
	if q.events {
		request.Header.Set("Accept", "text/event-stream")
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return 0, nil, nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err = io.ReadAll(answer.Body)
	return answer.StatusCode, answer.Header, body, err
}

// check returns an error if a complete answer is not in the contract or its content is wrong.
func (c *stormClient) check(q stormRequest, status int, header http.Header, body []byte) (id string, err error) {
	r, ok := c.routes[q.op.String()]
	if !ok {
		return "", fmt.Errorf("the contract has no %v", q.op)
	}
	// Only some answers are checked against their whole schema, because that takes longer than the answer.
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
