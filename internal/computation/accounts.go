package computation

import (
	"math"
	"time"

	"golang.org/x/time/rate"
)

// Limits are the limits of one client.
type Limits struct {
	Searches int           // maximum number of computations that need a slot, running or queued; 0 for no limit
	Time     float64       // long-term time on slots, in seconds per second; 0 for no limit
	Burst    time.Duration // time on slots that a client without recent use can use at once
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
type account struct {
	client   string
	searches int           // number of computations, running and queued
	time     *rate.Limiter // in microseconds on slots; nil without a limit
}

func newAccounts(l Limits) accounts {
	a := accounts{limits: l, byClient: make(map[string]*account)}
	a.others = a.make("")
	return a
}

func (a *accounts) make(client string) *account {
	one := &account{client: client}
	if a.limits.Time > 0 {
		one.time = rate.NewLimiter(rate.Limit(a.limits.Time*1e6), int(max(a.limits.Burst, time.Millisecond).Microseconds()))
	}
	return one
}

// unused reports whether the account has the same state as a new one.
func (a *account) unused(now time.Time) bool {
	return a.searches == 0 && (a.time == nil || a.time.TokensAt(now) >= float64(a.time.Burst()))
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

// enter adds a computation to the account of the client and returns the account, or nil if there is no limit. retry is the time until a
// slot is free.
func (a *accounts) enter(client string, now time.Time, retry time.Duration) (*account, error) {
	if client == "" || a.limits.Searches == 0 && a.limits.Time == 0 {
		return nil, nil //nolint:nilnil // clients without limits have no account
	}
	one := a.of(client, now)
	if a.limits.Searches > 0 && one.searches >= a.limits.Searches {
		return nil, &LimitedError{Client: client, Searches: one.searches, RetryAfter: retry}
	}
	if one.time != nil {
		if left := one.time.TokensAt(now); left <= 0 {
			wait := time.Duration((1 - left) / float64(one.time.Limit()) * float64(time.Second))
			return nil, &LimitedError{Client: client, RetryAfter: WholeSeconds(wait)}
		}
	}
	one.searches++
	return one, nil
}

// leave removes a computation from the account and charges the time of its slot.
func (a *accounts) leave(one *account, now time.Time, took time.Duration) {
	if one == nil {
		return
	}
	one.searches--
	if one.time != nil { // the balance may become negative
		for left := int(took.Microseconds()); left > 0; {
			n := min(left, one.time.Burst())
			one.time.ReserveN(now, n)
			left -= n
		}
	}
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
	wait = time.Duration(math.Ceil(wait.Seconds())) * time.Second
	return min(max(wait, MinRetry), MaxRetry)
}
