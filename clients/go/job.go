package roem

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// Kind is a kind of job, with the types of its request and its result.
type Kind[Q, R any] string

// Job is a job. Its id finds it again, also after a restart of this program or of the server: FindJob. Goroutines can share it.
type Job[R any] struct {
	client *Client
	path   string

	mu    sync.Mutex
	state state[R]
}

type state[R any] struct {
	JobState
	Result *R `json:"result"`
}

// Start starts a job, and does not wait for it.
func Start[Q, R any](ctx context.Context, c *Client, kind Kind[Q, R], request Q, options ...Option) (*Job[R], error) {
	body := map[string]any{"kind": kind, "request": request}
	text, err := c.send(ctx, sent{method: http.MethodPost, path: "/v1/jobs", body: body, creates: true}, options)
	if err != nil {
		return nil, err
	}
	return newJob[R](c, text)
}

// FindJob finds a job again.
func FindJob[Q, R any](ctx context.Context, c *Client, _ Kind[Q, R], id string) (*Job[R], error) {
	text, err := c.send(ctx, sent{method: http.MethodGet, path: jobPath(id)}, nil)
	if err != nil {
		return nil, err
	}
	return newJob[R](c, text)
}

// Jobs returns the jobs of the client, newest first, or those that the query asks for. Without a secret API key the server lists those
// with ids only. If there is an error, it comes last.
func (c *Client) Jobs(ctx context.Context, query JobsQuery) iter.Seq2[*Job[json.RawMessage], error] {
	return func(yield func(*Job[json.RawMessage], error) bool) {
		asked := struct {
			ID     string    `json:"id,omitempty"`
			Status JobStatus `json:"status,omitempty"`
			Token  string    `json:"page_token,omitempty"`
		}{ID: strings.Join(query.IDs, ","), Status: query.Status}
		for {
			page, err := call[struct {
				Jobs  []json.RawMessage `json:"jobs"`
				Token string            `json:"next_page_token"`
			}](ctx, c, sent{method: http.MethodGet, path: "/v1/jobs", query: asked})
			if err != nil {
				yield(nil, err)
				return
			}
			for _, text := range page.Jobs {
				if job, err := newJob[json.RawMessage](c, text); !yield(job, err) || err != nil {
					return
				}
			}
			if asked.Token = page.Token; asked.Token == "" {
				return
			}
		}
	}
}

// JobsQuery says which jobs to list. Without fields they are all.
type JobsQuery struct {
	IDs    []string
	Status JobStatus
}

func jobPath(id string) string { return "/v1/jobs/" + url.PathEscape(id) }

func newJob[R any](c *Client, text []byte) (*Job[R], error) {
	j := &Job[R]{client: c}
	err := j.see(text)
	j.path = jobPath(j.state.ID)
	return j, err
}

// see keeps what the server says of the job.
func (j *Job[R]) see(text []byte) error {
	s, err := decode[state[R]](text)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.state = *s
	return nil
}

func (j *Job[R]) seen() state[R] {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.state
}

// ID returns the id of the job.
func (j *Job[R]) ID() string { return j.seen().ID }

// State returns the job as it was last seen.
func (j *Job[R]) State() JobState { return j.seen().JobState }

// Finished reports whether the job had ended when it was last seen.
func (j *Job[R]) Finished() bool { return finished(j.seen().Status) }

func finished(s JobStatus) bool { return s != JobStatusQueued && s != JobStatusRunning }

// Wait waits until the job has ended, and returns its result. Of a job that failed it returns the ProblemDocument, and of one that was
// cancelled JobCancelled.
func (j *Job[R]) Wait(ctx context.Context) (*R, error) {
	for {
		s := j.seen()
		switch {
		case s.Status == JobStatusSucceeded && s.Result != nil:
			return s.Result, nil
		case s.Error != nil:
			return nil, problemOf(*s.Error)
		case s.Status == JobStatusCancelled:
			return nil, &JobCancelled{s.ID}
		}
		wait := struct {
			Wait int `json:"wait"`
		}{20}
		text, err := j.client.send(ctx, sent{method: http.MethodGet, path: j.path, query: wait}, nil)
		if err != nil {
			return nil, err
		}
		if err := j.see(text); err != nil {
			return nil, err
		}
	}
}

// Cancel cancels the job. One that has finished stays as it is.
func (j *Job[R]) Cancel(ctx context.Context) error {
	text, err := j.client.send(ctx, sent{method: http.MethodDelete, path: j.path}, nil)
	if err != nil || len(text) == 0 {
		return err
	}
	return j.see(text)
}

// Token returns a token with which a page can follow the job without an API key, for some minutes.
func (j *Job[R]) Token(ctx context.Context) (*JobToken, error) {
	return call[JobToken](ctx, j.client, sent{method: http.MethodPost, path: j.path + "/token"})
}

// Events returns the job after each change, until it has ended. A stream that breaks is opened again, after the event that came last. If
// there is an error, it comes last.
func (j *Job[R]) Events(ctx context.Context) iter.Seq2[JobState, error] {
	return func(yield func(JobState, error) bool) {
		p, last := j.client.patience(), ""
		for {
			header := http.Header{}
			if last != "" {
				header.Set("Last-Event-ID", last)
			}
			s, err := j.client.open(ctx, http.MethodGet, j.path+"/events", header, nil)
			if err == nil && (s == nil || j.follow(s, p, &last, yield)) {
				return
			}
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				err = p.next(ctx, &ConnectionError{j.client.base + j.path + "/events", errBroken}, 0)
			}
			if err != nil {
				yield(JobState{}, err)
				return
			}
		}
	}
}

// follow yields the events of a stream. It reports whether there is no need of another one.
func (j *Job[R]) follow(s *stream, p *patience, last *string, yield func(JobState, error) bool) bool {
	defer s.end()
	for {
		e, ok := s.next()
		if !ok {
			return false
		}
		if err := j.see(e.data); err != nil {
			yield(JobState{}, err)
			return true
		}
		p.reset()
		*last = e.id
		if !yield(j.State(), nil) || e.name == "finished" {
			return true
		}
	}
}
