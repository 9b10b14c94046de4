package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"strconv"
	"strings"
	"time"

	"go.uber.org/zap"

	"roem/internal/api"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// CreateJob answers POST /v1/jobs.
func (h *Handlers) CreateJob(w http.ResponseWriter, r *http.Request, _ api.CreateJobParams) {
	eventOf(r).searches = true
	h.createJob(w, r, h.service.ParseJob)
}

func (h *Handlers) createJob(
	w http.ResponseWriter, r *http.Request, decode func(context.Context, []byte) (*service.Request, error),
) {
	job, finished, err := func() (job service.Job, finished bool, err error) {
		body, err := h.body(w, r, h.maxList)
		if err != nil {
			return job, false, err
		}
		key, err := readIdempotencyKey(r)
		if err != nil {
			return job, false, err
		}
		work, err := inTurn(h, r, true, func() (*service.Request, error) { return decode(r.Context(), body) })
		if err != nil {
			return job, false, err
		}
		return h.service.CreateJob(r.Context(), work, ownerOf(r), key)
	}()
	if err != nil {
		h.fail(w, r, err)
		return
	}
	status := http.StatusAccepted
	if finished {
		status = http.StatusOK
	}
	h.respondJob(w, r, status, job)
}

// respondJob writes a job, and its path in the header Location.
func (h *Handlers) respondJob(w http.ResponseWriter, r *http.Request, status int, job service.Job) {
	eventOf(r).add(zap.String("job", job.Id), zap.String("job_status", string(job.Status)))
	w.Header().Set("Location", job.Links.Self)
	h.writeJob(w, r, status, job)
}

// maxIdempotencyKey is how long an idempotency key may be, in bytes.
const maxIdempotencyKey = 255

// readIdempotencyKey parses the header Idempotency-Key: a string of structured fields (RFC 8941) in double quotes, or the same
// without quotes, as many clients send it. Without the header it is empty.
func readIdempotencyKey(r *http.Request) (string, error) {
	const name = "Idempotency-Key"
	headers := r.Header.Values(name)
	if len(headers) == 0 {
		return "", nil
	}
	if len(headers) > 1 {
		return "", service.Refused(service.GivenTwice().In(name))
	}
	key := strings.TrimSpace(headers[0])
	if len(key) >= 2 && key[0] == '"' && key[len(key)-1] == '"' {
		key = key[1 : len(key)-1]
	}
	good := key != "" && len(key) <= maxIdempotencyKey
	for _, c := range []byte(key) {
		good = good && c >= ' ' && c < 0x7f && c != '"' && c != '\\'
	}
	if !good {
		return "", service.Refused(violation.New(violation.WrongForm,
			"must be 1 to %d printable ASCII characters, with or without double quotes around them", maxIdempotencyKey).Of(headers[0]).In(name))
	}
	return key, nil
}

// ListJobs answers GET /v1/jobs.
func (h *Handlers) ListJobs(w http.ResponseWriter, r *http.Request, params api.ListJobsParams) {
	if err := checkQuery(r, "id", "status", "limit", "page_token"); err != nil {
		h.fail(w, r, err)
		return
	}
	list, err := h.service.Jobs(r.Context(), ownerOf(r), params)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.respond(w, r, list)
}

// GetJob answers GET /v1/jobs/{id}.
func (h *Handlers) GetJob(w http.ResponseWriter, r *http.Request, id api.JobId, params api.GetJobParams) {
	if err := checkQuery(r, "wait"); err != nil {
		h.fail(w, r, err)
		return
	}
	policy := service.WaitPolicy{Owner: ownerOf(r), Cancel: h.draining}
	if params.Wait != nil {
		if *params.Wait < 0 || *params.Wait > maxWaitAsked {
			h.fail(w, r, service.Refused(violation.Number(*params.Wait, 0, maxWaitAsked).In("wait")))
			return
		}
		policy.Wait = min(time.Duration(*params.Wait)*time.Second, h.maxWait)
	} else if params.Prefer != nil {
		if wait, waits, _ := preferences(*params.Prefer); waits {
			policy.Wait = h.applyWait(w, wait)
		}
	}
	if policy.Wait > 0 { // it takes as much as an event stream
		leave, err := h.enterStream(r)
		if err != nil {
			h.fail(w, r, err)
			return
		}
		defer leave()
	}
	job, err := h.service.Job(r.Context(), id, policy)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.writeJob(w, r, http.StatusOK, job)
}

// maxWaitAsked is the largest valid wait, in seconds. The server waits for at most Options.MaxWait; a larger number than this is
// probably a mistake.
const maxWaitAsked = 86400

