package handlers

import (
	"bytes"
	"errors"
	"net/http"

	"github.com/klauspost/compress/gzip"
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
	if len(part) == job.ResultSize {
		body := h.encoded(w, r, bytes.NewBuffer(bytes.Join([][]byte{before, part, after}, nil)))
		header(w, status, "application/json", body.Len())
		if r.Method != http.MethodHead {
			_ = send(w, body.Bytes()) // an error means that the client has left
		}
		return
	}
	h.streamJob(w, r, status, job, before, part, after)
}

// streamJob writes a job whose result has several parts, of which the first one has been read.
func (h *Handlers) streamJob(w http.ResponseWriter, r *http.Request, status int, job service.Job, before, part, after []byte) {
	out, err := streamTo(w, r, len(before)+job.ResultSize+len(after))
	if err != nil {
		h.fail(w, r, err)
		return
	}
	header(w, status, "application/json", out.size)
	if r.Method == http.MethodHead {
		return
	}
	err = out.send(before)
	for sent := 0; err == nil && sent < job.ResultSize; {
		if len(part) == 0 {
			err = errShortResult
			break
		}
		sent += len(part)
		if err = out.send(part); err != nil {
			break
		}
		if sent < job.ResultSize {
			part, err = h.service.ReadResult(r.Context(), job.Id, sent, sendPart)
		}
	}
	if err == nil {
		err = out.end(after)
	}
	if err != nil {
		// The client has left, or the result could not be read to its end. The answer must not look complete.
		eventOf(r).add(zap.NamedError("unsent", err))
		panic(http.ErrAbortHandler)
	}
}

// streamed is an answer that is sent in parts.
type streamed struct {
	w          http.ResponseWriter
	size       int          // of the answer, -1 if it is not known before the end
	compressed bytes.Buffer // the part that is sent
	compressor *gzip.Writer // writes to compressed; nil for an answer that is sent as it is
}

// streamTo begins an answer whose uncompressed size is given, and declares its content coding. The compressor keeps nothing between two
// parts: each request has one of its own for as long as its client takes.
func streamTo(w http.ResponseWriter, r *http.Request, size int) (*streamed, error) {
	w.Header().Add("Vary", "Accept-Encoding")
	out := &streamed{w: w, size: size}
	if encodingFor(r, gzipped) != gzipped {
		return out, nil
	}
	w.Header().Set("Content-Encoding", gzipped)
	out.size = -1
	var err error
	out.compressor, err = gzip.NewWriterLevel(&out.compressed, gzip.StatelessCompression)
	return out, err
}

// send sends a part.
func (s *streamed) send(part []byte) error {
	return s.sendThen(part, func(*gzip.Writer) error { return nil })
}

// end sends the last part.
func (s *streamed) end(part []byte) error { return s.sendThen(part, (*gzip.Writer).Close) }

func (s *streamed) sendThen(part []byte, then func(*gzip.Writer) error) error {
	if s.compressor == nil {
		return send(s.w, part)
	}
	s.compressed.Reset()
	if _, err := s.compressor.Write(part); err != nil {
		return err
	}
	if err := then(s.compressor); err != nil {
		return err
	}
	return send(s.w, s.compressed.Bytes())
}
