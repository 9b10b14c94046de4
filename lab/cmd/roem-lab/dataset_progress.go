package main

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"roem/internal/cli"
)

// meter shows the progress of work of a known size, its speed and the time left: as a bar on a terminal, otherwise as lines at
// intervals.
type meter struct {
	out   io.Writer
	who   string // the command
	units string
	total int
	began time.Time
	done  atomic.Int64

	// Used on a terminal.
	bars  *mpb.Progress
	bar   *mpb.Bar
	delay *time.Timer

	// Used if there is no terminal.
	end  chan struct{}
	told sync.WaitGroup
}

// newMeter starts a meter for total units of work. If there is no terminal, it writes a line at each interval every.
func newMeter(out io.Writer, who, units string, total int, every time.Duration) *meter {
	m := &meter{out: out, who: who, units: units, total: total, began: time.Now(), end: make(chan struct{})}
	if cli.IsTerminal(out) {
		m.draw(cli.ProgressDelay)
		return m
	}
	m.told.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				cli.Say(m.out, "%s\n", m.line(time.Now()))
			case <-m.end:
				return
			}
		}
	})
	return m
}

// draw shows the bar after the delay.
func (m *meter) draw(delay time.Duration) {
	shown := make(chan any)
	m.delay = time.AfterFunc(delay, func() { close(shown) })
	m.bars = mpb.New(mpb.WithOutput(m.out), mpb.WithAutoRefresh(), mpb.WithRenderDelay(shown))
	m.bar = m.bars.AddBar(int64(m.total), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.CountersNoUnit("%d of %d "+m.units+" ")),
		mpb.AppendDecorators(
			decor.Percentage(), decor.Name(", "),
			decor.AverageSpeed(0, "%.0f "+m.units+"/s"), decor.Name(", "),
			decor.AverageETA(decor.ET_STYLE_GO), decor.Name(" left"),
		))
}

// line writes the progress as a line.
func (m *meter) line(now time.Time) string {
	done, took := m.done.Load(), now.Sub(m.began)
	text := fmt.Sprintf("%s: %d of %d %s", m.who, done, m.total, m.units)
	if done == 0 {
		return text
	}
	left := time.Duration(float64(took) / float64(done) * float64(int64(m.total)-done))
	return fmt.Sprintf("%s, %.0f/s, %s left", text, float64(done)/took.Seconds(), left.Round(time.Second))
}

// add counts one more unit of work. It is safe for concurrent use.
func (m *meter) add() {
	m.done.Add(1)
	if m.bar != nil {
		m.bar.Increment()
	}
}

// stop ends the meter and removes the bar.
func (m *meter) stop() {
	close(m.end)
	m.told.Wait()
	if m.bar != nil {
		m.delay.Stop()
		m.bar.Abort(true)
		m.bars.Wait()
	}
}
