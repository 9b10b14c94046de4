package redisqueue

import (
	"time"

	"go.uber.org/zap"
)

// sweeping forgets what is kept no longer, now and then.
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
					q.options.Log.Warn("forgetting old jobs", zap.Error(err))
				}
				break
			}
			if n, _ := raw.(int64); n == 0 {
				break
			}
		}
	}
}

// listening hears what other processes change.
func (q *Queue) receiveEvents() {
	events, stops := q.prefix+"events", q.prefix+"stops"
	sub := q.client.Subscribe(q.ctx, events, stops)
	defer func() { _ = sub.Close() }()
	heard := sub.Channel() // connects anew by itself
	for {
		select {
		case <-q.done:
			return
		case m, ok := <-heard:
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
