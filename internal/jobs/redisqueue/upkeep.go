package redisqueue

import (
	"time"

	"roem/internal/jobs/queuekit"
)

// sweepLoop removes final jobs that are kept no longer, at intervals.
func (q *Queue) sweepLoop() {
	queuekit.Sweep(q.done, max(q.options.Retention/20, 100*time.Millisecond), q.options.Log, func() error {
		for {
			raw, err := q.run(q.ctx, q.scripts.sweep, q.options.MaxKept, q.keptBytes.Load())
			if n, _ := raw.(int64); err != nil || n == 0 {
				return err
			}
		}
	})
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
				q.workers.Stop(m.Payload)
			}
			q.notifier.Notify(m.Payload)
		}
	}
}
