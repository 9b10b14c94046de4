package test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"roem/internal/config"
	"roem/internal/redistest"
)

// documents reads the YAML documents of a file, each of which must be an object.
func documents(tb testing.TB, path string) []map[string]any {
	tb.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var all []map[string]any
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document map[string]any
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			tb.Fatalf("%s: %v", path, err)
		}
		all = append(all, document)
	}
}

// at follows a path of names and numbers into an object; what is not there is nil.
func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := v.(map[string]any)
			v = object[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				return nil
			}
			v = list[step]
		}
	}
	return v
}

func list(v any) []any { l, _ := v.([]any); return l }

func object(v any) map[string]any { o, _ := v.(map[string]any); return o }

// loads fails the test unless the variables are keys of the configuration with values that it takes.
func loads(t *testing.T, environ []string) {
	t.Helper()
	if _, err := config.Load("", environ); err != nil {
		t.Errorf("%v: %v", environ, err)
	}
	if unknown, err := config.Unknown(environ); err != nil || len(unknown) > 0 {
		t.Errorf("variables of no key: %v, %v", unknown, err)
	}
}

// TestKubernetes holds the example against what Kubernetes asks for and what this server can do: everything that refers
// to something refers to something that is there.
func TestKubernetes(t *testing.T) {
	const folder = "../deploy/kubernetes"
	kustomization := documents(t, folder+"/kustomization.yaml")[0]
	byKind := map[string][]map[string]any{}
	for _, file := range list(kustomization["resources"]) {
		for _, d := range documents(t, filepath.Join(folder, file.(string))) {
			if d["apiVersion"] == nil || d["kind"] == nil || at(d, "metadata", "name") == nil {
				t.Errorf("%s: a document without apiVersion, kind or name: %v", file, d)
			}
			byKind[d["kind"].(string)] = append(byKind[d["kind"].(string)], d)
		}
	}
	versions := map[string]string{
		"Namespace": "v1", "ConfigMap": "v1", "Service": "v1", "Deployment": "apps/v1", "StatefulSet": "apps/v1",
		"HorizontalPodAutoscaler": "autoscaling/v2", "PodDisruptionBudget": "policy/v1", "NetworkPolicy": "networking.k8s.io/v1",
	}
	for kind, all := range byKind {
		for _, d := range all {
			if d["apiVersion"] != versions[kind] {
				t.Errorf("%s %s is of %v, want %s", kind, at(d, "metadata", "name"), d["apiVersion"], versions[kind])
			}
		}
	}
	named := func(kind string, name any) map[string]any {
		for _, d := range byKind[kind] {
			if at(d, "metadata", "name") == name {
				return d
			}
		}
		t.Errorf("there is no %s %v", kind, name)
		return nil
	}
	var common []string
	for name, value := range object(named("ConfigMap", "roem")["data"]) {
		text, ok := value.(string)
		if !ok {
			t.Errorf("%s is %v, which is no string", name, value)
		}
		common = append(common, name+"="+text)
	}
	workloads := slices.Concat(byKind["Deployment"], byKind["StatefulSet"])
	if len(workloads) != 3 {
		t.Errorf("%d workloads, want the servers, the workers and Redis", len(workloads))
	}
	for _, d := range workloads {
		t.Run(at(d, "metadata", "name").(string), func(t *testing.T) { workload(t, d, common) })
	}
	selects := func(d map[string]any, selector any) {
		t.Helper()
		for _, w := range workloads {
			if subset(object(selector), object(at(w, "spec", "template", "metadata", "labels"))) {
				return
			}
		}
		t.Errorf("%s %s selects nothing: %v", d["kind"], at(d, "metadata", "name"), selector)
	}
	for _, d := range byKind["Service"] {
		selects(d, at(d, "spec", "selector"))
	}
	for _, d := range byKind["PodDisruptionBudget"] {
		selects(d, at(d, "spec", "selector", "matchLabels"))
	}
	for _, d := range byKind["NetworkPolicy"] {
		if labels := at(d, "spec", "podSelector", "matchLabels"); labels != nil {
			selects(d, labels)
		}
	}
	adapter := documents(t, folder+"/prometheus-adapter.yaml")[0]
	for _, d := range byKind["HorizontalPodAutoscaler"] {
		target := object(at(d, "spec", "scaleTargetRef"))
		named(target["kind"].(string), target["name"])
		if lower, upper := at(d, "spec", "minReplicas").(int), at(d, "spec", "maxReplicas").(int); lower < 2 || upper <= lower {
			t.Errorf("the autoscaler %v goes from %d to %d", at(d, "metadata", "name"), lower, upper)
		}
		for _, m := range list(at(d, "spec", "metrics")) {
			where, rules := "pods", "custom"
			if at(m, "type") == "External" {
				where, rules = "external", "external"
			}
			name, found := at(m, where, "metric", "name"), false
			for _, rule := range list(at(adapter, "rules", rules)) {
				found = found || at(rule, "name", "as") == name
			}
			if name == nil || !found {
				t.Errorf("the adapter does not make the metric %v", name)
			}
		}
	}
}

