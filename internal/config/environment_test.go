package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roem/internal/config"
)

// For some keys an empty variable is an empty value.
func TestEmptyVariable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "roem.yaml")
	text := "data: /d\nredis: {url: redis://r}\nmetrics: {addr: ':1'}\ntraces: {endpoint: http://c}\n" +
		"http: {trusted_proxies: [10.0.0.0/8]}\ncors: {origins: ['*']}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := config.Load(file, []string{
		"ROEM_DATA=", "ROEM_REDIS_URL=", "ROEM_METRICS_ADDR=", "ROEM_TRACES_ENDPOINT=", "ROEM_HTTP_TRUSTED_PROXIES=", "ROEM_CORS_ORIGINS=",
		"ROEM_EMBED_ORIGINS=",
	})
	if err != nil || got.Data != "" || got.Redis.URL != "" || got.Metrics.Addr != "" || got.Traces.Endpoint != "" ||
		len(got.HTTP.TrustedProxies) != 0 || len(got.CORS.Origins) != 0 || len(got.Embed.Origins) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Any other empty variable is an error. The keys of the file must not stay in force without a word, nor may their loss open the server.
func TestEmptyVariableWithoutMeaning(t *testing.T) {
	for _, name := range []string{"ROEM_AUTH_KEYS", "ROEM_AUTH_MODE", "ROEM_AUTH_REQUIRED", "ROEM_LIMITS_JOBS", "ROEM_ADDR"} {
		for _, mode := range []string{"", "ROEM_AUTH_MODE=open", "ROEM_AUTH_MODE=keys"} {
			_, err := config.Load("", []string{mode, name + "="})
			if err == nil || !strings.Contains(err.Error(), name+" is empty") && mode == "" {
				t.Errorf("%s with %q: %v", name, mode, err)
			}
		}
	}
	for _, keys := range []string{",", " ", " , "} {
		if _, err := config.Load("", []string{"ROEM_AUTH_KEYS=" + keys}); err == nil ||
			!strings.Contains(err.Error(), "ROEM_AUTH_KEYS cannot be read") {
			t.Errorf("%q: %v", keys, err)
		}
	}
}

// The mode and the keys must not contradict each other, wherever both come from.
func TestAuthMode(t *testing.T) {
	withKeys := filepath.Join(t.TempDir(), "keys.yaml")
	if err := os.WriteFile(withKeys, []byte("auth: {mode: keys, keys: [{id: ann, sha256: "+hexSum("a")+"}]}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	key := "ROEM_AUTH_KEYS=bob:" + hexSum("b")
	for _, tt := range []struct {
		file    string
		environ []string
		want    string // part of the error; empty for none
	}{
		{"", nil, ""},
		{"", []string{"ROEM_AUTH_MODE=open"}, ""},
		{"", []string{"ROEM_AUTH_MODE=keys", key}, ""},
		{withKeys, nil, ""},
		{withKeys, []string{key}, ""},
		{"", []string{key}, "auth.mode is open, but auth.keys has 1"},
		{"", []string{"ROEM_AUTH_MODE=open", key}, "auth.mode is open, but auth.keys has 1"},
		{withKeys, []string{"ROEM_AUTH_MODE=open"}, "auth.mode is open, but auth.keys has 1"},
		{"", []string{"ROEM_AUTH_MODE=keys"}, "auth.mode is keys, but auth.keys has none"},
		{"", []string{"ROEM_AUTH_MODE=Keys", key}, `auth.mode is "Keys": expected open or keys`},
		{"", []string{"ROEM_AUTH_MODE=none"}, `auth.mode is "none": expected open or keys`},
	} {
		_, err := config.Load(tt.file, tt.environ)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s %v: %v, want %q", filepath.Base(tt.file), tt.environ, err, tt.want)
		}
	}
}

// A variable that belongs to no key is an error, which names a similar variable if there is one.
func TestUnknownVariables(t *testing.T) {
	for name, near := range map[string]string{
		"ROEM_AUTH_KEY": "ROEM_AUTH_KEYS", "ROEM_AUTHKEYS": "ROEM_AUTH_KEYS", "ROEM_AUHT_KEYS": "ROEM_AUTH_KEYS",
		"ROEM_API_KEYS":  "ROEM_AUTH_KEYS",
		"ROEM_auth_keys": "ROEM_AUTH_KEYS", "ROEM_AUTH_MOD": "ROEM_AUTH_MODE", "ROEM_ADR": "ROEM_ADDR", "ROEM_LOGLEVEL": "ROEM_LOG_LEVEL",
		"ROEM_TRUSTED_PROXIES": "ROEM_HTTP_TRUSTED_PROXIES", "ROEM_PORT": "", "ROEM_COLOUR_OF_THE_CARDS": "", "ROEM_": "",
	} {
		_, err := config.Load("", []string{name + "=1"})
		want := name + " is not a variable of the server (docs"
		if near != "" {
			want = name + " is not a variable of the server: did you mean " + near + "?"
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// Kubernetes gives such variables to each container if there is a service named roem or roem-api.
func TestServiceLinks(t *testing.T) {
	_, err := config.Load("", []string{
		"ROEM_SERVICE_HOST=10.0.0.7", "ROEM_SERVICE_PORT=80", "ROEM_SERVICE_PORT_HTTP=80", "ROEM_PORT=tcp://10.0.0.7:80",
		"ROEM_PORT_80_TCP=tcp://10.0.0.7:80",
		"ROEM_PORT_80_TCP_PROTO=tcp", "ROEM_PORT_80_TCP_PORT=80", "ROEM_PORT_80_TCP_ADDR=10.0.0.7", "ROEM_API_SERVICE_HOST=10.0.0.8",
		"ROEM_API_PORT_9090_UDP_ADDR=10.0.0.8", "ROEMER=1", "PATH=/bin",
	})
	if err != nil {
		t.Error(err)
	}
}
