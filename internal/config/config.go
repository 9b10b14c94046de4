// Package config loads the configuration of the server: the embedded defaults, then a file, then the environment. It is
// strict: an unknown key, a repeated key and an invalid value are errors that name the key.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"roem/configs"
)

// Config is the configuration of the server. configs/roem.yaml explains every key.
type Config struct {
	Addr     string   `yaml:"addr" env:"ADDR"`
	Role     Role     `yaml:"role" env:"ROLE"`
	Data     string   `yaml:"data" env:"DATA"`
	Log      Log      `yaml:"log" envPrefix:"LOG_"`
	HTTP     HTTP     `yaml:"http" envPrefix:"HTTP_"`
	Shutdown Shutdown `yaml:"shutdown" envPrefix:"SHUTDOWN_"`
	Health   Health   `yaml:"health" envPrefix:"HEALTH_"`
	Search   Search   `yaml:"search" envPrefix:"SEARCH_"`
	Models   Models   `yaml:"models" envPrefix:"MODELS_"`
	Cache    Cache    `yaml:"cache" envPrefix:"CACHE_"`
	Redis    Redis    `yaml:"redis" envPrefix:"REDIS_"`
	Jobs     Jobs     `yaml:"jobs" envPrefix:"JOBS_"`
	Sessions Sessions `yaml:"sessions" envPrefix:"SESSIONS_"`
	Auth     Auth     `yaml:"auth" envPrefix:"AUTH_"`
	Limits   Limits   `yaml:"limits" envPrefix:"LIMITS_"`
	CORS     CORS     `yaml:"cors" envPrefix:"CORS_"`
	Embed    Embed    `yaml:"embed" envPrefix:"EMBED_"`
	Metrics  Metrics  `yaml:"metrics" envPrefix:"METRICS_"`
	Traces   Traces   `yaml:"traces" envPrefix:"TRACES_"`
}

// Role is the part of the work that a server does.
type Role string

// The roles.
const (
	RoleAll    Role = "all"    // everything
	RoleAPI    Role = "api"    // answers requests and leaves jobs to workers
	RoleWorker Role = "worker" // runs jobs and answers only requests for its health, metrics and version
)

// Log holds the log level.
type Log struct {
	Level string `yaml:"level" env:"LEVEL"`
}

// HTTP holds the limits of requests.
type HTTP struct {
	MaxBody           Size          `yaml:"max_body" env:"MAX_BODY"`
	MaxBatchBody      Size          `yaml:"max_batch_body" env:"MAX_BATCH_BODY"`
	MaxWait           time.Duration `yaml:"max_wait" env:"MAX_WAIT"`
	ReadHeaderTimeout time.Duration `yaml:"read_header_timeout" env:"READ_HEADER_TIMEOUT"`
	ReadTimeout       time.Duration `yaml:"read_timeout" env:"READ_TIMEOUT"`
	IdleTimeout       time.Duration `yaml:"idle_timeout" env:"IDLE_TIMEOUT"`
	MaxHeader         Size          `yaml:"max_header" env:"MAX_HEADER"`
	MaxSending        Size          `yaml:"max_sending" env:"MAX_SENDING"`
	MaxConnections    int           `yaml:"max_connections" env:"MAX_CONNECTIONS"`
	MaxPerAddress     int           `yaml:"max_connections_per_address" env:"MAX_CONNECTIONS_PER_ADDRESS"`
	TrustedProxies    Prefixes      `yaml:"trusted_proxies" env:"TRUSTED_PROXIES"`
	ClientHeader      string        `yaml:"client_header" env:"CLIENT_HEADER"`
	BasePath          string        `yaml:"base_path" env:"BASE_PATH"`
	Hosts             []string      `yaml:"hosts" env:"HOSTS"`
}

// WriteTimeout is the maximum time until an answer is written: the maximum wait, plus the time to read and to write.
func (h HTTP) WriteTimeout() time.Duration { return h.MaxWait + h.ReadTimeout + 15*time.Second }

// Shutdown holds the time limits of a shutdown.
type Shutdown struct {
	Grace time.Duration `yaml:"grace" env:"GRACE"`
	Drain time.Duration `yaml:"drain" env:"DRAIN"`
}

