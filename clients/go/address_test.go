package roem_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	roem "roem/clients/go"
)

// counted returns settings with which a client does not really wait, and how long it would have waited.
func counted(s *stage) (roem.Settings, *time.Duration) {
	waited := new(time.Duration)
	return roem.Settings{Key: s.Key, Pause: func(_ context.Context, wait time.Duration) error {
		*waited += wait
		return nil
	}}, waited
}

// TestWrongAddress asks at addresses where there is no server of Roem. It is said soon, and with the URL.
func TestWrongAddress(t *testing.T) {
	t.Parallel()
	s := start(t)
	for name, one := range map[string]struct {
		address, said string
		status        int // of a ProblemDocument; 0 for a ConnectionError
	}{
		"closed":   {s.Closed, "Nothing listens there. Is the server running?", 0},
		"no host":  {"http://no-such-host.invalid:8080", "The host is not found", 0},
		"no TLS":   {strings.Replace(s.URL, "http", "https", 1), "does not speak TLS", 0},
		"a page":   {s.Strangers + "/html", "not Roem. Its answer is text/html", 0},
		"no page":  {s.Strangers + "/missing", "404 Not Found. It does not come from Roem", 404},
		"moved":    {s.Strangers + "/moved", "301 Moved Permanently, to https://elsewhere.invalid/", 301},
		"with TLS": {s.Strangers + "/plain", "400 Bad Request: Client sent an HTTP request to an HTTPS server", 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings, waited := counted(s)
			_, err := roem.New(one.address, settings).Solve(t.Context(), position())
			var problem *roem.ProblemDocument
			var broken *roem.ConnectionError
			if one.status == 0 && !errors.As(err, &broken) || one.status != 0 && (!errors.As(err, &problem) || problem.Status != one.status) {
				t.Errorf("%T", err)
			}
			if text := err.Error(); !strings.Contains(text, one.said) || !strings.Contains(text, one.address+"/v1/klaverjas/solve") {
				t.Error(text)
			}
			if *waited > 2*time.Second {
				t.Errorf("it waited %v", *waited)
			}
		})
	}
	for _, wrong := range []string{"localhost:8080", "http://", "ftp://localhost", "http://localhost:80a"} {
		var broken *roem.ConnectionError
		_, err := roem.New(wrong, roem.Settings{}).Version(t.Context())
		if err == nil || errors.As(err, &broken) || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

// elsewhere sends requests to an address once it is set.
type elsewhere struct{ host string }

func (e *elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	if e.host != "" {
		r = r.Clone(r.Context())
		r.URL.Host = e.host
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestServerThatHasAnswered ends after the whole patience: the address is right, so that the server is starting again.
func TestServerThatHasAnswered(t *testing.T) {
	t.Parallel()
	s := start(t)
	settings, waited := counted(s)
	to := &elsewhere{}
	settings.HTTP = &http.Client{Transport: to}
	c := roem.New(s.URL, settings)
	must(c.Version(t.Context()))(t)
	to.host = strings.TrimPrefix(s.Closed, "http://")
	var broken *roem.ConnectionError
	if _, err := c.Version(t.Context()); !errors.As(err, &broken) || *waited <= 50*time.Second || *waited > time.Minute {
		t.Errorf("%v, after %v", err, *waited)
	}
}

// TestRefusedRequest sends what the server refuses for good: a body above the limit, whose rest the server does not read, and a wrong one.
func TestRefusedRequest(t *testing.T) {
	t.Parallel()
	s := start(t)
	settings, waited := counted(s)
	c := roem.New(s.Direct, settings)
	for text, status := range map[string]int{strings.Repeat("x", 40_000_000): 413, "": 400} {
		_, err := c.Records.Convert(t.Context(), roem.RecordConvertRequest{Text: text})
		var problem *roem.ProblemDocument
		if !errors.As(err, &problem) || problem.Status != status || !strings.Contains(err.Error(), s.Direct+"/v1/records/convert") {
			t.Errorf("%d: %v", status, err)
		}
	}
	equal(t, *waited, time.Duration(0))
}
