package handlers_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A search stops when its client disconnects.
func TestClientLeaves(t *testing.T) {
	for _, path := range []string{
		"/v1/klaverjas/solve", "/v1/klaverjas/table", "/v1/klaverjas/analyse", "/v1/klaverjas/advise",
		"/v1/klaverjas/review", "/v1/klaverjas/evening",
	} {
		t.Run(path, func(t *testing.T) {
			waiting := newWaiting()
			s := newServer(t, withSearcher(waiting.solve))
			web := httptest.NewServer(s)
			defer web.Close()
			body := someDeal
			switch path {
			case "/v1/klaverjas/table":
				body = `{"leader": "S", "hands": ` + goodHands + `}`
			case "/v1/klaverjas/advise":
				body = goodView
			case "/v1/klaverjas/review":
				body = with(`"played": ["JH", "8S"], "seat": "S"`)
			case "/v1/klaverjas/evening":
				body = recordBody(`{"game": "klaverjas", "position": `+with(`"played": ["JH", "8S"]`)+`}`, "")
			case "/v1/klaverjas/analyse":
				body = with(`"played": ["JH", "8S"]`)
			}
			ctx, leave := context.WithCancel(context.Background())
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, web.URL+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			done := make(chan struct{})
			go func() {
				defer close(done)
				if answer, err := web.Client().Do(r); err == nil {
					_ = answer.Body.Close()
				}
			}()
			within(t, waiting.started, "the search")
			leave()
			within(t, waiting.stopped, "the end of the search")
			within(t, done, "the client")
		})
	}
}

// When one of two clients that share a search disconnects, the search continues. When the last one disconnects, the search stops.
func TestOneOfTwoClientsLeaves(t *testing.T) {
	waiting := newWaiting()
	s := newServer(t, withSearcher(waiting.solve))
	serve := func(ctx context.Context) <-chan struct{} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.ServeHTTP(httptest.NewRecorder(), request(http.MethodPost, "/v1/klaverjas/solve", someDeal).WithContext(ctx))
		}()
		return done
	}
	first, leaveFirst := context.WithCancel(context.Background())
	second, leaveSecond := context.WithCancel(context.Background())
	defer leaveSecond()
	firstDone := serve(first)
	within(t, waiting.started, "the search")
	secondDone := serve(second)
	until(t, "the second to join", func() bool { return s.service.Shared() == 1 })
	leaveFirst()
	within(t, firstDone, "the first client")
	select {
	case <-waiting.stopped:
		t.Fatal("the search stopped although a client waits")
	case <-waiting.started:
		t.Fatal("the second client starts its own search")
	case <-time.After(50 * time.Millisecond):
	}
	leaveSecond()
	within(t, waiting.stopped, "the end of the search")
	within(t, secondDone, "the second client")
}
