package handlers

import (
	"net/http"
	"time"

	"github.com/go-chi/cors"
)

// preflightAge is how long a browser may remember that it may call. Chromium does not remember longer than this.
const preflightAge = 2 * time.Hour

// crossOrigin lets the pages of the origins call from a browser, "*" standing for all. Without origins none may.
func crossOrigin(origins []string, next http.Handler) http.Handler {
	if len(origins) == 0 {
		return next // the library takes an empty list for every origin
	}
	return cors.Handler(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete},
		AllowedHeaders: []string{"Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID", "Prefer", "X-Request-ID"},
		ExposedHeaders: []string{"Location", "Preference-Applied", "Retry-After", "WWW-Authenticate", "X-Request-ID"},
		MaxAge:         int(preflightAge / time.Second),
	})(next)
}
