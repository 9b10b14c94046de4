package service

import (
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"roem/internal/computation"
)

// SessionRates limit how many sessions are created in a minute. As many can be created at once after a minute without any.
type SessionRates struct {
	Client  int // by one client; 0 for no limit
	Network int // by all clients of one network; 0 for no limit
}

// creations counts the sessions that clients and networks create. Its zero value limits nothing.
type creations struct {
	mu                sync.Mutex
	clients, networks rates
}

// take counts a session. If a limit forbids it, nothing is counted, and the error says when to try again.
func (c *creations) take(client, network string, now time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	ofNetwork := c.networks.of(network, now) // first: a network that is at its limit gets no limits for further clients
	if wait := until(ofNetwork, now); wait > 0 {
		return limitedSessions(wait, fmt.Sprintf("The clients of your network may create %d sessions in a minute.", ofNetwork.Burst()))
	}
	ofClient := c.clients.of(client, now)
	if wait := until(ofClient, now); wait > 0 {
		return limitedSessions(wait, fmt.Sprintf("You may create %d sessions in a minute.", ofClient.Burst()))
	}
	for _, l := range []*rate.Limiter{ofNetwork, ofClient} {
		if l != nil {
			l.AllowN(now, 1)
		}
	}
	return nil
}

func limitedSessions(wait time.Duration, detail string) error {
	return &Error{Kind: Limited, Limit: LimitSessions, RetryAfter: computation.WholeSeconds(wait), Detail: detail}
}

// until returns the time until a limit allows one more, 0 for none.
func until(l *rate.Limiter, now time.Time) time.Duration {
	if l == nil {
		return 0
	}
	return time.Duration(max(0, 1-l.TokensAt(now)) / float64(l.Limit()) * float64(time.Second))
}

// rates holds a limit for each of many names.
type rates struct {
	minute int // how many in a minute; 0 for no limit
	byName map[string]*rate.Limiter
	others *rate.Limiter // is shared by the names beyond maxRates
	swept  time.Time
}

const (
	maxRates   = 10_000      // bounds the memory of the limits
	sweepRates = time.Second // the interval at which unused limits are removed
)

func newRates(minute int) rates {
	return rates{minute: minute, byName: make(map[string]*rate.Limiter), others: newRate(minute)}
}

func newRate(minute int) *rate.Limiter {
	return rate.NewLimiter(rate.Limit(float64(minute)/time.Minute.Seconds()), minute)
}

// of returns the limit of a name, nil for none.
func (r *rates) of(name string, now time.Time) *rate.Limiter {
	if r.minute == 0 || name == "" {
		return nil
	}
	if l := r.byName[name]; l != nil {
		return l
	}
	if len(r.byName) >= maxRates && now.Sub(r.swept) >= sweepRates {
		r.swept = now
		for name, l := range r.byName {
			if l.TokensAt(now) >= float64(l.Burst()) {
				delete(r.byName, name)
			}
		}
	}
	if len(r.byName) >= maxRates {
		return r.others
	}
	l := newRate(r.minute)
	r.byName[name] = l
	return l
}

// Left is what is left of a limit on how often something happens in a minute.
type Left struct {
	Most, Now int           // how often in a minute, and how often now; Most is 0 for no limit
	Full      time.Duration // until Now is Most
}

// NewSessionsLeft returns how many sessions a client may create.
func (s *Service) NewSessionsLeft(owner string) Left {
	c, now := &s.creations, time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	left := Left{Most: c.clients.minute, Now: c.clients.minute}
	if l := c.clients.byName[owner]; l != nil {
		tokens := l.TokensAt(now)
		left.Now = int(max(0, tokens))
		left.Full = time.Duration((float64(l.Burst()) - tokens) / float64(l.Limit()) * float64(time.Second))
	}
	return left
}

// LimitedRequests returns the error for a request beyond the limit of its key.
func LimitedRequests(wait time.Duration, most int) error {
	return &Error{
		Kind: Limited, Limit: LimitRequests, RetryAfter: computation.WholeSeconds(wait),
		Detail: fmt.Sprintf("The publishable API key allows %d requests in a minute, for all clients together.", most),
	}
}

// mayCreate counts a session that a client creates. Its error is an *Error of kind Limited.
func (s *Service) mayCreate(owner, network string) error {
	err := s.creations.take(owner, network, time.Now())
	if err != nil {
		s.observe.Limited(LimitSessions)
	}
	return err
}
