package test

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roem/internal/config"
)

// TestCompose checks the example for Docker Compose.
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
				t.Errorf("%s depends on the unknown service %s", name, other)
			}
		}
		networks := list(at(s, "networks"))
		for network := range object(at(s, "networks")) {
			networks = append(networks, network)
		}
		for _, network := range networks {
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
	// The servers trust the load balancer and no other container. The tests TestNginx… run its configuration.
	trusted := at(services, "api", "environment", "ROEM_HTTP_TRUSTED_PROXIES")
	fixed, _ := at(services, "balancer", "networks", "inside", "ipv4_address").(string)
	others, _ := at(d, "networks", "inside", "ipam", "config", 0, "ip_range").(string)
	if within, err := netip.ParsePrefix(others); err != nil || trusted != fixed+"/32" || within.Contains(netip.MustParseAddr(fixed)) {
		t.Errorf("the servers trust %v, the load balancer has %s, other containers have %s", trusted, fixed, others)
	}
}

// The server accepts the configuration for several machines.
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
}
