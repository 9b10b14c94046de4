package api

import "encoding/json"

// JobRequest is a request of a kind, which is passed on without decoding.
type JobRequest struct {
	Kind    JobKind         `json:"kind"`
	Request json.RawMessage `json:"request"`
}

// JobSummary is a job without its result, as it is in lists and in events.
type JobSummary = Job

// Job is the state of a job of any kind, with its result.
type Job struct {
	Kind JobKind `json:"kind"`
	JobState
	Result *json.RawMessage `json:"result,omitempty"`
}
