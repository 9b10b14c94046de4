package main

import (
	"context"
	"fmt"

	"roem/internal/sessions"
)

// openSessions opens the store of the sessions: Redis if it is configured, else the memory of this server.
func (a *app) openSessions(context.Context) error {
	c := a.config
	options := sessions.Options{Retention: c.Sessions.Retention, Max: c.Sessions.Keep, MaxEach: c.Limits.Sessions.Of(c.Sessions.Keep)}
	if c.Redis.URL == "" {
		a.sessions = sessions.NewMemory(options)
		return nil
	}
	store, err := sessions.NewRedis(sessions.RedisOptions{Options: options, URL: c.Redis.URL})
	if err != nil {
		return fmt.Errorf("%w (the key redis.url, or ROEM_REDIS_URL)", err)
	}
	a.sessions = store
	return nil
}

func (a *app) closeSessions(context.Context) error { return a.sessions.Close() }
