package main

import (
	"context"
	"fmt"

	"roem/internal/metrics"
	"roem/internal/sessions"
)

// openSessions opens the store of the sessions: Redis if it is configured, else the memory of this server.
func (a *app) openSessions(context.Context) error {
	c := a.config
	options := sessions.Options{Retention: c.Sessions.Retention, Max: c.Sessions.Keep, MaxEach: c.Limits.Sessions.Of(c.Sessions.Keep)}
	if c.Redis.URL == "" {
		a.sessions = sessions.NewMemory(options)
	} else {
		store, err := sessions.NewRedis(sessions.RedisOptions{Options: options, URL: c.Redis.URL})
		if err != nil {
			return fmt.Errorf("%w (the key redis.url, or ROEM_REDIS_URL)", err)
		}
		a.sessions = store
	}
	a.metrics.Sessions(a.sessionsNow)
	return nil
}

// sessionsNow returns the state of the sessions for the metrics.
func (a *app) sessionsNow() metrics.Sessions {
	ctx, cancel := context.WithTimeout(context.Background(), statsLimit)
	defer cancel()
	c := a.sessions.Counts()
	out := metrics.Sessions{Created: c.Created, Deleted: c.Deleted, Displaced: c.Displaced, Expired: c.Expired}
	if n, err := a.sessions.Len(ctx); err == nil {
		out.Sessions = &n
	}
	return out
}

func (a *app) closeSessions(context.Context) error { return a.sessions.Close() }
