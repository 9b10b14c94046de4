package main

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"roem/internal/metrics/metricstest"
)

func (p *process) body(t *testing.T, url string) string {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", url, answer.StatusCode, err)
	}
	return string(text)
}

// The server serves every metric after each kind of event has happened.
func TestServesEveryMetric(t *testing.T) {
	families, err := metricstest.Full().Gatherer().Gather()
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, "ROEM_DATA="+t.TempDir())
	for _, request := range [][2]string{{"/v1/klaverjas/solve", "{"}, {"/v1/klaverjas/solve", tracedDeal}} {
		if _, _, err := p.post(t.Context(), request[0], request[1]); err != nil {
			t.Fatal(err)
		}
	}
	served := p.body(t, p.url+"/metrics")
	for _, f := range families {
		name := f.GetName()
		if name == "roem_cache_breaker_state" { // only with Redis
			continue
		}
		if !regexp.MustCompile(`(?m)^` + name + `(_count)?[ {]`).MatchString(served) {
			t.Errorf("%s is not served", name)
		}
	}
	if info := regexp.MustCompile(`(?m)^roem_build_info\{.*$`).FindString(served); strings.Contains(info, `model=""`) ||
		strings.Contains(info, `solver=""`) {
		t.Error(info)
	}
}

// If metrics have their own address, they are served only there, and nothing else is.
func TestMetricsAddress(t *testing.T) {
	p := start(t, "ROEM_METRICS_ADDR=127.0.0.1:0", "ROEM_DATA=")
	addr := regexp.MustCompile(`"msg":"listening for metrics","addr":"([^"]+)"`).FindStringSubmatch(p.logged())
	if addr == nil {
		t.Fatalf("the log does not have the address of the metrics\n%s", p.logged())
	}
	if text := p.body(t, "http://"+addr[1]+"/metrics"); !strings.Contains(text, "roem_ready 1\n") {
		t.Errorf("metrics: %s", text)
	}
	if got := p.status("/metrics"); got != http.StatusNotFound {
		t.Errorf("/metrics at addr: %d", got)
	}
	own := &process{url: "http://" + addr[1]}
	if got := own.status("/healthz"); got != http.StatusNotFound {
		t.Errorf("/healthz at metrics.addr: %d", got)
	}
}
