package redisconn

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Server is what a Redis server tells about itself.
type Server struct {
	Version string
	Policy  string        // what it does when its memory is full
	AOF     bool          // whether it writes its changes to a file
	Used    int64         // bytes of memory
	Max     int64         // the most of them; 0 for no bound
	Up      time.Duration // since its start
}

// minVersion has XAUTOCLAIM.
const minVersion = "6.2"

// Ask asks the server of a client what it is. The error says if Roem cannot use it: an old version, a node of a cluster, a Sentinel or a
// replica.
func Ask(ctx context.Context, client *redis.Client) (Server, error) {
	text, err := client.Info(ctx).Result()
	if err != nil {
		if client.Options().TLSConfig != nil && errors.Is(err, context.DeadlineExceeded) {
			err = &known{silent, err} // a Redis without TLS waits for the end of what it takes as a command
		}
		return Server{}, Explain(err)
	}
	fields := parseInfo(text)
	s := serverOf(fields)
	switch {
	case fields["redis_mode"] == "cluster" || fields["cluster_enabled"] == "1":
		return s, errCluster
	case fields["redis_mode"] == "sentinel":
		return s, errSentinel
	case older(s.Version, minVersion):
		return s, fmt.Errorf("the Redis server has version %s: expected %s or newer", s.Version, minVersion)
	case fields["role"] == "slave":
		return s, errReplica
	}
	return s, nil
}

// Memory asks only for the memory: Used, Max and Policy.
func Memory(ctx context.Context, client *redis.Client) (Server, error) {
	text, err := client.Info(ctx, "memory").Result()
	return serverOf(parseInfo(text)), Explain(err)
}

func serverOf(fields map[string]string) Server {
	number := func(name string) int64 {
		n, err := strconv.ParseInt(fields[name], 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	return Server{
		Version: fields["redis_version"], Policy: fields["maxmemory_policy"], AOF: fields["aof_enabled"] == "1",
		Used: number("used_memory"), Max: number("maxmemory"), Up: time.Duration(number("uptime_in_seconds")) * time.Second,
	}
}

// ErrFull is the error of a Redis that is about to refuse changes that need memory.
var ErrFull = errors.New("the memory of Redis is full (maxmemory): it takes no new jobs and sessions")

// fullness is the part of its memory from which a Redis counts as full. What is between hardly takes another job.
const fullness = 0.98

// Full returns ErrFull if hardly any memory is left.
func (s Server) Full() error {
	if s.Max > 0 && float64(s.Used) >= fullness*float64(s.Max) {
		return fmt.Errorf("%w: %d of %d bytes are used", ErrFull, s.Used, s.Max)
	}
	return nil
}

// Evicts returns what Redis deletes when its memory is full, by its policy: nothing, "jobs and sessions", or "sessions". Only keys of
// sessions expire, and keys of results, which never fill Redis.
func (s Server) Evicts() string {
	switch {
	case strings.HasPrefix(s.Policy, "allkeys-"):
		return "jobs and sessions"
	case strings.HasPrefix(s.Policy, "volatile-"):
		return "sessions"
	default:
		return ""
	}
}

// parseInfo returns the fields of Redis's answer to INFO.
func parseInfo(text string) map[string]string {
	fields := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			fields[name] = value
		}
	}
	return fields
}

// older reports whether a version is older than another; one that cannot be read is not.
func older(version, than string) bool {
	a, b := strings.Split(version, "."), strings.Split(than, ".")
	for i := range b {
		if i >= len(a) {
			return false
		}
		x, errX := strconv.Atoi(a[i])
		y, errY := strconv.Atoi(b[i])
		if errX != nil || errY != nil || x != y {
			return errX == nil && errY == nil && x < y
		}
	}
	return false
}
