package handlers

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"roem/internal/service"
)

// checksHost refuses requests that a browser may have sent for a page of another site, on a server that everyone may use.
//
// Such a page is loaded from a name of its own, whose address then becomes the address of a server that only the visitor can reach (DNS
// rebinding). To the browser both are one site. What the page cannot change is the name in Host, which is a name of the public DNS. So
// these are passed on: other names, the configured ones, requests of trusted proxies, which check names themselves, and requests from
// public addresses, since the page could send them without a visitor. So are requests with Sec-Fetch-Site: browsers send it over TLS,
// where a page has no certificate for the server, and to localhost, and no page can set it.
func (h *Handlers) checksHost(hosts []string, next http.Handler) http.Handler {
	if len(h.clients.Keys) > 0 && !h.clients.KeyFree || slices.Contains(hosts, "*") {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostName(r.Host)
		peer := parseAddress(r.RemoteAddr)
		if !registrable(host) || slices.Contains(hosts, host) || !local(peer) || h.clients.trusts(peer) || r.Header.Get("Sec-Fetch-Site") != "" ||
			r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
			next.ServeHTTP(w, r)
			return
		}
		h.fail(w, r, &service.Error{Kind: service.NotPermitted, Code: service.WrongHost, Detail: fmt.Sprintf(
			"The server does not expect requests for the host %.100q. If it is a name of the server, add it to http.hosts (ROEM_HTTP_HOSTS). "+
				"If a proxy passes it on, add the address of the proxy to http.trusted_proxies (ROEM_HTTP_TRUSTED_PROXIES).", host)})
	})
}

// hostName returns the name in a header Host, in small letters, without the port and without the dot at the end.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// registrable reports whether somebody can have registered a name in the public DNS. Nobody can an address, localhost, the name of a
// container or of a service in a cluster.
func registrable(name string) bool {
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil || !strings.Contains(name, ".") {
		return false
	}
	suffix, public := publicsuffix.PublicSuffix(name)
	return public || strings.Contains(suffix, ".")
}

// sharedNetwork is for the customers of a provider, behind its address (RFC 6598).
var sharedNetwork = netip.MustParsePrefix("100.64.0.0/10")

// local reports whether an address is not of the public network.
func local(ip netip.Addr) bool {
	return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || sharedNetwork.Contains(ip)
}
