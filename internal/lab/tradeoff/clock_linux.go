package tradeoff

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime is how long the thread has been at work: what other programs do meanwhile does not count.
func processorTime() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		return time.Duration(time.Now().UnixNano()) // no system that Go runs on is so old
	}
	return time.Duration(now.Nano())
}
