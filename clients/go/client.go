// Package roem is the client of Roem, a service for card games.
package roem

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// Settings are the settings of a client. A zero field has its default.
type Settings struct {
	// Key is the API key, if the server requires one.
	Key string
	// Patience is the most that a call waits between its attempts, in all. Default one minute, or two seconds for a server that has never
	// answered: its address is probably wrong.
	Patience time.Duration
	// Attempt is the time after which an attempt without an answer counts as a broken connection. Default one minute.
	Attempt time.Duration
	// HTTP makes the requests, without following redirections. Default http.DefaultClient, with ten seconds for a connection.
	HTTP *http.Client
	// Pause waits between two attempts, and returns the error of the context if it ends first.
	Pause func(context.Context, time.Duration) error
}

// Client calls a server of Roem. Goroutines can share it.
type Client struct {
	Belote    Belote
	GinRummy  GinRummy
	Klaverjas Klaverjas
	Records   Records
	Tarok     Tarok

	base     string
	settings Settings
	reached  atomic.Bool // the server has answered once, so that its address is right
}

// New returns a client of the server at a URL, such as http://localhost:8080.
func New(server string, settings Settings) *Client {
	if settings.Attempt == 0 {
		settings.Attempt = time.Minute
	}
	settings.HTTP = direct(settings.HTTP)
	if settings.Pause == nil {
		settings.Pause = pause
	}
	c := &Client{base: strings.TrimRight(server, "/"), settings: settings}
	c.Belote, c.GinRummy, c.Klaverjas, c.Records, c.Tarok = Belote{c}, GinRummy{c}, Klaverjas{c}, Records{c}, Tarok{c}
	return c
}

// direct returns a client that does not follow redirections, which make a GET of a POST: the answer says where the server is.
func direct(given *http.Client) *http.Client {
	c := http.Client{}
	if given != nil {
		c = *given
	} else if ordinary, ok := http.DefaultTransport.(*http.Transport); ok {
		transport := ordinary.Clone()
		transport.DialContext = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
		c.Transport = transport
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &c
}

// Version returns the versions of the server, of its solver and of its contract.
func (c *Client) Version(ctx context.Context) (*Version, error) {
	return call[Version](ctx, c, sent{method: http.MethodGet, path: "/version"})
}

// Solve returns the exact value of a Klaverjas deal: Klaverjas.Solve.
func (c *Client) Solve(ctx context.Context, body KlaverjasSolveRequest) (*KlaverjasSolution, error) {
	return c.Klaverjas.Solve(ctx, body)
}

// Option is an option of a call that creates something.
type Option func(*sent)

// IdempotencyKey names what the call creates; by default the name is new. With the name of an earlier call, the answer is what that call
// created. A session has a name only with a secret API key.
func IdempotencyKey(key string) Option { return func(s *sent) { s.key = key } }

// call asks an operation. An answer that takes long becomes a job on the way; what is returned is the answer in both cases.
func call[R any](ctx context.Context, c *Client, s sent, options ...Option) (*R, error) {
	text, err := c.send(ctx, s, options)
	if err != nil || len(text) == 0 {
		return nil, err
	}
	var seen struct{ Links struct{ Events string } }
	if s.waits && json.Unmarshal(text, &seen) == nil && seen.Links.Events != "" {
		job, err := newJob[R](c, text)
		if err != nil {
			return nil, err
		}
		return job.Wait(ctx)
	}
	return decode[R](text)
}

func decode[R any](text []byte) (*R, error) {
	r := new(R)
	return r, json.Unmarshal(text, r)
}

// values writes the fields of a query as parameters.
func values(query any) (string, error) {
	text, err := json.Marshal(query)
	if err != nil || query == nil {
		return "", err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &fields); err != nil || len(fields) == 0 {
		return "", err
	}
	all := url.Values{}
	for name, value := range fields {
		var word string
		if json.Unmarshal(value, &word) != nil { // a number or a truth value, which is written as it is
			word = string(bytes.TrimSpace(value))
		}
		all.Set(name, word)
	}
	return "?" + all.Encode(), nil
}