// Health holds the interval of the server's self-checks and the time limit of a check.
type Health struct {
	Interval time.Duration `yaml:"interval" env:"INTERVAL"`
	Limit    time.Duration `yaml:"limit" env:"LIMIT"`
}

// Search holds the limits of searches.
type Search struct {
	Searchers int  `yaml:"searchers" env:"SEARCHERS"`
	Queue     int  `yaml:"queue" env:"QUEUE"`
	Table     Size `yaml:"table" env:"TABLE"`
}

// Models holds the files of models that do not come with the program. An empty path means that there is none.
type Models struct {
	Forest         string `yaml:"forest" env:"FOREST"`
	Tree           string `yaml:"tree" env:"TREE"`
	GinRummyForest string `yaml:"gin_rummy_forest" env:"GIN_RUMMY_FOREST"`
}

// Cache holds the limits of cached results.
type Cache struct {
	Memory Size          `yaml:"memory" env:"MEMORY"`
	Disk   Size          `yaml:"disk" env:"DISK"`
	TTL    time.Duration `yaml:"ttl" env:"TTL"`
}

// Redis holds the address of the Redis that several servers share. An empty URL means no Redis.
type Redis struct {
	URL     string        `yaml:"url" env:"URL"`
	Timeout time.Duration `yaml:"timeout" env:"TIMEOUT"`
}

// Jobs holds the limits of the job queue and of finished jobs.
type Jobs struct {
	Queue     int           `yaml:"queue" env:"QUEUE"`
	Retention time.Duration `yaml:"retention" env:"RETENTION"`
	Keep      int           `yaml:"keep" env:"KEEP"`
	KeepBytes Size          `yaml:"keep_bytes" env:"KEEP_BYTES"`
	MaxResult Size          `yaml:"max_result" env:"MAX_RESULT"`
	Lease     time.Duration `yaml:"lease" env:"LEASE"`
	Replicas  int           `yaml:"replicas" env:"REPLICAS"`
}

// Sessions holds the limits of sessions.
type Sessions struct {
	Retention time.Duration `yaml:"retention" env:"RETENTION"`
	Keep      int           `yaml:"keep" env:"KEEP"`
}

// Auth holds who may use the server, and the API keys.
type Auth struct {
	Mode     AuthMode `yaml:"mode" env:"MODE"`
	Keys     Keys     `yaml:"keys" env:"KEYS"`
	Required bool     `yaml:"required" env:"REQUIRED"`

	TokenSecrets Secrets `yaml:"token_secrets" env:"TOKEN_SECRETS"`
}

// AuthMode states who may use the server. It is a key of its own, so that lost keys do not open a server that had some.
type AuthMode string

// The modes.
const (
	AuthOpen AuthMode = "open" // everyone; there are no keys
	AuthKeys AuthMode = "keys" // clients with one of the keys
)

// Limits holds the limits for one client.
type Limits struct {
	Searches    int           `yaml:"searches" env:"SEARCHES"`
	SearchTime  float64       `yaml:"search_time" env:"SEARCH_TIME"`
	SearchBurst time.Duration `yaml:"search_burst" env:"SEARCH_BURST"`
	Jobs        Share         `yaml:"jobs" env:"JOBS"`
	JobsTime    time.Duration `yaml:"jobs_time" env:"JOBS_TIME"`
	Streams     Share         `yaml:"streams" env:"STREAMS"`
	Sessions    Share         `yaml:"sessions" env:"SESSIONS"`

	SessionsPerMinute        int `yaml:"sessions_per_minute" env:"SESSIONS_PER_MINUTE"`
	NetworkSessionsPerMinute int `yaml:"network_sessions_per_minute" env:"NETWORK_SESSIONS_PER_MINUTE"`

	Sending Share `yaml:"sending" env:"SENDING"`
}

// Share is the maximum share of a resource for one client, from 0 to 1. 0 means no limit.
type Share float64

// Of returns the share as a number of the total, at least 1, or 0 for no limit.
func (s Share) Of(total int) int {
	if s <= 0 {
		return 0
	}
	return max(1, int(float64(s)*float64(total)))
}

