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
	_ "golang.org/x/crypto/x509roots/fallback" // for a system without root certificates, such as the image

	"roem/internal/config"
)

func main() { os.Exit(run(os.Args[1:], os.Environ(), os.Stdout, os.Stderr)) }

// options are the flags of the command line.
type options struct {
	path, role, keyName             string
	onlyCheck, askReady, askVersion bool
}

// parse reads the flags. When there is nothing more to do, done is true and status is the status to exit with.
func parse(args []string, stderr io.Writer) (o options, status int, done bool) {
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.path, "config", "", "the configuration `file`; the defaults are built in")
	flags.StringVar(&o.role, "role", "", "all, api or worker; overrides the key role")
	flags.BoolVar(&o.onlyCheck, "check", false, "check the configuration and exit")
	flags.StringVar(&o.keyName, "new-key", "", "create an API key with the `name`, print it, and exit")
	flags.BoolVar(&o.askReady, "ready", false, "check that the server at the address of this configuration is ready, and exit")
	flags.BoolVar(&o.askVersion, "version", false, "print the version and exit")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return o, 0, true
	case err != nil:
		return o, 2, true
	case flags.NArg() > 0:
		_, _ = fmt.Fprintf(stderr, "server: unexpected argument %q\n", flags.Arg(0))
		return o, 2, true
	}
	return o, 0, false
}

// run does what the arguments ask for. It returns 2 for a mistake in the arguments or in the configuration, and 1 for another failure.
func run(args, environ []string, stdout, stderr io.Writer) int {
	o, status, done := parse(args, stderr)
	if done {
		return status
	}
	fail := func(status int, text string, err error) int {
		_, _ = fmt.Fprintf(stderr, "server: %s%v\n", text, err)
		return status
	}
	switch {
	case o.askVersion:
		_, _ = fmt.Fprintf(stdout, "server %s\n", versionInfo().Version)
		return 0
	case o.keyName != "":
		if err := newKey(o.keyName, stdout); err != nil {
			return fail(2, "", err)
		}
		return 0
	case o.role != "":
		environ = append(slices.Clone(environ), "ROEM_ROLE="+o.role)
	}
	c, err := config.Load(o.path, environ)
	if err != nil {
		return fail(2, "", err)
	}
	if o.askReady {
		if err := ask(c.Addr, stdout); err != nil {
			return fail(1, "not ready: ", err)
		}
		return 0
	}
	log, closeLog, err := newLog(c.Log.Level, stderr)
	if err != nil {
		return fail(2, "", err)
	}
	defer closeLog()
	logAuth(c.Auth, log)
	if o.onlyCheck {
		if err := check(context.Background(), c, log); err != nil {
			return fail(2, "", err)
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
