// Command stage is what the tests of the clients run against: a real server, and a proxy in front of it that does what networks and
// busy servers do. It prints one line, {"url": …, "control": …, "key": …, "direct": …, "closed": …, "strangers": …}: the address of the
// proxy, where the test controls it, the API key of the client, the address of the server itself, an address where nothing listens, and
// the address of another server. It ends when its standard input does, so that nothing outlives a test.
//
//	POST /cut?every=3                     cut every third answer after the server has made it (0: none)
//	POST /refuse?status=503&times=5&after=1   refuse the next five requests, with Retry-After: 1
//	POST /restart                         kill the server, and start it again with the same data
//	GET /streams                          [{"after": …, "sent": […]}]: the streams of events since the last such request, with their ids
//	GET /counts                           {"jobs": …, "sessions": …, "requests": …, "cut": …}: what the server has, and what the proxy saw
package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
)

const key = "a-key-of-the-tests-of-the-clients-0001"

func main() {
	program := flag.String("server", "bin/server", "the `file` of the server")
	flag.Parse()
	if err := run(*program); err != nil {
		log.Fatal("stage: ", err)
	}
}

func run(program string) (err error) {
	data, err := os.MkdirTemp("", "roem-stage-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(data)) }()
	s, err := startServer(program, data)
	if err != nil {
		return err
	}
	defer s.kill()
	p := &proxy{server: s.addr, streams: []*stream{}}
	front, err := serve(p)
	if err != nil {
		return err
	}
	control, err := serve(controls(s, p))
	if err != nil {
		return err
	}
	closed, err := closed()
	if err != nil {
		return err
	}
	strangers, err := strangers()
	if err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(map[string]string{
		"url": front, "control": control, "key": key, "direct": "http://" + s.addr, "closed": closed, "strangers": strangers,
	}); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// serve serves on a free port, and returns the address.
func serve(h http.Handler) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() { log.Fatal(http.Serve(l, h)) }() //nolint:gosec // no client but the test
	return "http://" + l.Addr().String(), nil
}

func controls(s *server, p *proxy) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /cut", func(_ http.ResponseWriter, r *http.Request) { p.set(func() { p.every = number(r, "every") }) })
	mux.HandleFunc("POST /refuse", func(_ http.ResponseWriter, r *http.Request) {
		p.set(func() { p.status, p.times, p.after = number(r, "status"), number(r, "times"), r.FormValue("after") })
	})
	mux.HandleFunc("POST /restart", func(w http.ResponseWriter, _ *http.Request) {
		if err := s.restart(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	mux.HandleFunc("GET /streams", func(w http.ResponseWriter, _ *http.Request) {
		p.set(func() {
			_ = json.NewEncoder(w).Encode(p.streams)
			p.streams = []*stream{}
		})
	})
	mux.HandleFunc("GET /counts", func(w http.ResponseWriter, r *http.Request) {
		counts, err := s.counts(r.Context())
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		p.set(func() { counts["requests"], counts["cut"] = p.seen, p.cuts })
		_ = json.NewEncoder(w).Encode(counts)
	})
	return mux
}

func number(r *http.Request, name string) int {
	n, err := strconv.Atoi(r.FormValue(name))
	if err != nil {
		return 0
	}
	return n
}

func keys() string { return fmt.Sprintf("tests:%x", sha256.Sum256([]byte(key))) }
