package handlers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"roem/internal/api"
	"roem/internal/service"
)

// post answers a request that has a body: it reads the body, decodes it, and writes the answer or the problem.
func post[In, Out any](
	h *Handlers, w http.ResponseWriter, r *http.Request, decode func([]byte) (In, error), answer func(In) (Out, error),
) {
	postUpTo(h, w, r, h.maxBody, decode, answer)
}

// postUpTo is post for a body of at most so many bytes.
func postUpTo[In, Out any](
	h *Handlers, w http.ResponseWriter, r *http.Request, limit int64, decode func([]byte) (In, error), answer func(In) (Out, error),
) {
	body, err := h.body(w, r, limit)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	in, err := decode(body)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	out, err := answer(in)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.respond(w, r, out)
}

// body reads the body of a request, declared as JSON and of at most so many bytes.
func (h *Handlers) body(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if err := checkQuery(r); err != nil {
		return nil, err
	}
	mediaType, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset := params["charset"]
	if err != nil || mediaType != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return nil, &service.Error{
			Kind:   service.UnsupportedMediaType,
			Detail: "The body must be declared as Content-Type: application/json, in UTF-8.",
		}
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return nil, &service.Error{
			Kind:   service.UnsupportedMediaType,
			Detail: "The body must be sent as it is, without a Content-Encoding.",
		}
	}
	if r.ContentLength > limit {
		w.Header().Set("Connection", "close") // rather than read what nobody wants
		return nil, tooLarge(limit)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, tooLarge(limit)
	case err != nil:
		return nil, service.BadBody("cannot be read to its end")
	}
	return body, nil
}

func tooLarge(limit int64) error {
	return &service.Error{Kind: service.TooLarge, Detail: fmt.Sprintf("The body has more than %d bytes.", limit)}
}

// patience returns the context that a search of the request runs under: it ends when the client leaves and after as
// long as the client prefers to wait, at most the server's maximum.
func (h *Handlers) patience(w http.ResponseWriter, r *http.Request, prefer *api.Prefer) (context.Context, context.CancelFunc) {
	wait := h.maxWait
	if prefer != nil {
		if asked, ok := preferredWait(*prefer); ok {
			wait = min(asked, h.maxWait)
			w.Header().Set("Preference-Applied", fmt.Sprintf("wait=%d", int(wait/time.Second)))
		}
	}
	return context.WithTimeout(r.Context(), wait)
}

// preferredWait finds wait=N in the header Prefer (RFC 7240, section 4.3); the first counts. What it does not
// understand it passes over, as the RFC asks.
func preferredWait(prefer string) (time.Duration, bool) {
	for preference := range strings.SplitSeq(prefer, ",") {
		preference, _, _ = strings.Cut(preference, ";")
		name, value, _ := strings.Cut(preference, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "wait") {
			continue
		}
		seconds, err := strconv.ParseUint(strings.Trim(strings.TrimSpace(value), `"`), 10, 31)
		return time.Duration(seconds) * time.Second, err == nil
	}
	return 0, false
}
