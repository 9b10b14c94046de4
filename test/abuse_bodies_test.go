package test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	"roem/internal/testkit"
)

const solvable = `{"trump": "C", "leader": "N", "deal": "71234567890123456"}`

// posts returns the routes with a body.
func posts(tb testing.TB) []string {
	tb.Helper()
	var all []string
	for _, r := range routes(tb) {
		if r.method == http.MethodPost && r.op.RequestBody != nil {
			all = append(all, r.path)
		}
	}
	return all
}

// hostileBodies sends bodies that are too large, nest too deep, never end, or differ from their declaration.
func hostileBodies(t *testing.T, s *server) {
	t.Helper()
	const megabyte = 1 << 20
	tests := []struct {
		name   string
		body   func() io.Reader
		length int64 // the declared length; 0 for the length of the body, -1 for chunks
		header http.Header
		want   int
	}{
		{name: "32 MiB declared", body: func() io.Reader { return endless(32 * megabyte) }, length: 32 * megabyte, want: 413},
		{name: "32 MiB in chunks", body: func() io.Reader { return endless(32 * megabyte) }, length: -1, want: 413},
		{name: "without an end", body: func() io.Reader { return endless(1 << 40) }, length: -1, want: 413},
		{name: "a terabyte declared", body: func() io.Reader { return endless(1 << 40) }, length: 1 << 40, want: 413},
		{name: "deep arrays", body: text(strings.Repeat("[", 30_000)), want: 400},
		{name: "deep objects", body: text(strings.Repeat(`{"a":`, 10_000)), want: 400},
		{name: "deep in a field", body: text(`{"trump": ` + strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000) + `}`), want: 400},
		{name: "a thousand fields", body: func() io.Reader {
			var b strings.Builder
			for i := range 1000 {
				fmt.Fprintf(&b, `,"f%d":%d`, i, i)
			}
			return strings.NewReader("{" + b.String()[1:] + "}")
		}, want: 400},
		{name: "a long number", body: text(`{"trump": ` + strings.Repeat("9", 60_000) + `}`), want: 400},
		{name: "zeros", body: func() io.Reader { return bytes.NewReader(make([]byte, 60_000)) }, want: 400},
		{name: "nothing", body: text(""), want: 400},
		{name: "no type", body: text(solvable), header: http.Header{"Content-Type": {}}, want: 415},
		{name: "a form", body: text("a=b"), header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, want: 415},
		{name: "XML", body: text("<a/>"), header: http.Header{"Content-Type": {"text/xml"}}, want: 415},
		{name: "Latin-1", body: text(solvable), header: http.Header{"Content-Type": {"application/json; charset=iso-8859-1"}}, want: 415},
		{name: "gzip", body: text("\x1f\x8b"), header: http.Header{"Content-Encoding": {"gzip"}}, want: 415},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, path := range posts(t) {
				request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+path, tt.body())
				if err != nil {
					t.Fatal(err)
				}
				request.Header.Set("Content-Type", "application/json")
				maps.Copy(request.Header, tt.header)
				if tt.length != 0 {
					request.ContentLength = tt.length
				}
				c := client(testkit.Patience)
				answer, err := c.Do(request)
				if err != nil {
					// The server may close the connection before the client has read the answer, if it does not read the whole body.
					if tt.want != 413 || !wasCut(err) {
						t.Errorf("%s: %v", path, err)
					}
					continue
				}
				body, _ := io.ReadAll(answer.Body)
				_ = answer.Body.Close()
				if answer.StatusCode != tt.want {
					t.Errorf("%s: %d, want %d: %.300s", path, answer.StatusCode, tt.want, body)
				}
				c.CloseIdleConnections()
			}
		})
	}
}

func text(s string) func() io.Reader { return func() io.Reader { return strings.NewReader(s) } }

// endless is an array of zeros that is truncated after n bytes.
func endless(n int64) io.Reader {
	return io.LimitReader(io.MultiReader(strings.NewReader("["), repeat("0,")), n)
}

type repeat string

func (r repeat) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = r[i%len(r)]
	}
	return len(b), nil
}

func wasCut(err error) bool {
	return errors.Is(err, io.EOF) || strings.Contains(err.Error(), "connection reset") || strings.Contains(err.Error(), "broken pipe")
}
