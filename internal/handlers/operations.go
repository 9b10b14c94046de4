package handlers

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"go.uber.org/zap"

	"roem/internal/service"
)

// foreverPublic is the Cache-Control of answers that do not change. It is limited to a day because a later version may answer in
// another form.
const foreverPublic = "public, max-age=86400"

// mount adds the routes of a game.
func (h *Handlers) mount(game *service.Game) {
	for i := range game.Operations {
		o := &game.Operations[i]
		method := http.MethodPost
		if o.Mode == service.ModeGet {
			method = http.MethodGet
		}
		answer := h.operation(o)
		switch o.Mode {
		case service.ModeWaiting, service.ModeOrJob, service.ModeAsJob:
			answer = h.limited(answer)
		default:
		}
		h.route(method, o.Path, answer)
	}
	if game.Sessions != nil {
		h.mountSessions("/v1/"+game.Name+"/sessions", game.Sessions)
	}
}

// route adds a route of the contract.
func (h *Handlers) route(method, path string, answer http.HandlerFunc) {
	h.router.Method(method, path, h.announceEnd(h.authenticate(answer)))
}

// operation returns what answers the requests for an operation.
func (h *Handlers) operation(o *service.Operation) http.HandlerFunc {
	limit := h.maxBody
	if o.List || o.Large {
		limit = h.maxList
	}
	switch o.Mode {
	case service.ModeWaiting:
		return func(w http.ResponseWriter, r *http.Request) { postWaiting(h, w, r, limit, o.Read) }
	case service.ModeOrJob:
		return func(w http.ResponseWriter, r *http.Request) { h.answerOrJob(w, r, limit, o) }
	case service.ModeAsJob:
		return func(w http.ResponseWriter, r *http.Request) {
			h.createJob(w, r, func(ctx context.Context, body []byte) (*service.Request, error) {
				return h.service.Parse(ctx, o.Kind, body)
			})
		}
	case service.ModeGet:
		return func(w http.ResponseWriter, r *http.Request) { h.answerGet(w, r, o) }
	default:
		return func(w http.ResponseWriter, r *http.Request) { h.post(w, r, limit, o) }
	}
}

// post answers a request at once: it reads the body, decodes it, and writes the answer or the problem.
func (h *Handlers) post(w http.ResponseWriter, r *http.Request, limit int64, o *service.Operation) {
	body, err := h.body(w, r, limit)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	text, err := inTurn(h, r, o.List || o.Large, func() (*bytes.Buffer, error) {
		ctx, leave, err := h.room(r, o, body)
		defer leave()
		if err != nil {
			return nil, err
		}
		run, err := o.Read(ctx, body)
		if err != nil {
			return nil, err
		}
		out, err := run(ctx)
		if err != nil {
			return nil, err
		}
		return encode(out)
	})
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.writeText(w, r, http.StatusOK, "application/json", text)
}

// room waits for a place for a request whose body has a long text.
func (h *Handlers) room(r *http.Request, o *service.Operation, body []byte) (ctx context.Context, leave func(), err error) {
	if !o.Large {
		return r.Context(), func() {}, nil
	}
	return h.service.Room(r.Context(), len(body))
}

// postWaiting answers a request whose answer may wait for a slot, for at most the maximum wait of the server. The request has a turn of its
// client only while it is decoded and while its answer is encoded: what waits for a slot must not keep the client from cheap answers.
func postWaiting[F ~func(context.Context) (any, error)](
	h *Handlers, w http.ResponseWriter, r *http.Request, limit int64, read func(context.Context, []byte) (F, error),
) {
	list := limit > h.maxBody
	text, err := func() (*bytes.Buffer, error) {
		body, err := h.body(w, r, limit)
		if err != nil {
			return nil, err
		}
		run, err := inTurn(h, r, list, func() (F, error) { return read(r.Context(), body) })
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithTimeout(r.Context(), h.maxWait)
		defer cancel()
		out, err := run(ctx)
		if err != nil {
			return nil, err
		}
		return inTurn(h, r, list, func() (*bytes.Buffer, error) { return encode(out) })
	}()
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.writeText(w, r, http.StatusOK, "application/json", text)
}

// answerOrJob answers a request that may need a search: with the answer if it is ready within the wait of the request, else with the
// job that the request has become. It logs the source of the answer and its nodes.
func (h *Handlers) answerOrJob(w http.ResponseWriter, r *http.Request, limit int64, o *service.Operation) {
	body, err := h.body(w, r, limit)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	request, err := inTurn(h, r, o.List || o.Large, func() (*service.Request, error) {
		return h.service.Parse(r.Context(), o.Kind, body)
	})
	if err != nil {
		h.fail(w, r, err)
		return
	}
	if q, ok := request.Query().(service.Refining[any]); ok && wantsEvents(r) {
		h.refine(w, r, q)
		return
	}
	policy, async := h.waitPolicy(w, r, h.usualWait(o, request.Query()))
	answer, job, err := h.service.Do(r.Context(), request, policy)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	if job != nil {
		if async {
			applied := append([]string{"respond-async"}, w.Header().Values("Preference-Applied")...)
			w.Header().Set("Preference-Applied", strings.Join(applied, ", "))
		}
		h.respondJob(w, r, http.StatusAccepted, *job)
		return
	}
	eventOf(r).add(zap.String("source", string(answer.Source)), zap.Int64("nodes", answer.Nodes))
	h.respond(w, r, answer.Result)
}

// usualWait returns how long a request waits whose client does not say how long.
func (h *Handlers) usualWait(o *service.Operation, q service.Query) time.Duration {
	if (o.List || o.Large) && service.CostOf(q) > service.AtOnce {
		return 0
	}
	return h.maxWait
}

// answerGet answers a GET with parameters.
func (h *Handlers) answerGet(w http.ResponseWriter, r *http.Request, o *service.Operation) {
	answer, err := func() (any, error) {
		parameters, err := service.ReadParameters(r.URL.RawQuery, false, o.InQuery...)
		if err != nil {
			return nil, err
		}
		for _, name := range o.InPath {
			parameters[name] = chi.URLParam(r, name)
			if r.URL.RawPath == "" {
				continue // it is unescaped already
			}
			if parameters[name], err = service.PathParameter(name, parameters[name]); err != nil {
				return nil, err
			}
		}
		return o.Get(parameters)
	}()
	if err != nil {
		h.fail(w, r, err)
		return
	}
	file, ok := answer.(service.File)
	if o.Fixed {
		w.Header().Set("Cache-Control", foreverPublic)
		if !ok {
			text, err := encode(answer)
			if err != nil { // the types of the contract always encode
				h.fail(w, r, err)
				return
			}
			file, ok = service.File{MediaType: "application/json", Body: text.Bytes()}, true
		}
	}
	if ok {
		h.respondFile(w, r, file)
		return
	}
	h.respond(w, r, answer)
}

// respondFile writes an answer that never changes or is not JSON, or 304 to a client that has it already.
func (h *Handlers) respondFile(w http.ResponseWriter, r *http.Request, file service.File) {
	etag := `W/"` + hashOf(file.Body) + `"` // weak, because each content coding has bytes of its own
	w.Header().Set("ETag", etag)
	if known := r.Header.Get("If-None-Match"); known == "*" || strings.Contains(known, strings.TrimPrefix(etag, "W/")) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.writeText(w, r, http.StatusOK, file.MediaType, bytes.NewBuffer(file.Body))
}
