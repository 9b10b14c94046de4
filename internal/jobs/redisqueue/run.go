package redisqueue

import (
	"sync"
	"time"

	"go.uber.org/zap"

	"roem/internal/jobs/queuekit"
)

// run is a running attempt.
type run struct {
	queuekit.Attempt
	epoch string

	progressed chan struct{} // receives when there is progress that has not been written
}

// hooks returns what the queue does about its attempts.
func (q *Queue) hooks() queuekit.Hooks[*run] {
	return queuekit.Hooks[*run]{
		Began: func(r *run) func() {
			ended := make(chan struct{})
			var reports sync.WaitGroup
			reports.Go(func() { q.writeProgress(r, ended) })
			return func() {
				close(ended)
				reports.Wait()
			}
		},
		Works: q.works, Stopped: q.leave, Claim: q.claim, Holds: q.holds,
		Reported: func(r *run) { queuekit.Signal(r.progressed) }, Save: q.save, End: q.settle,
		Log: q.options.Log, MaxResult: q.options.MaxResult, Leaving: leaveTimeout, Closed: q.done,
	}
}

// holds reports whether the run still has its task. After an error it reports true.
func (q *Queue) holds(r *run) bool {
	raw, err := q.run(r.Context(), q.scripts.renew, q.renewArgs(r)...)
	if err != nil {
		return true
	}
	a := answer{raw: raw}
	return a.text(0) != "0"
}

// save stores the state of a run.
func (q *Queue) save(r *run, state []byte, room queuekit.Room) (waits bool, err error) {
	if _, err := q.run(r.Context(), q.scripts.note, r.Task.ID, r.epoch, "state", state); err != nil || room.Takers == nil {
		return false, err
	}
	return q.waits(r.Context(), room)
}

// writeProgress writes the progress of a run to Redis, at most once in each progressInterval.
func (q *Queue) writeProgress(r *run, ended <-chan struct{}) {
	for {
		select {
		case <-ended:
			return
		case <-r.progressed:
		}
		if _, err := q.run(r.Context(), q.scripts.note, r.Task.ID, r.epoch, "progress", r.Progress()); err != nil && r.Context().Err() == nil {
			q.options.Log.Warn("writing the progress of a job", zap.String("task", r.Task.ID), zap.Error(err))
		}
		select {
		case <-ended:
			return
		case <-time.After(progressInterval):
		}
	}
}
