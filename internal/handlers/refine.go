package handlers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"go.uber.org/zap"

	"roem/internal/metrics"
	"roem/internal/service"
)

// wantsEvents reports whether a client accepts server-sent events, which it must name.
func wantsEvents(r *http.Request) bool {
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		name, _, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), "text/event-stream") {
			return true
		}
	}
	return false
}

// refine answers a request with a stream of answers, each better than the one before. A client that leaves ends the searches.
func (h *Handlers) refine(w http.ResponseWriter, r *http.Request, q service.Refining[any]) {
	leave, err := h.enterStream(r)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	defer leave()
	ctx, cancel := contextUntil(r.Context(), h.draining)
	defer cancel()
	stream := &eventStream{h: h, w: w, r: r}
	nodes, answers := int64(0), 0
	end, err := h.service.Refine(ctx, q, h.maxWait, func(answer service.Answer[any]) error {
		nodes += answer.Nodes
		answers++
		return stream.send("advice", answer.Result)
	})
	eventOf(r).add(zap.Int64("nodes", nodes), zap.Int("answers", answers))
	if err != nil && ctx.Err() != nil && r.Context().Err() == nil { // the server is shutting down
		end, err = service.RefinedBusy, nil
		if !stream.begun {
			err = &service.Error{Kind: service.Stopping, RetryAfter: stoppingRetry, Detail: "The server is shutting down."}
		}
	}
	switch {
	case err != nil && !stream.begun:
		h.fail(w, r, err)
	case err != nil: // the client has left, or the search has failed
		eventOf(r).add(zap.NamedError("stream", err))
	default:
		_ = stream.send("finished", map[string]service.RefinedEnd{"reason": end})
	}
}

// enterStream counts one more event stream, or wait for a job, of the client of a request.
func (h *Handlers) enterStream(r *http.Request) (leave func(), err error) {
	leave, err = h.streams.enter(clientOf(r))
	if service.KindOf(err) == service.Limited {
		h.metrics.Limited(metrics.LimitedByStreams)
	}
	return leave, err
}

// send writes an event.
func (s *eventStream) send(name string, body any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encoding an event: %w", err)
	}
	if err := s.begin(); err != nil {
		return err
	}
	return s.write(fmt.Sprintf("event: %s\ndata: %s\n\n", name, data))
}
