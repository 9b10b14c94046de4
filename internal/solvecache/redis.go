//go:build !js

package solvecache

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/sony/gobreaker/v2"
	"go.uber.org/zap"

	"roem/internal/redisconn"
)

// RedisOptions are the options of a Redis layer.
type RedisOptions struct {
	// URL is the address of Redis, in one of the forms of redisconn.Forms.
	URL string
	// TTL is how long Redis keeps a value; with 0 its own policy decides.
	TTL time.Duration
	// Timeout is the longest that a read waits for Redis, including the connection; 0 for DefaultRedisTimeout.
	Timeout time.Duration
	// Name returns the text under which a value is found in Redis, after keyPrefix: different texts for different keys. Nil for the key
	// itself. A value is checked against its key, so that a wrong name is a miss.
	Name func(Key) string
	// Log gets a message when the layer stops using Redis and when it uses it again. Nil for no log.
	Log *zap.Logger
}

// DefaultRedisTimeout is the longest that a read waits for Redis. A Redis in the same building answers within one or
// two milliseconds; a search takes some tens.
const DefaultRedisTimeout = 75 * time.Millisecond

const (
	// leastIO is the shortest timeout of operations that no request waits for: a write, a probe, or a connection for a
	// request that has ended.
	leastIO = 100 * time.Millisecond
	// poolSize is the largest number of connections, unless the URL has pool_size=N.
	poolSize = 64
	// probeEvery is the time between two probes of a Redis that is not used.
	probeEvery = 250 * time.Millisecond
	// gatherFor is how long values are collected before they are sent.
	gatherFor = 5 * time.Millisecond
	// sendBytes is how many bytes may wait to be sent, and sendAtOnce how many values are in one send.
	sendBytes  = 8 << 20
	sendAtOnce = 256
	// keyPrefix distinguishes the values from other data in the same Redis. Its number is the version of the framing.
	keyPrefix = "roem:result:1:"
)

// Redis is the layer that several machines share.
//
// A Redis that fails must not delay requests. A read takes at most RedisOptions.Timeout. The first read that fails opens a
// breaker. While the breaker is open, reads are misses at once and writes are dropped, until a probe in the background gets an
// answer. So few requests wait for a Redis that has failed, and none to detect that it works again.
type Redis struct {
	client  *redis.Client
	patient *redis.Client // of Check alone, with a connection and timeouts of its own
	ttl     time.Duration
	name    func(Key) string
	timeout time.Duration // of a read
	io      time.Duration // of operations that no request waits for; at least timeout
	log     *zap.Logger
	breaker *gobreaker.CircuitBreaker[any]
	writes  *writeBehind
	counters

	room room // only the goroutine of writes uses it

	opened  chan struct{} // has room for one; signals that the breaker has opened
	stop    chan struct{}
	probing sync.WaitGroup
}

// NewRedis returns a layer on the Redis at the URL. Redis need not answer yet. The error is about the URL and contains no
// password.
func NewRedis(o RedisOptions) (*Redis, error) {
	if o.Timeout == 0 {
		o.Timeout = DefaultRedisTimeout
	}
	io := max(o.Timeout, leastIO)
	address, err := redisconn.Parse(o.URL)
	if err != nil {
		return nil, fmt.Errorf("the URL of Redis cannot be read: %w", err)
	}
	r := &Redis{
		client:  address.Client(redisconn.Tuning{Dial: io, IO: io, Wait: o.Timeout, Retries: -1, Pool: poolSize}),
		patient: address.Client(redisconn.Tuning{Dial: checkLimit, IO: checkLimit, Retries: -1, Pool: 1}),
		ttl:     o.TTL, name: o.Name, timeout: o.Timeout, io: io, log: o.Log,
		opened: make(chan struct{}, 1), stop: make(chan struct{}),
	}
	if r.log == nil {
		r.log = zap.NewNop()
	}
	if r.name == nil {
		r.name = func(key Key) string { return string(key) }
	}
	r.breaker = gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
		Name:          "redis cache",
		MaxRequests:   1,
		Timeout:       probeEvery / 2, // by the next probe it is half open
		ReadyToTrip:   func(gobreaker.Counts) bool { return true },
		OnStateChange: r.changed,
		IsSuccessful:  answered,
		IsExcluded:    func(err error) bool { return errors.Is(err, errLeft) },
	})
	r.writes = newWriteBehind(r.Name(), gatherFor, sendBytes, &r.counters, r.log, r.write)
	r.probing.Go(r.probe)
	return r, nil
}

// answered reports whether Redis has answered. An error reply is an answer: the key does not exist, or Redis refuses the command
// because it is loading or its memory is full.
func answered(err error) bool {
	var reply redis.Error
	return err == nil || errors.As(err, &reply)
}

func (r *Redis) changed(_ string, _, to gobreaker.State) {
	switch to {
	case gobreaker.StateOpen:
		select {
		case r.opened <- struct{}{}:
		default:
		}
	case gobreaker.StateClosed:
		r.log.Info("Redis answers again: the cache uses it")
	case gobreaker.StateHalfOpen:
	}
}

// probe waits until the breaker opens, and then sends PING until Redis answers.
func (r *Redis) probe() {
	for {
		select {
		case <-r.opened:
		case <-r.stop:
			return
		}
		r.log.Warn("Redis does not answer: the cache does not use it until it answers again")
		for r.breaker.State() != gobreaker.StateClosed {
			select {
			case <-time.After(probeEvery):
			case <-r.stop:
				return
			}
			_, _ = r.do(context.Background(), r.io, func(ctx context.Context) (any, error) {
				return nil, r.client.Ping(ctx).Err()
			})
		}
		select { // the probes that failed
		case <-r.opened:
		default:
		}
	}
}

