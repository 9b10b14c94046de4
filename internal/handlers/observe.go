package handlers

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"roem/internal/service"
)

// event is the data of the log line of a request. It never contains a body, a query or a key.
type event struct {
	requestID  string
	route      string // the pattern of the path, empty where there is none
	client     client
	status     int    // the status to log if nothing was written
	kind       string // the kind of the problem, empty for none
	err        error
	fields     []zap.Field
	release    func()  // gives back what the body of the request takes; nil for nothing
	quotas     []quota // that hold for the request besides the next two fields
	searches   bool    // the limits on searches hold for the request
	newSession bool    // the limit on new sessions holds for the request
	line       [usualFields]zap.Field
}

func (e *event) add(fields ...zap.Field) { e.fields = append(e.fields, fields...) }

type eventKey struct{}

// eventOf returns the event of the request. Every request has one, because observe is the outermost handler.
func eventOf(r *http.Request) *event {
	if e, ok := r.Context().Value(eventKey{}).(*event); ok {
		return e
	}
	return &event{}
}

// goodRequestID matches the request ids that clients may choose: short tokens without characters that could forge log lines.
var goodRequestID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{7,63}$`)

func requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-ID"); id != "" && goodRequestID.MatchString(id) {
		return id
	}
	var b [10]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return idLetters.EncodeToString(b[:])
}

// idLetters are base32 in small letters.
var idLetters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567")

// observe identifies the client by its address, sets the request id and the headers of all answers, answers a panic with a problem that
// has no internal details, and logs the request when it ends.
func (h *Handlers) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		began := time.Now()
		defer h.metrics.Begin()()
		h.forwarded.warn(h.clients, r, h.log)
		e := &event{requestID: requestID(r), client: addressClient(h.clients.address(r))}
		ctx, effort := service.WithEffort(context.WithValue(e.client.charged(r.Context()), eventKey{}, e))
		ctx, span := h.startSpan(ctx, r)
		r = r.WithContext(ctx)
		if preferences := r.Header.Values("Prefer"); len(preferences) > 1 {
			// RFC 7240 allows several headers for one list; the generated routes accept one.
			r.Header.Set("Prefer", strings.Join(preferences, ", "))
		}

		w := &recorder{ResponseWriter: out, before: func(header http.Header) { h.tellQuotas(header, e) }}
		header := w.Header()
		header.Set("X-Request-ID", e.requestID)
		if h.readiness.isStopping() {
			header.Set("Connection", "close") // otherwise the server closes it when it is idle, perhaps while a request arrives
		}
		maps.Copy(header, safeHeader)

		defer func() {
			p := recover()
			cause, _ := p.(error)
			aborted := errors.Is(cause, http.ErrAbortHandler)
			if p != nil && !aborted {
				err := fmt.Errorf("panic: %v\n%s", p, debug.Stack())
				if w.status == 0 {
					aborted = !h.problem(w, r, err)
				}
				e.err = err
			}
			if e.release != nil {
				e.release()
			}
			h.finish(r, e, w, effort, time.Since(began), span)
			if aborted {
				panic(http.ErrAbortHandler)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// safeHeader is in all answers. Its values are shared: a header is set anew, and never changed in place.
var safeHeader = http.Header{
	"X-Content-Type-Options":  {"nosniff"},
	"Referrer-Policy":         {"no-referrer"},
	"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'"},
}

// noteRoute keeps the pattern of the route for the log. The router resets it after the request.
func noteRoute(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		event, routes := eventOf(r), chi.RouteContext(r.Context())
		defer func() { event.route = routes.RoutePattern() }()
		next.ServeHTTP(w, r)
	})
}

// RequestLine is the message of the line that the log has for each request.
const RequestLine = "request"

// usualFields is about how many fields a line has.
const usualFields = 16

// finish counts and logs a request that has ended.
func (h *Handlers) finish(r *http.Request, e *event, w *recorder, work *service.Effort, took time.Duration, span trace.Span) {
	effort := work.Sum()
	status := w.status
	if status == 0 {
		status = cmp.Or(e.status, http.StatusOK) // what net/http sends where nothing was written
	}
	endSpan(span, r.Method, e, status)
	h.metrics.Request(e.route, r.Method, status, took)
	level := zapcore.InfoLevel
	fields := append(e.line[:0],
		zap.String("request_id", e.requestID),
		zap.String("method", r.Method),
		zap.String("route", e.route),
		zap.Int("status", status),
		zap.Int64("bytes_in", r.ContentLength),
		zap.Int("bytes_out", w.bytes),
		zap.Duration("elapsed", took),
		zap.String("client", e.client.owner),
	)
	if span.SpanContext().IsSampled() {
		fields = append(fields, zap.String("trace_id", span.SpanContext().TraceID().String()))
	}
	if effort.Layer != "" {
		fields = append(fields, zap.String("cache_layer", effort.Layer))
	}
	if effort.Shared {
		fields = append(fields, zap.Bool("shared", true))
	}
	if effort.Searches > 0 {
		fields = append(fields, zap.Int("searches", effort.Searches), zap.Duration("search_time", effort.Search))
	}
	if effort.Searches > 0 || effort.Wait > 0 {
		fields = append(fields, zap.Duration("queue_wait", effort.Wait))
	}
	if e.kind != "" {
		h.metrics.Problem(e.kind)
		fields = append(fields, zap.String("problem", e.kind))
	}
	if e.err != nil && service.KindOf(e.err) == service.Internal && !errors.Is(e.err, context.Canceled) {
		level = zapcore.ErrorLevel
		fields = append(fields, zap.Error(e.err))
	}
	h.log.Log(level, RequestLine, append(append(fields, loggedNotes(work.Notes())...), e.fields...)...)
	if status >= http.StatusInternalServerError && level < zapcore.ErrorLevel && e.err != nil {
		h.causes.Warn("not answered: "+e.kind, zap.String("request_id", e.requestID), zap.Error(e.err))
	}
}

// causesEvery is the time in which the cause of one kind of problem is logged once. roem_http_problems_total counts all of them.
const causesEvery = 10 * time.Second

// oncePerMessage returns a log that writes each message once in causesEvery.
func oncePerMessage(log *zap.Logger) *zap.Logger {
	return log.WithOptions(zap.WrapCore(func(core zapcore.Core) zapcore.Core {
		return zapcore.NewSamplerWithOptions(core, causesEvery, 1, 0)
	}))
}

// recorder records the status and the size of an answer.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int
	before func(http.Header) // is called before the header is written
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
		r.before(r.Header())
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
		r.before(r.Header())
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += n
	return n, err
}

// Unwrap lets http.ResponseController reach the writer below.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
