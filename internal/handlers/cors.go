package handlers

import (
	"net/http"
	"time"

	"github.com/go-chi/cors"
)

// preflightAge is how long a browser may cache the answer to a preflight request. It is the maximum of Chromium.
const preflightAge = 2 * time.Hour

// crossOrigin allows pages of the origins to call the server from a browser; "*" allows all. Without origins none may. The origins are
// configured, or a publishable key has them. headers may be sent besides the headers of the contract.
func crossOrigin(origins, headers []string, next http.Handler) http.Handler {
	if len(origins) == 0 {
		return next // for the library an empty list allows every origin
	}
	return cors.Handler(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete},
		AllowedHeaders: append([]string{
			"Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID", "Prefer", "X-Request-ID",
			"Baggage", "Sentry-Trace", "Traceparent", "Tracestate", // which what traces pages adds to their requests
		}, headers...),
		ExposedHeaders: []string{
			"Deprecation", "Idempotency-Key-Ignored", "Link", "Location", "Preference-Applied", "RateLimit", "RateLimit-Policy", "Retry-After",
			"Sunset", "WWW-Authenticate", "X-Request-ID",
		},
		MaxAge: int(preflightAge / time.Second),
	})(next)
}
