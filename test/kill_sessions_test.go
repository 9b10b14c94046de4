package test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/redistest"
	"roem/internal/testkit"
)

// TestKillSessions kills servers at random times while clients play sessions of every game. Every act that was answered is there
// afterwards, with the same cards.
func TestKillSessions(t *testing.T) {
	deaths := 2
	switch {
	case testkit.Full():
		deaths = *kills
	case testkit.Long():
		deaths = 3
	case testing.Short():
		t.Skip("it also runs without the race detector, with the same code")
	}
	common := []string{
		"ROEM_SEARCH_TABLE=8MiB", "ROEM_SEARCH_SEARCHERS=1", "ROEM_LIMITS_SEARCHES=0", "ROEM_LIMITS_SESSIONS=0",
		"ROEM_LIMITS_SESSIONS_PER_MINUTE=0",
	}
	t.Run("embedded", func(t *testing.T) {
		h := &house{}
		h.add(t, true, append([]string{"ROEM_DATA=" + filepath.Join(t.TempDir(), "data")}, common...)...)
		h.playsOn(t, deaths)
	})
	t.Run("Redis", func(t *testing.T) {
		redis := redistest.Start(t, redistest.Options{Durable: true, MaxMemoryPolicy: "noeviction"})
		h := &house{}
		for range 2 {
			h.add(t, true, append([]string{"ROEM_REDIS_URL=" + redis.URL()}, common...)...)
		}
		h.playsOn(t, deaths)
	})
}

// playsOn plays sessions while servers are killed, and then reads all of them again.
func (h *house) playsOn(t *testing.T, deaths int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	p := newPatient(t, h.urls)
	var (
		players sync.WaitGroup
		stopped atomic.Bool
		begun   atomic.Int64
		acted   atomic.Int64
		all     [8][]*killedPlay
	)
	more := func() bool { acted.Add(1); return !stopped.Load() }
	for i := range all {
		players.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			for n := 0; !stopped.Load() && !t.Failed(); n++ {
				one, err := p.begin(ctx, fmt.Sprintf("player %d, session %d", i, n), i, rng)
				if err == nil {
					all[i] = append(all[i], one)
					begun.Add(1)
					err = one.playOn(ctx, p, rng, more)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	slowest := time.Duration(0)
	for n := 0; n < deaths && !t.Failed(); n++ {
		// Some acts later, at a random time.
		enough := acted.Load() + 40
		eventually(t, testkit.Patience, "sessions are played", func() bool {
			return acted.Load() >= enough && begun.Load() >= int64(len(all)) || t.Failed()
		})
		time.Sleep(200*time.Millisecond + time.Duration(rand.Int64N(int64(800*time.Millisecond))))
		slowest = max(slowest, h.kill(t, rand.IntN(len(h.servers))))
	}
	stopped.Store(true)
	players.Wait()
	sessions, acts, repeated := 0, 0, 0
	for _, list := range all {
		for _, one := range list {
			sessions, acts, repeated = sessions+1, acts+one.acts, repeated+one.repeated
			if err := one.unchanged(ctx, p); err != nil {
				t.Errorf("at the end: %v", err)
			}
		}
	}
	t.Logf("%d acts in %d sessions, %d of them repeated; kills by process: %v, ready again after at most %v",
		acts, sessions, repeated, h.killed, slowest.Round(time.Millisecond))
	if acts < 20*deaths || sessions < len(all) {
		t.Errorf("too few to mean anything")
	}
}

// killedPlay is a session of TestKillSessions.
type killedPlay struct {
	stormPlay
	last     []byte // the last answer
	acts     int    // answered
	repeated int    // acts whose first answer was lost
}

// begin creates a session of one of the games.
func (p *patient) begin(ctx context.Context, key string, game int, rng *rand.Rand) (*killedPlay, error) {
	var (
		q       stormRequest
		request map[string]any
	)
	switch game % 4 {
	case 0:
		body, s := (*stormDeal)(nil).sessionRequest(rng)
		q, request = stormRequest{op: opCreateSession, right: s.right, session: s}, body
	case 1:
		s := new(stormGinSession)
		q, request = stormRequest{op: opGinCreateSession, right: s.right, session: s}, ginSessionRequest(rng)
	case 2:
		s := new(stormBeloteSession)
		q, request = stormRequest{op: opBeloteCreateSession, right: s.right, session: s}, beloteSessionRequest(rng)
	default:
		s := new(stormTarokSession)
		q, request = stormRequest{op: opTarokCreateSession, right: s.right, session: s}, tarokSessionRequest(rng)
	}
	q.target, q.body = q.op.path, mustJSON(request)
	one := &killedPlay{stormPlay: q.session}
	_, err := one.ask(ctx, p, q, key, http.StatusCreated)
	return one, err
}

// ask repeats a request until it is answered, and takes over the answer.
func (k *killedPlay) ask(ctx context.Context, p *patient, q stormRequest, key string, want int) (tries int, err error) {
	for ctx.Err() == nil {
		urls := p.urls()
		status, text, wait, err := p.once(ctx, q.op.method, urls[rand.IntN(len(urls))]+q.target, key, q.body)
		tries++
		switch {
		case err != nil, status == http.StatusServiceUnavailable, status == http.StatusTooManyRequests:
		case status != want:
			return tries, fmt.Errorf("%v %s %s: %d: %.300s\nafter %.300s", q.op, q.target, q.body, status, text, k.last)
		default:
			if err := q.right(text); err != nil {
				return tries, fmt.Errorf("%v %s: %w: %.600s\nafter %.600s", q.op, q.target, err, text, k.last)
			}
			k.last = text
			return tries, nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(min(max(wait, 20*time.Millisecond), 200*time.Millisecond)):
		}
	}
	return tries, fmt.Errorf("%v %s: %w", q.op, q.target, errGaveUp)
}

// playOn makes acts until the session is over, as long as more, which it calls before each, returns true. Each answer must have one act
// more than the one before it, also that to a repeated act.
func (k *killedPlay) playOn(ctx context.Context, p *patient, rng *rand.Rand, more func() bool) error {
	for n := 0; n < 60 && !k.over() && more(); n++ {
		q := k.act(rng)
		if q.op.method == http.MethodGet { // nothing that the storm can do
			return nil
		}
		before := actsOf(k.last)
		tries, err := k.ask(ctx, p, q, "", http.StatusOK)
		if err != nil {
			return err
		}
		if after := actsOf(k.last); after != before+1 {
			return fmt.Errorf("%v %s: %d acts, then %d", q.op, q.target, before, after)
		}
		if k.acts++; tries > 1 {
			k.repeated++
		}
		if rng.IntN(8) == 0 {
			if err := k.unchanged(ctx, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// unchanged reads the session, which must be what the last answer was.
func (k *killedPlay) unchanged(ctx context.Context, p *patient) error {
	last := k.last
	if _, err := k.ask(ctx, p, k.read(), "", http.StatusOK); err != nil {
		return err
	}
	if was, is := withoutExpiry(last), withoutExpiry(k.last); !reflect.DeepEqual(was, is) {
		return fmt.Errorf("the last answer was %s, and now the session is %s", last, k.last)
	}
	return nil
}

func actsOf(answer []byte) int {
	var session struct{ Acts int }
	if json.Unmarshal(answer, &session) != nil {
		return -1
	}
	return session.Acts
}

// withoutExpiry returns an answer without the time, which Redis knows to the millisecond.
func withoutExpiry(answer []byte) map[string]any {
	var session map[string]any
	if json.Unmarshal(answer, &session) != nil {
		return nil
	}
	delete(session, "expires_at")
	return session
}
