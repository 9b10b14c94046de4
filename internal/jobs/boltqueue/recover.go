package boltqueue

import (
	"slices"

	"go.uber.org/zap"

	"roem/internal/jobs/decide"
	"roem/internal/jobs/queuekit"
)

// recover ends the attempts that were running when the last process died.
func (q *Queue) recover(t tx) error {
	left := t.running()
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
		end := w.Deaths.Died(death)
		if err := q.end(t, id, &w, end, nil); err != nil {
			return err
		}
		queuekit.LogEnd(q.options.Log.With(zap.String("task", id), zap.String("kind", w.Kind)), end)
	}
	return nil
}

// keepRunning gives the running tasks back that this process does not run. It is for a file that was replaced while it was open.
func (q *Queue) keepRunning(t tx) error {
	for _, id := range t.running() {
		w, err := t.task(id)
		if err != nil {
			return err
		}
		if r, ok := q.workers.Find(id); ok && r.epoch == w.Epoch {
			continue
		}
		if err := q.end(t, id, &w, decide.GivenBack(), nil); err != nil {
			return err
		}
		q.options.Log.Warn("a task is queued again that nobody runs", zap.String("task", id), zap.String("kind", w.Kind))
	}
	return nil
}

// running returns the running tasks.
func (t tx) running() (ids []string) {
	c := t.in(inRunning).Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		ids = append(ids, string(k))
	}
	return ids
}
