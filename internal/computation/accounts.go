package computation

import (
	"math"
	"time"

	"golang.org/x/time/rate"
)

// Limits are the limits of one client.
type Limits struct {
	Searches int           // maximum number of requests that have a slot, wait for one or have had one, until they end; 0 for no limit
	Time     float64       // long-term time on slots, in seconds per second; 0 for no limit
	Burst    time.Duration // time on slots that a client without recent use can use at once

	Own map[string]Limits // the limits of clients that have their own, by client
}

// Of returns the limits of a client.
func (l Limits) Of(client string) Limits {
	if own, has := l.Own[client]; has {
		return own
	}
	return l
}

// Standing is how much of its limits a client has left.
type Standing struct {
	Limits
	SearchesLeft int           // requests that it may begin now, if Limits.Searches limits them
	TimeLeft     time.Duration // time on slots that it may use at once, not below 0, if Limits.Time limits it
}

// Standing returns how much of its limits a client has left.
func (s *Scheduler) Standing(client string) Standing {
	limits := s.accounts.limits.Of(client)
	out := Standing{Limits: limits, SearchesLeft: limits.Searches, TimeLeft: limits.Burst}
	s.mu.Lock()
	defer s.mu.Unlock()
	if one, known := s.accounts.byClient[client]; known {
		out.SearchesLeft = max(0, limits.Searches-one.requests)
		if one.time != nil {
			out.TimeLeft = max(0, time.Duration(one.time.TokensAt(s.now()))*time.Microsecond)
		}
	}
	return out
}

// maxAccounts bounds the memory of the limits: if there are this many accounts, further clients share one account.
const maxAccounts = 10_000

// sweepEvery is the interval at which unused accounts are removed.
const sweepEvery = time.Second

// accounts holds an account for each client with current or recent computations. The Scheduler's lock guards it.
type accounts struct {
	limits   Limits
	byClient map[string]*account
	others   *account
	swept    time.Time
}

// account is the use of slots by one client.
//
// A request is asked for once, when its first computation needs a slot: it is refused while the client has Limits.Searches others, or no
// time left. After that it uses the time that it needs, and what it has used is charged: the time that is left can become negative. The
// clients that Limits.Searches admits at the same time, and the longest time that a request may take, bound how far.
type account struct {
	client   string
	requests int           // admitted and not ended
	slots    int           // computations that are charged, running and queued
	time     *rate.Limiter // in microseconds on slots; nil without a limit
}

func newAccounts(l Limits) accounts {
	a := accounts{limits: l, byClient: make(map[string]*account)}
	a.others = a.make("")
	return a
}

func (a *accounts) make(client string) *account {
	one, limits := &account{client: client}, a.limits.Of(client)
	if limits.Time > 0 {
		one.time = rate.NewLimiter(rate.Limit(limits.Time*1e6), int(max(limits.Burst, time.Millisecond).Microseconds()))
	}
	return one
}

// unused reports whether the account has the same state as a new one.
func (a *account) unused(now time.Time) bool {
	return a.requests == 0 && a.slots == 0 && (a.time == nil || a.time.TokensAt(now) >= float64(a.time.Burst()))
}

// of returns the account of the client.
func (a *accounts) of(client string, now time.Time) *account {
	if one, ok := a.byClient[client]; ok {
		return one
	}
	if len(a.byClient) >= maxAccounts && now.Sub(a.swept) >= sweepEvery {
		a.swept = now
		for name, one := range a.byClient {
			if one.unused(now) {
				delete(a.byClient, name)
			}
		}
	}
	if len(a.byClient) >= maxAccounts {
		return a.others
	}
	one := a.make(client)
	a.byClient[client] = one
	return one
}

// admit returns the account that is charged for a request, or nil if there is no limit. The request of a client is added to it, or refused;
// retry is then the time until a slot is free. A job has been admitted already.
func (a *accounts) admit(p payer, now time.Time, retry time.Duration) (*account, error) {
	limits := a.limits.Of(p.client)
	if p.client == "" || limits.Searches == 0 && limits.Time == 0 {
		return nil, nil // clients without limits have no account
	}
	one := a.of(p.client, now)
	if p.job {
		return one, nil
	}
	if limits.Searches > 0 && one.requests >= limits.Searches {
		return nil, &LimitedError{Client: p.client, Searches: one.requests, RetryAfter: retry}
	}
	if err := one.hasTime(now); err != nil {
		return nil, err
	}
	one.requests++
	return one, nil
}

// hasTime returns a *LimitedError if the client has no time left. Its RetryAfter is the time until it has some again.
func (a *account) hasTime(now time.Time) error {
	if a.time == nil {
		return nil
	}
	left := a.time.TokensAt(now)
	if left > 0 {
		return nil
	}
	wait := time.Duration((1 - left) / float64(a.time.Limit()) * float64(time.Second))
	return &LimitedError{Client: a.client, RetryAfter: max(upToSeconds(wait), MinRetry)}
}

// charge removes a computation from the account and charges the time on its slot.
func (a *accounts) charge(one *account, now time.Time, took time.Duration) {
	if one == nil {
		return
	}
	one.slots--
	if one.time != nil {
		for left := int(took.Microseconds()); left > 0; {
			n := min(left, one.time.Burst())
			one.time.ReserveN(now, n)
			left -= n
		}
	}
	a.tidy(one, now)
}

// leave removes a request from the account that admit returned.
func (a *accounts) leave(one *account, p payer, now time.Time) {
	if one != nil && !p.job {
		one.requests--
		a.tidy(one, now)
	}
}

// tidy removes an account that is not used.
func (a *accounts) tidy(one *account, now time.Time) {
	if a.byClient[one.client] == one && one.unused(now) {
		delete(a.byClient, one.client)
	}
}

// The bounds of Retry-After.
const (
	MinRetry = time.Second
	MaxRetry = time.Minute
)

// WholeSeconds rounds a wait up to whole seconds, from MinRetry to MaxRetry.
func WholeSeconds(wait time.Duration) time.Duration {
	return min(max(upToSeconds(wait), MinRetry), MaxRetry)
}

func upToSeconds(wait time.Duration) time.Duration {
	return time.Duration(math.Ceil(wait.Seconds())) * time.Second
}
