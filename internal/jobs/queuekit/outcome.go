package queuekit

import (
	"roem/internal/jobs"
)

// Verdict says what the end of an attempt means.
type Verdict struct {
	Status  jobs.Status // Succeeded, Failed, or Queued for another attempt
	Result  []byte
	Failure jobs.Failure
	Error   []byte
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

// Judge returns the verdict over what the handler returned, when as many attempts as failures had failed before.
func Judge(result []byte, err error, failures, maxResult int) Verdict {
	switch {
	case err == nil && len(result) > maxResult:
		return Verdict{Status: jobs.Failed, Failure: jobs.FailedTooLarge}
	case err == nil:
		return Verdict{Status: jobs.Succeeded, Result: result}
	case jobs.IsPermanent(err):
		return Verdict{Status: jobs.Failed, Failure: jobs.FailedForGood, Error: detail(err)}
	case failures+1 >= jobs.MaxAttempts:
		return Verdict{Status: jobs.Failed, Failure: jobs.FailedTooOften, Error: detail(err)}
	default:
		return Verdict{Status: jobs.Queued}
	}
}
