package computation

import (
	"math"
	"time"

	"golang.org/x/time/rate"
)

// Limits says how much of the slots one client may have.
type Limits struct {
	Searches int           // computations with a slot or in the queue for one, at a time; 0 for no limit
	Time     float64       // time on slots in the long run, in seconds a second; 0 for no limit
	Burst    time.Duration // how much of it a client that has used none may use at once
}

// maxAccounts bounds the memory of the limits: when so many clients are known, new ones share one account.
const maxAccounts = 10_000

// sweepEvery is the time between two searches for accounts that can be dropped.
const sweepEvery = time.Second

// accounts holds an account for each client that has computations or has lately had some. The Scheduler's lock guards it.
type accounts struct {
	limits   Limits
	byClient map[string]*account
	others   *account
	swept    time.Time
}

// account is what one client uses.
type account struct {
	client   string
	searches int           // running and waiting
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

// unused reports whether the account is like a new one.
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

// enter counts one more computation of the client and returns its account, nil where nothing is limited. retry is when a slot will
// be free.
func (a *accounts) enter(client string, now time.Time, retry time.Duration) (*account, error) {
	if client == "" || a.limits.Searches == 0 && a.limits.Time == 0 {
		return nil, nil //nolint:nilnil // no account is kept of those who are not limited
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

// leave takes a computation off the account, which had a slot for so long.
func (a *accounts) leave(one *account, now time.Time, took time.Duration) {
	if one == nil {
		return
	}
	one.searches--
	if one.time != nil { // the account may go below zero
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

// Bounds of what a client is told to wait.
const (
	MinRetry = time.Second
	MaxRetry = time.Minute
)

// WholeSeconds rounds a wait up to whole seconds, from MinRetry to MaxRetry.
func WholeSeconds(wait time.Duration) time.Duration {
	wait = time.Duration(math.Ceil(wait.Seconds())) * time.Second
	return min(max(wait, MinRetry), MaxRetry)
}
