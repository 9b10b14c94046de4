package redisqueue

import (
	"context"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

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

// channels is how many channels a queue subscribes.
const channels = 3

func (q *Queue) subscribe(ctx context.Context) *redis.PubSub {
	return q.client.Subscribe(ctx, q.prefix+"events", q.prefix+"stops", q.prefix+"waits")
}

// receiveEvents passes the notifications of all processes on to watches, handlers and workers.
func (q *Queue) receiveEvents() {
	sub := q.subscribe(q.ctx)
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
			switch strings.TrimPrefix(m.Channel, q.prefix) {
			case "waits":
				q.workers.Offer()
			case "stops":
				q.workers.Stop(m.Payload)
				fallthrough
			case "events":
				q.notifier.Notify(m.Payload)
			}
		}
	}
}
