package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"go.uber.org/zap"

	"roem/internal/metrics"
	"roem/internal/service"
)

// respond writes a value as JSON.
func (h *Handlers) respond(w http.ResponseWriter, r *http.Request, value any) {
	h.write(w, r, http.StatusOK, "application/json", value)
}

func (h *Handlers) write(w http.ResponseWriter, r *http.Request, status int, mediaType string, value any) {
	text, err := encode(value)
	if err != nil { // the types of the contract always encode
		eventOf(r).err = err
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	h.writeText(w, r, status, mediaType, text)
}

// writeText writes an answer that has been encoded.
func (h *Handlers) writeText(w http.ResponseWriter, r *http.Request, status int, mediaType string, body *bytes.Buffer) {
	body = h.encoded(w, r, body)
	leave, err := h.enterSending(r, body.Cap())
	if err != nil {
		h.fail(w, r, err)
		return
	}
	defer leave()
	header(w, status, mediaType, body.Len())
	if r.Method != http.MethodHead {
		_ = send(w, body.Bytes()) // an error means that the client has left
	}
}

func encode(value any) (*bytes.Buffer, error) {
	body := bytes.NewBuffer(make([]byte, 0, smallAnswer)) // most answers fit
	enc := json.NewEncoder(body)
	enc.SetEscapeHTML(false)
	return body, enc.Encode(value)
}

// enterSending counts the memory of an answer to the request until leave is called.
func (h *Handlers) enterSending(r *http.Request, bytes int) (leave func(), err error) {
	leave, err = h.sending.enter(r.Context(), ownerOf(r), bytes)
	if service.KindOf(err) == service.Limited {
		h.metrics.Limited(metrics.LimitedBySending)
	}
	return leave, err
}

// header writes the header of an answer of some size, -1 if it is not known.
func header(w http.ResponseWriter, status int, mediaType string, size int) {
	w.Header().Set("Content-Type", mediaType)
	if size >= 0 {
		w.Header().Set("Content-Length", strconv.Itoa(size))
	}
	if w.Header().Get("Cache-Control") == "" {
		w.Header()["Cache-Control"] = noStore
	}
	w.WriteHeader(status)
}

// noStore is shared: a header is set anew, and never changed in place.
var noStore = []string{"no-store"}

const (
	// sendPart is how much of an answer is given to the connection at a time.
	sendPart = 256 << 10
	// sendPartLimit is how long a client may take to receive one part.
	sendPartLimit = 15 * time.Second
)

// send writes a part of an answer. A client that does not receive it loses its connection. Small answers keep the deadline of the server.
func send(w http.ResponseWriter, body []byte) error {
	if len(body) <= unboundedAnswer {
		_, err := w.Write(body) //nolint:gosec // JSON, which the header declares and nosniff makes binding
		return err
	}
	out := http.NewResponseController(w)
	for part := range slices.Chunk(body, sendPart) {
		_ = out.SetWriteDeadline(time.Now().Add(sendPartLimit)) // not every connection has one
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
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
