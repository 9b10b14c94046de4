package config_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/config"
)

func defaults() config.Config {
	return config.Config{
		Addr: ":8080",
		Role: config.RoleAll,
		Data: "data",
		Log:  config.Log{Level: "info"},
		HTTP: config.HTTP{
			MaxBody: 64 << 10, MaxBatchBody: 4 << 20, MaxWait: 30 * time.Second, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second,
			IdleTimeout: 120 * time.Second, MaxHeader: 16 << 10, MaxSending: 32 << 20, ClientHeader: "X-Forwarded-For",
			Hosts: []string{},
		},
		Shutdown: config.Shutdown{Drain: 20 * time.Second},
		Health:   config.Health{Interval: 10 * time.Second, Limit: 30 * time.Second},
		Search:   config.Search{Queue: 64, Table: 32 << 20},
		Cache:    config.Cache{Memory: 64 << 20, Disk: 1 << 30, TTL: 720 * time.Hour},
		Redis:    config.Redis{Timeout: 75 * time.Millisecond},
		Jobs:     config.Jobs{Queue: 1000, Retention: time.Hour, Keep: 10_000, KeepBytes: 1 << 30, MaxResult: 16 << 20, Lease: 15 * time.Second},
		Sessions: config.Sessions{Retention: 24 * time.Hour, Keep: 5000},
		Auth:     config.Auth{Mode: config.AuthOpen, Required: true, TokenSecrets: config.Secrets{}},
		Limits: config.Limits{
			Searches: 32, SearchBurst: 30 * time.Second, Jobs: 0.25, JobsTime: 4 * time.Hour, Streams: 0.1, Sessions: 0.05, Sending: 0.25,
			SessionsPerMinute: 60, NetworkSessionsPerMinute: 240,
		},
		CORS:   config.CORS{Origins: []string{}, Headers: []string{}},
		Embed:  config.Embed{Origins: []string{}},
		Traces: config.Traces{Sample: 0.1},
	}
}

func TestGoodFiles(t *testing.T) {
	changed := defaults()
	changed.Addr = "127.0.0.1:0"
	changed.HTTP.MaxWait, changed.HTTP.MaxBody = 2*time.Minute, 8192
	changed.Search = config.Search{Searchers: 3, Queue: 0, Table: 1 << 30}
	changed.Cache = config.Cache{TTL: 48 * time.Hour}
	changed.Data = ""
	changed.Redis = config.Redis{URL: "rediss://:secret@cache.example:6380/2", Timeout: 20 * time.Millisecond}
	public := defaults()
	public.HTTP.TrustedProxies = config.Prefixes{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8::7/128")}
	public.HTTP.ClientHeader = "X-Real-IP"
	public.Auth = config.Auth{Mode: config.AuthKeys, TokenSecrets: config.Secrets{}, Keys: config.Keys{
		{ID: "ann", SHA256: sum("first")},
		{ID: "ann-2027", SHA256: sum("second")},
	}}
	public.Limits = config.Limits{
		Searches: 4, SearchTime: 0.5, SearchBurst: 10 * time.Second, Jobs: 0.1, JobsTime: time.Hour, Sessions: 0.05, Sending: 0.25,
		SessionsPerMinute: 60, NetworkSessionsPerMinute: 240,
	}
	public.CORS.Origins = []string{"https://cards.example", "http://localhost:3000"}
	public.Embed.Origins = []string{"https://cards.example", "https://*.cards.example:8443"}
	public.Metrics.Addr = "127.0.0.1:9090"
	want := map[string]config.Config{
		"empty.yaml": defaults(), "comments.yaml": defaults(), "default.yaml": defaults(), "changed.yaml": changed, "public.yaml": public,
	}
	paths, err := filepath.Glob("testdata/good/*.yaml")
	if err != nil || len(paths) != len(want) {
		t.Fatalf("%d files, %v; want %d", len(paths), err, len(want))
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			got, err := config.Load(path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want[filepath.Base(path)], got, prefixes); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Each invalid file has a .want file with text that its error must contain.
func TestBadFiles(t *testing.T) {
	paths, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(paths) < 15 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			want, err := os.ReadFile(strings.TrimSuffix(path, ".yaml") + ".want")
			if err != nil {
				t.Fatal(err)
			}
			_, err = config.Load(path, nil)
			if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(string(want))) {
				t.Errorf("got %v\nwant it to contain %s", err, want)
			}
		})
	}
}

