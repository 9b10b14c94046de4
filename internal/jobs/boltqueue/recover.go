package boltqueue

import (
	"slices"

	"go.uber.org/zap"

	"roem/internal/jobs"
)

// recover queues again what was under way, at the end, so that what kills processes does not stand before all else.
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
	works := make(map[string]work, len(left))
	for _, id := range left {
		w, err := t.work(id)
		if err != nil {
			return err
		}
		works[id] = w
	}
	slices.SortFunc(left, func(a, b string) int { return int(works[a].Started - works[b].Started) })
	for _, id := range left {
		w := works[id]
		if err := t.in(inRunning).Delete([]byte(id)); err != nil {
			return err
		}
		log := q.options.Log.With(zap.String("work", id), zap.String("kind", w.Kind))
		if w.Deaths.Add(death) {
			log.Error("job failed: the process died whenever it was worked", zap.Int("deaths", w.Deaths.Count))
			w.Failure = jobs.FailedWithProcess
			if err := t.finish(id, &w, jobs.Failed, q.options.Now(), q.options.Retention); err != nil {
				return err
			}
		} else {
			log.Warn("the process died over a job: it is queued again", zap.Int("deaths", w.Deaths.Count))
			if err := t.enqueue(id, &w); err != nil {
				return err
			}
		}
		if err := t.put(inWorks, id, w); err != nil {
			return err
		}
	}
	return nil
}
