package roem

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
)

// ProblemDocument is the error of a call that the server answered with a problem, or of a job that ended with one. Pointer and Expected
// come from the first of Problem.Errors; without errors they are empty.
type ProblemDocument struct {
	Problem   Problem
	Status    int
	Type      ProblemType
	RequestID string
	Code      ErrorCode
	Pointer   string
	Expected  *Expected

	asked string // the method and the URL; empty for the problem of a job
}

func problemOf(p Problem) *ProblemDocument {
	d := &ProblemDocument{Problem: p, Status: p.Status, Type: p.Type, Code: p.Code, RequestID: p.RequestID}
	if len(p.Errors) > 0 {
		first := p.Errors[0]
		d.Pointer, d.Expected = first.Pointer, first.Expected
	}
	return d
}

func (d *ProblemDocument) Error() string {
	detail := cmp.Or(d.Problem.Detail, d.Problem.Title, "an error without a detail")
	if d.asked == "" {
		return detail
	}
	return fmt.Sprintf("%s (%s)", detail, d.asked)
}

// ConnectionError is the error of a call whose server could not be reached, or whose answer was cut, until the client's patience ended; or
// what answers is not Roem.
type ConnectionError struct {
	URL string
	Err error
}

func (e *ConnectionError) Error() string { return fmt.Sprintf("%s: %s", e.URL, reason(e.Err)) }

// reason says why there is no answer, as a sentence.
func reason(err error) string {
	var host *net.DNSError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var lookup *url.Error
	switch {
	case errors.Is(err, errForm), errors.Is(err, errBroken), errors.Is(err, errCut):
		return err.Error()
	case errors.Is(err, syscall.ECONNREFUSED):
		return "Nothing listens there. Is the server running?"
	case errors.As(err, &host):
		return fmt.Sprintf("The host is not found (%s).", host.Err)
	case errors.As(err, &certificate):
		return fmt.Sprintf("The certificate of the server is not valid (%v).", certificate.Err)
	case errors.As(err, &record), strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		return "The server does not speak TLS as it should. Does its address begin with http://?"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "There was no answer in time."
	}
	if errors.As(err, &lookup) { // it has the URL once more
		err = lookup.Err
	}
	return fmt.Sprintf("The connection broke, or what answers is not a server of HTTP (%v).", err)
}

var (
	errForm   = errors.New("What answers there is not Roem.")                  //nolint:revive,staticcheck // a whole message
	errBroken = errors.New("The stream of events breaks again and again.")     //nolint:revive,staticcheck // a whole message
	errCut    = errors.New("The stream of answers has broken before its end.") //nolint:revive,staticcheck // a whole message
)

// Unwrap returns the error of the last attempt.
func (e *ConnectionError) Unwrap() error { return e.Err }

// JobCancelled is the error of a job that was cancelled, so that it has no result.
type JobCancelled struct{ ID string }

func (e *JobCancelled) Error() string { return fmt.Sprintf("the job %s was cancelled", e.ID) }
