package handlers

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/netip"
	"strings"

	"github.com/go-chi/chi/v5"

	contract "roem/api"
	"roem/internal/computation"
	"roem/internal/service"
)

// Key is an API key: its name, and the SHA-256 of the secret. The secret itself is not stored.
type Key struct {
	ID          string
	SHA256      [sha256.Size]byte
	Publishable *Publishable // nil for a secret key
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

// find returns the key with the secret, nil for none. It compares with every key in constant time, so that its duration reveals
// nothing about the keys.
func (c Clients) find(secret string) (found *Key) {
	if secret == "" {
		return nil
	}
	sum := sha256.Sum256([]byte(secret))
	for i := range c.Keys {
		if subtle.ConstantTimeCompare(sum[:], c.Keys[i].SHA256[:]) == 1 {
			found = &c.Keys[i]
		}
	}
	return found
}

// client returns the client that has sent a request with the key.
func (k *Key) client() client {
	if k.Publishable != nil {
		return client{owner: service.PublishableOwner(k.ID)}
	}
	return client{owner: "key:" + k.ID, holder: "key:" + k.ID}
}

// origins returns the origins of the publishable keys.
func (c Clients) origins() []string {
	var all []string
	for _, key := range c.Keys {
		if key.Publishable != nil {
			all = append(all, key.Publishable.Origins...)
		}
	}
	return all
}

// client is who has sent a request.
type client struct {
	// owner is "key:" and the name of its secret API key, "site:" and the name of its publishable one, or "addr:" and its address. It owns the
	// jobs of its requests and is charged for their computations.
	owner   string
	network string // the network of an IPv6 address, otherwise empty
	holder  string // "key:" and the name of its secret API key, otherwise empty
}

// charged returns a context whose computations are charged to the client.
func (c client) charged(ctx context.Context) context.Context {
	return computation.WithNetwork(computation.WithClient(ctx, c.owner), c.network)
}

// noAddress is the owner for all requests whose proxy does not give an address.
const noAddress = service.Unidentified

// clientOf returns the client of a request.
func clientOf(r *http.Request) client { return eventOf(r).client }

// ownerOf returns the owner of a request.
func ownerOf(r *http.Request) string { return clientOf(r).owner }

// withClient returns the request as one of the client, which is charged for its computations.
func withClient(r *http.Request, c client) *http.Request {
	eventOf(r).client = c
	return r.WithContext(c.charged(r.Context()))
}

// authenticate passes on requests for operations of the contract that need no key or have a valid one.
func (h *Handlers) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, given, err := h.tokenClient(r); err != nil {
			w.Header().Set("WWW-Authenticate", `Bearer realm="roem", error="invalid_token"`)
			h.fail(w, r, err)
			return
		} else if given {
			next.ServeHTTP(w, withClient(r, c))
			return
		}
		if len(h.clients.Keys) == 0 || h.open[chi.RouteContext(r.Context()).RoutePattern()] {
			next.ServeHTTP(w, r)
			return
		}
		secret, given := bearer(r)
		if !given && h.clients.KeyFree {
			next.ServeHTTP(w, r)
			return
		}
		key := h.clients.find(secret)
		if key == nil {
			h.unauthorized(w, r, given)
			return
		}
		r = withClient(r, key.client())
		if err := h.permits(key, r); err != nil {
			h.fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (h *Handlers) unauthorized(w http.ResponseWriter, r *http.Request, given bool) {
	challenge, code, detail := `Bearer realm="roem"`, service.NoKey, "The request has no API key. Send one as Authorization: Bearer KEY."
	if given {
		challenge += `, error="invalid_token"`
		code, detail = service.WrongKey, "The API key of the request is not valid."
		if secret, _ := bearer(r); secret == "" {
			detail = "The header Authorization has no API key. Send it once, as Authorization: Bearer KEY."
		}
	}
	w.Header().Set("WWW-Authenticate", challenge)
	h.fail(w, r, &service.Error{Kind: service.Unauthorized, Code: code, Detail: detail})
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
func openPaths(operations []contract.Operation) map[string]bool {
	open := make(map[string]bool)
	for _, o := range operations {
		was, seen := open[o.Path]
		open[o.Path] = o.Open && (was || !seen)
	}
	return open
}