// subset reports whether all labels stand among the others.
func subset(labels, among map[string]any) bool {
	for name, value := range labels {
		if among[name] != value {
			return false
		}
	}
	return len(labels) > 0
}

// workload checks what stands around a container.
func workload(t *testing.T, d map[string]any, common []string) {
	t.Helper()
	pod := object(at(d, "spec", "template", "spec"))
	if !subset(object(at(d, "spec", "selector", "matchLabels")), object(at(d, "spec", "template", "metadata", "labels"))) {
		t.Error("the selector does not select the pods of the template")
	}
	if at(pod, "securityContext", "runAsNonRoot") != true || at(pod, "securityContext", "seccompProfile", "type") != "RuntimeDefault" ||
		pod["automountServiceAccountToken"] != false {
		t.Errorf("the pod may be more than it must: %v", pod["securityContext"])
	}
	c := object(at(pod, "containers", 0))
	security := object(c["securityContext"])
	if security["allowPrivilegeEscalation"] != false || security["readOnlyRootFilesystem"] != true || at(security, "capabilities", "drop", 0) != "ALL" {
		t.Errorf("the container may do more than it must: %v", security)
	}
	if at(c, "resources", "requests", "memory") == nil || at(c, "resources", "limits", "memory") == nil || at(c, "resources", "requests", "cpu") == nil {
		t.Errorf("resources: %v", c["resources"])
	}
	ports := map[any]bool{}
	for _, p := range list(c["ports"]) {
		ports[at(p, "name")] = true
	}
	for _, probe := range []string{"startupProbe", "readinessProbe", "livenessProbe"} {
		p := object(c[probe])
		if len(p) == 0 {
			t.Errorf("there is no %s", probe)
		}
		for _, how := range []string{"httpGet", "tcpSocket"} {
			if port := at(p, how, "port"); port != nil && !ports[port] {
				t.Errorf("%s: there is no port %v", probe, port)
			}
		}
	}
	if c["image"] != "roem" {
		return
	}
	environ := slices.Clone(common)
	for _, v := range list(c["env"]) {
		environ = append(environ, fmt.Sprintf("%v=%v", at(v, "name"), at(v, "value")))
	}
	loads(t, environ)
	settings, err := config.Load("", environ)
	if err != nil {
		t.Fatal(err)
	}
	stops, _ := pod["terminationGracePeriodSeconds"].(int)
	if least := (settings.Shutdown.Grace + settings.Shutdown.Drain).Seconds(); float64(stops) <= least {
		t.Errorf("it is killed after %d s, but may take %v s to stop", stops, least)
	}
	for _, wanted := range []string{"/readyz", "/healthz"} {
		if at(c, "readinessProbe", "httpGet", "path") != wanted && at(c, "livenessProbe", "httpGet", "path") != wanted {
			t.Errorf("nothing asks %s", wanted)
		}
	}
}

