package handlers

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"roem/internal/service"
)

// forwardedPrefix is the header in which a trusted proxy sends the path below which its clients see the server.
const forwardedPrefix = "X-Forwarded-Prefix"

// goodPrefix matches such a path. Others are ignored: what is in a link must not lead to another server.
var goodPrefix = regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*){1,8}/?$`)

// maxPrefix is the length of the longest prefix, in bytes.
const maxPrefix = 128

// prefixOf returns the path below which the client of a request sees the server, without a slash at its end: what a trusted proxy says, or
// else the configured path. Empty for none.
func (h *Handlers) prefixOf(r *http.Request) string {
	if values := r.Header[forwardedPrefix]; len(values) == 1 && len(values[0]) <= maxPrefix && goodPrefix.MatchString(values[0]) &&
		h.clients.isProxy(r.RemoteAddr) {
		return strings.TrimSuffix(values[0], "/")
	}
	return h.basePath
}

// below passes a request on without the prefix of its path, whether a proxy has removed it or not. The links of the answer have the prefix.
func (h *Handlers) below(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		prefix := h.prefixOf(r)
		if prefix == "" {
			next.ServeHTTP(w, r)
			return
		}
		if r.URL.Path == prefix { // the links of the start page lead to what is beside it
			w.Header().Set("Location", prefix+"/")
			w.WriteHeader(http.StatusPermanentRedirect)
			return
		}
		r = r.WithContext(service.WithPrefix(r.Context(), prefix))
		if rest, is := strings.CutPrefix(r.URL.Path, prefix+"/"); is {
			inner := *r.URL
			inner.Path, inner.RawPath = "/"+rest, strings.TrimPrefix(inner.RawPath, prefix)
			r.URL = &inner
		}
		next.ServeHTTP(w, r)
	})
}

// origin returns the address of the server as the client of a request sees it.
func (h *Handlers) origin(r *http.Request) string {
	u := url.URL{Scheme: "http", Host: r.Host}
	if r.TLS != nil || h.clients.isProxy(r.RemoteAddr) && r.Header.Get("X-Forwarded-Proto") == "https" {
		u.Scheme = "https"
	}
	return u.String() + service.Link(r.Context(), "")
}
