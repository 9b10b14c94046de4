package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

	"roem/internal/metrics"
	"roem/internal/service/klaverjas"
	"roem/internal/solvecache"
)

// openCache opens the layers of the cache, the fastest first: the memory, and then Redis if it is configured, else the disk.
func (a *app) openCache(context.Context) error {
	var layers []solvecache.Layer
	if size := a.config.Cache.Memory; size > 0 {
		memory, err := solvecache.NewMemory(int(size))
		if err != nil {
			return err
		}
		layers = append(layers, memory)
	}
	lasting, err := a.openLasting()
	if err != nil {
		return errors.Join(err, solvecache.New(layers...).Close())
	}
	if lasting != nil {
		layers = append(layers, lasting)
	}
	a.cache = solvecache.New(a.tracedLayers(layers)...)
	a.metrics.Cache(a.cacheLayers)
	return nil
}

// openLasting opens the layer that keeps results when the server stops, nil for none.
func (a *app) openLasting() (solvecache.Layer, error) {
	c := a.config
	if c.Redis.URL != "" {
		redis.SetLogger(redisLog{a.log})
		layer, err := solvecache.NewRedis(solvecache.RedisOptions{
			URL: c.Redis.URL, TTL: c.Cache.TTL, Timeout: c.Redis.Timeout, Name: klaverjas.KeyName, Log: a.log,
		})
		if err != nil {
			return nil, fmt.Errorf("%w (the key redis.url, or ROEM_REDIS_URL)", err)
		}
		return layer, nil
	}
	if c.Data == "" || c.Cache.Disk == 0 {
		return nil, nil // none is configured
	}
	layer, err := solvecache.NewFile(solvecache.FileOptions{Dir: c.Data, MaxBytes: int64(c.Cache.Disk), Log: a.log})
	switch {
	case unwritable(err):
		a.lack("cache", "results are kept in memory only", err)
		return nil, nil // there can be none
	case err != nil:
		return nil, fmt.Errorf("the folder %q (the key data, or ROEM_DATA): %w", c.Data, err)
	}
	return layer, nil
}

func (a *app) closeCache(context.Context) error { return a.cache.Close() }

// cacheLayers returns the counters of the cache for the metrics.
func (a *app) cacheLayers() []metrics.Layer {
	stats := a.cache.Stats()
	layers := make([]metrics.Layer, len(stats))
	for i, s := range stats {
		layers[i] = metrics.Layer{
			Name: s.Layer, Hits: s.Hits, Misses: s.Misses, Errors: s.Errors, Corrupt: s.Corrupt, Puts: s.Puts, Dropped: s.Dropped,
			Pending: s.Pending, Bytes: s.Bytes, Breaker: s.Breaker,
		}
	}
	return layers
}

// redisLog logs messages of the Redis client at the level debug: there are many while Redis does not answer. The cache itself logs
// what operators need.
type redisLog struct{ log *zap.Logger }

// Printf implements the client's logger.
func (l redisLog) Printf(_ context.Context, format string, v ...any) {
	l.log.Debug("redis client: " + fmt.Sprintf(format, v...))
}
