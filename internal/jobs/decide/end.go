package decide

import (
	"errors"
	"fmt"

	"roem/internal/jobs"
)

// End is what the end of an attempt changes of its task.
type End struct {
	Status   jobs.Status // Succeeded, Failed, or Queued for another attempt
	Result   []byte      // of a task that has succeeded
	Failure  jobs.Failure
	Error    []byte // for clients
	Attempts int    // is added to the number of attempts: -1 if this one does not count
	Failures int    // is added to the number of failed attempts
	Forget   bool   // the state that the attempt saved is dropped
	InPlace  bool   // it waits at its old place; otherwise behind the others of its owner
	Charge   bool   // its cost in the turns of its owner is replaced by the time that the attempt took
	Cause    error  // for the log; nil for an end that nobody has to read of
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

// Ended returns the end of an attempt whose handler returned the result and the error, after as many failed attempts as failures. An error
// of a handler whose process is stopping is no failure.
func Ended(result []byte, err error, failures, maxResult int, stopping bool) End {
	end := End{Status: jobs.Failed, Error: detail(err), Charge: true, Cause: err}
	switch {
	case err == nil && len(result) > maxResult:
		end.Failure, end.Cause = jobs.FailedTooLarge, fmt.Errorf("a result of %d bytes: at most %d are allowed", len(result), maxResult)
	case err == nil:
		end.Status, end.Result = jobs.Succeeded, result
	case stopping:
		return GivenBack()
	case errors.Is(err, jobs.ErrYield):
		return End{Status: jobs.Queued, Attempts: -1, Charge: true}
	case jobs.IsPermanent(err):
		end.Failure = jobs.FailedForGood
	case failures+1 >= jobs.MaxAttempts:
		end.Failure = jobs.FailedTooOften
	default:
		return End{Status: jobs.Queued, Failures: 1, Forget: true, Charge: true, Cause: err}
	}
	return end
}

// GivenBack returns the end of an attempt that a process gives back.
func GivenBack() End { return End{Status: jobs.Queued, Attempts: -1, InPlace: true} }
