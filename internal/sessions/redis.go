//go:build !js

package sessions

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"roem/internal/redisconn"
)

// RedisOptions holds the options common to all stores, and the address of Redis.
type RedisOptions struct {
	Options
	// Replicas is how many replicas of Redis must have a session before a client sees it; 0 for none.
	Replicas int
	// URL is the address of Redis, in one of the forms of redisconn.Forms.
	URL string
}

const (
	// redisPrefix is the start of all keys. Its braces keep them together in a cluster, and its number is the version of their form.
	redisPrefix = "{roem}:sessions:2:"

	dialTimeout = time.Second
	callTimeout = 2 * time.Second
	retries     = 1 // of a command after a network error; all of them can be repeated
)

// Redis keeps sessions in Redis, for any number of processes. They survive all of these, and the Redis server as far as its persistence
// allows. Each change is one script, which runs as a whole or not at all.
type Redis struct {
	client                            *redis.Client
	replicas                          redisconn.Replicas
	options                           Options
	create, swap, delete, length, try *redis.Script

	created, deleted, byOwner, byAll atomic.Uint64
}

var _ Store = (*Redis)(nil)

//go:embed scripts/*.lua
var scriptFiles embed.FS

// NewRedis returns a store on the Redis at the URL. Redis need not answer yet. The error is about the URL and contains no password.
func NewRedis(o RedisOptions) (*Redis, error) {
	address, err := redisconn.Parse(o.URL)
	if err != nil {
		return nil, fmt.Errorf("the URL of Redis cannot be read: %w", err)
	}
	r := &Redis{options: o.withDefaults()}
	lib, err := scriptFiles.ReadFile("scripts/lib.lua")
	if err != nil {
		return nil, fmt.Errorf("loading the scripts: %w", err)
	}
	for name, to := range map[string]**redis.Script{
		"create": &r.create, "swap": &r.swap, "delete": &r.delete, "len": &r.length, "try": &r.try,
	} {
		text, err := scriptFiles.ReadFile("scripts/" + name + ".lua")
		if err != nil {
			return nil, fmt.Errorf("loading the scripts: %w", err)
		}
		*to = redis.NewScript(string(lib) + string(text))
	}
	r.client = address.Client(redisconn.Tuning{
		Name: "roem-sessions", Dial: dialTimeout, IO: callTimeout, Wait: callTimeout, Retries: retries,
	})
	r.replicas = redisconn.Replicas{Client: r.client, N: o.Replicas, Mark: redisPrefix + "mark"}
	return r, nil
}

// run runs a script with the arguments that all scripts have in common and its own. It returns the first number of its answer, and what
// follows: n values if the number is positive.
func (r *Redis) run(ctx context.Context, script *redis.Script, n int, args ...any) (number int64, more []any, err error) {
	defer func() { err = recovered(recover(), err) }()
	all := append([]any{redisPrefix, r.options.Retention.Milliseconds()}, args...)
	raw, err := r.replicas.Run(ctx, script, []string{redisPrefix + "acted"}, all...)
	if err != nil {
		return 0, nil, failure(ctx, err)
	}
	answer, _ := raw.([]any)
	if len(answer) > 0 {
		number, _ = answer[0].(int64)
		more = answer[1:]
	}
	if len(answer) == 0 || number > 0 && len(more) != n {
		return 0, nil, fmt.Errorf("%w: a script answered with %d values", ErrUnavailable, len(answer))
	}
	return number, more, nil
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
	case errors.Is(err, redis.ErrClosed):
		return ErrClosed
	case ctx.Err() != nil:
		return ctx.Err()
	default:
		return fmt.Errorf("%w: %w", ErrUnavailable, redisconn.Explain(err))
	}
}

// Create keeps a new session.
func (r *Redis) Create(ctx context.Context, n New) (Entry, error) {
	once, now := keyDigest(n.Owner, n.Key), r.options.Now()
	created, displaced, err := r.run(ctx, r.create, 2, n.ID, nameDigest(n.Owner), nameDigest(cmp.Or(n.Group, n.Owner)), n.Value,
		r.options.Max, r.options.MaxEach, n.Holder, once, n.Request, n.Finished)
	switch {
	case err != nil:
		return Entry{}, err
	case created < 0:
		return Entry{}, ErrKeyReused
	case created == 0:
		e, err := r.Find(ctx, n.Owner, n.Key, n.Request)
		if errors.Is(err, ErrNotFound) {
			return e, fmt.Errorf("%w: a session has ended while it was created again", ErrUnavailable)
		}
		if err == nil && e.ID == n.ID { // the answer of Redis was lost, and the command repeated
			r.created.Add(1)
		}
		return e, err
	}
	r.created.Add(1)
	for i, counter := range []*atomic.Uint64{&r.byOwner, &r.byAll} {
		n, _ := displaced[i].(int64)
		counter.Add(uint64(n))
	}
	return Entry{ID: n.ID, Holder: n.Holder, Value: n.Value, Version: 1, Expires: now.Add(r.options.Retention)}, nil
}