func sum(secret string) [32]byte { return sha256.Sum256([]byte(secret)) }

func hexSum(secret string) string {
	s := sum(secret)
	return hex.EncodeToString(s[:])
}

// A secret that is written where its hash belongs does not appear in an error.
func TestSecretsAreNotShown(t *testing.T) {
	const secret = "correct-horse-battery-staple"
	file := filepath.Join(t.TempDir(), "roem.yaml")
	for _, keys := range []string{
		"{id: ann, sha256: " + secret + "}", "{id: " + secret + "!, sha256: 00}", secret, "{id: ann, secret: " + secret + "}",
		"{id: ann, sha256: [" + secret + "]}", "{id: ann, sha256: {a: " + secret + "}}",
	} {
		if err := os.WriteFile(file, []byte("auth:\n  keys:\n  - "+keys+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(file, nil); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", keys, err)
		}
	}
	if _, err := config.Load("", []string{"ROEM_AUTH_TOKEN_SECRETS=" + secret}); err == nil || strings.Contains(err.Error(), secret) {
		t.Errorf("a short secret of tokens: %v", err)
	}
	for _, value := range []string{secret, "ann:" + secret, secret + "!:" + hexSum("a"), "ann:" + hexSum("a") + "," + secret} {
		if _, err := config.Load("", []string{"ROEM_AUTH_KEYS=" + value}); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", value, err)
		}
	}
}

func TestMissingFile(t *testing.T) {
	if _, err := config.Load("testdata/no-such.yaml", nil); !os.IsNotExist(unwrap(err)) {
		t.Errorf("got %v", err)
	}
}

func unwrap(err error) error {
	for {
		u, ok := err.(interface{ Unwrap() error })
		if !ok || os.IsNotExist(err) {
			return err
		}
		err = u.Unwrap()
	}
}

