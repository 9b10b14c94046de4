package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"roem/internal/handlers"
)

// listening is an HTTP server that serves a port.
type listening struct {
	server      *http.Server
	endRequests context.CancelFunc // ends the context of every request
}

// listen opens the port and answers what comes.
func (a *app) listen(ctx context.Context) error {
	c := a.config.HTTP
	h, err := handlers.New(handlers.Options{
		Service: a.service, Log: a.log, MaxWait: c.MaxWait, MaxBody: int64(c.MaxBody), MaxList: int64(c.MaxBatchBody), Version: a.version,
	})
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", a.config.Addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s (the key addr, or ROEM_ADDR): %w", a.config.Addr, err)
	}
	// Requests run under base, which ends only when draining has taken too long.
	base, endRequests := context.WithCancel(context.WithoutCancel(ctx))
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: c.ReadHeaderTimeout,
		ReadTimeout:       c.ReadTimeout,
		WriteTimeout:      c.WriteTimeout(),
		IdleTimeout:       c.IdleTimeout,
		MaxHeaderBytes:    int(c.MaxHeader),
		ErrorLog:          zap.NewStdLog(a.log.WithOptions(zap.IncreaseLevel(zapcore.WarnLevel))),
		BaseContext:       func(net.Listener) context.Context { return base },
	}
	a.handlers, a.http = h, &listening{server, endRequests}
	a.log.Info("listening", zap.String("addr", listener.Addr().String()), zap.String("version", a.version.Version))
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			a.fail(fmt.Errorf("serving: %w", err))
		}
	}()
	return nil
}

// notReady makes /readyz send load balancers elsewhere. Requests that come are still answered.
func (a *app) notReady() { a.handlers.Stop() }

// drain takes no more connections, waits for the requests under way, and cuts off those that take longer than ctx.
func (a *app) drain(ctx context.Context) error {
	defer a.http.endRequests()
	if a.http.server.Shutdown(ctx) == nil {
		return nil
	}
	a.http.endRequests() // their searches stop, which closing the connections would bring about as well, but later
	return errors.Join(fmt.Errorf("stopped before every request was answered: %w", context.Cause(ctx)), a.http.server.Close())
}