// do calls ask, with the timeout and through the breaker.
func (r *Redis) do(ctx context.Context, timeout time.Duration, ask func(context.Context) (any, error)) (any, error) {
	return r.breaker.Execute(func() (any, error) { return within(ctx, timeout, ask) })
}

// within calls ask with the timeout. The error is errLeft if ctx ended first.
func within(ctx context.Context, timeout time.Duration, ask func(context.Context) (any, error)) (answer any, err error) {
	defer func() {
		if p := recover(); p != nil { // the client does not check the lengths in an answer
			answer, err = nil, fmt.Errorf("reading what Redis answered: %v", p)
		}
	}()
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	answer, err = ask(limited)
	if err != nil && ctx.Err() != nil {
		return nil, errLeft
	}
	return answer, err
}

// errLeft is the error of a call whose context ended before the answer. The breaker does not count it.
var errLeft = errors.New("the request ended meanwhile")

// Name returns "redis".
func (r *Redis) Name() string { return "redis" }

// Local returns false: Redis is another process.
func (r *Redis) Local() bool { return false }

var errOpen = errors.New("redis is not used because it did not answer")

// Get reads all keys with one command.
func (r *Redis) Get(ctx context.Context, keys []Key) ([][]byte, error) {
	if r.writes.isClosed() {
		return nil, ErrClosed
	}
	values, hits := make([][]byte, len(keys)), 0
	var names []string
	var places []int
	for i, key := range keys {
		if value, ok := r.writes.get(key); ok {
			values[i] = value
			hits++
			continue
		}
		names, places = append(names, keyPrefix+r.name(key)), append(places, i)
	}
	defer func() { r.asked(len(keys), hits) }()
	if len(names) == 0 {
		return values, nil
	}
	if r.breaker.State() != gobreaker.StateClosed { // only the probe uses Redis
		return r.without(values, hits, errOpen)
	}
	got, err := r.do(ctx, r.timeout, func(ctx context.Context) (any, error) { return r.client.MGet(ctx, names...).Result() })
	if err != nil {
		if !errors.Is(err, errLeft) {
			r.errors.Add(1)
		}
		return r.without(values, hits, err)
	}
	list, ok := got.([]any)
	if !ok || len(list) != len(names) {
		r.errors.Add(1)
		return r.without(values, hits, fmt.Errorf("redis answers %d keys with %d values", len(names), len(list)))
	}
	for i, framed := range list {
		if framed == nil {
			continue
		}
		text, _ := framed.(string)
		value, ok := unframe(keys[places[i]], []byte(text))
		if !ok {
			r.corrupt.Add(1)
			continue
		}
		values[places[i]] = value
		hits++
	}
	return values, nil
}

// without returns the values that were not read from Redis, or err if there are none.
func (r *Redis) without(values [][]byte, hits int, err error) ([][]byte, error) {
	if hits == 0 {
		return nil, err
	}
	return values, nil
}

// Put keeps the value. It is written to Redis some milliseconds later; Get of this process returns it from now on.
func (r *Redis) Put(_ context.Context, key Key, value []byte) error {
	return r.writes.put(key, value)
}

// write sends a batch. Only the goroutine of writes calls it.
func (r *Redis) write(batch map[Key][]byte) (kept int, err error) {
	for keys := range slices.Chunk(slices.Collect(maps.Keys(batch)), sendAtOnce) {
		if r.breaker.State() != gobreaker.StateClosed {
			return kept, errOpen
		}
		size := 0
		for _, key := range keys {
			size += len(r.name(key)) + len(batch[key])
		}
		if err := r.room.take(r, size); err != nil {
			return kept, err
		}
		_, err := r.do(context.Background(), r.io, func(ctx context.Context) (any, error) {
			_, err := r.client.Pipelined(ctx, func(p redis.Pipeliner) error {
				for _, key := range keys {
					p.Set(ctx, keyPrefix+r.name(key), frame(key, batch[key]), r.ttl)
				}
				return nil
			})
			return nil, err
		})
		if err != nil {
			r.errors.Add(1)
			return kept, err
		}
		kept += len(keys)
	}
	return kept, nil
}

// checkKey is the key of the value that Check writes. It is no Key, so that no lookup finds it.
const checkKey = keyPrefix + "try"

const (
	// checkKept is how long Redis keeps that value.
	checkKept = time.Minute
	// checkLimit is how long Redis may take for a check.
	checkLimit = 3 * time.Second
)

// Check writes and reads a value that is no result. It does not ask the breaker: on a busy machine an answer can take longer than a
// read may wait, and the breaker opens for a moment, but Redis works.
func (r *Redis) Check(ctx context.Context) error {
	if r.writes.isClosed() {
		return ErrClosed
	}
	_, err := within(ctx, checkLimit, func(ctx context.Context) (any, error) {
		if err := r.patient.Set(ctx, checkKey, "", checkKept).Err(); err != nil {
			return nil, err
		}
		return nil, errors.Join(r.patient.MGet(ctx, checkKey).Err(), r.patient.Ping(ctx).Err())
	})
	return err
}

// Stats returns the counters of the layer.
func (r *Redis) Stats() Stats {
	s := r.stats(r.Name())
	s.Pending = r.writes.waiting()
	s.Breaker = r.breaker.State().String()
	return s
}

// Close sends the pending values and closes the connections.
func (r *Redis) Close() error {
	if !r.writes.close() {
		return nil
	}
	close(r.stop)
	r.probing.Wait()
	return errors.Join(r.patient.Close(), r.client.Close())
}