// The environment overrides every key, the file included.
func TestEnvironment(t *testing.T) {
	got, err := config.Load("testdata/good/changed.yaml", []string{
		"ROEM_AUTH_TOKEN_SECRETS=a-secret-of-32-characters-or-more,another-secret-of-32-characters-or-more",
		"ROEM_ADDR=:1", "ROEM_LOG_LEVEL=debug", "ROEM_HTTP_MAX_BODY=128KiB", "ROEM_HTTP_MAX_WAIT=1s",
		"ROEM_HTTP_READ_HEADER_TIMEOUT=2s", "ROEM_HTTP_READ_TIMEOUT=3s", "ROEM_HTTP_IDLE_TIMEOUT=4s",
		"ROEM_HTTP_MAX_HEADER=32KiB", "ROEM_HTTP_MAX_SENDING=2MiB", "ROEM_HTTP_MAX_CONNECTIONS=11", "ROEM_HTTP_MAX_CONNECTIONS_PER_ADDRESS=3",
		"ROEM_HTTP_MAX_BATCH_BODY=8MiB", "ROEM_SHUTDOWN_GRACE=5s", "ROEM_SHUTDOWN_DRAIN=6s", "ROEM_HEALTH_INTERVAL=1s", "ROEM_HEALTH_LIMIT=3s",
		"ROEM_SEARCH_SEARCHERS=7",
		"ROEM_SEARCH_QUEUE=8", "ROEM_SEARCH_TABLE=1MiB", "ROEM_CACHE_MEMORY=2MiB",
		"ROEM_CACHE_DISK=8MiB", "ROEM_CACHE_TTL=0s", "ROEM_DATA=/var/lib/roem", "ROEM_ROLE=worker", "ROEM_REDIS_URL=unix:///run/redis.sock",
		"ROEM_REDIS_TIMEOUT=1s",
		"ROEM_JOBS_QUEUE=9", "ROEM_JOBS_RETENTION=7s", "ROEM_JOBS_KEEP=5", "ROEM_JOBS_KEEP_BYTES=16MiB", "ROEM_JOBS_MAX_RESULT=1MiB",
		"ROEM_JOBS_LEASE=8s",
		"PATH=/bin", "ROEM_SERVICE_HOST=ignored",
		"ROEM_HTTP_TRUSTED_PROXIES=192.0.2.1/32, 10.1.0.0/16", "ROEM_HTTP_CLIENT_HEADER=CF-Connecting-IP",
		"ROEM_HTTP_BASE_PATH=/roem", "ROEM_HTTP_HOSTS=cards.example,box", "ROEM_CORS_HEADERS=X-Mine",
		"ROEM_AUTH_MODE=keys", "ROEM_AUTH_KEYS=ann:" + hexSum("first") + ", bob:" + hexSum("second"), "ROEM_AUTH_REQUIRED=false",
		"ROEM_LIMITS_SEARCHES=5", "ROEM_LIMITS_SEARCH_TIME=0.25", "ROEM_LIMITS_SEARCH_BURST=1m",
		"ROEM_LIMITS_JOBS=0.5", "ROEM_LIMITS_JOBS_TIME=2h", "ROEM_LIMITS_STREAMS=0.125", "ROEM_LIMITS_SESSIONS=0.5", "ROEM_LIMITS_SENDING=0.75",
		"ROEM_LIMITS_SESSIONS_PER_MINUTE=8", "ROEM_LIMITS_NETWORK_SESSIONS_PER_MINUTE=9", "ROEM_SESSIONS_RETENTION=1h", "ROEM_SESSIONS_KEEP=7",
		"ROEM_CORS_ORIGINS=https://a.example,https://b.example", "ROEM_EMBED_ORIGINS=*", "ROEM_METRICS_ADDR=:9100",
		"ROEM_MODELS_FOREST=/var/lib/forest", "ROEM_MODELS_TREE=/var/lib/tree", "ROEM_MODELS_GIN_RUMMY_FOREST=/var/lib/gin.forest",
		"ROEM_TRACES_ENDPOINT=https://collector.example:4318", "ROEM_TRACES_SAMPLE=0.5", "ROEM_TRACES_TRUST_PROXIES=true",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := config.Config{
		Addr: ":1", Role: config.RoleWorker, Data: "/var/lib/roem", Log: config.Log{Level: "debug"},
		HTTP: config.HTTP{
			MaxBody: 128 << 10, MaxBatchBody: 8 << 20, MaxWait: time.Second, ReadHeaderTimeout: 2 * time.Second, ReadTimeout: 3 * time.Second,
			IdleTimeout: 4 * time.Second, MaxHeader: 32 << 10, ClientHeader: "CF-Connecting-IP", MaxSending: 2 << 20, MaxConnections: 11,
			MaxPerAddress: 3, BasePath: "/roem", Hosts: []string{"cards.example", "box"},
			TrustedProxies: config.Prefixes{netip.MustParsePrefix("192.0.2.1/32"), netip.MustParsePrefix("10.1.0.0/16")},
		},
		Shutdown: config.Shutdown{Grace: 5 * time.Second, Drain: 6 * time.Second},
		Health:   config.Health{Interval: time.Second, Limit: 3 * time.Second},
		Search:   config.Search{Searchers: 7, Queue: 8, Table: 1 << 20},
		Models:   config.Models{Forest: "/var/lib/forest", Tree: "/var/lib/tree", GinRummyForest: "/var/lib/gin.forest"},
		Cache:    config.Cache{Memory: 2 << 20, Disk: 8 << 20},
		Redis:    config.Redis{URL: "unix:///run/redis.sock", Timeout: time.Second},
		Jobs:     config.Jobs{Queue: 9, Retention: 7 * time.Second, Keep: 5, KeepBytes: 16 << 20, MaxResult: 1 << 20, Lease: 8 * time.Second},
		Sessions: config.Sessions{Retention: time.Hour, Keep: 7},
		Auth: config.Auth{
			Mode: config.AuthKeys, Keys: config.Keys{{ID: "ann", SHA256: sum("first")}, {ID: "bob", SHA256: sum("second")}},
			TokenSecrets: config.Secrets{"a-secret-of-32-characters-or-more", "another-secret-of-32-characters-or-more"},
		},
		Limits: config.Limits{
			Searches: 5, SearchTime: 0.25, SearchBurst: time.Minute, Jobs: 0.5, JobsTime: 2 * time.Hour,
			Streams: 0.125, Sessions: 0.5, Sending: 0.75,
			SessionsPerMinute: 8, NetworkSessionsPerMinute: 9,
		},
		CORS:    config.CORS{Origins: []string{"https://a.example", "https://b.example"}, Headers: []string{"X-Mine"}},
		Embed:   config.Embed{Origins: []string{"*"}},
		Metrics: config.Metrics{Addr: ":9100"},
		Traces:  config.Traces{Endpoint: "https://collector.example:4318", Sample: 0.5, TrustProxies: true},
	}
	if diff := cmp.Diff(want, got, prefixes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// prefixes compares values of netip.Prefix, whose fields are not exported.
var prefixes = cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })

// An error about the URL of Redis does not contain its password.
func TestPasswordsAreNotTold(t *testing.T) {
	for _, url := range []string{"http://u:secret@h", "redis://:secret@", "redis://u:secret@h:port/", "://secret"} {
		_, err := config.Load("", []string{"ROEM_REDIS_URL=" + url})
		if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "redis.url") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestBadEnvironment(t *testing.T) {
	for variable, want := range map[string]string{
		"ROEM_ADDR=nowhere":                  `addr is "nowhere"`,
		"ROEM_HTTP_BASE_PATH=roem":           `http.base_path is "roem": expected nothing, or a path`,
		"ROEM_HTTP_BASE_PATH=//evil.example": `http.base_path is "//evil.example"`,
		"ROEM_HTTP_HOSTS=a:80":               `http.hosts is "a:80": expected a name`,
		"ROEM_CORS_HEADERS=a b":              `cors.headers is "a b": expected the name of a header`,
		"ROEM_SEARCH_QUEUE=many":             `ROEM_SEARCH_QUEUE="many" cannot be read`,
		"ROEM_HTTP_MAX_WAIT=forever":         `ROEM_HTTP_MAX_WAIT="forever" cannot be read`,
		"ROEM_SEARCH_TABLE=big":              `"big" is not a size`,
		"ROEM_SEARCH_SEARCHERS=-2":           "search.searchers is -2",
		"ROEM_REDIS_URL=localhost:6379":      "redis.url cannot be read: expected redis://",
		"ROEM_AUTH_KEYS=ann":                 "ROEM_AUTH_KEYS cannot be read",
		"ROEM_AUTH_KEYS=ann:secret":          "the sha256 of the key ann is not 64 hexadecimal digits",
		"ROEM_HTTP_TRUSTED_PROXIES=10.0.0.1": `"10.0.0.1" is not a block of addresses`,
	} {
		t.Run(variable, func(t *testing.T) {
			_, err := config.Load("", []string{variable})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v\nwant it to contain %s", err, want)
			}
		})
	}
}

func TestVariables(t *testing.T) {
	got, err := config.Variables()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"ROEM_ADDR", "ROEM_ROLE", "ROEM_DATA", "ROEM_LOG_LEVEL", "ROEM_HTTP_MAX_BODY", "ROEM_HTTP_MAX_BATCH_BODY", "ROEM_HTTP_MAX_WAIT",
		"ROEM_HTTP_READ_HEADER_TIMEOUT",
		"ROEM_HTTP_READ_TIMEOUT", "ROEM_HTTP_IDLE_TIMEOUT", "ROEM_HTTP_MAX_HEADER", "ROEM_HTTP_MAX_SENDING",
		"ROEM_HTTP_MAX_CONNECTIONS", "ROEM_HTTP_MAX_CONNECTIONS_PER_ADDRESS",
		"ROEM_HTTP_TRUSTED_PROXIES", "ROEM_HTTP_CLIENT_HEADER", "ROEM_HTTP_BASE_PATH", "ROEM_HTTP_HOSTS", "ROEM_SHUTDOWN_GRACE",
		"ROEM_SHUTDOWN_DRAIN", "ROEM_HEALTH_INTERVAL", "ROEM_HEALTH_LIMIT", "ROEM_SEARCH_SEARCHERS", "ROEM_SEARCH_QUEUE", "ROEM_SEARCH_TABLE",
		"ROEM_MODELS_FOREST", "ROEM_MODELS_TREE", "ROEM_MODELS_GIN_RUMMY_FOREST", "ROEM_CACHE_MEMORY",
		"ROEM_CACHE_DISK", "ROEM_CACHE_TTL", "ROEM_REDIS_URL", "ROEM_REDIS_TIMEOUT",
		"ROEM_JOBS_QUEUE", "ROEM_JOBS_RETENTION", "ROEM_JOBS_KEEP", "ROEM_JOBS_KEEP_BYTES", "ROEM_JOBS_MAX_RESULT", "ROEM_JOBS_LEASE",
		"ROEM_JOBS_REPLICAS",
		"ROEM_SESSIONS_RETENTION", "ROEM_SESSIONS_KEEP",
		"ROEM_AUTH_MODE", "ROEM_AUTH_KEYS", "ROEM_AUTH_REQUIRED", "ROEM_AUTH_TOKEN_SECRETS", "ROEM_LIMITS_SEARCHES", "ROEM_LIMITS_SEARCH_TIME",
		"ROEM_LIMITS_SEARCH_BURST", "ROEM_LIMITS_JOBS", "ROEM_LIMITS_JOBS_TIME", "ROEM_LIMITS_STREAMS", "ROEM_LIMITS_SESSIONS",
		"ROEM_LIMITS_SESSIONS_PER_MINUTE",
		"ROEM_LIMITS_NETWORK_SESSIONS_PER_MINUTE", "ROEM_LIMITS_SENDING", "ROEM_CORS_ORIGINS", "ROEM_CORS_HEADERS",
		"ROEM_EMBED_ORIGINS", "ROEM_METRICS_ADDR",
		"ROEM_TRACES_ENDPOINT", "ROEM_TRACES_SAMPLE",
		"ROEM_TRACES_TRUST_PROXIES",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A share is at least one. A share of 0 means no limit.
func TestShare(t *testing.T) {
	for _, tt := range []struct {
		share config.Share
		of    int
		want  int
	}{{0, 1000, 0}, {0.25, 1000, 250}, {1, 1000, 1000}, {0.25, 1, 1}, {0.001, 10, 1}, {0.5, 9, 4}} {
		if got := tt.share.Of(tt.of); got != tt.want {
			t.Errorf("%v of %d is %d, want %d", tt.share, tt.of, got, tt.want)
		}
	}
}

// A key with origins is publishable.
func TestPublishableKeys(t *testing.T) {
	file := filepath.Join(t.TempDir(), "roem.yaml")
	load := func(fields string) (config.Config, error) {
		text := "auth:\n  mode: keys\n  keys:\n  - {id: site, sha256: " + hexSum("a") + fields + "}\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return config.Load(file, nil)
	}
	for fields, want := range map[string]*config.Publishable{
		"": nil,
		", origins: [https://cards.example]": {
			Origins: []string{"https://cards.example"}, RequestsPerMinute: 600, Searches: 4,
		},
		", origins: [https://cards.example, http://localhost:3000], operations: [getJob], requests_per_minute: 0, searches: 2": {
			Origins: []string{"https://cards.example", "http://localhost:3000"}, Operations: []string{"getJob"}, Searches: 2,
		},
	} {
		c, err := load(fields)
		if err != nil {
			t.Errorf("%s: %v", fields, err)
			continue
		}
		if diff := cmp.Diff(want, c.Auth.Keys[0].Publishable); diff != "" {
			t.Errorf("%s (-want +got)\n%s", fields, diff)
		}
	}
	for fields, want := range map[string]string{
		", origins: []":                                           "the key site has no origins",
		", operations: [getJob]":                                  "the key site has no origins",
		", searches: 3":                                           "the key site has no origins",
		", origins: ['*']":                                        `the key site has the origin "*"`,
		", origins: [cards.example]":                              `the key site has the origin "cards.example"`,
		", origins: ['https://cards.example/']":                   `the key site has the origin "https://cards.example/"`,
		", origins: [https://a.example], operations: []":          "the key site has an empty list of operations",
		", origins: [https://a.example], searches: -1":            "the key site has -1 searches",
		", origins: [https://a.example], requests_per_minute: -1": "the key site has -1 requests_per_minute",
		", origins: [https://a.example], searches: many":          "line 4: expected a key with id and sha256",
		", origin: [https://a.example]":                           "line 4: expected a key with id and sha256",
	} {
		if _, err := load(fields); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v\nwant it to contain %s", fields, err, want)
		}
	}
}
