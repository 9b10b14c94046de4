package roem

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	random "math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// sent is what an operation sends.
type sent struct {
	method, path string
	body, query  any
	creates      bool   // it creates something, so it has an idempotency key
	waits        bool   // its answer can be a job, whose result is then the answer
	key          string // the idempotency key
}

// patience counts the waits of one call. Each failure waits longer than the last, until the patience ends.
type patience struct {
	settings *Settings
	waited   time.Duration
	failures int
}

// next waits before the next attempt, at least as long as the server asks, or returns the failure.
func (p *patience) next(ctx context.Context, failure error, asked time.Duration) error {
	backoff := time.Duration(min(8, 0.25*math.Exp2(float64(p.failures))) * float64(time.Second))
	p.failures++
	wait := max(backoff/2, asked) + random.N(backoff/2+1)
	if p.waited+wait > p.settings.Patience {
		return failure
	}
	p.waited += wait
	return p.settings.Pause(ctx, wait)
}

func (p *patience) reset() { p.waited, p.failures = 0, 0 }

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// send sends a request until it is answered, and returns the answer: nothing if it has no body.
func (c *Client) send(ctx context.Context, s sent, options []Option) ([]byte, error) {
	for _, option := range options {
		option(&s)
	}
	query, err := values(s.query)
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	var body []byte
	if s.body != nil {
		if body, err = json.Marshal(s.body); err != nil {
			return nil, err
		}
		header.Set("Content-Type", "application/json")
	}
	if s.waits {
		header.Set("Prefer", "wait=20")
	}
	if s.creates {
		if s.key == "" {
			s.key = rand.Text()
		}
		header.Set("Idempotency-Key", s.key)
	}
	var text []byte
	err = c.answered(ctx, s.method, s.path+query, header, body, func(a *answer) error {
		defer a.end()
		text, err = io.ReadAll(a.Body)
		if err == nil && len(text) > 0 && !json.Valid(text) {
			return errors.New("the answer is not JSON")
		}
		return err
	})
	return text, err
}

// answer is the answer to an attempt. Its body ends when nothing has come for as long as an attempt may take: quiet is to be reset.
type answer struct {
	*http.Response
	quiet *time.Timer
	end   func()
}

// answered asks until there is an answer that read has read and that is not to be tried again. read sees to it that the answer ends.
func (c *Client) answered(ctx context.Context, method, path string, header http.Header, body []byte, read func(*answer) error) error {
	if c.settings.Key != "" {
		header.Set("Authorization", "Bearer "+c.settings.Key)
	}
	p := c.patience()
	for again := false; ; again = true {
		asked, err := c.attempt(ctx, method, path, header, body, read)
		var refusal *ProblemDocument
		var broken *ConnectionError
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &broken):
		case !errors.As(err, &refusal):
			return err
		case again && method == http.MethodDelete && refusal.Status == http.StatusNotFound:
			return nil // the answer to an earlier attempt was lost, and that attempt deleted it
		case !later(refusal.Status):
			return err
		}
		if err := p.next(ctx, err, asked); err != nil {
			return err
		}
	}
}

// attempt asks once. With a refusal it returns how long the server asks to wait.
func (c *Client) attempt(ctx context.Context, method, path string, header http.Header, body []byte, read func(*answer) error) (
	asked time.Duration, err error,
) {
	ctx, cancel := context.WithCancel(ctx)
	quiet := time.AfterFunc(c.settings.Attempt, cancel)
	a := &answer{quiet: quiet, end: func() { quiet.Stop(); cancel() }}
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil || r.URL.Host == "" {
		a.end()
		return 0, fmt.Errorf("%q is not the address of a server, such as http://localhost:8080", c.base)
	}
	r.Header = header
	if a.Response, err = c.settings.HTTP.Do(r); err != nil { //nolint:bodyclose // the end of the context closes it
		a.end()
		return 0, &ConnectionError{path, err}
	}
	if a.StatusCode < 300 {
		if err := read(a); err != nil {
			return 0, &ConnectionError{path, err}
		}
		return 0, nil
	}
	defer a.end()
	seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
	if err != nil {
		seconds = 0
	}
	return time.Duration(seconds) * time.Second, problemOf(problem(a.Response))
}

// later reports whether an attempt can succeed later: a limit, a server that is busy or restarts, and what proxies say while there is no
// server.
func later(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

func (c *Client) patience() *patience { return &patience{settings: &c.settings} }

// problem reads the problem of an answer. A proxy can answer without a problem document.
func problem(answer *http.Response) (p Problem) {
	kind := answer.Header.Get("Content-Type")
	if strings.HasPrefix(kind, "application/problem+json") && json.NewDecoder(answer.Body).Decode(&p) == nil {
		return p
	}
	return Problem{Type: ProblemTypeInternal, Title: http.StatusText(answer.StatusCode), Status: answer.StatusCode, Detail: answer.Status}
}
