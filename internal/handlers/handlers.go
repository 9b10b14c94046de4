// Package handlers implements the contract over HTTP. It reads requests within limits, passes them to the service, and writes the
// answers or problems. Packages below it do not use HTTP.
package handlers

import (
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"
	"golang.org/x/time/rate"

	contract "roem/api"
	"roem/internal/api"
	"roem/internal/engine/violation"
	"roem/internal/metrics"
	"roem/internal/preview"
	"roem/internal/service"
	"roem/internal/web"
)

// Options are the options of the handlers.
type Options struct {
	Service  *service.Service   // with its games
	Contract *contract.Contract // has their operations; nil for the contract of the program
	Log      *zap.Logger
	MaxWait  time.Duration // the default and the longest wait of a request for a search
	MaxBody  int64         // the largest body that is read, in bytes
	MaxList  int64         // the same for a body that lists positions or creates a job
	Version  api.Version   // the answer of /version
	// Secrets sign tokens of event streams: the first one new tokens, all of them are accepted. Without any, a token is for this server.
	Secrets [][]byte
	Now     func() time.Time // the clock of tokens and of the requests with publishable keys; nil for the system's
	Clients Clients          // how clients are identified, and which are allowed
	Origins []string         // the origins whose pages may call from a browser; "*" for all
	Headers []string         // more headers that these pages may send
	// BasePath is the path below which clients see the server, without a slash at its end; empty for none. A trusted proxy can name another.
	BasePath string
	// Hosts are the names of the server that a request without a key may have; "*" for all. Those that nobody can register need no entry.
	Hosts []string
	// Embedders are the origins whose pages may show /embed in a frame; "*" for all. No page may show another page of the server.
	Embedders []string
	// PageWorker calculates for the pages of Klaverjas when the server does not answer; the zero Worker for none.
	PageWorker web.Worker
	Metrics    *metrics.Metrics // counts requests; nil to count nothing
	// ServeMetrics reports whether /metrics serves the metrics.
	ServeMetrics bool
	Tracer       trace.Tracer // starts a span for each request; nil for no traces
	TrustTraces  bool         // a request from one of the proxies of Clients continues the trace that it names

	Worker    bool          // only the paths about the server itself are answered: the server runs jobs
	DrainWait time.Duration // how long after Drain requests still wait for their answers before they become jobs
	Heartbeat time.Duration // the time between comments on an idle event stream; 0 for DefaultHeartbeat
	Streams   int           // how many event streams and waits for jobs there may be at a time; 0 for DefaultStreams
	// StreamsEach is how many of them one client may have, and half of what its IPv6 network may have; 0 for no limit.
	StreamsEach int
	// Sending bounds the bytes of answers that clients have not received yet; 0 for DefaultSending. SendingEach bounds the bytes for one
	// client; 0 for no bound.
	Sending, SendingEach int64
}

// DefaultSending is the most bytes of answers that clients have not received yet.
const DefaultSending = 32 << 20

// DefaultStreams is how many event streams and waits for jobs there may be at a time. Each takes a connection and some memory.
const DefaultStreams = 1000

// DefaultHeartbeat is short enough for proxies, which close connections that are idle for a minute or less.
const DefaultHeartbeat = 15 * time.Second

// Handlers is an http.Handler for the whole contract and the pages about it.
type Handlers struct {
	service      *service.Service
	log          *zap.Logger
	causes       *zap.Logger // of answers that are not the client's fault
	maxWait      time.Duration
	maxBody      int64
	maxList      int64
	version      api.Version
	clients      Clients
	open         map[string]bool // the paths that need no key
	operations   operations
	deprecations deprecations
	perMinute    map[string]*rate.Limiter // requests with publishable keys, by the id of the key
	tokens       tokens
	metrics      *metrics.Metrics
	metricsPage  http.Handler // nil where /metrics is not served
	tracer       trace.Tracer // nil for no traces
	trustTraces  bool
	basePath     string
	forwarded    forwarded
	readiness    readiness
	heartbeat    time.Duration
	drainWait    time.Duration
	streams      *streams
	turns        *turns // of requests that are no lists
	turnsOfLists *turns
	sending      *sending
	bodies       *bodies
	compressors  compressors
	draining     chan struct{} // closed by Drain: requests stop waiting for jobs
	answersDrain chan struct{} // closed drainWait later: requests stop waiting for answers
	drain        sync.Once
	docs         *docs
	router       *chi.Mux
	root         http.Handler
	previews     previews
}

