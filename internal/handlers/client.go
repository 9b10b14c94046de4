package handlers

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/netip"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"roem/internal/computation"
	"roem/internal/service"
)

// Key is an API key: its name, and the SHA-256 of the secret, which is nowhere kept.
type Key struct {
	ID     string
	SHA256 [sha256.Size]byte
}

// Clients says how clients are told apart and which are let in.
type Clients struct {
	Keys    []Key // the keys that are valid; without any nobody needs one
	KeyFree bool  // whether those without a key are let in all the same
	// Proxies are the proxies that are believed when they say in Header who the client is. Without any, the client is
	// whoever has opened the connection.
	Proxies []netip.Prefix
	Header  string // empty for X-Forwarded-For
}

const forwardedFor = "X-Forwarded-For"

// addresses returns the middleware that finds out the address of the client.
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

// find returns the name of the key with the secret. It compares with every key, in a time that tells nothing.
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

// ownerOf returns who a request comes from, in one word that is the same for each of their requests: "key:" and the name
// of their API key or else "addr:" and their address. It owns what the request leaves behind and is charged for what it
// takes.
func ownerOf(r *http.Request) string {
	owner, _ := r.Context().Value(ownerKey{}).(string)
	return owner
}

// withOwner returns the request as one of the owner's.
func withOwner(r *http.Request, owner string) *http.Request {
	eventOf(r).client = owner
	ctx := context.WithValue(r.Context(), ownerKey{}, owner)
	return r.WithContext(computation.WithClient(ctx, owner))
}

// noAddress is the client of a request whose proxy does not say where it comes from: all of these together are one.
const noAddress = "addr:unknown"

// networkBits is how much of an IPv6 address stands for its owner, who has all that follow to choose from.
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

// identify finds out who a request comes from, as far as its address tells.
func (h *Handlers) identify(next http.Handler) http.Handler {
	return h.clients.addresses()(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, withOwner(r, addressOwner(middleware.GetClientIPAddr(r.Context()))))
	}))
}

// authenticate lets requests for the operations of the contract through that need no key or have a valid one.
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

// bearer returns the secret of the header Authorization, empty if it cannot be read as one, and whether there is such a
// header at all.
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

// openPaths returns the paths whose operations never want a key, which is the contract's to say. Of every path, either
// all operations do or none.
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
