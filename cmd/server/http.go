package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"roem/internal/computation"
	"roem/internal/config"
	"roem/internal/handlers"
	"roem/internal/service"
	"roem/internal/web"
)

// listening is an HTTP server that has a port.
type listening struct {
	server      *http.Server
	listener    net.Listener
	endRequests context.CancelCauseFunc // ends the context of every request
	log         *zap.Logger
	fail        func(error)
}

// newListening opens a port for the handler. key and variable name the setting of the address for errors. Requests are answered after
// serve.
func (a *app) newListening(ctx context.Context, key, variable, addr string, handler http.Handler, bounds connections) (*listening, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s (the key %s, or %s): %w", addr, key, variable, err)
	}
	// Requests run under base, which ends only when draining has taken too long.
	base, endRequests := context.WithCancelCause(context.WithoutCancel(ctx))
	c := a.config.HTTP
	bounded := bounds.listener(listener)
	return &listening{
		server: &http.Server{
			ConnState:         bounded.state,
			Handler:           handler,
			ReadHeaderTimeout: c.ReadHeaderTimeout,
			ReadTimeout:       c.ReadTimeout,
			WriteTimeout:      c.WriteTimeout(),
			IdleTimeout:       c.IdleTimeout,
			MaxHeaderBytes:    int(c.MaxHeader),
			ErrorLog:          zap.NewStdLog(a.log.WithOptions(zap.IncreaseLevel(zapcore.WarnLevel))),
			BaseContext:       func(net.Listener) context.Context { return base },
		},
		listener: bounded, endRequests: endRequests, log: a.log, fail: a.fail,
	}, nil
}

// serve answers requests until drain, and logs the message.
func (l *listening) serve(says string, fields ...zap.Field) {
	l.log.Info(says, append(fields, zap.String("addr", l.listener.Addr().String()))...)
	go func() {
		if err := l.server.Serve(l.listener); !errors.Is(err, http.ErrServerClosed) {
			l.fail(fmt.Errorf("serving: %w", err))
		}
	}()
}

// lastAnswers is how long requests have to be answered by 503 once draining has taken too long. It is part of the leeway that each
// part of the server has for stopping.
const lastAnswers = leeway / 2

// drain accepts no more connections, waits for the open requests, and ends those that take longer than ctx. A nil listening needs no
// drain.
func (l *listening) drain(ctx context.Context) error {
	if l == nil {
		return nil
	}
	defer l.endRequests(handlers.ErrStopping)
	if l.server.Shutdown(ctx) == nil {
		return nil
	}
	// Their searches stop, and they are answered by 503. Connections that are still open after lastAnswers are closed.
	l.endRequests(handlers.ErrStopping)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastAnswers)
	defer cancel()
	_ = l.server.Shutdown(last)
	return errors.Join(fmt.Errorf("stopped before every request was answered: %w", context.Cause(ctx)), l.server.Close())
}

// listen opens the port and answers the requests of clients.
func (a *app) listen(ctx context.Context) (err error) {
	c := a.config
	worker, err := web.EmbeddedWorker()
	if err != nil {
		return err
	}
	a.handlers, err = handlers.New(handlers.Options{
		Service: a.service, Log: a.log, MaxWait: c.HTTP.MaxWait,
		MaxBody: int64(c.HTTP.MaxBody), MaxList: int64(c.HTTP.MaxBatchBody), Version: a.version,
		Clients: a.clients(), Secrets: secretsOf(c.Auth), Origins: c.CORS.Origins, Headers: c.CORS.Headers, BasePath: c.HTTP.BasePath,
		Hosts: c.HTTP.Hosts, Embedders: c.Embed.Origins, PageWorker: worker,
		Metrics: a.metrics, ServeMetrics: c.Metrics.Addr == "",
		Worker: c.Role == config.RoleWorker, DrainWait: c.Shutdown.Drain / 2,
		StreamsEach: c.Limits.Streams.Of(handlers.DefaultStreams),
		Sending:     int64(c.HTTP.MaxSending), SendingEach: int64(c.Limits.Sending.Of(int(c.HTTP.MaxSending))),
		Tracer: a.tracer(), TrustTraces: c.Traces.TrustProxies,
	})
	if err != nil {
		return err
	}
	a.http, err = a.newListening(ctx, "addr", "ROEM_ADDR", c.Addr, a.handlers, a.connectionBounds())
	if err == nil {
		a.http.server.RegisterOnShutdown(a.handlers.Drain)
		a.http.serve("listening", zap.String("role", string(c.Role)), zap.String("version", a.version.Version))
	}
	return err
}

// clients returns how clients are identified, and which are allowed.
func (a *app) clients() handlers.Clients {
	out := handlers.Clients{
		KeyFree: !a.config.Auth.Required, Proxies: a.config.HTTP.TrustedProxies, Header: a.config.HTTP.ClientHeader,
	}
	out.Keys = keysOf(a.config.Auth)
	return out
}

// keysOf returns the keys of a configuration.
func keysOf(auth config.Auth) []handlers.Key {
	keys := make([]handlers.Key, len(auth.Keys))
	for i, key := range auth.Keys {
		keys[i] = handlers.Key{ID: key.ID, SHA256: key.SHA256}
		if p := key.Publishable; p != nil {
			keys[i].Publishable = &handlers.Publishable{Origins: p.Origins, Operations: p.Operations, PerMinute: p.RequestsPerMinute}
		}
	}
	return keys
}

// limitsOf returns the limits on searches of one client, and the limits of publishable keys.
func limitsOf(c config.Config) computation.Limits {
	limits := computation.Limits{Searches: c.Limits.Searches, Time: c.Limits.SearchTime, Burst: c.Limits.SearchBurst}
	own := map[string]computation.Limits{}
	for _, key := range c.Auth.Keys {
		if key.Publishable != nil {
			one := limits
			one.Searches = key.Publishable.Searches
			own[service.PublishableOwner(key.ID)] = one
		}
	}
	limits.Own = own
	return limits
}

// notReady makes /readyz answer 503, so that load balancers send no new requests. Requests are still answered.
func (a *app) notReady() { a.handlers.Stop() }

// drain answers the open requests and accepts no more.
func (a *app) drain(ctx context.Context) error { return a.http.drain(ctx) }

func secretsOf(auth config.Auth) [][]byte {
	secrets := make([][]byte, len(auth.TokenSecrets))
	for i, secret := range auth.TokenSecrets {
		secrets[i] = []byte(secret)
	}
	return secrets
}
