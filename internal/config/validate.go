package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.uber.org/zap/zapcore"

	"roem/internal/redisconn"
)

// minTable is the minimum size of a searcher's table.
const minTable = 512 << 10

// maxBasePath is the length of the longest http.base_path, in bytes.
const maxBasePath = 128

// want adds an error for the key of a value unless ok.
type want func(ok bool, key string, value any, expected string)

// validate returns an error that names the key of every invalid value.
func (c *Config) validate() error {
	var errs []error
	want := func(ok bool, key string, value any, expected string) {
		if !ok {
			errs = append(errs, fmt.Errorf("%s is %v: expected %s", key, value, expected))
		}
	}
	c.validateServer(want)
	c.validateRequests(want)
	c.validateStores(want)
	c.validateLimits(want)
	return errors.Join(append(errs, c.Redis.validate(), c.Auth.validate())...)
}

// validateServer checks what the process does: its addresses, role, searches, times and what it reports.
func (c *Config) validateServer(want want) {
	want(isAddr(c.Addr), "addr", strconv.Quote(c.Addr), "a host and a port from 0 to 65535, such as :8080 or 127.0.0.1:8080")
	want(slices.Contains([]Role{RoleAll, RoleAPI, RoleWorker}, c.Role), "role", strconv.Quote(string(c.Role)), "all, api or worker")
	want(c.Role == RoleAll || c.Redis.URL != "", "role", c.Role, "all: servers share work by Redis alone, and redis.url is not set")
	_, err := zapcore.ParseLevel(c.Log.Level)
	want(err == nil && c.Log.Level != "", "log.level", strconv.Quote(c.Log.Level), "debug, info, warn or error")
	for key, d := range map[string]time.Duration{
		"http.max_wait": c.HTTP.MaxWait, "http.read_header_timeout": c.HTTP.ReadHeaderTimeout,
		"http.read_timeout": c.HTTP.ReadTimeout, "http.idle_timeout": c.HTTP.IdleTimeout, "shutdown.drain": c.Shutdown.Drain,
		"health.interval": c.Health.Interval, "health.limit": c.Health.Limit,
	} {
		want(d >= time.Millisecond && d <= time.Hour, key, d, "1ms to 1h")
	}
	want(c.Shutdown.Grace >= 0 && c.Shutdown.Grace <= time.Hour, "shutdown.grace", c.Shutdown.Grace, "0s to 1h")
	want(c.Search.Searchers >= 0 && c.Search.Searchers <= 1024, "search.searchers", c.Search.Searchers, "0 to 1024")
	want(c.Search.Queue >= 0 && c.Search.Queue <= 100_000, "search.queue", c.Search.Queue, "0 to 100000")
	want(c.Search.Table >= minTable && c.Search.Table <= 16<<30, "search.table", c.Search.Table, "512KiB to 16GiB")
	want(c.Metrics.Addr == "" || isAddr(c.Metrics.Addr), "metrics.addr", strconv.Quote(c.Metrics.Addr), "nothing, or a host and a port")
	want(c.Metrics.Addr == "" || c.Metrics.Addr != c.Addr || strings.HasSuffix(c.Addr, ":0"), "metrics.addr", strconv.Quote(c.Metrics.Addr),
		"another address than addr, or nothing for /metrics at addr")
	want(c.Traces.Endpoint == "" || isHTTP(c.Traces.Endpoint), "traces.endpoint", "something else", // it may hold a password
		"nothing, or the URL of a collector such as http://localhost:4318")
	want(c.Traces.Sample >= 0 && c.Traces.Sample <= 1, "traces.sample", c.Traces.Sample, "0 to 1")
	want(!c.Traces.TrustProxies || len(c.HTTP.TrustedProxies) > 0, "traces.trust_proxies", true,
		"false, because http.trusted_proxies has none")
}

// validateRequests checks the limits of requests and connections, and who may send them.
func (c *Config) validateRequests(want want) {
	want(c.HTTP.MaxBody >= 4<<10 && c.HTTP.MaxBody <= 16<<20, "http.max_body", c.HTTP.MaxBody, "4KiB to 16MiB")
	want(c.HTTP.MaxBatchBody >= 4<<10 && c.HTTP.MaxBatchBody <= 256<<20, "http.max_batch_body", c.HTTP.MaxBatchBody, "4KiB to 256MiB")
	want(c.HTTP.MaxHeader >= 4<<10 && c.HTTP.MaxHeader <= 1<<20, "http.max_header", c.HTTP.MaxHeader, "4KiB to 1MiB")
	want(c.HTTP.MaxSending >= 1<<20 && c.HTTP.MaxSending <= 16<<30, "http.max_sending", c.HTTP.MaxSending, "1MiB to 16GiB")
	for key, n := range map[string]int{
		"http.max_connections": c.HTTP.MaxConnections, "http.max_connections_per_address": c.HTTP.MaxPerAddress,
	} {
		want(n >= 0 && n <= 1_000_000, key, n, "0, for no limit, to 1000000")
	}
	want(headerName.MatchString(c.HTTP.ClientHeader), "http.client_header", strconv.Quote(c.HTTP.ClientHeader), "the name of a header")
	want(c.HTTP.BasePath == "" || basePath.MatchString(c.HTTP.BasePath) && len(c.HTTP.BasePath) <= maxBasePath, "http.base_path",
		strconv.Quote(c.HTTP.BasePath), "nothing, or a path without a slash at its end such as /roem")
	for _, host := range c.HTTP.Hosts {
		want(hostName.MatchString(host), "http.hosts", strconv.Quote(host), "a name in small letters without a port such as cards.example, or *")
	}
	for _, header := range c.CORS.Headers {
		want(headerName.MatchString(header), "cors.headers", strconv.Quote(header), "the name of a header")
	}
	for _, origin := range c.CORS.Origins {
		want(isOrigin(origin), "cors.origins", strconv.Quote(origin), "an origin such as https://cards.example, or * for every one")
	}
	for _, origin := range c.Embed.Origins {
		want(isFrameSource(origin), "embed.origins", strconv.Quote(origin),
			"an origin in small letters such as https://cards.example or https://*.cards.example, or * for every one")
	}
}

