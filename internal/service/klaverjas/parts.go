package klaverjas

import (
	"sync"

	"roem/internal/computation"
)

// parts adds up the progress of a computation that has several parts, each of which may search. It is safe for concurrent use.
type parts struct {
	task *computation.Task

	mu  sync.Mutex
	sum computation.Progress
}

func newParts(task *computation.Task, of int) *parts {
	p := &parts{task: task, sum: computation.Progress{Of: of}}
	task.Report(p.sum)
	return p
}

// part returns the progress function of one part.
func (p *parts) part() func(computation.Progress) {
	var nodes uint64
	return func(one computation.Progress) {
		p.add(0, one.Nodes-min(nodes, one.Nodes))
		nodes = max(nodes, one.Nodes)
	}
}

// add adds finished parts and nodes, and reports the sum.
func (p *parts) add(done int, nodes uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sum.Done += done
	p.sum.Nodes += nodes
	p.task.Report(p.sum)
}

// reach sets how many parts are finished.
func (p *parts) reach(done int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sum.Done = done
	p.task.Report(p.sum)
}

// more adds parts that were not planned.
func (p *parts) more(of int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sum.Of += of
	p.task.Report(p.sum)
}
