package redisqueue

import (
	"time"

	"go.uber.org/zap"
)

// sweepLoop removes final jobs that are kept no longer, at intervals.
func (q *Queue) sweepLoop() {
	tick := time.NewTicker(min(max(q.options.Retention/20, 100*time.Millisecond), time.Minute))
	defer tick.Stop()
	for {
		select {
		case <-q.done:
			return
		case <-tick.C:
		}
		for {
			raw, err := q.run(q.ctx, q.scripts.sweep, q.options.MaxKept, q.options.MaxBytes)
			if err != nil {
				if !q.closed() {
					q.options.Log.Warn("removing old jobs", zap.Error(err))
				}
				break
			}
			if n, _ := raw.(int64); n == 0 {
				break
			}
		}
	}
}

// receiveEvents passes the notifications of all processes on to watches and handlers.
func (q *Queue) receiveEvents() {
	events, stops := q.prefix+"events", q.prefix+"stops"
	sub := q.client.Subscribe(q.ctx, events, stops)
	defer func() { _ = sub.Close() }()
	messages := sub.Channel() // reconnects automatically
	for {
		select {
		case <-q.done:
			return
		case m, ok := <-messages:
			if !ok {
				return
			}
			if m.Channel == stops {
				q.stop(m.Payload)
			}
			q.notifier.Notify(m.Payload)
		}
	}
}
