package service

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits says how much of the searchers one client may have. What takes no search is never limited.
type Limits struct {
	Searches int           // searches of a client running and waiting at a time; 0 for no limit
	Time     float64       // time of searchers that a client may take up in the long run, in seconds a second; 0 for no limit
	Burst    time.Duration // how much of it a client that has rested may take up at once
}

type clientKey struct{}

// WithClient returns a context under which searches are charged to the client. Without one nobody is charged. Where
// equal requests share a search, the first of them is.
func WithClient(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, clientKey{}, client)
}

func clientOf(ctx context.Context) string {
	client, _ := ctx.Value(clientKey{}).(string)
	return client
}

// maxAccounts bounds the memory of the limits: when so many clients are known, the new ones share one account.
const maxAccounts = 10_000

// sweepEvery is how long the limits wait before they look again for accounts that can be dropped.
const sweepEvery = time.Second

// limiter keeps an account for each client that has searches or has lately had.
type limiter struct {
	Limits
	mu       sync.Mutex
	accounts map[string]*account
	others   *account
	swept    time.Time
}

type account struct {
	searches int           // running and waiting
	time     *rate.Limiter // in microseconds of searchers; nil without a limit
}

func newLimiter(l Limits) *limiter {
	out := &limiter{Limits: l, accounts: make(map[string]*account)}
	out.others = out.newAccount()
	return out
}

func (l *limiter) newAccount() *account {
	a := &account{}
	if l.Time > 0 {
		a.time = rate.NewLimiter(rate.Limit(l.Time*1e6), int(max(l.Burst, time.Millisecond).Microseconds()))
	}
	return a
}

// rested reports whether the account is like a new one.
func (a *account) rested(now time.Time) bool {
	return a.searches == 0 && (a.time == nil || a.time.TokensAt(now) >= float64(a.time.Burst()))
}

// account returns the account of the client. The caller holds l.mu.
func (l *limiter) account(client string, now time.Time) *account {
	if a, ok := l.accounts[client]; ok {
		return a
	}
	if len(l.accounts) >= maxAccounts && now.Sub(l.swept) >= sweepEvery {
		l.swept = now
		for name, a := range l.accounts {
			if a.rested(now) {
				delete(l.accounts, name)
			}
		}
	}
	if len(l.accounts) >= maxAccounts {
		return l.others
	}
	a := l.newAccount()
	l.accounts[client] = a
	return a
}

// enter counts one more search of the client, or returns an *Error of kind Limited. retry is how long a search now has to
// wait for the others, which it asks for only then. The caller must call leave, with how long the search took.
func (l *limiter) enter(client string, retry func() time.Duration) (leave func(took time.Duration), err error) {
	if client == "" || l.Searches == 0 && l.Time == 0 {
		return func(time.Duration) {}, nil
	}
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.account(client, now)
	if l.Searches > 0 && a.searches >= l.Searches {
		return nil, &Error{
			Kind: Limited, RetryAfter: retry(), Limit: LimitSearches,
			Detail: fmt.Sprintf("%d of your searches are running or waiting already, and more are not allowed.", a.searches),
		}
	}
	if a.time != nil {
		if left := a.time.TokensAt(now); left <= 0 {
			wait := time.Duration((1 - left) / float64(a.time.Limit()) * float64(time.Second))
			return nil, &Error{
				Kind: Limited, RetryAfter: wholeSeconds(wait), Limit: LimitTime,
				Detail: "Your searches have taken more time than is allowed.",
			}
		}
	}
	a.searches++
	return func(took time.Duration) {
		l.mu.Lock()
		defer l.mu.Unlock()
		a.searches--
		now := time.Now()
		a.charge(now, took)
		if l.accounts[client] == a && a.rested(now) {
			delete(l.accounts, client)
		}
	}, nil
}

// charge takes the time from the account, which may go below zero.
func (a *account) charge(now time.Time, took time.Duration) {
	if a.time == nil {
		return
	}
	for left := int(took.Microseconds()); left > 0; {
		n := min(left, a.time.Burst())
		a.time.ReserveN(now, n)
		left -= n
	}
}

// Bounds of the Retry-After that a client is given.
const (
	minRetry = time.Second
	maxRetry = time.Minute
)

// wholeSeconds rounds a wait up to the seconds of Retry-After.
func wholeSeconds(wait time.Duration) time.Duration {
	wait = time.Duration(math.Ceil(wait.Seconds())) * time.Second
	return min(max(wait, minRetry), maxRetry)
}