var _ api.ServerInterface = (*Handlers)(nil)

// indexDealPath accepts only POST. The router would treat a GET of it as one of the deal whose index is the word "index".
const indexDealPath = "/v1/klaverjas/deals/index"

// errorsPath is the path of the page that explains the errors.
const errorsPath = "/docs/errors"

// New returns the handlers.
func New(o Options) (*Handlers, error) {
	if o.Contract == nil {
		o.Contract = contract.Embedded
	}
	docs, err := newDocs(o.Version.Version, o.Contract, o.Service.Games(), o.PageWorker)
	if err != nil {
		return nil, err
	}
	h := &Handlers{
		service: o.Service, log: o.Log, maxWait: o.MaxWait,
		maxBody: o.MaxBody, maxList: o.MaxList, version: o.Version,
		clients: o.Clients, metrics: o.Metrics, tracer: o.Tracer, trustTraces: o.TrustTraces, open: docs.open, docs: docs,
		router: chi.NewRouter(),
	}
	if h.metrics == nil {
		h.metrics = metrics.New(metrics.Build{})
	}
	h.tokens = newTokens(o.Secrets, o.Now)
	if err := h.publish(o.Contract.Operations, o.Service); err != nil {
		return nil, err
	}
	h.deprecations = docs.deprecations
	h.metrics.Ready(true)
	if o.ServeMetrics {
		h.metricsPage = MetricsHandler(h.metrics)
	}
	h.causes = oncePerMessage(h.log)
	h.heartbeat, h.drainWait = o.Heartbeat, o.DrainWait
	if h.heartbeat <= 0 {
		h.heartbeat = DefaultHeartbeat
	}
	if o.Streams <= 0 {
		o.Streams = DefaultStreams
	}
	h.streams = newStreams(o.Streams, o.StreamsEach)
	h.turns, h.turnsOfLists = newTurns(runtime.GOMAXPROCS(0)), newTurns(runtime.GOMAXPROCS(0))
	if o.Sending <= 0 {
		o.Sending = DefaultSending
	}
	h.sending = newSending(o.Sending, o.SendingEach)
	h.bodies = newBodies(h.maxList)
	if h.compressors, err = newCompressors(runtime.GOMAXPROCS(0)); err != nil {
		return nil, err
	}
	h.draining, h.answersDrain = make(chan struct{}), make(chan struct{})
	h.previews.artist = preview.NewArtist(1)
	h.routes(&o)
	h.basePath = o.BasePath
	h.root = h.observe(h.below(crossOrigin(slices.Concat(o.Origins, h.clients.origins()), o.Headers, h.checksHost(o.Hosts, h.router))))
	return h, nil
}

// routes binds the paths of the contract and of the pages.
func (h *Handlers) routes(o *Options) {
	h.router.Use(noteRoute, liftsReadDeadline, middleware.GetHead, h.fewParameters)
	if o.Worker {
		h.router.Use(h.aboutItself)
	}
	h.router.NotFound(h.notFound)
	h.router.MethodNotAllowed(h.methodNotAllowed)
	api.HandlerWithOptions(h, api.ChiServerOptions{
		BaseRouter: h.router, ErrorHandlerFunc: h.badParameter, Middlewares: []api.MiddlewareFunc{h.authenticate, h.announceEnd},
	})
	for _, game := range o.Service.Games() {
		h.mount(&game)
	}
	h.router.Get(indexDealPath, h.methodNotAllowed)
	h.router.Get("/", h.index)
	h.router.Get(developersPath, h.developers)
	for _, p := range web.Pages {
		h.router.Get(p.Path, h.program(p, policyOf(p, o.Embedders)))
		if p.Previewed {
			h.router.Get(p.Path+picturePath, h.picture(p))
		}
	}
	h.router.Get(errorsPath, h.errorsPage)
	h.router.Get("/docs/licences", h.licences)
	h.router.Get(compatibilityPath, h.compatibility)
	h.router.Get(recordsPath, h.recordFormat)
	h.router.Get(web.AssetFolder+"{name}", h.asset)
	h.router.Get("/"+web.WorkerFolder+"*", h.workerFile)
}

