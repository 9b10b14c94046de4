package main

import (
	"net"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"roem/internal/redistest"
	"roem/internal/testkit"
)

// TestCheckRedis starts a Redis in each state that the server cannot use. The check says why and exits with 2, the server with 1, and
// neither prints the password.
func TestCheckRedis(t *testing.T) {
	testkit.NotRaced(t, "one request after the other")
	usual := redistest.Start(t, redistest.Options{MaxMemoryPolicy: "noeviction"})
	admin := func(s *redistest.Server, command ...any) {
		t.Helper()
		options, err := redis.ParseURL(s.AdminURL())
		if err != nil {
			t.Fatal(err)
		}
		client := redis.NewClient(options)
		defer func() { _ = client.Close() }()
		if err := client.Do(t.Context(), command...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	rules, err := redistest.Rules()
	if err != nil {
		t.Fatal(err)
	}
	for user, change := range map[string]string{"weak": "-hstrlen", "blind": "-info", "none": "-@all"} {
		rule := []any{"ACL", "SETUSER", user, "reset"}
		for _, one := range rules {
			rule = append(rule, one)
		}
		admin(usual, append(rule, change)...)
	}
	with := func(settings ...string) *redistest.Server {
		return redistest.Start(t, redistest.Options{MaxMemoryPolicy: "noeviction", Settings: settings})
	}
	replica := with("--replicaof", "127.0.0.1 "+strings.TrimPrefix(usual.Addr(), "127.0.0.1:"))
	full := with()
	admin(full, "CONFIG", "SET", "maxmemory", "1")
	managed := with("--rename-command", "INFO", "")
	tls, authority := tlsRedis(t)
	as := func(user string) string { return strings.Replace(usual.URL(), redistest.User+":", user+":", 1) }
	tests := []struct{ name, url, says string }{
		{"nothing there", "redis://:hunter2@127.0.0.1:1/0", "connection refused"},
		{"an unknown host", "redis://:hunter2@no-such-host.invalid/0", "the host of redis.url is unknown"},
		{"a wrong password", "redis://roem:hunter2@" + usual.Addr(), "Redis refuses the user or the password"},
		{"an unknown user", as("nobody"), "Redis refuses the user or the password"},
		{"a user without rights", as("none"), "lacks rights that deploy/redis/users.acl lists"},
		{"a user without one right", as("weak"), "lacks rights that deploy/redis/users.acl lists"},
		{"a user without INFO", as("blind"), "Redis refuses INFO"},
		{"a service without INFO", managed.URL(), "Redis refuses INFO"},
		{"database 16", strings.TrimSuffix(usual.URL(), "0") + "16", "no database with the number"},
		{"a replica", replica.URL(), "this Redis is a replica"},
		{"a full one", full.URL(), "the memory of Redis is full"},
		{"a node of a cluster", with("--cluster-enabled", "yes").URL(), "a node of a Redis Cluster, which Roem does not support"},
		{"TLS to a plain port", strings.Replace(usual.URL(), "redis:", "rediss:", 1), "the port of Redis has no TLS"},
		{"a plain connection to a port with TLS", "redis://" + tls, "if its port is for TLS, write rediss://"},
		{"an unknown authority", "rediss://" + tls, "the certificate of Redis is not accepted"},
		{"no Sentinel", "redis+sentinel://:hunter2@127.0.0.1:1/main", "no Sentinel of redis.url answers"},
		{"a Redis instead of a Sentinel", "redis+sentinel://" + usual.Addr() + "/main", "no Sentinel of redis.url answers"},
		{"a password with special characters", "redis://:hunter2#/@" + usual.Addr(), "the password seems to have special characters"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for status, args := range map[int][]string{2: {"-check"}, 1: nil} {
				if args == nil && test.name == "a user without one right" {
					continue // the server starts, and /readyz names the stores that fail
				}
				if strings.HasSuffix(test.says, "special characters") {
					status = 2 // the configuration is wrong
				}
				c := command(args...)
				c.Env = append(c.Env, "ROEM_REDIS_URL="+test.url, "ROEM_ADDR=127.0.0.1:0")
				out, _ := c.CombinedOutput()
				if got := c.ProcessState.ExitCode(); got != status {
					t.Errorf("%v: exit status %d, want %d", args, got, status)
				}
				if !strings.Contains(string(out), test.says) || strings.Contains(string(out), "hunter2") {
					t.Errorf("%v: output %s\nwant it to contain %s and no secret", args, out, test.says)
				}
			}
		})
	}
	for name, url := range map[string]string{"usual": usual.URL(), "with TLS": "rediss://" + tls} {
		c := command("-check")
		c.Env = append(c.Env, "ROEM_REDIS_URL="+url, "SSL_CERT_FILE="+authority)
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}

// tlsRedis starts a Redis with a port for TLS. It returns the address of that port, and the file with the certificate of its authority.
func tlsRedis(t *testing.T) (addr, authority string) {
	t.Helper()
	authority, key := redistest.Certificate(t)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr = listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	redistest.Start(t, redistest.Options{MaxMemoryPolicy: "noeviction", Settings: []string{
		"--tls-port", port, "--tls-cert-file", authority, "--tls-key-file", key, "--tls-auth-clients", "no",
	}})
	return addr, authority
}
