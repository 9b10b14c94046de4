package main

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"roem/internal/cli"
)

// meter shows the progress of work of a known size, its speed and the time left, as lines at intervals.
type meter struct {
	out   io.Writer
	who   string // the command
	units string
	total int
	began time.Time
	done  atomic.Int64
	end   chan struct{}
	told  sync.WaitGroup
}

// newMeter starts a meter for total units of work, which writes a line at each interval every.
func newMeter(out io.Writer, who, units string, total int, every time.Duration) *meter {
	m := &meter{out: out, who: who, units: units, total: total, began: time.Now(), end: make(chan struct{})}
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
func (m *meter) add() { m.done.Add(1) }

// stop ends the meter.
func (m *meter) stop() {
	close(m.end)
	m.told.Wait()
}
