package test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"roem/internal/redistest"
	"roem/internal/testkit"
)

// metricName matches a metric in an expression.
var metricName = regexp.MustCompile(`\b(roem|go|process)_[a-z0-9_]+\b`)

// labelName matches a label in an expression: before an operator in braces, or in a list after by.
var labelName = regexp.MustCompile(`([a-z_]+)(?:=~|!~|!=|=)"|\bby ?\(([a-z_, ]+)\)`)

// TestMetricsExist checks that a server under load has all metrics of the dashboard, the alerts and the autoscalers.
func TestMetricsExist(t *testing.T) {
	if testing.Short() {
		t.Skip("it has no concurrency")
	}
	redis := redistest.Start(t, redistest.Options{})
	s := start(t, "ROEM_REDIS_URL="+redis.URL(), "ROEM_LIMITS_SEARCHES=1", "ROEM_SEARCH_SEARCHERS=1")
	// Some metrics exist only after an event: a successful answer, a problem, a client above its limit.
	var bodies [][]byte
	next := hardTable(t, 81)
	for range 8 {
		body, err := json.Marshal(next())
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	var clients sync.WaitGroup
	for _, body := range append(bodies, []byte("{}")) {
		clients.Go(func() {
			answer, err := client(testkit.Patience).Post(s.url+"/v1/klaverjas/table", "application/json", bytes.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			_ = answer.Body.Close()
		})
	}
	clients.Wait()
	_, text, err := get(s.url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	_, alone, err := get(start(t).url + "/metrics") // only a server that keeps something on its disk has metrics of the disk
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, alone...)
	there := map[string]bool{"job": true, "instance": true, "le": true, "severity": true, "namespace": true, "pod": true}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			fields := strings.Fields(line)
			there[fields[2]] = true
			continue
		}
		for _, label := range labelName.FindAllStringSubmatch(line, -1) {
			there[label[1]] = true
		}
	}
	expressions := map[string][]string{}
	for _, group := range list(documents(t, "../deploy/prometheus/alerts.yaml")[0]["groups"]) {
		for _, rule := range list(at(group, "rules")) {
			expressions["alerts"] = append(expressions["alerts"], at(rule, "expr").(string))
			if at(rule, "annotations", "summary") == nil || at(rule, "annotations", "description") == nil || at(rule, "labels", "severity") == nil {
				t.Errorf("the alert %v has no description", at(rule, "alert"))
			}
		}
	}
	adapter := documents(t, "../deploy/kubernetes/prometheus-adapter.yaml")[0]
	for _, kind := range []string{"custom", "external"} {
		for _, rule := range list(at(adapter, "rules", kind)) {
			expressions["adapter"] = append(expressions["adapter"], at(rule, "seriesQuery").(string))
		}
	}
	for _, panel := range dashboard(t) {
		for _, target := range panel.Targets {
			expressions["dashboard"] = append(expressions["dashboard"], target.Expr)
		}
	}
	for _, where := range slices.Sorted(maps.Keys(expressions)) {
		for _, expression := range expressions[where] {
			names := metricName.FindAllString(expression, -1)
			if len(names) == 0 && !strings.Contains(expression, "up{") {
				t.Errorf("%s: no metric in %s", where, expression)
			}
			for _, name := range names {
				base := name
				for _, suffix := range []string{"_bucket", "_count", "_sum"} {
					base = strings.TrimSuffix(base, suffix)
				}
				if !there[name] && !there[base] {
					t.Errorf("%s: there is no metric %s", where, name)
				}
			}
			for _, match := range labelName.FindAllStringSubmatch(expression, -1) {
				for label := range strings.SplitSeq(match[1]+match[2], ",") {
					if label = strings.TrimSpace(label); !there[label] {
						t.Errorf("%s: no metric has the label %s: %s", where, label, expression)
					}
				}
			}
		}
		t.Logf("%s: %d expressions", where, len(expressions[where]))
	}
}

// panel holds the checked fields of a panel of the dashboard.
type panel struct {
	ID         int
	Type       string
	Title      string
	GridPos    struct{ X, Y, W, H int }
	Datasource struct{ UID string }
	Targets    []struct{ Expr string }
}

func dashboard(tb testing.TB) []panel {
	tb.Helper()
	text, err := os.ReadFile("../deploy/grafana/roem.json")
	if err != nil {
		tb.Fatal(err)
	}
	var d struct {
		UID, Title string
		Panels     []panel
	}
	if err := json.Unmarshal(text, &d); err != nil {
		tb.Fatal(err)
	}
	if d.UID == "" || d.Title == "" || len(d.Panels) < 10 {
		tb.Fatalf("%q, %q, %d panels", d.UID, d.Title, len(d.Panels))
	}
	return d.Panels
}

// TestDashboard checks that the panels have the fields that Grafana requires, and do not overlap.
func TestDashboard(t *testing.T) {
	ids, taken := map[int]string{}, map[[2]int]string{}
	for _, p := range dashboard(t) {
		if p.ID == 0 || ids[p.ID] != "" {
			t.Errorf("%s has the number %d of %q", p.Title, p.ID, ids[p.ID])
		}
		ids[p.ID] = p.Title
		if p.Title == "" || p.Type != "row" && (p.Datasource.UID != "${datasource}" || len(p.Targets) == 0) {
			t.Errorf("the panel %+v", p)
		}
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" || x >= 24 {
					t.Fatalf("%s overlaps %q at %d, %d", p.Title, other, x, y)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
	}
}
