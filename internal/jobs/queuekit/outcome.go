package queuekit

import (
	"fmt"

	"go.uber.org/zap"

	"roem/internal/jobs"
)

// Outcome is what the end of an attempt means.
type Outcome struct {
	Status  jobs.Status // Succeeded, Failed, or Queued for another attempt
	Result  []byte
	Failure jobs.Failure
	Error   []byte // for clients
	cause   error  // for the log
}

// MaxDetail bounds the bytes of a progress report and of an error's detail. Larger ones are left out.
const MaxDetail = 64 << 10

// detail returns the detail of an error, within bounds.
func detail(err error) []byte {
	if d := jobs.Detail(err); len(d) <= MaxDetail {
		return d
	}
	return nil
}

// NewOutcome returns the outcome of an attempt in which the handler returned the result and the error, after as many
// failed attempts as failures.
func NewOutcome(result []byte, err error, failures, maxResult int) Outcome {
	switch {
	case err == nil && len(result) > maxResult:
		return Outcome{
			Status: jobs.Failed, Failure: jobs.FailedTooLarge,
			cause: fmt.Errorf("a result of %d bytes: at most %d are allowed", len(result), maxResult),
		}
	case err == nil:
		return Outcome{Status: jobs.Succeeded, Result: result}
	case jobs.IsPermanent(err):
		return Outcome{Status: jobs.Failed, Failure: jobs.FailedForGood, Error: detail(err), cause: err}
	case failures+1 >= jobs.MaxAttempts:
		return Outcome{Status: jobs.Failed, Failure: jobs.FailedTooOften, Error: detail(err), cause: err}
	default:
		return Outcome{Status: jobs.Queued, cause: err}
	}
}

// Log logs an outcome that is no success.
func (o Outcome) Log(log *zap.Logger) {
	switch o.Status {
	case jobs.Queued:
		log.Warn("an attempt of a job failed", zap.Error(o.cause))
	case jobs.Failed:
		log.Error("job failed", zap.String("failure", string(o.Failure)), zap.Error(o.cause))
	}
}
