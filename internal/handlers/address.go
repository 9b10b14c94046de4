package handlers

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"go.uber.org/zap"

	"roem/internal/service"
)

const forwardedFor = "X-Forwarded-For"

// header returns the header in which the trusted proxies send the address of the client.
func (c Clients) header() string {
	if c.Header == "" {
		return forwardedFor
	}
	return http.CanonicalHeaderKey(c.Header)
}

// trusts reports whether an address belongs to a trusted proxy.
func (c Clients) trusts(ip netip.Addr) bool {
	return slices.ContainsFunc(c.Proxies, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// isProxy reports whether the address of a connection, with its port, belongs to a trusted proxy.
func (c Clients) isProxy(remote string) bool {
	peer := parseAddress(remote)
	return peer.IsValid() && c.trusts(peer)
}

// address returns the address of the client of a request. It is not valid if the client cannot be told.
func (c Clients) address(r *http.Request) netip.Addr {
	peer := parseAddress(r.RemoteAddr)
	if !peer.IsValid() || !c.trusts(peer) {
		return peer
	}
	values := r.Header.Values(c.header())
	if len(values) == 0 {
		return netip.Addr{}
	}
	if c.header() != forwardedFor {
		return parseAddress(values[len(values)-1]) // the value of the nearest proxy
	}
	// Each proxy appends the address of its peer. What is left of the first one that is not trusted can be of anybody.
	list := strings.Split(strings.Join(values, ","), ",")
	for _, text := range slices.Backward(list) {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if ip := parseAddress(text); !ip.IsValid() || !c.trusts(ip) {
			return ip
		}
	}
	return netip.Addr{}
}

// parseAddress parses an address, with or without a port. Some proxies send the port. IPv4 within IPv6 is IPv4, and a zone is removed:
// otherwise an address could be written in a way in which it is in no block of addresses.
func parseAddress(text string) netip.Addr {
	text = strings.TrimSpace(text)
	ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err != nil {
		with, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Addr{}
		}
		ip = with.Addr()
	}
	return ip.Unmap().WithZone("")
}

// addressClient returns the client with an address.
func addressClient(ip netip.Addr) client {
	one, network := service.BlocksOf(ip)
	switch {
	case !ip.IsValid():
		return client{owner: noAddress}
	case network.IsValid():
		return client{owner: service.AddressOwner(one.String()), network: service.AddressOwner(network.String())}
	default:
		return client{owner: service.AddressOwner(ip.String())}
	}
}

// forwarded warns once of a proxy that is not trusted: all of its clients count as one.
type forwarded struct{ once sync.Once }

// warn writes the warning if the request has a header that only a proxy sets.
func (f *forwarded) warn(c Clients, r *http.Request, log *zap.Logger) {
	for _, header := range []string{c.header(), forwardedFor, "X-Real-Ip", "Forwarded"} {
		if _, is := r.Header[header]; !is || c.isProxy(r.RemoteAddr) {
			continue
		}
		f.once.Do(func() {
			log.Warn("a request has a header of a proxy, but its peer is no trusted proxy. The header is ignored. If "+
				"the peer is your proxy, all of its clients "+
				"count as one: add its address to http.trusted_proxies (ROEM_HTTP_TRUSTED_PROXIES). This warning is not repeated",
				zap.String("header", header), zap.String("peer", r.RemoteAddr))
		})
		return
	}
}
