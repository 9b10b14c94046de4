package sessions

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// RedisOptions are those of every Store and those of Redis.
type RedisOptions struct {
	Options
	// URL is the address of Redis: redis://[user:password@]host:port/db, rediss:// for TLS, or unix:// for a socket.
	URL string
}

const (
	// redisPrefix is the start of all keys. Its braces keep them together in a cluster, and its number is the version of their form.
	redisPrefix = "{roem}:sessions:1:"

	dialTimeout = time.Second
	callTimeout = 2 * time.Second
	retries     = 1 // of a command after a network error; all of them can be repeated
)

// Redis keeps sessions in Redis, for any number of processes. They survive all of these, and the Redis server as far as its persistence
// allows. Each change is one script, which runs as a whole or not at all.
type Redis struct {
	client               *redis.Client
	options              Options
	create, swap, delete *redis.Script
}

var _ Store = (*Redis)(nil)

//go:embed scripts/*.lua
var scriptFiles embed.FS

// NewRedis returns a store on the Redis at the URL. Redis need not answer yet. The error is about the URL and contains no password.
func NewRedis(o RedisOptions) (*Redis, error) {
	connection, err := redis.ParseURL(o.URL)
	if err != nil {
		return nil, errors.New("the URL of Redis cannot be read: expected redis://user:password@host:port/number, rediss:// or unix://")
	}
	connection.ContextTimeoutEnabled = true
	connection.DialTimeout, connection.ReadTimeout, connection.WriteTimeout = dialTimeout, callTimeout, callTimeout
	connection.PoolTimeout = callTimeout
	connection.MaxRetries, connection.DialerRetries = retries, 1
	connection.ClientName = "roem-sessions"
	connection.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	r := &Redis{options: o.withDefaults()}
	lib, err := scriptFiles.ReadFile("scripts/lib.lua")
	if err != nil {
		return nil, fmt.Errorf("loading the scripts: %w", err)
	}
	for name, to := range map[string]**redis.Script{"create": &r.create, "swap": &r.swap, "delete": &r.delete} {
		text, err := scriptFiles.ReadFile("scripts/" + name + ".lua")
		if err != nil {
			return nil, fmt.Errorf("loading the scripts: %w", err)
		}
		*to = redis.NewScript(string(lib) + string(text))
	}
	r.client = redis.NewClient(connection)
	return r, nil
}

// run runs a script that returns a number, with the arguments that all scripts have in common and its own.
func (r *Redis) run(ctx context.Context, script *redis.Script, args ...any) (answer int, now time.Time, err error) {
	defer func() { err = recovered(recover(), err) }()
	now = r.options.Now()
	all := append([]any{redisPrefix, now.UnixMilli(), r.options.Retention.Milliseconds()}, args...)
	answer, err = script.Run(ctx, r.client, []string{redisPrefix + "acted"}, all...).Int()
	return answer, now, failure(ctx, err)
}

// recovered returns the error of a panic: the client does not check the lengths in an answer of Redis.
func recovered(panicked any, err error) error {
	if panicked != nil {
		return fmt.Errorf("%w: reading what Redis answered: %v", ErrUnavailable, panicked)
	}
	return err
}

// failure returns an error of the client as one of a Store.
func failure(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	default:
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
}

// Create keeps a new session.
func (r *Redis) Create(ctx context.Context, owner, id string, value []byte) (Entry, error) {
	sum := sha256.Sum256([]byte(owner))
	_, now, err := r.run(ctx, r.create, id, hex.EncodeToString(sum[:]), value, r.options.Max, r.options.MaxEach)
	if err != nil {
		return Entry{}, err
	}
	return Entry{Value: value, Version: 1, Expires: now.Add(r.options.Retention)}, nil
}

// Get returns a session.
func (r *Redis) Get(ctx context.Context, id string) (e Entry, err error) {
	defer func() { err = recovered(recover(), err) }()
	now := r.options.Now()
	key := redisPrefix + "s:" + id
	var (
		fields *redis.SliceCmd
		left   *redis.DurationCmd
	)
	if _, err := r.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		fields, left = p.HMGet(ctx, key, "value", "version"), p.PTTL(ctx, key)
		return nil
	}); err != nil {
		return Entry{}, failure(ctx, err)
	}
	values := fields.Val()
	if len(values) != 2 || values[0] == nil {
		return Entry{}, ErrNotFound
	}
	value, _ := values[0].(string)
	text, _ := values[1].(string)
	version, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return Entry{}, fmt.Errorf("%w: the version of a session is %.40q", ErrUnavailable, text)
	}
	return Entry{Value: []byte(value), Version: version, Expires: now.Add(left.Val())}, nil
}

// Swap changes the value of a session. If the answer of Redis is lost and the command repeated, the error is ErrChanged.
func (r *Redis) Swap(ctx context.Context, id string, version uint64, value []byte) (Entry, error) {
	answer, now, err := r.run(ctx, r.swap, id, version, value)
	switch {
	case err != nil:
		return Entry{}, err
	case answer == 0:
		return Entry{}, ErrNotFound
	case answer < 0:
		return Entry{}, ErrChanged
	}
	return Entry{Value: value, Version: version + 1, Expires: now.Add(r.options.Retention)}, nil
}

// Delete ends a session.
func (r *Redis) Delete(ctx context.Context, id string) error {
	answer, _, err := r.run(ctx, r.delete, id)
	if err == nil && answer == 0 {
		err = ErrNotFound
	}
	return err
}

// Len returns how many sessions there are. Those that have expired count until the next one is created.
func (r *Redis) Len(ctx context.Context) (n int, err error) {
	defer func() { err = recovered(recover(), err) }()
	count, err := r.client.ZCard(ctx, redisPrefix+"acted").Result()
	return int(count), failure(ctx, err)
}

// Close closes the connections.
func (r *Redis) Close() error { return r.client.Close() }