// TestCompose does the same for the other example.
func TestCompose(t *testing.T) {
	const folder = "../deploy/compose"
	d := documents(t, folder+"/compose.yaml")[0]
	services := object(d["services"])
	for _, name := range []string{"api", "worker"} {
		s := object(services[name])
		if at(s, "deploy", "replicas") != 2 || s["read_only"] != true || at(s, "deploy", "resources", "limits", "memory") == nil {
			t.Errorf("%s: %v", name, s)
		}
		var environ []string
		for variable, value := range object(s["environment"]) {
			environ = append(environ, fmt.Sprintf("%s=%v", variable, value))
		}
		loads(t, environ)
		if role := object(s["environment"])["ROEM_ROLE"]; role != name {
			t.Errorf("%s has the role %v", name, role)
		}
	}
	for name, s := range services {
		for other := range object(at(s, "depends_on")) {
			if services[other] == nil {
				t.Errorf("%s depends on %s, which is not there", name, other)
			}
		}
		for _, network := range list(at(s, "networks")) {
			if _, ok := object(d["networks"])[network.(string)]; !ok {
				t.Errorf("%s: there is no network %v", name, network)
			}
		}
		for _, volume := range list(at(s, "volumes")) {
			from, _, _ := strings.Cut(volume.(string), ":")
			if _, ok := object(d["volumes"])[from]; ok {
				continue
			}
			if _, err := os.Stat(filepath.Join(folder, from)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	command, _ := at(services, "redis", "command").(string)
	for _, want := range []string{"--appendonly yes", "noeviction"} {
		if !strings.Contains(command, want) {
			t.Errorf("Redis runs without %q: %s", want, command)
		}
	}
	balancer, err := os.ReadFile(folder + "/nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(balancer, []byte("server api:8080")) || bytes.Count(balancer, []byte("{")) != bytes.Count(balancer, []byte("}")) {
		t.Errorf("the load balancer:\n%s", balancer)
	}
}

// The file for several machines is one that the server takes, and says why it changes what it changes.
func TestRedisConfiguration(t *testing.T) {
	const path = "../configs/roem.redis.yaml"
	changed, err := config.Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := config.Load("", nil)
	if err != nil {
		t.Fatal(err)
	}
	if changed.Redis.URL == "" || changed.Redis.URL == plain.Redis.URL {
		t.Errorf("its Redis is %q", changed.Redis.URL)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var before string
	for number, line := range strings.Split(string(text), "\n") {
		key := strings.TrimSpace(line)
		if key != "" && !strings.HasPrefix(key, "#") && !strings.HasSuffix(key, ":") && !strings.HasPrefix(strings.TrimSpace(before), "#") {
			t.Errorf("line %d has no comment above it: %s", number+1, line)
		}
		before = line
	}
}

// metricName is a metric in an expression.
var metricName = regexp.MustCompile(`\b(roem|go|process)_[a-z0-9_]+\b`)

// labelName is a label in an expression: before an operator in braces, or in a list after by.
var labelName = regexp.MustCompile(`([a-z_]+)(?:=~|!~|!=|=)"|\bby ?\(([a-z_, ]+)\)`)

// TestMetricsExist: whatever the dashboard, the alerts and the autoscalers look at is told by a server at work.
func TestMetricsExist(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it runs at the same time")
	}
	redis := redistest.Start(t, redistest.Options{})
	s := start(t, "ROEM_REDIS_URL="+redis.URL(), "ROEM_LIMITS_SEARCHES=1", "ROEM_SEARCH_SEARCHERS=1")
	// Some metrics are there only once what they count has happened: a good answer, a problem, a client with too much.
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
			answer, err := client(time.Minute).Post(s.url+"/v1/klaverjas/table", "application/json", bytes.NewReader(body))
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
				t.Errorf("the alert %v does not say what it means", at(rule, "alert"))
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

// panel is what matters of a panel of the dashboard.
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

// TestDashboard: the panels have what Grafana needs and do not lie over each other.
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
					t.Fatalf("%s lies over %q at %d, %d", p.Title, other, x, y)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
	}
}