// validateStores checks what is kept: results, jobs and sessions.
func (c *Config) validateStores(want want) {
	want(c.Cache.Memory >= 0 && c.Cache.Memory <= 1<<40, "cache.memory", c.Cache.Memory, "0 to 1024GiB")
	want(c.Cache.Disk == 0 || c.Cache.Disk >= 4<<20 && c.Cache.Disk <= 1<<40, "cache.disk", c.Cache.Disk,
		"0, for nothing on disk, or 4MiB to 1024GiB")
	want(c.Cache.TTL == 0 || c.Cache.TTL >= time.Second, "cache.ttl", c.Cache.TTL, "0s, for no end, or at least 1s")
	want(c.Redis.Timeout >= time.Millisecond && c.Redis.Timeout <= 10*time.Second, "redis.timeout", c.Redis.Timeout, "1ms to 10s")
	want(c.Jobs.Queue >= 1 && c.Jobs.Queue <= 1_000_000, "jobs.queue", c.Jobs.Queue, "1 to 1000000")
	want(c.Jobs.Retention >= time.Second && c.Jobs.Retention <= 8760*time.Hour, "jobs.retention", c.Jobs.Retention, "1s to 8760h")
	want(c.Jobs.Keep >= 1 && c.Jobs.Keep <= 100_000_000, "jobs.keep", c.Jobs.Keep, "1 to 100000000")
	want(c.Jobs.KeepBytes >= c.Jobs.MaxResult+c.HTTP.MaxBatchBody && c.Jobs.KeepBytes <= 1<<50, "jobs.keep_bytes", c.Jobs.KeepBytes,
		"at least jobs.max_result and http.max_batch_body together, or not even one job would be kept")
	want(c.Jobs.MaxResult >= 64<<10 && c.Jobs.MaxResult <= 256<<20, "jobs.max_result", c.Jobs.MaxResult, "64KiB to 256MiB")
	want(c.Jobs.Lease >= time.Second && c.Jobs.Lease <= time.Hour, "jobs.lease", c.Jobs.Lease, "1s to 1h")
	want(c.Jobs.Replicas >= 0 && c.Jobs.Replicas <= 16, "jobs.replicas", c.Jobs.Replicas, "0 to 16")
	want(c.Jobs.Replicas == 0 || c.Redis.URL != "", "jobs.replicas", c.Jobs.Replicas, "0, because redis.url is not set")
	want(c.Sessions.Retention >= time.Second && c.Sessions.Retention <= 8760*time.Hour, "sessions.retention", c.Sessions.Retention,
		"1s to 8760h")
	want(c.Sessions.Keep >= 1 && c.Sessions.Keep <= 10_000_000, "sessions.keep", c.Sessions.Keep, "1 to 10000000")
}

// validate checks the address. The error contains no part of the address.
func (r Redis) validate() error {
	if r.URL == "" {
		return nil
	}
	if _, err := redisconn.Parse(r.URL); err != nil {
		return fmt.Errorf("redis.url cannot be read: %w", err)
	}
	return nil
}

// validateLimits checks the limits for one client.
func (c *Config) validateLimits(want want) {
	want(c.Limits.Searches >= 0, "limits.searches", c.Limits.Searches, "0, for no limit, or more")
	want(c.Limits.SearchTime >= 0 && c.Limits.SearchTime <= 1024, "limits.search_time", c.Limits.SearchTime, "0, for no limit, to 1024")
	want(c.Limits.SessionsPerMinute >= 0 && c.Limits.SessionsPerMinute <= 1_000_000, "limits.sessions_per_minute", c.Limits.SessionsPerMinute,
		"0, for no limit, to 1000000")
	want(c.Limits.NetworkSessionsPerMinute >= 0 && c.Limits.NetworkSessionsPerMinute <= 1_000_000, "limits.network_sessions_per_minute",
		c.Limits.NetworkSessionsPerMinute,
		"0, for no limit, to 1000000")
	want(c.Limits.SearchBurst >= time.Second && c.Limits.SearchBurst <= 24*time.Hour, "limits.search_burst", c.Limits.SearchBurst, "1s to 24h")
	jobsTime := c.Limits.JobsTime
	want(jobsTime == 0 || jobsTime >= time.Minute && jobsTime <= 8760*time.Hour, "limits.jobs_time", jobsTime,
		"0s, for no limit, or 1m to 8760h")
	for key, share := range map[string]Share{
		"limits.jobs": c.Limits.Jobs, "limits.streams": c.Limits.Streams, "limits.sessions": c.Limits.Sessions,
		"limits.sending": c.Limits.Sending,
	} {
		want(share >= 0 && share <= 1, key, share, "0, for no limit, to 1")
	}
}
