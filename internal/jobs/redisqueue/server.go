package redisqueue

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"
)

// prepare checks the version and the settings of the server, and creates the consumer groups.
func (q *Queue) prepare(ctx context.Context) error {
	info, err := q.client.Info(ctx).Result()
	if err != nil {
		return err
	}
	fields := parseInfo(info)
	if version := fields["redis_version"]; older(version, minVersion) {
		return fmt.Errorf("the Redis server has version %s: expected %s or newer", version, minVersion)
	}
	if policy := fields["maxmemory_policy"]; policy != "noeviction" {
		q.options.Log.Error("Redis will lose jobs when its memory is full: set its maxmemory-policy to noeviction",
			zap.String("maxmemory_policy", policy))
	}
	if fields["aof_enabled"] == "0" {
		q.options.Log.Warn("jobs do not survive a restart of Redis: set appendonly yes")
	}
	return q.makeGroups(ctx)
}

// makeGroups creates the streams and their consumer groups if they are missing.
func (q *Queue) makeGroups(ctx context.Context) error {
	if err := q.call(ctx, q.scripts.check, nil).Err(); err != nil { // so that nothing is added to data of another schema
		return err
	}
	for _, stream := range []string{tickets, localLease} {
		err := q.client.XGroupCreateMkStream(ctx, q.prefix+stream, group, "0").Err()
		if err != nil && !redis.HasErrorPrefix(err, "BUSYGROUP") { // the group exists
			return err
		}
	}
	return nil
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
