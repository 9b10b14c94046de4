package cli

import (
	"strings"
	"testing"
	"time"

	"roem/internal/testkit"
)

func TestProgress(t *testing.T) {
	// The progress bar is drawn by its own goroutine, which has ended when stop returns.
	show := func(delay time.Duration, total int64, want ...string) string {
		t.Helper()
		var out testkit.Output
		p := NewProgress(&out, "lines", total, delay)
		p.Add(25)
		p.Add(25)
		for _, text := range want {
			testkit.Until(t, text+" in the progress", func() bool { return strings.Contains(out.String(), text) })
		}
		p.Stop()
		return out.String()
	}
	show(0, 100, "2 lines", "50 %")
	if got := show(0, 0, "2 lines"); strings.Contains(got, "%") {
		t.Errorf("without a total: %q, want 2 lines without a percentage", got)
	}
	if got := show(time.Hour, 100); strings.Contains(got, "lines") {
		t.Errorf("before the end of the delay: %q, want nothing", got)
	}
	var none *Progress
	none.Add(1)
	none.Stop()
}
