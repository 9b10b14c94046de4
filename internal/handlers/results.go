package handlers

import (
	"bytes"
	"errors"
	"net/http"

	"go.uber.org/zap"

	"roem/internal/service"
)

// errShortResult is the error for a result that has become shorter while it is sent, because its job has been removed.
var errShortResult = errors.New("the result ends early")

// writeJob writes a job. Its result is read from the store and written in parts, so that a request holds one part of it only.
func (h *Handlers) writeJob(w http.ResponseWriter, r *http.Request, status int, job service.Job) {
	if job.ResultSize == 0 {
		h.write(w, r, status, "application/json", job.Job)
		return
	}
	text, err := encode(job.Job)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	// Quotes in a string are escaped, so that this can only be the member.
	before, after, _ := bytes.Cut(text.Bytes(), []byte(`"result":null`))
	before = append(bytes.Clone(before), `"result":`...)

	leave, err := h.enterSending(r, min(job.ResultSize, sendPart))
	if err != nil {
		h.fail(w, r, err)
		return
	}
	defer leave()
	part, err := h.service.ReadResult(r.Context(), job.Id, 0, sendPart)
	if err != nil { // there may be a problem as long as nothing has been written
		h.fail(w, r, err)
		return
	}
	header(w, status, "application/json", len(before)+job.ResultSize+len(after))
	if r.Method == http.MethodHead {
		return
	}
	err = send(w, before)
	for sent := 0; err == nil && sent < job.ResultSize; {
		if len(part) == 0 {
			err = errShortResult
			break
		}
		if err = send(w, part); err != nil {
			break
		}
		if sent += len(part); sent < job.ResultSize {
			part, err = h.service.ReadResult(r.Context(), job.Id, sent, sendPart)
		}
	}
	if err == nil {
		err = send(w, after)
	}
	if err != nil {
		// The client has left, or the result could not be read to its end. The answer must not look complete.
		eventOf(r).add(zap.NamedError("unsent", err))
		panic(http.ErrAbortHandler)
	}
}
