package main

import (
	"bufio"
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
	// the streams of events since they were asked for
	streams []*stream
}

// stream is what a client asked of a stream of events, and got: the id after which it goes on, and the ids of the whole events.
type stream struct {
	After string   `json:"after"`
	Sent  []string `json:"sent"`
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
	cut     int // the number of the cut, or 0
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
		f.cut = p.cuts
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
	events := strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream")
	if f.cut > 0 && !events {
		cut(w, answer, f.cut)
		return
	}
	maps.Copy(w.Header(), answer.Header)
	w.WriteHeader(answer.StatusCode)
	if events {
		p.copyEvents(w, answer.Body, r.Header.Get("Last-Event-ID"), f.cut > 0)
	} else if _, err := io.Copy(w, answer.Body); err != nil {
		panic(http.ErrAbortHandler) // what does not end well breaks the connection to the client too
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

// cut sends the beginning of an answer and closes the connection: before the status, in the first header or in the body, in turns. An
// answer without a body is cut before the status.
func cut(w http.ResponseWriter, answer *http.Response, number int) {
	whole, err := httputil.DumpResponse(answer, true)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer connection.Close() //nolint:errcheck // that is what it is for
	line, head := bytes.IndexByte(whole, '\n'), bytes.Index(whole, []byte("\r\n\r\n"))+len("\r\n\r\n")
	at := len("HTTP/1")
	if head < len(whole) {
		at = []int{at, line + len("\nContent"), (head + len(whole)) / 2}[number%3]
	}
	_, _ = connection.Write(whole[:at])
}

// copyEvents passes on events at once: all of them, or the first and half of the second, in which it breaks the connection.
func (p *proxy) copyEvents(w http.ResponseWriter, from io.Reader, after string, cut bool) {
	s := &stream{After: after, Sent: []string{}}
	p.set(func() { p.streams = append(p.streams, s) })
	lines := bufio.NewReader(from)
	for whole := 0; ; {
		event, id, err := nextEvent(lines)
		said := bytes.Contains(event, []byte("data: ")) // and not only that the stream goes on
		half := cut && said && whole > 0
		if said {
			whole++
		}
		if half {
			event = event[:len(event)/2]
		} else if id != "" && err == nil {
			p.set(func() { s.Sent = append(s.Sent, id) })
		}
		_, _ = w.Write(event)
		_ = http.NewResponseController(w).Flush()
		if half || err != nil && !errors.Is(err, io.EOF) {
			panic(http.ErrAbortHandler)
		}
		if err != nil {
			return
		}
	}
}

// nextEvent reads to the end of an event or a comment, and returns the id of the event.
func nextEvent(lines *bufio.Reader) (event []byte, id string, err error) {
	for {
		line, err := lines.ReadBytes('\n')
		event = append(event, line...)
		if value, ok := strings.CutPrefix(string(line), "id: "); ok {
			id = strings.TrimSpace(value)
		}
		if err != nil || len(bytes.TrimSpace(line)) == 0 {
			return event, id, err
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
