package handlers

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"roem/internal/computation"
	"roem/internal/service"
)

// Key is an API key: its name, and the SHA-256 of the secret. The secret itself is not stored.
type Key struct {
	ID     string
	SHA256 [sha256.Size]byte
}

// Clients configures how clients are identified and which are allowed.
type Clients struct {
	Keys    []Key // the valid keys; without any, requests need no key
	KeyFree bool  // requests without a key are allowed even if there are keys
	// Proxies are the trusted proxies. Only their Header is used as the address of the client. For other connections the client is
	// the peer.
	Proxies []netip.Prefix
	Header  string // empty for X-Forwarded-For
}

const forwardedFor = "X-Forwarded-For"

// addresses returns the middleware that determines the address of the client.
func (c Clients) addresses() func(http.Handler) http.Handler {
	if len(c.Proxies) == 0 {
		return middleware.ClientIPFromRemoteAddr
	}
	trusted := make([]string, len(c.Proxies))
	for i, p := range c.Proxies {
		trusted[i] = p.String()
	}
	if c.Header == "" || http.CanonicalHeaderKey(c.Header) == forwardedFor {
		return middleware.ClientIPFromXFF(trusted...)
	}
	return middleware.ClientIPFromHeader(c.Header, trusted...)
}

// isProxy reports whether the address of a connection, with its port, is that of a trusted proxy.
func (c Clients) isProxy(remote string) bool {
	peer, err := netip.ParseAddrPort(remote)
	if err != nil {
		return false
	}
	ip := peer.Addr().Unmap().WithZone("")
	return slices.ContainsFunc(c.Proxies, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// find returns the name of the key with the secret. It compares with every key in constant time, so that its duration reveals
// nothing about the keys.
func (c Clients) find(secret string) (id string, ok bool) {
	if secret == "" {
		return "", false
	}
	sum := sha256.Sum256([]byte(secret))
	for _, key := range c.Keys {
		if subtle.ConstantTimeCompare(sum[:], key.SHA256[:]) == 1 {
			id, ok = key.ID, true
		}
	}
	return id, ok
}

type ownerKey struct{}

// ownerOf returns the client of a request: "key:" and the name of its API key, or "addr:" and its address. The client owns the jobs
// of its requests and is charged for their computations.
func ownerOf(r *http.Request) string {
	owner, _ := r.Context().Value(ownerKey{}).(string)
	return owner
}

// withOwner returns the request with the owner in its context and its log event.
func withOwner(r *http.Request, owner string) *http.Request {
	eventOf(r).client = owner
	ctx := context.WithValue(r.Context(), ownerKey{}, owner)
	return r.WithContext(computation.WithClient(ctx, owner))
}

// noAddress is the client of all requests whose proxy does not give an address.
const noAddress = "addr:unknown"

// networkBits is the length of the IPv6 prefix that identifies a client: a client can choose any address within its network.
const networkBits = 64

func addressOwner(ip netip.Addr) string {
	if !ip.IsValid() {
		return noAddress
	}
	if ip.Is6() {
		network := netip.PrefixFrom(ip.WithZone(""), networkBits).Masked()
		return "addr:" + network.String()
	}
	return "addr:" + ip.String()
}

// identify sets the client of a request by its address.
func (h *Handlers) identify(next http.Handler) http.Handler {
	return h.clients.addresses()(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, withOwner(r, addressOwner(middleware.GetClientIPAddr(r.Context()))))
	}))
}

// authenticate passes on requests for operations of the contract that need no key or have a valid one.
func (h *Handlers) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(h.clients.Keys) == 0 || h.open[chi.RouteContext(r.Context()).RoutePattern()] {
			next.ServeHTTP(w, r)
			return
		}
		secret, given := bearer(r)
		if !given && h.clients.KeyFree {
			next.ServeHTTP(w, r)
			return
		}
		id, valid := h.clients.find(secret)
		if !valid {
			h.unauthorized(w, r, given)
			return
		}
		next.ServeHTTP(w, withOwner(r, "key:"+id))
	})
}

func (h *Handlers) unauthorized(w http.ResponseWriter, r *http.Request, given bool) {
	challenge, detail := `Bearer realm="roem"`, "The request has no API key. Send one as Authorization: Bearer KEY."
	if given {
		challenge += `, error="invalid_token"`
		detail = "The API key of the request is not valid."
	}
	w.Header().Set("WWW-Authenticate", challenge)
	h.fail(w, r, &service.Error{Kind: service.Unauthorized, Detail: detail})
}

// bearer returns the secret in the header Authorization, empty if the header has none, and whether the request has the header.
func bearer(r *http.Request) (secret string, given bool) {
	values := r.Header.Values("Authorization")
	if len(values) == 0 {
		return "", false
	}
	scheme, secret, _ := strings.Cut(values[0], " ")
	if len(values) > 1 || !strings.EqualFold(scheme, "Bearer") {
		return "", true
	}
	return strings.TrimSpace(secret), true
}

// openPaths returns the paths whose operations need no key according to the contract. All operations of a path are the same in this.
func openPaths(doc *openapi3.T) map[string]bool {
	open := make(map[string]bool)
	for path, item := range doc.Paths.Map() {
		open[path] = true
		for _, operation := range item.Operations() {
			security := doc.Security
			if operation.Security != nil {
				security = *operation.Security
			}
			open[path] = open[path] && len(security) == 0
		}
	}
	return open
}
