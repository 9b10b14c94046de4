package handlers_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"roem/internal/handlers"
)

// A client that closes its sending side while it waits gets no answer or a complete one, never an empty 200.
func TestHalfClosedClient(t *testing.T) {
	waiting := newWaiting()
	s := newServer(t, withSearcher(waiting.solve))
	web := httptest.NewServer(s.Handlers)
	defer web.Close()
	conn, err := net.Dial("tcp", web.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, "POST /v1/klaverjas/solve HTTP/1.1\r\nHost: roem\r\nContent-Type: application/json\r\nContent-Length: "+
		strconv.Itoa(len(someDeal))+"\r\n\r\n"+someDeal); err != nil {
		t.Fatal(err)
	}
	within(t, waiting.started, "the search")
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	within(t, waiting.stopped, "the end of the search")
	if answer, err := http.ReadResponse(bufio.NewReader(conn), nil); err == nil {
		body, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		t.Errorf("answered by %s with %d bytes", answer.Status, len(body))
	} else if !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		t.Errorf("%v, want the end of the connection", err)
	}
}

// If the server ends the context of a request, the answer is 503.
func TestServerEndsRequests(t *testing.T) {
	waiting := newWaiting()
	s := newServer(t, withSearcher(waiting.solve))
	base, end := context.WithCancelCause(context.Background())
	web := httptest.NewUnstartedServer(s.Handlers)
	web.Config.BaseContext = func(net.Listener) context.Context { return base }
	web.Start()
	defer web.Close()
	done := make(chan string, 1)
	go func() {
		answer, err := web.Client().Post(web.URL+"/v1/klaverjas/solve", "application/json", strings.NewReader(someDeal))
		if err != nil {
			done <- err.Error()
			return
		}
		body, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		_ = answer.Body.Close()
		done <- answer.Status + " " + string(body)
	}()
	within(t, waiting.started, "the search")
	end(handlers.ErrStopping)
	if got := <-done; !strings.HasPrefix(got, "503 ") || !strings.Contains(got, "#stopping") {
		t.Errorf("%s, want 503 and the problem stopping", got)
	}
}
