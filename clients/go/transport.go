package roem

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	random "math/rand/v2"
	"net/http"
	"net/url"
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
	client   *Client
	waited   time.Duration
	failures int
}

// next waits before the next attempt, at least as long as the server asks, or returns the failure.
func (p *patience) next(ctx context.Context, failure error, asked time.Duration) error {
	backoff := time.Duration(min(8, 0.25*math.Exp2(float64(p.failures))) * float64(time.Second))
	p.failures++
	wait := max(backoff/2, asked) + random.N(backoff/2+1)
	if p.waited+wait > p.client.most() {
		return failure
	}
	p.waited += wait
	return p.client.settings.Pause(ctx, wait)
}

// most returns how long a call may wait in all.
func (c *Client) most() time.Duration {
	switch {
	case c.settings.Patience != 0:
		return c.settings.Patience
	case c.reached.Load():
		return time.Minute
	}
	return 2 * time.Second
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
			s.key = newKey()
		}
		header.Set("Idempotency-Key", s.key)
	}
	var text []byte
	err = c.answered(ctx, s.method, s.path+query, header, body, "application/json", func(a *answer) error {
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

// answered asks until there is an answer in this form that read has read and that is not to be tried again. read sees to it that the
// answer ends.
func (c *Client) answered(ctx context.Context, method, path string, header http.Header, body []byte, form string, read func(*answer) error,
) error {
	if c.settings.Key != "" {
		header.Set("Authorization", "Bearer "+c.settings.Key)
	}
	p := c.patience()
	for again := false; ; again = true {
		asked, err := c.attempt(ctx, method, path, header, body, form, read)
		var refusal *ProblemDocument
		var broken *ConnectionError
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &broken) && !errors.Is(err, errForm):
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
func (c *Client) attempt(ctx context.Context, method, path string, header http.Header, body []byte, form string, read func(*answer) error,
) (asked time.Duration, err error) {
	ctx, cancel := context.WithCancel(ctx)
	quiet := time.AfterFunc(c.settings.Attempt, cancel)
	a := &answer{quiet: quiet, end: func() { quiet.Stop(); cancel() }}
	r, err := http.NewRequestWithContext(ctx, method, c.address(path), bytes.NewReader(body))
	if err != nil || r.URL.Host == "" || r.URL.Scheme != "http" && r.URL.Scheme != "https" {
		a.end()
		return 0, fmt.Errorf("%q is not the address of a server, such as http://localhost:8080", c.base)
	}
	r.Header = header
	if a.Response, err = c.settings.HTTP.Do(r); err != nil { //nolint:bodyclose // the end of the context closes it
		a.end()
		return 0, &ConnectionError{c.base + path, err}
	}
	c.reached.Store(true)
	if a.StatusCode < 300 {
		if err = a.check(form); err != nil {
			a.end()
		} else {
			err = read(a)
		}
		if err != nil {
			return 0, &ConnectionError{c.base + path, err}
		}
		return 0, nil
	}
	defer a.end()
	seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
	if err != nil {
		seconds = 0
	}
	refusal := problemOf(problem(a.Response))
	refusal.asked = method + " " + c.base + path
	return time.Duration(seconds) * time.Second, refusal
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

func (c *Client) patience() *patience { return &patience{client: c} }

func contentType(answer *http.Response) string {
	kind, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// check returns an error if the answer does not have a form.
func (a *answer) check(form string) error {
	if kind := contentType(a.Response); kind != form && kind != "" {
		return fmt.Errorf("%w Its answer is %s, and not %s.", errForm, kind, form) //nolint:revive,staticcheck // a whole message
	}
	return nil
}

// problem reads the problem of an answer. A proxy can answer without a problem document, and so does what is not Roem.
func problem(answer *http.Response) (p Problem) {
	kind := contentType(answer)
	if kind == "application/problem+json" && json.NewDecoder(answer.Body).Decode(&p) == nil {
		return p
	}
	said := ""
	if kind == "text/plain" {
		first, _ := bufio.NewReader(io.LimitReader(answer.Body, 200)).ReadString('\n')
		said = ": " + strings.TrimSpace(first)
	} else if moved := answer.Header.Get("Location"); moved != "" {
		said = ", to " + moved
	}
	return Problem{
		Type: ProblemTypeInternal, Code: ErrorCodeInternal, Title: http.StatusText(answer.StatusCode), Status: answer.StatusCode,
		Detail: fmt.Sprintf("The answer is %s%s. It does not come from Roem.", answer.Status, said),
	}
}

// address returns the URL of a path. A link of a server below a path, such as http://host/roem, begins with the path.
func (c *Client) address(path string) string {
	if u, err := url.Parse(c.base); err == nil && u.Path != "" && strings.HasPrefix(path, u.Path+"/") {
		return strings.TrimSuffix(c.base, u.Path) + path
	}
	return c.base + path
}

// newKey returns a name that no other call has. Without an API key, the server takes only random hexadecimal digits for one.
func newKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return hex.EncodeToString(b[:])
}
