package cli

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// ProgressDelay is the time after which progress is shown.
const ProgressDelay = time.Second

// Progress shows the progress of work on a terminal. A nil Progress shows nothing.
type Progress struct {
	bars  *mpb.Progress
	bar   *mpb.Bar
	delay *time.Timer
	done  atomic.Int64
}

// NewProgress returns a Progress that shows, after the delay, the units of work done and, if total is not 0, their share of it.
func NewProgress(w io.Writer, units string, total int64, delay time.Duration) *Progress {
	p := &Progress{}
	shown := make(chan any)
	p.delay = time.AfterFunc(delay, func() { close(shown) })
	p.bars = mpb.New(mpb.WithOutput(w), mpb.WithAutoRefresh(), mpb.WithRenderDelay(shown))
	done := decor.Any(func(decor.Statistics) string { return fmt.Sprintf("%d %s ", p.done.Load(), units) })
	elapsed := decor.Elapsed(decor.ET_STYLE_GO)
	if total > 0 {
		p.bar = p.bars.AddBar(total, mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(done), mpb.AppendDecorators(decor.Percentage(), decor.Name(" "), elapsed))
	} else {
		p.bar = p.bars.AddSpinner(0, mpb.BarFillerTrim(), mpb.BarWidth(1),
			mpb.PrependDecorators(done), mpb.AppendDecorators(decor.Name(" "), elapsed))
	}
	return p
}

// TerminalProgress returns a Progress on standard error if that is a terminal, and otherwise nil, which shows nothing.
func TerminalProgress(std Stdio, units string, total int) *Progress {
	if !IsTerminal(std.Err) {
		return nil
	}
	return NewProgress(std.Err, units, int64(total), ProgressDelay)
}

// Add counts one more unit of work, which is the given part of the total.
func (p *Progress) Add(part int) {
	if p != nil {
		p.done.Add(1)
		p.bar.IncrBy(part)
	}
}

// Stop removes the bar.
func (p *Progress) Stop() {
	if p != nil {
		p.delay.Stop()
		p.bar.Abort(true)
		p.bars.Wait()
	}
}
