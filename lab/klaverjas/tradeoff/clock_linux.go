package tradeoff

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns the processor time of the thread, without the time of other programs.
func processorTime() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		return time.Duration(time.Now().UnixNano()) // every Linux that Go supports has the call
	}
	return time.Duration(now.Nano())
}
