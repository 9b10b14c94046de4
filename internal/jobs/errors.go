package jobs

import (
	"errors"
	"fmt"
	"time"
)

// Errors of a Queue's methods, to be tested with errors.Is.
var (
	ErrNotFound            = errors.New("no such job")
	ErrFull                = errors.New("too many jobs are waiting")
	ErrTooMany             = errors.New("the owner has too many unfinished jobs")
	ErrTooCostly           = errors.New("the owner's waiting jobs would take too long")
	ErrNewTask             = errors.New("there is no equal job or task")
	ErrIdempotencyMismatch = errors.New("the idempotency key was used with another request")
	ErrTooLarge            = errors.New("larger than the queue takes")
	ErrNoKind              = errors.New("a job needs a kind")
	ErrBadToken            = errors.New("not a token of a page")
	ErrClosed              = errors.New("the queue is closed")
	ErrYield               = errors.New("it is the turn of another owner")
	ErrWorking             = errors.New("this process already works the queue")
	ErrUnavailable         = errors.New("the queue cannot be reached")
)

// FullError is ErrFull with its numbers.
type FullError struct {
	Queued   int  // waiting tasks
	Max      int  // the bound
	Reserved bool // there is room, but only for owners of whom no task waits
}

func (e *FullError) Error() string { return fmt.Sprintf("%v: %d of %d", ErrFull, e.Queued, e.Max) }

// Unwrap makes it ErrFull.
func (e *FullError) Unwrap() error { return ErrFull }

// TooManyError is ErrTooMany with its numbers.
type TooManyError struct {
	Unfinished int // the owner's unfinished jobs
	Max        int // the bound
}

func (e *TooManyError) Error() string {
	return fmt.Sprintf("%v: %d of %d", ErrTooMany, e.Unfinished, e.Max)
}

// Unwrap makes it ErrTooMany.
func (e *TooManyError) Unwrap() error { return ErrTooMany }

// TooCostlyError is ErrTooCostly with its numbers.
type TooCostlyError struct {
	Waiting time.Duration // the cost of the owner's waiting tasks
	Cost    time.Duration // of the refused one
	Max     time.Duration // the bound
}

func (e *TooCostlyError) Error() string {
	return fmt.Sprintf("%v: %v and %v, of at most %v", ErrTooCostly, e.Waiting, e.Cost, e.Max)
}

// Unwrap makes it ErrTooCostly.
func (e *TooCostlyError) Unwrap() error { return ErrTooCostly }

// SchemaError reports stored data of a schema that this program does not support. It is an ErrUnavailable.
type SchemaError struct {
	Found     string // empty for none
	Supported string
}

func (e *SchemaError) Error() string {
	if e.Found == "" {
		return fmt.Sprintf("it has no schema number: expected schema %s", e.Supported)
	}
	return fmt.Sprintf("it has schema %s: this program supports schema %s only", e.Found, e.Supported)
}

// Unwrap makes it ErrUnavailable.
func (e *SchemaError) Unwrap() error { return ErrUnavailable }

// Permanent marks a handler's error as permanent: the job fails without further attempts. It returns nil for nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanentError{err}
}

// IsPermanent reports whether the error, or one that it wraps, was marked by Permanent.
func IsPermanent(err error) bool {
	_, ok := errors.AsType[*permanentError](err)
	return ok
}

type permanentError struct{ err error }

func (e *permanentError) Error() string { return e.err.Error() }
func (e *permanentError) Unwrap() error { return e.err }

// WithDetail adds to a handler's error the bytes that a failed job shows as its Error. The text of the error itself is only
// logged. It returns nil for nil.
func WithDetail(err error, detail []byte) error {
	if err == nil {
		return nil
	}
	return &detailError{err, detail}
}

// Detail returns the bytes that WithDetail added to the error or to one that it wraps, and nil if there are none.
func Detail(err error) []byte {
	if d, ok := errors.AsType[*detailError](err); ok {
		return d.detail
	}
	return nil
}

type detailError struct {
	err    error
	detail []byte
}

func (e *detailError) Error() string { return e.err.Error() }
func (e *detailError) Unwrap() error { return e.err }
