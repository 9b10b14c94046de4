package jobs

import (
	"errors"
	"fmt"
)

// What methods of a Queue return, to be found with errors.Is.
var (
	ErrNotFound            = errors.New("no such job")
	ErrFull                = errors.New("too many jobs wait already")
	ErrTooMany             = errors.New("the owner has too many unfinished jobs")
	ErrIdempotencyMismatch = errors.New("the idempotency key was used with another request")
	ErrTooLarge            = errors.New("larger than the queue takes")
	ErrNoKind              = errors.New("a job needs a kind")
	ErrBadToken            = errors.New("not a token of a page")
	ErrClosed              = errors.New("the queue is closed")
	ErrWorking             = errors.New("the queue is being worked by this process already")
	ErrUnavailable         = errors.New("the queue cannot be reached")
)

// FullError is ErrFull with its figures.
type FullError struct {
	Queued int // how much waits
	Max    int // how much may
}

func (e *FullError) Error() string { return fmt.Sprintf("%v: %d of %d", ErrFull, e.Queued, e.Max) }

// Unwrap makes it ErrFull.
func (e *FullError) Unwrap() error { return ErrFull }

// TooManyError is ErrTooMany with its figures.
type TooManyError struct {
	Unfinished int // how many jobs the owner has that have not ended
	Max        int // how many an owner may
}

func (e *TooManyError) Error() string {
	return fmt.Sprintf("%v: %d of %d", ErrTooMany, e.Unfinished, e.Max)
}

// Unwrap makes it ErrTooMany.
func (e *TooManyError) Unwrap() error { return ErrTooMany }

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

// Permanent marks a handler's error as one that trying again cannot mend. Of nil it is nil.
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

// WithDetail gives a handler's error the bytes that a failed job shows as its Error. The text of the error itself goes to
// the log alone. Of a nil error it is nil.
func WithDetail(err error, detail []byte) error {
	if err == nil {
		return nil
	}
	return &detailError{err, detail}
}

// Detail returns what WithDetail gave the error, or one that it wraps; nil if nothing.
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
