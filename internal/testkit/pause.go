package testkit

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Pause stops a child process with SIGSTOP, and returns when all of its threads stand still. The signal alone is only on its way then.
func Pause(p *os.Process) error {
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	for {
		err := unix.Waitid(unix.P_PID, p.Pid, nil, unix.WSTOPPED|unix.WNOWAIT, nil)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