// nameDigest returns a digest of the name of an owner or a group.
func nameDigest(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:16])
}

// keyDigest returns a digest of a key of an owner, or an empty text for no key.
func keyDigest(owner, key string) string {
	if key == "" {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s%s", len(owner), owner, key))
	return hex.EncodeToString(sum[:])
}

// Find returns the session that an owner has created with a key.
func (r *Redis) Find(ctx context.Context, owner, key, request string) (e Entry, err error) {
	defer func() { err = recovered(recover(), err) }()
	values, err := r.client.HMGet(ctx, redisPrefix+"k:"+keyDigest(owner, key), "id", "request").Result()
	if err != nil {
		return Entry{}, failure(ctx, err)
	}
	if key == "" || len(values) != 2 || values[0] == nil {
		return Entry{}, ErrNotFound
	}
	id, _ := values[0].(string)
	if e, err = r.Get(ctx, id); err == nil && values[1] != request {
		return Entry{}, ErrKeyReused
	}
	return e, err
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
	// An act that was made, but not confirmed, is the answer to its repetition: so a read waits for the replicas too.
	err = r.replicas.Do(ctx, func(p redis.Pipeliner) {
		fields, left = p.HMGet(ctx, key, "value", "version", "holder"), p.PTTL(ctx, key)
	})
	if err := errors.Join(fields.Err(), left.Err(), err); err != nil {
		return Entry{}, failure(ctx, err)
	}
	values := fields.Val()
	if len(values) != 3 || values[0] == nil {
		return Entry{}, ErrNotFound
	}
	value, _ := values[0].(string)
	text, _ := values[1].(string)
	holder, _ := values[2].(string)
	version, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return Entry{}, fmt.Errorf("%w: the version of a session is %.40q", ErrUnavailable, text)
	}
	return Entry{ID: id, Holder: holder, Value: []byte(value), Version: version, Expires: now.Add(left.Val())}, nil
}

// Swap changes the value of a session. If the answer of Redis is lost and the command repeated, the error is ErrChanged.
func (r *Redis) Swap(ctx context.Context, id string, version uint64, value []byte, finished bool) (Entry, error) {
	now := r.options.Now()
	changed, more, err := r.run(ctx, r.swap, 1, id, version, value, finished)
	switch {
	case err != nil:
		return Entry{}, err
	case changed == 0:
		return Entry{}, ErrNotFound
	case changed < 0:
		return Entry{}, ErrChanged
	}
	holder, _ := more[0].(string)
	return Entry{ID: id, Holder: holder, Value: value, Version: version + 1, Expires: now.Add(r.options.Retention)}, nil
}

// Delete ends a session.
func (r *Redis) Delete(ctx context.Context, id string) error {
	deleted, _, err := r.run(ctx, r.delete, 0, id)
	if err != nil {
		return err
	}
	if deleted == 0 {
		return ErrNotFound
	}
	r.deleted.Add(1)
	return nil
}

// Len returns how many sessions there are, of all processes together.
func (r *Redis) Len(ctx context.Context) (n int, err error) {
	count, _, err := r.run(ctx, r.length, 0)
	return int(count), err
}

// Check tries every command that the store uses, with keys of its own.
func (r *Redis) Check(ctx context.Context) error {
	if _, err := r.Len(ctx); err != nil {
		return err
	}
	if _, err := r.Get(ctx, "try"); err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if _, _, err := r.run(ctx, r.try, 0); err != nil {
		return err
	}
	server, err := redisconn.Memory(ctx, r.client)
	if err := errors.Join(err, server.Full()); err != nil {
		return failure(ctx, err)
	}
	// A Redis that has lost the scripts, for example by a restart, needs EVAL.
	return failure(ctx, r.client.Eval(ctx, "return 1", []string{redisPrefix + "try:hash"}).Err())
}

// Counts returns how many sessions this process has created and ended. Redis does not tell which have expired.
func (r *Redis) Counts() Counts {
	return Counts{Created: r.created.Load(), Deleted: r.deleted.Load(), DisplacedByOwner: r.byOwner.Load(), DisplacedByAll: r.byAll.Load()}
}

// Close closes the connections.
func (r *Redis) Close() error {
	if err := r.client.Close(); !errors.Is(err, redis.ErrClosed) { // by an earlier call
		return err
	}
	return nil
}
