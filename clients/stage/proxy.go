package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httputil"
	"strings"
	"sync"
)

// proxy forwards requests to the server, or refuses them, and cuts some of the answers.
type proxy struct {
	server string

	mu     sync.Mutex
	every  int // every how many answers one is cut; 0 for none
	status int // with which the next requests are refused
	times  int // how many are still to be refused
	after  string
	seen   int
	cuts   int
}

func (p *proxy) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

// fate is what becomes of a request.
type fate struct {
	refused int // the status, or 0
	after   string
	cut     bool
}

func (p *proxy) next() (f fate) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen++
	if p.times > 0 {
		p.times--
		return fate{refused: p.status, after: p.after}
	}
	if p.every > 0 && p.seen%p.every == 0 {
		p.cuts++
		f.cut = true
	}
	return f
}

// forward has no connections that outlive a request, so that a server that has been restarted is reached at once.
var forward = &http.Transport{DisableKeepAlives: true, DisableCompression: true}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f := p.next()
	if f.refused != 0 {
		refuse(w, f)
		return
	}
	r.URL.Scheme, r.URL.Host = "http", p.server
	answer, err := forward.RoundTrip(r)
	if err != nil {
		panic(http.ErrAbortHandler) // the client sees what it would see without the proxy: a broken connection
	}
	defer answer.Body.Close() //nolint:errcheck // it is only read
	stream := strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream")
	switch {
	case f.cut && !stream:
		cut(w, answer)
	default:
		maps.Copy(w.Header(), answer.Header)
		w.WriteHeader(answer.StatusCode)
		copyFlushing(w, answer.Body, f.cut)
	}
}

func refuse(w http.ResponseWriter, f fate) {
	name := map[int]string{http.StatusTooManyRequests: "too-many-requests", http.StatusServiceUnavailable: "busy"}[f.refused]
	w.Header().Set("Content-Type", "application/problem+json")
	if f.after != "" {
		w.Header().Set("Retry-After", f.after)
	}
	w.WriteHeader(f.refused)
	_, _ = fmt.Fprintf(w, `{"type": "/docs/errors#%s", "title": "Refused", "status": %d, "detail": "Later."}`, name, f.refused)
}

// cut sends half of an answer and closes the connection.
func cut(w http.ResponseWriter, answer *http.Response) {
	whole, err := httputil.DumpResponse(answer, true)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer connection.Close() //nolint:errcheck // that is what it is for
	_, _ = connection.Write(whole[:len(whole)/2])
}

// copyFlushing passes on what is read at once, to its end, or only to the end of the first event. A body that does not end well breaks
// the connection to the client too.
func copyFlushing(w http.ResponseWriter, from io.Reader, first bool) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		_, _ = w.Write(buffer[:n])
		_ = http.NewResponseController(w).Flush()
		if first && bytes.Contains(buffer[:n], []byte("\n\n")) || err != nil && !errors.Is(err, io.EOF) {
			panic(http.ErrAbortHandler)
		}
		if err != nil {
			return
		}
	}
}

func body(answer *http.Response) ([]byte, error) {
	defer answer.Body.Close() //nolint:errcheck // it is only read
	if answer.StatusCode != http.StatusOK {
		return nil, errors.New(answer.Status)
	}
	return io.ReadAll(answer.Body)
}
