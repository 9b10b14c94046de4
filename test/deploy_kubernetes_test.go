package test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roem/internal/config"
)

// TestKubernetes checks the example for Kubernetes: fields are valid, the environment is valid for the server, and references have
// existing targets.
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
				t.Errorf("%s %s has the version %v, want %s", kind, at(d, "metadata", "name"), d["apiVersion"], versions[kind])
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
			t.Errorf("%s is %v, which is not a string", name, value)
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
			t.Errorf("the autoscaler %v has the range %d to %d", at(d, "metadata", "name"), lower, upper)
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
				t.Errorf("the adapter does not provide the metric %v", name)
			}
		}
	}
}

// subset reports whether all labels are among the others.
func subset(labels, among map[string]any) bool {
	for name, value := range labels {
		if among[name] != value {
			return false
		}
	}
	return len(labels) > 0
}

// workload checks a Deployment or StatefulSet.
func workload(t *testing.T, d map[string]any, common []string) {
	t.Helper()
	pod := object(at(d, "spec", "template", "spec"))
	if !subset(object(at(d, "spec", "selector", "matchLabels")), object(at(d, "spec", "template", "metadata", "labels"))) {
		t.Error("the selector does not select the pods of the template")
	}
	if at(pod, "securityContext", "runAsNonRoot") != true || at(pod, "securityContext", "seccompProfile", "type") != "RuntimeDefault" ||
		pod["automountServiceAccountToken"] != false {
		t.Errorf("the pod has too many privileges: %v", pod["securityContext"])
	}
	c := object(at(pod, "containers", 0))
	security := object(c["securityContext"])
	if security["allowPrivilegeEscalation"] != false || security["readOnlyRootFilesystem"] != true ||
		at(security, "capabilities", "drop", 0) != "ALL" {
		t.Errorf("the container has too many privileges: %v", security)
	}
	if at(c, "resources", "requests", "memory") == nil || at(c, "resources", "limits", "memory") == nil ||
		at(c, "resources", "requests", "cpu") == nil {
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
	secret := map[string]any{}
	for _, from := range list(c["envFrom"]) {
		if at(from, "secretRef") != nil {
			secret = object(at(from, "secretRef"))
		}
	}
	// Without the Secret no pod starts. A Secret without keys is an error of the server.
	if _, optional := secret["optional"]; secret["name"] != "roem" || optional {
		t.Errorf("the Secret with the keys is %v", secret)
	}
	if _, err := config.Load("", environ); err == nil || !strings.Contains(err.Error(), "auth.keys has none") {
		t.Errorf("without keys: %v", err)
	}
	environ = append(environ, "ROEM_AUTH_KEYS=ann:"+strings.Repeat("0", 64))
	loads(t, environ)
	settings, err := config.Load("", environ)
	if err != nil {
		t.Fatal(err)
	}
	if settings.Auth.Mode != config.AuthKeys {
		t.Errorf("auth.mode is %s", settings.Auth.Mode)
	}
	stops, _ := pod["terminationGracePeriodSeconds"].(int)
	if least := (settings.Shutdown.Grace + settings.Shutdown.Drain).Seconds(); float64(stops) <= least {
		t.Errorf("it is killed after %d s, but stopping may take %v s", stops, least)
	}
	for _, wanted := range []string{"/readyz", "/healthz"} {
		if at(c, "readinessProbe", "httpGet", "path") != wanted && at(c, "livenessProbe", "httpGet", "path") != wanted {
			t.Errorf("no probe uses %s", wanted)
		}
	}
}
