package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	// The bar draws from a goroutine of its own, which has ended when stop returns.
	show := func(delay time.Duration, total int64, wait time.Duration) string {
		var out bytes.Buffer
		p := NewProgress(&out, "lines", total, delay)
		p.Add(25)
		p.Add(25)
		time.Sleep(wait)
		p.Stop()
		return out.String()
	}
	const drawn = 500 * time.Millisecond // it is drawn several times a second
	if got := show(0, 100, drawn); !strings.Contains(got, "2 lines") || !strings.Contains(got, "50 %") {
		t.Errorf("with a total: %q, want 2 lines and 50 %%", got)
	}
	if got := show(0, 0, drawn); !strings.Contains(got, "2 lines") || strings.Contains(got, "%") {
		t.Errorf("without a total: %q, want 2 lines and no part of them", got)
	}
	if got := show(time.Hour, 100, 0); strings.Contains(got, "lines") {
		t.Errorf("before the delay is over: %q, want nothing", got)
	}
	var none *Progress
	none.Add(1)
	none.Stop()
}
