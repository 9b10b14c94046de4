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

	"roem/internal/engine/violation"
	"roem/internal/metrics"
	"roem/internal/service"
)

// body reads the body of a request, which must be declared as JSON and have at most limit bytes.
func (h *Handlers) body(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if err := checkQuery(r); err != nil {
		return nil, err
	}
	if !isJSON(r.Header.Get("Content-Type")) {
		return nil, service.NewUnusable(service.UnsupportedMediaType, violation.New(violation.WrongMediaType,
			"The body must be declared as Content-Type: application/json, in UTF-8.").
			In("Content-Type").Of(r.Header.Get("Content-Type")).OneOf("application/json"))
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return nil, service.NewUnusable(service.UnsupportedMediaType, violation.New(violation.WrongMediaType,
			"The body must be sent without a Content-Encoding.").In("Content-Encoding").Of(encoding).OneOf("identity"))
	}
	if r.ContentLength > limit {
		w.Header().Set("Connection", "close") // otherwise net/http reads the rest of the body
		return nil, tooLarge(limit)
	}
	body, err := h.readAll(w, r, http.MaxBytesReader(w, r.Body, limit), limit)
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, tooLarge(limit)
	case service.KindOf(err) == service.Limited || service.KindOf(err) == service.Busy:
		w.Header().Set("Connection", "close")
		return nil, err
	case err != nil:
		return nil, service.Refused(violation.New(violation.NotJSON, "cannot be read to its end"))
	}
	return service.WithoutMark(body), nil
}

// isJSON reports whether a Content-Type declares JSON in UTF-8.
func isJSON(contentType string) bool {
	if contentType == "application/json" {
		return true
	}
	mediaType, params, err := mime.ParseMediaType(contentType)
	charset := params["charset"]
	return err == nil && mediaType == "application/json" && (charset == "" || strings.EqualFold(charset, "utf-8"))
}

// smallBody is how much of a body is read before the rest of it needs room among the large ones.
const smallBody = 64 << 10

// readAll reads the body of a request, which has at most limit bytes. A large one has room until the request ends.
func (h *Handlers) readAll(w http.ResponseWriter, r *http.Request, from io.Reader, limit int64) ([]byte, error) {
	size := r.ContentLength
	if size < 0 {
		size = limit
	}
	var large *upload
	body := make([]byte, 0, min(size, smallBody)+1)
	for {
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if large != nil {
			err = h.bodies.read(large, n, err)
		}
		switch {
		case errors.Is(err, io.EOF):
			return body, nil
		case err != nil:
			return body, err
		case int64(len(body)) > size:
			return body, errors.New("the body is longer than its Content-Length")
		case len(body) < cap(body):
			continue
		}
		if large == nil {
			large = h.bodies.begin(ownerOf(r), int64(len(body)), func() {
				_ = http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0)) // not every connection has one
			})
			eventOf(r).release = func() { h.bodies.leave(large) }
		}
		room := min(2*int64(len(body)), size)
		if err := h.bodies.grow(r.Context(), large, room); err != nil {
			if service.KindOf(err) == service.Limited {
				h.metrics.Limited(metrics.LimitedByBodies)
			}
			return body, err
		}
		body = append(make([]byte, 0, room+1), body...)
	}
}

func tooLarge(limit int64) error {
	return service.NewUnusable(service.TooLarge, violation.New(violation.TooLarge, "The body has more than %d bytes.", limit).
		Between(0, int(limit)))
}

// waitPolicy returns how long the request waits for its answer before it becomes a job: as long as the client prefers, but at most
// the server's maximum, or else as usual. async reports whether the client prefers a job at once.
func (h *Handlers) waitPolicy(w http.ResponseWriter, r *http.Request, usual time.Duration) (p service.WaitPolicy, async bool) {
	p = service.WaitPolicy{Owner: ownerOf(r), Wait: usual, Cancel: h.answersDrain}
	wait, waits, async := preferences(r.Header.Get("Prefer"))
	switch {
	case waits:
		p.Wait = h.applyWait(w, wait)
	case async:
		p.Wait = 0
	}
	return p, async
}

// applyWait returns how long the server waits for a client that prefers to wait so long, and tells the client.
func (h *Handlers) applyWait(w http.ResponseWriter, preferred time.Duration) time.Duration {
	wait := min(preferred, h.maxWait)
	w.Header().Set("Preference-Applied", fmt.Sprintf("wait=%d", int(wait/time.Second)))
	return wait
}

// preferences finds wait=N and respond-async in the header Prefer (RFC 7240, sections 4.1 and 4.3); the first of each counts.
// Other preferences are ignored, as the RFC requires.
func preferences(prefer string) (wait time.Duration, waits, async bool) {
	seen := false
	for preference := range strings.SplitSeq(prefer, ",") {
		preference, _, _ = strings.Cut(preference, ";")
		name, value, _ := strings.Cut(preference, "=")
		switch name = strings.TrimSpace(name); {
		case strings.EqualFold(name, "respond-async"):
			async = true
		case strings.EqualFold(name, "wait") && !seen:
			seen = true
			seconds, err := strconv.ParseUint(strings.Trim(strings.TrimSpace(value), `"`), 10, 31)
			wait, waits = time.Duration(seconds)*time.Second, err == nil
		}
	}
	return wait, waits, async
}

// liftsReadDeadline removes the read deadline of the connection once the request has been read, for all operations. If the deadline passed
// while the request waits for its answer, net/http would cancel the request as if the client had left.
func liftsReadDeadline(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lift := func() { _ = http.NewResponseController(w).SetReadDeadline(time.Time{}) } // not every connection has one
		if r.ContentLength == 0 {
			lift()
		} else {
			r.Body = &bodyToEnd{ReadCloser: r.Body, atEnd: lift}
		}
		next.ServeHTTP(w, r)
	})
}

// bodyToEnd is a body that calls a function when it has been read to its end.
type bodyToEnd struct {
	io.ReadCloser
	atEnd func()
}

func (b *bodyToEnd) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.atEnd()
	}
	return n, err
}

// contextUntil returns a context that also ends when done is closed.
func contextUntil(ctx context.Context, done <-chan struct{}) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		select {
		case <-done:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel()
		<-finished
	}
}
