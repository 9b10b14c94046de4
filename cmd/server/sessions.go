package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"go.uber.org/zap"

	"roem/internal/metrics"
	"roem/internal/sessions"
)

// openSessions opens the store of the sessions: Redis if it is configured, else a file in the data folder, else the memory of this server.
func (a *app) openSessions(context.Context) (err error) {
	c := a.config
	options := sessions.Options{Retention: c.Sessions.Retention, Max: c.Sessions.Keep, MaxEach: c.Limits.Sessions.Of(c.Sessions.Keep)}
	switch {
	case c.Redis.URL != "":
		a.sessions, err = sessions.NewRedis(sessions.RedisOptions{Options: options, URL: c.Redis.URL, Replicas: c.Jobs.Replicas})
		if err != nil {
			return fmt.Errorf("%w (the key redis.url, or ROEM_REDIS_URL)", err)
		}
	case c.Data != "":
		a.sessions, err = openSessionsFile(c.Data, options, a.log)
		if unwritable(err) {
			a.lack("sessions", "sessions are in memory and end with the server", err)
			a.sessions, err = sessions.NewMemory(options), nil
		}
		if err != nil {
			return fmt.Errorf("the folder %q (the key data, or ROEM_DATA): %w", c.Data, err)
		}
	default:
		a.sessions = sessions.NewMemory(options)
	}
	a.metrics.Sessions(a.sessionsNow)
	return nil
}

// sessionsFile is the file of the sessions in the data folder.
const sessionsFile = "sessions.db"

// openSessionsFile opens the file.
func openSessionsFile(dir string, options sessions.Options, log *zap.Logger) (sessions.Store, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	store, err := sessions.NewDisk(sessions.DiskOptions{Options: options, Path: filepath.Join(dir, sessionsFile), Log: log})
	if err != nil {
		return nil, err // store would be an interface that holds nil
	}
	return store, nil
}

// sessionsNow returns the state of the sessions for the metrics.
func (a *app) sessionsNow() metrics.Sessions {
	ctx, cancel := context.WithTimeout(context.Background(), statsLimit)
	defer cancel()
	c := a.sessions.Counts()
	out := metrics.Sessions{
		Created: c.Created, Deleted: c.Deleted, DisplacedByOwner: c.DisplacedByOwner, DisplacedByAll: c.DisplacedByAll, Expired: c.Expired,
	}
	if n, err := a.sessions.Len(ctx); err == nil {
		out.Sessions = &n
	}
	return out
}

func (a *app) closeSessions(context.Context) error { return a.sessions.Close() }
