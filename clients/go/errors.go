package roem

import (
	"cmp"
	"fmt"
)

// ProblemDocument is the error of a call that the server answered with a problem, or of a job that ended with one. Code, Pointer and
// Expected come from the first of Problem.Errors; without errors they are empty.
type ProblemDocument struct {
	Problem   Problem
	Status    int
	Type      ProblemType
	RequestID string
	Code      ErrorCode
	Pointer   string
	Expected  *Expected
}

func problemOf(p Problem) *ProblemDocument {
	d := &ProblemDocument{Problem: p, Status: p.Status, Type: p.Type, RequestID: p.RequestID}
	if len(p.Errors) > 0 {
		first := p.Errors[0]
		d.Code, d.Pointer, d.Expected = first.Code, first.Pointer, first.Expected
	}
	return d
}

func (d *ProblemDocument) Error() string { return cmp.Or(d.Problem.Detail, d.Problem.Title) }

// ConnectionError is the error of a call whose server could not be reached, or whose answer was cut, until the client's patience ended.
type ConnectionError struct {
	Path string
	Err  error
}

func (e *ConnectionError) Error() string { return fmt.Sprintf("%s: %v", e.Path, e.Err) }

// Unwrap returns the error of the last attempt.
func (e *ConnectionError) Unwrap() error { return e.Err }

// JobCancelled is the error of a job that was cancelled, so that it has no result.
type JobCancelled struct{ ID string }

func (e *JobCancelled) Error() string { return fmt.Sprintf("the job %s was cancelled", e.ID) }
