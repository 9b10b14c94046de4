package service

import (
	"sync"

	"roem/internal/computation"
)

// Parts adds up the progress of a computation that has several parts, each of which may search. It is safe for concurrent use.
type Parts struct {
	task *computation.Task // nil for nobody who is told

	mu  sync.Mutex
	sum computation.Progress
}

// NewParts returns the progress of a task with that many parts. Without a task it is only added up.
func NewParts(task *computation.Task, of int) *Parts {
	p := &Parts{task: task, sum: computation.Progress{Of: of}}
	p.report()
	return p
}

func (p *Parts) report() {
	if p.task != nil {
		p.task.Report(p.sum)
	}
}

// Sum returns the progress so far.
func (p *Parts) Sum() computation.Progress {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sum
}

// Part returns the progress function of one part.
func (p *Parts) Part() func(computation.Progress) {
	var nodes uint64
	return func(one computation.Progress) {
		p.Add(0, one.Nodes-min(nodes, one.Nodes))
		nodes = max(nodes, one.Nodes)
	}
}

// Add adds finished parts and nodes, and reports the sum.
func (p *Parts) Add(done int, nodes uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sum.Done += done
	p.sum.Nodes += nodes
	p.report()
}

// Reach sets how many parts are finished.
func (p *Parts) Reach(done int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sum.Done = done
	p.report()
}

// More adds parts that were not planned.
func (p *Parts) More(of int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sum.Of += of
	p.report()
}
