package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"roem/internal/cli"
	"roem/internal/loadtest"
)

func loadCommand() cli.Command {
	var routes strings.Builder
	for _, r := range loadtest.BuiltIn() {
		fmt.Fprintf(&routes, "  %-14s %s\n", r.Name, r.Does)
	}
	return cli.Command{
		Name:  "load",
		Short: "measures the latencies of a server under load",
		Long: `Sends requests to a server at fixed rates, even if the server answers more slowly, and writes a table of
latencies with a line for each status of each route. The latency of a request is measured from the time at which it
was due, so it includes the wait for a connection. "late" is the part of it by which the load generator sent the
request late. If "late" is large, the machine of the load generator was too busy, and the figures do not describe the
server.

A route is one of these, or a name from the -scenario file:` + routes.String() + `
A scenario is a file with one JSON object per line: "route", "path", "body" and "method". The default of "method" is POST with a body and
GET without. The requests of a route are sent in order and then repeated.

An example: roem-lab load -rate legal-moves=200 -rate solve=50 -duration 30s`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			c := &loadFlags{header: make(http.Header)}
			c.add(flags)
			return c.run
		},
	}
}

// loadFlags are the flags of the command.
type loadFlags struct {
	options  loadtest.Options
	header   http.Header
	rates    []loadRate
	scenario string
	asJSON   bool
	seed     *cli.Seed
}

// loadRate is the number of requests per second for a route.
type loadRate struct {
	route  string
	second float64
}

// Defaults of the command.
const (
	loadDuration    = 30 * time.Second
	loadTimeout     = time.Minute // more than the 30 s for which a server lets a request wait
	loadConnections = 512
)

func (c *loadFlags) add(flags *flag.FlagSet) {
	flags.StringVar(&c.options.URL, "url", "http://localhost:8080", "the `server`")
	flags.Func("rate", "a `route=number` of requests per second; can be repeated for more routes", func(text string) error {
		name, number, ok := strings.Cut(text, "=")
		rate, err := strconv.ParseFloat(number, 64)
		if !ok || name == "" || err != nil || rate <= 0 {
			return errors.New("expected a route and requests per second, as in solve=50")
		}
		if slices.ContainsFunc(c.rates, func(r loadRate) bool { return r.route == name }) {
			return errors.New("the route has a rate already")
		}
		c.rates = append(c.rates, loadRate{name, rate})
		return nil
	})
	flags.StringVar(&c.scenario, "scenario", "", "a `file` of requests")
	flags.DurationVar(&c.options.Duration, "duration", loadDuration, "the `duration` of the measurement")
	flags.DurationVar(&c.options.Warmup, "warmup", 0, "the `duration` for which requests are sent before the measurement")
	flags.DurationVar(&c.options.Timeout, "timeout", loadTimeout, "the `timeout` of a request")
	flags.IntVar(&c.options.Connections, "connections", loadConnections, "the maximum `number` of concurrent requests of a route; further "+
		"requests wait, and their wait is part of the latency")
	flags.Func("header", "a `Name: value` for every request, such as an API key; can be repeated for more headers", func(text string) error {
		name, value, ok := strings.Cut(text, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return errors.New("expected a name and a value, as in Authorization: Bearer KEY")
		}
		c.header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
		return nil
	})
	flags.BoolVar(&c.asJSON, "json", false, "write JSON instead of a table")
	c.seed = cli.SeedFlag(flags)
	flags.Lookup("seed").Usage = "the `number` from which requests and their times are drawn (default: a different one " +
		"each time, so that no deal is cached)"
}

func (c *loadFlags) run(ctx context.Context, std cli.Stdio, _ []string) error {
	if len(c.rates) == 0 {
		return cli.Usagef("-rate is missing: a route and requests per second, as in -rate solve=50")
	}
	c.options.Seed, c.options.Header = c.seed.Chosen(), c.header
	c.options.URL = strings.TrimSuffix(c.options.URL, "/")
	if err := c.routes(); err != nil {
		return cli.UsageError{Err: err}
	}
	report, err := loadtest.Run(ctx, c.options)
	if err != nil {
		return err
	}
	// After an interruption, the results so far are written.
	if c.asJSON {
		text := json.NewEncoder(std.Out)
		text.SetIndent("", "  ")
		err = text.Encode(report)
	} else {
		err = report.WriteText(std.Out)
	}
	if err != nil {
		return cli.Writing(err)
	}
	return context.Cause(ctx)
}

func (c *loadFlags) routes() error {
	own := make(map[string]loadtest.Source)
	if c.scenario != "" {
		file, err := os.Open(c.scenario)
		if err != nil {
			return cli.Plain(err)
		}
		own, err = loadtest.ReadScenario(file)
		if err := errors.Join(err, file.Close()); err != nil {
			return fmt.Errorf("%s: %w", c.scenario, err)
		}
	}
	for _, r := range c.rates {
		if next := own[r.route]; next != nil {
			c.options.Routes = append(c.options.Routes, loadtest.Route{Name: r.route, Rate: r.second, Next: next})
			continue
		}
		route, err := loadtest.NewRoute(r.route, r.second, c.options.Seed)
		if err != nil {
			return err
		}
		c.options.Routes = append(c.options.Routes, route)
	}
	return nil
}
