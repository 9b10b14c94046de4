package redisconn

import (
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Tuning is what a store wants of its connections.
type Tuning struct {
	Name     string        // of the connections, in CLIENT LIST; empty for none
	Dial, IO time.Duration // the longest time of a connect, and of a read or a write
	Wait     time.Duration // the longest time that a command waits for a connection; 0 for the default of the client
	Retries  int           // of a command after a network error; -1 for none
	Pool     int           // the most connections, unless the address says it; 0 for the default of the client
}

// Client returns a client of the Redis at the address. With Sentinels it follows the primary. Nothing is connected yet.
func (a Address) Client(t Tuning) *redis.Client {
	o := *a.server
	if o.PoolSize == 0 {
		o.PoolSize = t.Pool
	}
	o.ContextTimeoutEnabled = true
	o.ClientName, o.DisableIdentity = t.Name, true
	// The client would retry, and wait five seconds for a host that does not answer.
	o.MaxRetries, o.DialerRetries = t.Retries, 1
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = t.Dial, t.IO, t.IO, t.Wait
	if a.primary == "" {
		o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
		return redis.NewClient(&o)
	}
	return redis.NewFailoverClient(&redis.FailoverOptions{
		MasterName: a.primary, SentinelAddrs: a.sentinels, SentinelUsername: a.user, SentinelPassword: a.password,
		Username: o.Username, Password: o.Password, DB: o.DB, TLSConfig: o.TLSConfig, Protocol: o.Protocol,
		PoolSize: o.PoolSize, MinIdleConns: o.MinIdleConns, MaxIdleConns: o.MaxIdleConns, MaxActiveConns: o.MaxActiveConns,
		PoolFIFO: o.PoolFIFO, ConnMaxIdleTime: o.ConnMaxIdleTime, ConnMaxLifetime: o.ConnMaxLifetime,
		ContextTimeoutEnabled: true, ClientName: o.ClientName, DisableIdentity: true,
		MaxRetries: o.MaxRetries, DialerRetries: o.DialerRetries,
		DialTimeout: o.DialTimeout, ReadTimeout: o.ReadTimeout, WriteTimeout: o.WriteTimeout, PoolTimeout: o.PoolTimeout,
	})
}
