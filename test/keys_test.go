package test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"roem/internal/testkit"
)

// newKey runs the server program to create an API key, and returns its secret and its entry for the configuration.
func newKey(t *testing.T, name string) (secret, entry string) {
	t.Helper()
	out, err := exec.Command(serverProgram(t), "-new-key", name).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for word := range strings.FieldsSeq(string(out)) {
		word = strings.Trim(word, `"',.`)
		sum := sha256.Sum256([]byte(word))
		if hash := hex.EncodeToString(sum[:]); strings.Contains(string(out), hash) {
			return word, name + ":" + hash
		}
	}
	t.Fatalf("no secret and its SHA-256 in %s", out)
	return "", ""
}

// TestKeys checks that only valid keys are accepted, that no key of a request is in the log, and that wrong keys use no memory.
func TestKeys(t *testing.T) {
	one, first := newKey(t, "one")
	two, second := newKey(t, "two")
	s := start(t, "ROEM_AUTH_MODE=keys", "ROEM_AUTH_KEYS="+first+","+second, "ROEM_LOG_LEVEL=debug")
	s.key = one
	c := client(testkit.Patience)
	defer c.CloseIdleConnections()
	ask := func(path string, header http.Header) (int, string, http.Header) {
		t.Helper()
		request, err := http.NewRequest(http.MethodPost, s.url+path, strings.NewReader(solvable))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = header.Clone()
		request.Header.Set("Content-Type", "application/json")
		answer, err := c.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(body), answer.Header
	}
	for name, secret := range map[string]string{"one": one, "two": two} {
		if status, body, _ := ask("/v1/klaverjas/solve", http.Header{"Authorization": {"Bearer " + secret}}); status != http.StatusOK {
			t.Errorf("with the key %s: %d: %s", name, status, body)
		}
	}
	before := s.metric(t, "go_goroutines")
	wrong := map[string]http.Header{
		"none":                   {},
		"empty":                  {"Authorization": {""}},
		"no secret":              {"Authorization": {"Bearer "}},
		"another":                {"Authorization": {"Bearer sesame-open-wrong-key-0001"}},
		"another scheme":         {"Authorization": {"Basic c2VzYW1lLW9wZW4td3Jvbmcta2V5LTAwMDI="}},
		"the right one, basic":   {"Authorization": {"Basic " + one}},
		"cut short":              {"Authorization": {"Bearer " + one[:len(one)-1]}},
		"too long":               {"Authorization": {"Bearer " + one + "x"}},
		"very long":              {"Authorization": {"Bearer " + strings.Repeat("sesame-open-wrong-key-0003", 300)}},
		"in another header":      {"X-Api-Key": {one}},
		"its hash":               {"Authorization": {"Bearer " + strings.TrimPrefix(first, "one:")}},
		"its name":               {"Authorization": {"Bearer one"}},
		"in capitals":            {"Authorization": {"Bearer " + strings.ToUpper(one)}},
		"two headers":            {"Authorization": {"Bearer sesame-open-wrong-key-0004", "Bearer sesame-open-wrong-key-0005"}},
		"with spaces in between": {"Authorization": {"Bearer " + one[:4] + " " + one[4:]}},
	}
	for name, header := range wrong {
		for _, path := range append(posts(t), "/v1/klaverjas/solve?key="+one+"&api_key="+two) {
			status, body, answer := ask(path, header)
			if status != http.StatusUnauthorized || answer.Get("WWW-Authenticate") == "" {
				t.Errorf("%s at %s: %d, WWW-Authenticate %q: %s", name, path, status, answer.Get("WWW-Authenticate"), body)
			}
			if strings.Contains(body, one) || strings.Contains(body, "sesame") {
				t.Errorf("%s: the answer contains the key: %s", name, body)
			}
		}
	}
	guesses := 2000
	if testing.Short() {
		guesses = 200
	}
	for i := range guesses {
		if status, _, _ := ask("/v1/klaverjas/solve", http.Header{"Authorization": {fmt.Sprintf("Bearer sesame-open-wrong-key-%d",
			i)}}); status != http.StatusUnauthorized {
			t.Fatalf("guess %d: %d", i, status)
		}
	}
	for _, path := range []string{"/healthz", "/readyz", "/version", "/docs", "/openapi.json"} {
		if status, _, err := get(s.url + path); status != http.StatusOK {
			t.Errorf("%s without a key: %d, %v", path, status, err)
		}
	}
	eventually(t, testkit.Patience, "as many goroutines as before", func() bool { return s.metric(t, "go_goroutines") <= before+4 })
	s.signal(t, syscall.SIGTERM)
	if status := s.ends(t, testkit.Patience); status != 0 {
		t.Errorf("exit status %d", status)
	}
	log := s.logged()
	for what, secret := range map[string]string{"the key one": one, "the key two": two, "a guess": "sesame", "what Basic holds": "c2VzYW1l"} {
		if strings.Contains(log, secret) {
			t.Errorf("%s is in the log:\n%s", what, lineWith(log, secret))
		}
	}
	if !strings.Contains(log, `"status":401`) {
		t.Errorf("the log has no wrong keys:\n%s", tail(log))
	}
	s.sound(t)
}

// lineWith returns the first line of the log that contains the text.
func lineWith(log, text string) string {
	for line := range strings.Lines(log) {
		if strings.Contains(line, text) {
			return line
		}
	}
	return ""
}
