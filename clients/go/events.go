package roem

import (
	"bufio"
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"strings"
	"time"
)

// answers asks an operation for answers that become better. A stream that breaks before its end is an error: the search would begin again.
func answers[R any](ctx context.Context, c *Client, asked sent) iter.Seq2[*R, error] {
	return func(yield func(*R, error) bool) {
		body, err := json.Marshal(asked.body)
		if err != nil {
			yield(nil, err)
			return
		}
		header := http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}}
		s, err := c.open(ctx, asked.method, asked.path, header, body)
		if err != nil {
			yield(nil, err)
			return
		}
		if s == nil {
			return
		}
		defer s.end()
		for {
			e, ok := s.next()
			if e.name == "finished" {
				return
			}
			if !ok {
				if err = ctx.Err(); err == nil {
					err = &ConnectionError{c.base + asked.path, errCut}
				}
				yield(nil, err)
				return
			}
			if answer, err := decode[R](e.data); !yield(answer, err) || err != nil {
				return
			}
		}
	}
}

type event struct {
	name, id string
	data     []byte
}

// stream is a stream of events.
type stream struct {
	*answer
	lines   *bufio.Reader
	attempt time.Duration
}

// open opens a stream: nil if there is nothing more to come.
func (c *Client) open(ctx context.Context, method, path string, header http.Header, body []byte) (s *stream, err error) {
	err = c.answered(ctx, method, path, header, body, "text/event-stream", func(a *answer) error {
		if a.StatusCode == http.StatusNoContent {
			a.end()
			return nil
		}
		s = &stream{a, bufio.NewReader(a.Body), c.settings.Attempt}
		return nil
	})
	return s, err
}

// next returns the next event, or false: the stream has ended or is broken, or nothing has come for as long as an attempt may take.
func (s *stream) next() (e event, ok bool) {
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			return e, false
		}
		s.quiet.Reset(s.attempt)
		name, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "event":
			e.name = value
		case "id":
			e.id = value
		case "data":
			e.data = []byte(value)
		case "":
			if line[0] != ':' && e.data != nil { // a line with a colon only keeps the connection
				return e, true
			}
		}
	}
}