// CORS holds the origins whose pages may call the server from a browser, and more headers that they may send.
type CORS struct {
	Origins []string `yaml:"origins" env:"ORIGINS"`
	Headers []string `yaml:"headers" env:"HEADERS"`
}

// Embed holds the origins whose pages may show the board at /embed in a frame.
type Embed struct {
	Origins []string `yaml:"origins" env:"ORIGINS"`
}

// Metrics holds the address at which metrics are served.
type Metrics struct {
	Addr string `yaml:"addr" env:"ADDR"`
}

// Traces holds the destination of traces, the share of requests that are traced, and whether trusted proxies decide instead.
type Traces struct {
	Endpoint     string  `yaml:"endpoint" env:"ENDPOINT"`
	Sample       float64 `yaml:"sample" env:"SAMPLE"`
	TrustProxies bool    `yaml:"trust_proxies" env:"TRUST_PROXIES"`
}

// Size is a number of bytes, written as a plain number or with the unit KiB, MiB or GiB.
type Size int64

// UnmarshalText reads a size.
func (s *Size) UnmarshalText(text []byte) error {
	number, unit := strings.TrimSpace(string(text)), int64(1)
	for suffix, bytes := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if rest, ok := strings.CutSuffix(number, suffix); ok {
			number, unit = strings.TrimSpace(rest), bytes
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return fmt.Errorf("%.40q is not a size: expected a number of bytes such as 65536, 64KiB, 32MiB or 1GiB", text)
	}
	*s = Size(n * unit)
	return nil
}

// UnmarshalYAML reads a size. An error contains the line.
func (s *Size) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.ScalarNode {
		return fmt.Errorf("line %d: expected a size", node.Line)
	}
	if err := s.UnmarshalText([]byte(node.Value)); err != nil {
		return fmt.Errorf("line %d: %w", node.Line, err)
	}
	return nil
}

// Load returns the defaults, overridden by the file at the path, if it is not empty, and then by the environment, a list of
// NAME=value as in os.Environ.
func Load(path string, environ []string) (Config, error) {
	var c Config
	if err := c.merge(configs.Default); err != nil {
		return Config{}, fmt.Errorf("the built-in configuration: %w", err)
	}
	if path != "" {
		text, err := os.ReadFile(path) //nolint:gosec // the path comes from the command line
		if err != nil {
			return Config{}, fmt.Errorf("reading the configuration: %w", err)
		}
		if err := c.merge(text); err != nil {
			return Config{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := c.override(environ); err != nil {
		return Config{}, err
	}
	if err := c.validate(); err != nil {
		return Config{}, err
	}
	return c, nil
}

// merge overrides c with the keys of a YAML text.
func (c *Config) merge(text []byte) error {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(c); err != nil && !errors.Is(err, io.EOF) { // an empty file changes nothing
		return err
	}
	if err := dec.Decode(&struct{}{}); !errors.Is(err, io.EOF) {
		return errors.New("holds more than one YAML document")
	}
	return nil
}

// headerName is the syntax of the name of a header (RFC 9110).
var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// basePath is the syntax of the path below which clients see the server.
var basePath = regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*){1,8}$`)

// hostName is the syntax of the name of a host in small letters, or the star.
var hostName = regexp.MustCompile(`^(\*|[a-z0-9-]+(\.[a-z0-9-]+)*)$`)

func isAddr(addr string) bool {
	_, port, err := net.SplitHostPort(addr)
	_, portErr := strconv.ParseUint(port, 10, 16)
	return err == nil && portErr == nil
}

func isHTTP(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// isOrigin reports whether the text is what browsers send as Origin (RFC 6454, section 7), or the star.
func isOrigin(text string) bool {
	if text == "*" {
		return true
	}
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && text == u.Scheme+"://"+u.Host &&
		text == strings.ToLower(text)
}

// frameSource is the syntax of an origin in the policy of a page (CSP Level 3, host-source), of which only the first label can be a star.
var frameSource = regexp.MustCompile(`^https?://(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?$`)

// isFrameSource reports whether the text is an origin for a policy, or the star. Anything else could change the policy.
func isFrameSource(text string) bool { return text == "*" || frameSource.MatchString(text) }
