package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	// The progress bar is drawn by its own goroutine, which has ended when stop returns.
	show := func(delay time.Duration, total int64, wait time.Duration) string {
		var out bytes.Buffer
		p := NewProgress(&out, "lines", total, delay)
		p.Add(25)
		p.Add(25)
		time.Sleep(wait)
		p.Stop()
		return out.String()
	}
	const drawn = 500 * time.Millisecond // long enough for several updates
	if got := show(0, 100, drawn); !strings.Contains(got, "2 lines") || !strings.Contains(got, "50 %") {
		t.Errorf("with a total: %q, want 2 lines with 50 %%", got)
	}
	if got := show(0, 0, drawn); !strings.Contains(got, "2 lines") || strings.Contains(got, "%") {
		t.Errorf("without a total: %q, want 2 lines without a percentage", got)
	}
	if got := show(time.Hour, 100, 0); strings.Contains(got, "lines") {
		t.Errorf("before the end of the delay: %q, want nothing", got)
	}
	var none *Progress
	none.Add(1)
	none.Stop()
}
