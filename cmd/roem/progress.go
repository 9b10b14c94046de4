package main

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progressDelay is how long work must take for its progress to be shown.
const progressDelay = time.Second

// progress shows on a terminal how far the work is. A nil progress shows nothing.
type progress struct {
	bars  *mpb.Progress
	bar   *mpb.Bar
	delay *time.Timer
	done  atomic.Int64
}

// newProgress shows, once the delay is over, how many units of work are done and, if total is not 0, what part of it.
func newProgress(w io.Writer, units string, total int64, delay time.Duration) *progress {
	p := &progress{}
	shown := make(chan struct{})
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

// add tells that one more unit is done, which is so much of the total.
func (p *progress) add(part int) {
	if p != nil {
		p.done.Add(1)
		p.bar.IncrBy(part)
	}
}

// stop takes the bar away.
func (p *progress) stop() {
	if p != nil {
		p.delay.Stop()
		p.bar.Abort(true)
		p.bars.Wait()
	}
}
