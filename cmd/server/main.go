// Command server answers Roem's HTTP API (api/openapi.yaml).
//
//	server [-config FILE]           serve until SIGTERM or SIGINT
//	server -role api|worker|all     serve with this role (the key role)
//	server [-config FILE] -check    check the configuration, and exit
//	server -new-key NAME            create an API key, print it and its entry for the configuration, and exit
//	server [-config FILE] -ready    check that the server that runs with this configuration is ready, and exit
//	server -version                 print the version, and exit
//
// Without a file it runs on the defaults of configs/roem.yaml. The environment overrides every key, as ROEM_ADDR does.
// Exit status: 0 after an orderly stop, 1 after a failure, 2 for a wrong command line or configuration.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"roem/internal/config"
)

func main() { os.Exit(run(os.Args[1:], os.Environ(), os.Stdout, os.Stderr)) }

func run(args, environ []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	flags.SetOutput(stderr)
	path := flags.String("config", "", "the configuration `file`; the defaults are built in")
	role := flags.String("role", "", "all, api or worker; overrides the key role")
	onlyCheck := flags.Bool("check", false, "check the configuration and exit")
	keyName := flags.String("new-key", "", "create an API key with the `name`, print it, and exit")
	ready := flags.Bool("ready", false, "check that the server at the address of this configuration is ready, and exit")
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
	if *keyName != "" {
		if err := newKey(*keyName, stdout); err != nil {
			_, _ = fmt.Fprintf(stderr, "server: %v\n", err)
			return 2
		}
		return 0
	}
	if *role != "" {
		environ = append(slices.Clone(environ), "ROEM_ROLE="+*role)
	}
	c, err := config.Load(*path, environ)
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "server: %v\n", err)
		return 2
	}
	if *ready {
		if err := ask(c.Addr, stdout); err != nil {
			_, _ = fmt.Fprintf(stderr, "server: not ready: %v\n", err)
			return 1
		}
		return 0
	}
	log, err := newLog(c.Log.Level, stderr)
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "server: %v\n", err)
		return 2
	}
	defer func() { _ = log.Sync() }()
	logAuth(c.Auth, log)
	if *onlyCheck {
		if err := check(context.Background(), c, log); err != nil {
			_, _ = fmt.Fprintf(stderr, "server: %v\n", err)
			return 2
		}
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

// logAuth logs who may use the server.
func logAuth(c config.Auth, log *zap.Logger) {
	if c.Mode == config.AuthOpen {
		log.Info("authentication: everyone may use the server", zap.String("mode", string(c.Mode)))
		return
	}
	ids := make([]string, len(c.Keys))
	for i, key := range c.Keys {
		ids[i] = key.ID
	}
	log.Info("authentication: clients need a key", zap.String("mode", string(c.Mode)), zap.Bool("required", c.Required),
		zap.Strings("keys", ids))
}

// serve runs the server until a signal stops it.
func serve(c config.Config, log *zap.Logger) error {
	// Signals are handled before the port opens, so that a server that listens can be stopped in order.
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	defer signal.Stop(signals)
	life, release := newLifecycle(log, c.Shutdown.Grace, signals)
	defer release()
	a := &app{config: c, log: log, version: versionInfo(), fail: life.fail}
	if err := life.run(a.parts()); err != nil {
		return err
	}
	log.Info("stopped")
	return nil
}
