package test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/redisqueue"
	"roem/internal/redistest"
	"roem/internal/sessions"
	"roem/internal/testkit"
)

// TestLaggingReplicas counts what a failover loses while both replicas are a second behind: what was confirmed in that second without
// jobs.replicas, and nothing with it, since nothing is confirmed then.
func TestLaggingReplicas(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it also runs without the race detector, with the same code")
	}
	for replicas := range 2 {
		t.Run(fmt.Sprint("jobs.replicas ", replicas), func(t *testing.T) {
			l := newLagging(t, replicas)
			l.write(t, 200*time.Millisecond)
			before := l.confirmed()
			l.failover(t, func() { l.write(t, time.Second) })
			lost, behind := l.lost(t)
			t.Logf("confirmed: %d jobs and acts before the replicas lag, %d in its second; lost: %d jobs and the last acts of %d sessions",
				before, l.confirmed()-before, lost, behind)
			if before == 0 {
				t.Error("nothing was confirmed before the replicas lag")
			}
			if replicas == 0 && (lost == 0 || behind == 0) {
				t.Error("the replicas did not lag")
			}
			if replicas > 0 && lost+behind > 0 {
				t.Error("something that was confirmed is lost")
			}
		})
	}
}

// lagging writes to a Redis with replicas, and knows what was confirmed.
type lagging struct {
	group *redistest.Group
	queue *redisqueue.Queue
	store *sessions.Redis
	ids   []string         // of the jobs that were confirmed
	acts  []sessions.Entry // each session after its last act that was confirmed
	made  int              // acts
}

func newLagging(t *testing.T, replicas int) *lagging {
	t.Helper()
	l := &lagging{group: redistest.StartGroup(t)}
	var err error
	if l.queue, err = redisqueue.Open(t.Context(), redisqueue.Options{URL: l.group.URL(), Replicas: replicas}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.queue.Close() })
	if l.store, err = sessions.NewRedis(sessions.RedisOptions{URL: l.group.URL(), Replicas: replicas}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.store.Close() })
	for i := range 20 {
		one, err := l.store.Create(t.Context(), sessions.New{ID: fmt.Sprint("session ", i), Owner: "o", Value: []byte("0")})
		if err != nil {
			t.Fatal(err)
		}
		l.acts = append(l.acts, one)
	}
	return l
}

func (l *lagging) confirmed() int { return len(l.ids) + l.made }

// write creates jobs and changes sessions for a time.
func (l *lagging) write(t *testing.T, d time.Duration) {
	t.Helper()
	for n, end := 0, time.Now().Add(d); time.Now().Before(end); n++ {
		if job, _, err := l.queue.Submit(t.Context(), jobs.Spec{Kind: "k", Owner: "o", Payload: []byte(strconv.Itoa(len(l.ids)))}); err == nil {
			l.ids = append(l.ids, job.ID)
		}
		one := &l.acts[n%len(l.acts)]
		if after, err := l.store.Swap(t.Context(), one.ID, one.Version, []byte(strconv.Itoa(l.made+1)), false); err == nil {
			*one, l.made = after, l.made+1
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// failover stops the replicas, does something, and kills the primary. The replicas go on from what they had read: what was on its way to
// them is lost.
func (l *lagging) failover(t *testing.T, meanwhile func()) {
	t.Helper()
	primary := l.group.Settled(t)
	for _, s := range l.group.Servers {
		if s != primary {
			// A replica that has just got all of the primary writes a new file first.
			testkit.Until(t, "a replica has its file", func() bool {
				text, err := adminOf(t, s).Info(t.Context(), "persistence").Result()
				return err == nil && strings.Contains(text, "aof_rewrite_in_progress:0") && strings.Contains(text, "aof_rewrite_scheduled:0")
			})
			s.Pause()
		}
	}
	meanwhile()
	primary.Kill()
	for _, s := range l.group.Servers {
		if s != primary {
			s.Kill()
			s.Restart()
		}
	}
	testkit.Until(t, "another primary takes changes", func() bool {
		_, err := l.store.Create(context.Background(), sessions.New{ID: "after", Owner: "other", Key: "after", Value: []byte("1")})
		return err == nil
	})
}

// lost returns how many jobs that were confirmed are gone, and how many sessions lack their last act that was confirmed.
func (l *lagging) lost(t *testing.T) (jobsLost, sessionsBehind int) {
	t.Helper()
	for _, id := range l.ids {
		if _, err := l.queue.Get(t.Context(), id); errors.Is(err, jobs.ErrNotFound) {
			jobsLost++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, one := range l.acts {
		now, err := l.store.Get(t.Context(), one.ID)
		if err != nil {
			t.Fatal(err)
		}
		is, err := strconv.Atoi(string(now.Value))
		was, wrong := strconv.Atoi(string(one.Value))
		if err := errors.Join(err, wrong); err != nil {
			t.Fatal(err)
		}
		if is < was { // an act that was made but not confirmed may be there too
			sessionsBehind++
		}
	}
	return jobsLost, sessionsBehind
}
