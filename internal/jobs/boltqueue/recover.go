package boltqueue

import (
	"slices"

	"go.uber.org/zap"

	"roem/internal/jobs"
)

// recover queues the tasks again that were running. It puts them at the end, so that a task that kills its process does not
// keep others from being run.
func (q *Queue) recover(t tx) error {
	var left []string
	c := t.in(inRunning).Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		left = append(left, string(k))
	}
	if len(left) == 0 {
		return nil
	}
	death := t.number(deathsKey) + 1
	if err := t.setNumber(deathsKey, death); err != nil {
		return err
	}
	works := make(map[string]taskRecord, len(left))
	for _, id := range left {
		w, err := t.task(id)
		if err != nil {
			return err
		}
		works[id] = w
	}
	slices.SortFunc(left, func(a, b string) int { return int(works[a].Started - works[b].Started) })
	for _, id := range left {
		w := works[id]
		w.Status = jobs.Queued // the time since it was started is not the time of an attempt: its cost is charged
		if err := t.in(inRunning).Delete([]byte(id)); err != nil {
			return err
		}
		log := q.options.Log.With(zap.String("task", id), zap.String("kind", w.Kind))
		if w.Deaths.Add(death) {
			log.Error("job failed: its process died too often", zap.Int("deaths", w.Deaths.Count))
			w.Failure = jobs.FailedWithProcess
			if err := t.finish(id, &w, jobs.Failed, q.options.Now(), q.options.Retention); err != nil {
				return err
			}
		} else {
			log.Warn("the process died while it ran a task: the task is queued again", zap.Int("deaths", w.Deaths.Count))
			if err := t.enqueue(id, &w); err != nil {
				return err
			}
		}
		if err := t.put(inTasks, id, w); err != nil {
			return err
		}
	}
	return nil
}
