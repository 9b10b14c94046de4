//go:build !js

package solvecache

import (
	"context"
	"errors"
	"time"

	"roem/internal/redisconn"
)

const (
	// resultsShare is the part of its memory up to which Redis gets results: jobs and sessions have the rest.
	resultsShare = 0.5
	// roomKept is how long the memory of Redis is taken as it was, and roomBytes how many bytes of results are sent meanwhile.
	roomKept  = 250 * time.Millisecond
	roomBytes = 256 << 10
)

// errNoRoom is the error of writes to a Redis that has no room for results.
var errNoRoom = errors.New("half of the memory of Redis is used, and the rest is for jobs and sessions")

// room is how much memory Redis has for results. It has one owner, the goroutine that writes them.
type room struct {
	memory redisconn.Server // of Redis, as it was when it was asked
	asked  time.Time
	sent   int // bytes of results since then
}

// take returns errNoRoom if results of a size, in bytes, would take memory that jobs and sessions need.
func (m *room) take(r *Redis, size int) error {
	if m.sent += size; m.sent > roomBytes || time.Since(m.asked) > roomKept {
		memory, err := r.do(context.Background(), r.io, func(ctx context.Context) (any, error) {
			return redisconn.Memory(ctx, r.client)
		})
		if err != nil {
			return err
		}
		m.memory, _ = memory.(redisconn.Server)
		m.sent, m.asked = size, time.Now()
	}
	if m.memory.Max > 0 && float64(m.memory.Used) > resultsShare*float64(m.memory.Max) {
		return errNoRoom
	}
	return nil
}
