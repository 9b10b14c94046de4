package pause

import "time"

// every is how long work keeps the thread. A page draws 50 to 60 pictures a second; nobody notices that a message waits for one.
const every = 20 * time.Millisecond

var (
	give func()    // nil until Give is called
	last time.Time // when the thread was free
)

// Give sets what returns after the messages that wait have been read. It is called before any work.
func Give(free func()) { give = free }

// Point lets other work use the thread, if it has not been free for some time.
func Point() {
	if give == nil || time.Since(last) < every {
		return
	}
	give()
	last = time.Now()
}
