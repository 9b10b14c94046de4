// Command server answers Roem's HTTP API (api/openapi.yaml).
//
//	server [-config FILE]           serve until SIGTERM or SIGINT
//	server [-config FILE] -check    say whether the configuration is good, and exit
//	server -version                 say which version it is, and exit
//
// Without a file it runs on the defaults of configs/roem.yaml. The environment overrides every key, as ROEM_ADDR does.
// Exit status: 0 when it stopped in order, 1 when it could not, 2 when it was started wrongly.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"roem/internal/config"
	"roem/internal/handlers"
	"roem/internal/service"
	"roem/internal/solvecache"
)

func main() { os.Exit(run(os.Args[1:], os.Environ(), os.Stdout, os.Stderr)) }

func run(args, environ []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	flags.SetOutput(stderr)
	path := flags.String("config", "", "the configuration `file`; the defaults are built in")
	check := flags.Bool("check", false, "check the configuration and exit")
	version := flags.Bool("version", false, "print the version and exit")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() > 0:
		_, _ = fmt.Fprintf(stderr, "server: unexpected argument %q\n", flags.Arg(0))
		return 2
	}
	if *version {
		_, _ = fmt.Fprintf(stdout, "server %s\n", versionInfo().Version)
		return 0
	}
	c, err := config.Load(*path, environ)
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "server: %v\n", err)
		return 2
	}
	log, err := newLog(c.Log.Level, stderr)
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "server: %v\n", err)
		return 2
	}
	defer func() { _ = log.Sync() }()
	unknown, err := config.Unknown(environ)
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "server: %v\n", err)
		return 2
	}
	for _, name := range unknown {
		log.Warn("an environment variable of no key", zap.String("name", name))
	}
	if *check {
		_, _ = fmt.Fprintln(stdout, "the configuration is good")
		return 0
	}
	if err := serve(c, log); err != nil {
		log.Error("server", zap.Error(err))
		return 1
	}
	return 0
}

func newLog(level string, to io.Writer) (*zap.Logger, error) {
	parsed, err := zapcore.ParseLevel(level)
	if err != nil {
		return nil, err
	}
	form := zap.NewProductionEncoderConfig()
	form.TimeKey, form.EncodeTime = "time", zapcore.RFC3339NanoTimeEncoder
	return zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(form), zapcore.Lock(zapcore.AddSync(to)), parsed)), nil
}

// serve runs the server until a signal stops it.
func serve(c config.Config, log *zap.Logger) (err error) {
	var layers []solvecache.Layer
	if c.Cache.Memory > 0 {
		memory, err := solvecache.NewMemory(int(c.Cache.Memory))
		if err != nil {
			return err
		}
		layers = append(layers, memory)
	}
	cache := solvecache.New(layers...)
	defer func() { err = errors.Join(err, cache.Close()) }()

	info := versionInfo()
	queue := c.Search.Queue
	if queue == 0 {
		queue = service.NoQueue
	}
	svc, err := service.New(service.Options{
		Version: info.Version, Searchers: c.Search.Searchers, Queue: queue, TableBytes: int(c.Search.Table), Cache: cache,
	})
	if err != nil {
		return err
	}
	handler, err := handlers.New(handlers.Options{
		Service: svc, Log: log, MaxWait: c.HTTP.MaxWait, MaxBody: int64(c.HTTP.MaxBody), Version: info,
	})
	if err != nil {
		return err
	}

	// Signals are taken from before the port is open: whoever sees the server listening can stop it in order.
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	defer signal.Stop(signals)

	// Requests run under base, which ends only when draining has taken too long.
	base, endRequests := context.WithCancel(context.Background())
	defer endRequests()
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: c.HTTP.ReadHeaderTimeout,
		ReadTimeout:       c.HTTP.ReadTimeout,
		WriteTimeout:      c.HTTP.WriteTimeout(),
		IdleTimeout:       c.HTTP.IdleTimeout,
		MaxHeaderBytes:    int(c.HTTP.MaxHeader),
		ErrorLog:          zap.NewStdLog(log.WithOptions(zap.IncreaseLevel(zapcore.WarnLevel))),
		BaseContext:       func(net.Listener) context.Context { return base },
	}
	listener, err := (&net.ListenConfig{}).Listen(base, "tcp", c.Addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s (the key addr, or ROEM_ADDR): %w", c.Addr, err)
	}
	log.Info("listening", zap.String("addr", listener.Addr().String()), zap.String("version", info.Version))
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()

	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case s := <-signals:
		log.Info("stopping", zap.Stringer("signal", s), zap.Duration("grace", c.Shutdown.Grace), zap.Duration("drain", c.Shutdown.Drain))
	}
	return stop(server, handler, endRequests, c.Shutdown, signals, log)
}

// stop ends the server in order: say that it is not ready, wait for load balancers to notice, take no more connections,
// wait for the requests under way, end those that take too long. A second signal ends everything at once.
func stop(server *http.Server, handler *handlers.Handlers, endRequests func(), c config.Shutdown, signals <-chan os.Signal, log *zap.Logger) error {
	handler.Stop()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	go func() {
		select {
		case s := <-signals:
			cancel(fmt.Errorf("a second signal: %v", s))
		case <-ctx.Done():
		}
	}()
	if c.Grace > 0 {
		select {
		case <-time.After(c.Grace):
		case <-ctx.Done():
		}
	}
	drain, cancelDrain := context.WithTimeout(ctx, c.Drain)
	defer cancelDrain()
	if err := server.Shutdown(drain); err != nil {
		endRequests() // their searches stop, which closing the connections would bring about as well, but later
		cause := context.Cause(drain)
		return errors.Join(fmt.Errorf("stopped before every request was answered: %w", cause), server.Close())
	}
	log.Info("stopped")
	return nil
}
