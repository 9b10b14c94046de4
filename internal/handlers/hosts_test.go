package handlers_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"roem/internal/api"
	"roem/internal/handlers"
)

// A page of another site that reaches the server under a name of its own is refused. The names that people, containers and clusters have
// for a server are not, and neither is what comes from a proxy or over TLS.
func TestHosts(t *testing.T) {
	const here, docker, public = "127.0.0.1:1", "172.17.0.1:1", "203.0.113.7:1"
	open := newServer(t, func(c *config) {
		c.options = func(o *handlers.Options) { o.Hosts = []string{"cards.example.com"} }
		c.clients.Proxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	all := newServer(t, func(c *config) { c.options = func(o *handlers.Options) { o.Hosts = []string{"*"} } })
	withKeys := newServer(t, func(c *config) { c.clients.Keys = []handlers.Key{keyFor("ann", "a")} })
	mixed := newServer(t, func(c *config) { c.clients.Keys, c.clients.KeyFree = []handlers.Key{keyFor("ann", "a")}, true })
	for name, one := range map[string]struct {
		server            *server
		host, peer, fetch string
		path              string // empty for all
		refused           bool
	}{
		"localhost":                  {server: open, host: "localhost:8080", peer: here},
		"an address":                 {server: open, host: "127.0.0.1:8080", peer: here},
		"an IPv6 address":            {server: open, host: "[::1]:8080", peer: "[::1]:1"},
		"a container":                {server: open, host: "roem-api-1:8080", peer: docker},
		"a service of a namespace":   {server: open, host: "roem.roem:8080", peer: docker},
		"a service of a cluster":     {server: open, host: "roem.default.svc.cluster.local", peer: docker},
		"a machine of the network":   {server: open, host: "box.local:8080", peer: "192.168.1.9:1"},
		"no host":                    {server: open, host: "", peer: here},
		"configured":                 {server: open, host: "Cards.Example.com.:8080", peer: here},
		"a proxy":                    {server: open, host: "other.example.com", peer: "10.1.2.3:1"},
		"from the public network":    {server: open, host: "other.example.com", peer: public},
		"a browser over TLS":         {server: open, host: "other.example.com", peer: here, fetch: "same-origin"},
		"rebinding":                  {server: open, host: "evil.example.com:8080", peer: here, refused: true},
		"rebinding, IPv6":            {server: open, host: "evil.example.com:8080", peer: "[fd00::7]:1", refused: true},
		"rebinding, the network":     {server: open, host: "evil.nl", peer: "192.168.1.9:1", refused: true},
		"rebinding, a part":          {server: open, host: "cards.example.com.evil.com", peer: docker, refused: true},
		"rebinding, a shared suffix": {server: open, host: "evil.github.io", peer: docker, refused: true},
		"any host":                   {server: all, host: "evil.example.com", peer: here},
		"with keys":                  {server: withKeys, host: "evil.example.com", peer: here, path: "/version"},
		"keys that are optional":     {server: mixed, host: "evil.example.com", peer: here, refused: true},
		"a probe":                    {server: open, host: "evil.example.com", peer: here, path: "/readyz"},
	} {
		t.Run(name, func(t *testing.T) {
			paths := []string{"/", "/board", "/version", "/v1/klaverjas/deals/random"}
			if one.path != "" {
				paths = []string{one.path}
			}
			for _, path := range paths {
				r := request(http.MethodGet, path, "")
				r.Host, r.RemoteAddr = one.host, one.peer
				if one.fetch != "" {
					r.Header.Set("Sec-Fetch-Site", one.fetch)
				}
				if one.peer == "10.1.2.3:1" {
					r.Header.Set("X-Forwarded-For", public)
				}
				w := httptest.NewRecorder()
				one.server.ServeHTTP(w, r)
				if !one.refused {
					status(t, w, http.StatusOK)
					continue
				}
				status(t, w, http.StatusForbidden)
				if p := decodeAs[api.Problem](t, w); p.Code != "wrong_host" || !strings.Contains(p.Detail, "http.hosts") {
					t.Errorf("%s: %s", path, w.Body)
				}
			}
		})
	}
}
