package queuekit

import (
	"time"

	"roem/internal/jobs"
)

// Cost returns the cost of a spec, at least a microsecond.
func Cost(spec jobs.Spec) time.Duration {
	if spec.Cost == 0 {
		return jobs.DefaultCost
	}
	return max(spec.Cost, time.Microsecond)
}
