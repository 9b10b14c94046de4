package test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// hungUp is the status in the counts for requests whose client disconnected.
const hungUp = "hung up"

// stormTally counts the requests of a storm by result, and records its jobs and its wrong answers.
type stormTally struct {
	mu        sync.Mutex
	counts    map[stormOperation]map[string]int
	jobs      []stormJob // the last jobs
	cancelled map[string]bool
	wrong     []string
	wrongs    int
}

// stormJob holds the id of a job and its client.
type stormJob struct{ id, owner string }

// The maximum numbers of jobs that are checked after the storm, and of wrong answers that are reported.
const (
	stormJobsKept  = 1000
	stormWrongTold = 10
)

func newStormTally() *stormTally {
	return &stormTally{counts: make(map[stormOperation]map[string]int), cancelled: make(map[string]bool)}
}

func (s *stormTally) count(op stormOperation, what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts[op] == nil {
		s.counts[op] = make(map[string]int)
	}
	s.counts[op][what]++
}

// mistake records a wrong answer.
func (s *stormTally) mistake(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wrongs++; s.wrongs <= stormWrongTold {
		s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
	}
}

func (s *stormTally) job(id, owner string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.jobs = append(s.jobs, stormJob{id, owner}); len(s.jobs) > 2*stormJobsKept {
		s.jobs = slices.Clone(s.jobs[len(s.jobs)-stormJobsKept:])
	}
}

// cancels records that from now on the job may be cancelled.
func (s *stormTally) cancels(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancelled[id] = true
}

func (s *stormTally) mayBeCancelled(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cancelled[id]
}

// lastJobs returns the last jobs without repetitions.
func (s *stormTally) lastJobs() []stormJob {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen, jobs := make(map[stormJob]bool), []stormJob(nil)
	for _, j := range slices.Backward(s.jobs) {
		if !seen[j] && len(jobs) < stormJobsKept {
			seen[j] = true
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// sum returns the number of requests, and the number of them whose client disconnected.
func (s *stormTally) sum() (requests, hangUps int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, counts := range s.counts {
		for what, n := range counts {
			if requests += n; what == hungUp {
				hangUps += n
			}
		}
	}
	return requests, hangUps
}

// String returns a table of the statuses by operation.
func (s *stormTally) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	columns := make(map[string]bool)
	for _, counts := range s.counts {
		for what := range counts {
			columns[what] = true
		}
	}
	names := slices.Sorted(maps.Keys(columns))
	var b strings.Builder
	fmt.Fprintf(&b, "%-28s", "")
	for _, name := range names {
		fmt.Fprintf(&b, "%9s", name)
	}
	ops := slices.SortedFunc(maps.Keys(s.counts), func(a, b stormOperation) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	for _, op := range ops {
		fmt.Fprintf(&b, "\n%-28s", op)
		for _, name := range names {
			fmt.Fprintf(&b, "%9d", s.counts[op][name])
		}
	}
	return b.String()
}