// ServeHTTP answers a request.
func (h *Handlers) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.root.ServeHTTP(w, r) }

// Stop makes /readyz answer 503, so that load balancers send no new requests. Requests are still answered.
func (h *Handlers) Stop() {
	h.metrics.Ready(h.readiness.stop())
}

// SetHealth sets the result of the last self-check, nil if it succeeded. After a failure /readyz answers 503.
func (h *Handlers) SetHealth(failure error) { h.metrics.Ready(h.readiness.set(failure)) }

// SetStores sets which stores failed their last check. /readyz names them.
func (h *Handlers) SetStores(failing []api.FailingStore) { h.readiness.setStores(failing) }

// Drain ends requests that would delay a stop of the server. Event streams and waits for jobs end at once. Requests that wait for
// answers become jobs after DrainWait.
func (h *Handlers) Drain() {
	h.drain.Do(func() {
		close(h.draining)
		time.AfterFunc(h.drainWait, func() { close(h.answersDrain) })
	})
}

// aboutItself passes on only requests for the paths about the server itself.
func (h *Handlers) aboutItself(next http.Handler) http.Handler {
	own := []string{"/healthz", "/readyz", "/metrics", "/version"}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slices.Contains(own, r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		h.fail(w, r, service.NewUnusable(service.NotFound, violation.New(violation.UnknownPath,
			"The path does not exist: this server only runs jobs, and answers %s.", listed(own, "and")).Of(r.URL.Path).OneOf(own...).WithoutPlace()))
	})
}

// notFound answers for a path that does not exist, with the paths that were probably meant.
func (h *Handlers) notFound(w http.ResponseWriter, r *http.Request) {
	meant, hint := h.docs.paths.meant(r.URL.Path), ""
	if len(meant) > 0 {
		hint = " Did you mean " + listed(meant, "or") + "?"
	}
	h.fail(w, r, service.NewUnusable(service.NotFound, violation.New(violation.UnknownPath,
		"The path does not exist.%s GET /v1 lists the operations, and the contract at /openapi.yaml describes them.", hint).
		Of(r.URL.Path).OneOf(meant...).WithoutPlace()))
}

// listed writes a list of words with a word before the last.
func listed(words []string, before string) string {
	if last := len(words) - 1; last > 0 {
		return strings.Join(words[:last], ", ") + " " + before + " " + words[last]
	}
	return strings.Join(words, "")
}

// methodNotAllowed also answers OPTIONS, for which there are no routes.
func (h *Handlers) methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	allowed := h.allowed(r)
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	h.fail(w, r, service.NewUnusable(service.MethodNotAllowed, violation.New(violation.WrongMethod,
		"The path does not accept this method. It accepts %s.", strings.Join(allowed, ", ")).Of(r.Method).OneOf(allowed...).WithoutPlace()))
}

func (h *Handlers) allowed(r *http.Request) []string {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if method == http.MethodGet && r.URL.Path == indexDealPath {
			continue
		}
		if h.router.Match(chi.NewRouteContext(), method, r.URL.Path) {
			allowed = append(allowed, method)
			if method == http.MethodGet {
				allowed = append(allowed, http.MethodHead)
			}
		}
	}
	return append(allowed, http.MethodOptions)
}