// CancelJob answers DELETE /v1/jobs/{id}.
func (h *Handlers) CancelJob(w http.ResponseWriter, r *http.Request, id api.JobId) {
	if err := checkQuery(r); err != nil {
		h.fail(w, r, err)
		return
	}
	job, err := h.service.CancelJob(r.Context(), ownerOf(r), id)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.writeJob(w, r, http.StatusOK, job)
}

// JobEvents answers GET /v1/jobs/{id}/events.
func (h *Handlers) JobEvents(w http.ResponseWriter, r *http.Request, id api.JobId, params api.JobEventsParams) {
	if err := checkQuery(r, "token"); err != nil {
		h.fail(w, r, err)
		return
	}
	leave, err := h.enterStream(r)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	defer leave()
	stream := &eventStream{h: h, w: w, r: r}
	if params.LastEventID != nil {
		stream.last = *params.LastEventID
	}
	ctx, cancel := contextUntil(r.Context(), h.draining)
	defer cancel()
	err = h.service.FollowJob(ctx, ownerOf(r), id, h.heartbeat, stream.tell, stream.idle)
	switch {
	case !stream.begun && ctx.Err() != nil && r.Context().Err() == nil:
		h.fail(w, r, &service.Error{Kind: service.Stopping, RetryAfter: stoppingRetry, Detail: "The server is shutting down."})
	case !stream.begun && err != nil:
		h.fail(w, r, err)
	case ctx.Err() != nil && r.Context().Err() == nil:
		_ = stream.write(": the server is shutting down; connect again\n\n")
	case err != nil && !errors.Is(err, errHeadOnly):
		// The client has left, or the queue was closed. The client connects again.
		eventOf(r).add(zap.NamedError("stream", err))
	default:
	}
}

// eventStream writes server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
type eventStream struct {
	h     *Handlers
	w     http.ResponseWriter
	r     *http.Request
	last  string // the id of the last event that the client has
	begun bool
}

// How long a client may take to receive one event, and how long it should wait before it connects again.
const (
	eventWriteLimit = 20 * time.Second
	reconnectAfter  = 2 * time.Second
)

func (s *eventStream) tell(job api.Job, finished bool) error {
	id := eventID(job)
	known := id == s.last
	if known && finished && !s.begun {
		s.begun = true
		s.w.WriteHeader(http.StatusNoContent) // EventSource connects again after any other answer
		return nil
	}
	if err := s.begin(); err != nil || known {
		return err
	}
	s.last = id
	name := "progress"
	if finished {
		name = "finished"
	}
	data, err := json.Marshal(job)
	if err != nil {
		return err
	}
	return s.write(fmt.Sprintf("id: %s\nevent: %s\ndata: %s\n\n", id, name, data))
}

func (s *eventStream) idle() error {
	if err := s.begin(); err != nil {
		return err
	}
	return s.write(": still here\n\n")
}

func (s *eventStream) begin() error {
	if s.begun {
		return nil
	}
	s.begun = true
	header := s.w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // otherwise nginx buffers events
	s.w.WriteHeader(http.StatusOK)
	if s.r.Method == http.MethodHead {
		return errHeadOnly
	}
	return s.write(fmt.Sprintf("retry: %d\n\n", reconnectAfter.Milliseconds()))
}

// errHeadOnly ends the stream of a HEAD request.
var errHeadOnly = fmt.Errorf("no body: %w", http.ErrBodyNotAllowed)

func (s *eventStream) write(text string) error {
	out := http.NewResponseController(s.w)
	_ = out.SetWriteDeadline(time.Now().Add(eventWriteLimit)) // replaces the deadline for the whole answer
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return out.Flush()
}

// eventID names the state of a job. Equal states have equal ids on all servers. Values that change with time alone are not part of
// the state.
func eventID(job api.Job) string {
	state := api.Job{JobState: api.JobState{
		Id: job.Id, Status: job.Status, Attempts: job.Attempts, PositionInQueue: job.PositionInQueue,
		StartedAt: job.StartedAt, FinishedAt: job.FinishedAt,
	}}
	if job.Progress != nil {
		progress := *job.Progress
		progress.ElapsedUs = 0
		state.Progress = &progress
	}
	var text bytes.Buffer
	_ = json.NewEncoder(&text).Encode(state) // the types of the contract always encode
	sum := fnv.New64a()
	_, _ = sum.Write(text.Bytes())
	return strconv.FormatUint(sum.Sum64(), 36)
}
