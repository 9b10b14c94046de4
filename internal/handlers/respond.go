package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"go.uber.org/zap"

	"roem/internal/service"
)

// respond writes a value as JSON.
func (h *Handlers) respond(w http.ResponseWriter, r *http.Request, value any) {
	h.write(w, r, http.StatusOK, "application/json", value)
}

func (h *Handlers) write(w http.ResponseWriter, r *http.Request, status int, mediaType string, value any) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil { // the types of the contract always encode
		eventOf(r).err = err
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Length", strconv.Itoa(body.Len()))
	if w.Header().Get("Cache-Control") == "" {
		w.Header().Set("Cache-Control", "no-store")
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body.Bytes()) // an error means that the client has left
	}
}

// ErrStopping is the cause with which the server ends the contexts of its requests when it stops before they are answered.
var ErrStopping = errors.New("the server is stopping")

// statusClientGone is the status in the log of a request whose client left before the answer. It is never sent.
const statusClientGone = 499

// stoppingRetry is the Retry-After while the server stops.
const stoppingRetry = 5 * time.Second

// fail writes the problem of an error. If the client has left, it aborts the connection. Otherwise net/http would send an empty 200,
// which a client that has only closed its sending side would receive.
func (h *Handlers) fail(w http.ResponseWriter, r *http.Request, err error) {
	if !h.problem(w, r, err) {
		panic(http.ErrAbortHandler)
	}
}

// problem writes the problem of an error. It returns false and writes nothing if the client has left. Only here errors are mapped to
// statuses and headers.
func (h *Handlers) problem(w http.ResponseWriter, r *http.Request, err error) bool {
	event := eventOf(r)
	event.err = err
	if r.Context().Err() == context.Canceled {
		if !errors.Is(context.Cause(r.Context()), ErrStopping) {
			event.status = statusClientGone
			return false
		}
		err = &service.Error{Kind: service.Stopping, RetryAfter: stoppingRetry, Cause: err, Detail: "The server is shutting down."}
		event.err = err
	}
	problem := service.Problem(err, event.requestID)
	if after := service.RetryAfter(err); after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(after/time.Second)))
	}
	w.Header().Set("Cache-Control", "no-store")
	event.kind = service.KindOf(err).Info().Slug
	event.add(zap.Int("violations", service.Violations(err)))
	h.write(w, r, problem.Status, "application/problem+json", problem)
	return true
}
