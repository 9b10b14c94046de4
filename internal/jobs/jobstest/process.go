package jobstest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"roem/internal/jobs"
	"roem/internal/testkit"
)

// workerEnv makes a test binary a worker process. Its value is the Target of the store.
const workerEnv = "ROEM_TEST_WORKER"

// slotsEnv is the number of its slots.
const slotsEnv = "ROEM_TEST_WORKER_SLOTS"

// Main is the TestMain of packages that run the suite. In a worker process of the suite it opens the queue with the function
// and works it; otherwise it runs the tests.
func Main(m *testing.M, open func(target string) (jobs.Queue, error)) {
	target := os.Getenv(workerEnv)
	if target == "" {
		m.Run()
		return
	}
	if err := worker(target, open); err != nil {
		panic(err) // ends the process with a status and a message that the suite shows
	}
}

// request and response are lines between the suite and a worker process.
type request struct {
	N    int       `json:"n"`
	Op   string    `json:"op"` // submit, get, result or cancel
	Spec jobs.Spec `json:"spec"`
	ID   string    `json:"id"`
}

type response struct {
	N       int      `json:"n"`
	Job     jobs.Job `json:"job"`
	Result  string   `json:"result"`
	Created bool     `json:"created"`
	Err     string   `json:"err"`
}

// worker works its queue and serves requests from standard input until that ends.
func worker(target string, open func(string) (jobs.Queue, error)) error {
	q, err := open(target)
	if err != nil {
		return err
	}
	slots, err := strconv.Atoi(os.Getenv(slotsEnv))
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	worked := make(chan error, 1)
	go func() { worked <- q.Work(ctx, Handler, slots) }()

	var writing sync.Mutex
	write := func(r response) {
		raw, err := json.Marshal(r)
		if err != nil {
			return
		}
		writing.Lock()
		defer writing.Unlock()
		_, _ = os.Stdout.Write(append(raw, '\n'))
	}
	for !begun(ctx, q, slots) {
		time.Sleep(time.Millisecond)
	}
	write(response{})

	var asked sync.WaitGroup
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := bytes.Clone(lines.Bytes())
		asked.Go(func() {
			var r request
			if err := json.Unmarshal(line, &r); err != nil {
				return
			}
			write(r.answer(ctx, q))
		})
	}
	stop()
	asked.Wait()
	return errors.Join(<-worked, q.Close())
}

// answer does what a line asks for.
func (r request) answer(ctx context.Context, q jobs.Queue) response {
	answer := response{N: r.N}
	var err error
	switch r.Op {
	case "submit":
		answer.Job, answer.Created, err = q.Submit(ctx, r.Spec)
	case "get":
		answer.Job, err = q.Get(ctx, r.ID)
	case "result":
		var whole []byte
		whole, err = wholeResult(ctx, q, r.ID, 1<<10)
		answer.Result = string(whole)
	case "cancel":
		answer.Job, err = q.Cancel(ctx, r.ID)
	}
	if err != nil {
		answer.Err = err.Error()
	}
	return answer
}

// begun reports whether this process's Work has begun: the stats show its slots, or if it has none, a local job without an
// owner runs at once.
func begun(ctx context.Context, q jobs.Queue, slots int) bool {
	if slots > 0 {
		stats, err := q.Stats(ctx)
		return err == nil && stats.Slots >= slots
	}
	probe, _, err := q.Submit(ctx, jobs.Spec{Kind: "script", Local: true, Payload: Script{}.Bytes()})
	if err != nil {
		return false
	}
	if probe.Status == jobs.Queued {
		_, _ = q.Cancel(ctx, probe.ID)
		return false
	}
	return true
}

// Process is a worker process.
type Process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr bytes.Buffer

	writing sync.Mutex // held while a line is written to stdin, which blocks while the process is paused

	mu      sync.Mutex
	n       int
	waiting map[int]chan response
	gone    chan struct{} // closed when the process has ended
}

// ErrGone is the error of requests to a process that has ended.
var ErrGone = errors.New("the worker process has ended")

// StartProcess starts this test binary as a worker and waits until it works.
func StartProcess(tb testing.TB, target string, slots int) *Process {
	tb.Helper()
	p := &Process{waiting: map[int]chan response{}, gone: make(chan struct{})}
	p.cmd = exec.Command(os.Args[0], "-test.run=^$") //nolint:gosec,noctx // this very program; it is killed at the end of the test
	p.cmd.Env = append(os.Environ(), workerEnv+"="+target, slotsEnv+"="+strconv.Itoa(slots))
	p.cmd.Stderr = &p.stderr
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		tb.Fatal(err)
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	ready := make(chan response, 1)
	p.waiting[0] = ready
	go func() {
		lines := bufio.NewScanner(stdout)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var r response
			if json.Unmarshal(lines.Bytes(), &r) != nil {
				continue // half a line of a killed process
			}
			p.mu.Lock()
			ch := p.waiting[r.N]
			delete(p.waiting, r.N)
			p.mu.Unlock()
			if ch != nil {
				ch <- r
			}
		}
		_ = p.cmd.Wait()
		close(p.gone)
	}()
	tb.Cleanup(func() { p.Kill() })
	select {
	case <-ready:
	case <-p.gone:
		tb.Logf("a worker process died at its start: %s", p.stderr.String())
	case <-time.After(timeLimit):
		tb.Fatalf("the worker process does not start: %s", p.stderr.String())
	}
	return p
}

// Kill ends the process as kill -9 does and waits until it is gone.
func (p *Process) Kill() {
	_ = p.cmd.Process.Signal(syscall.SIGKILL)
	<-p.gone
}

// Pause stops the process with SIGSTOP until Resume.
func (p *Process) Pause() { _ = testkit.Pause(p.cmd.Process) }

// Resume continues a paused process.
func (p *Process) Resume() { _ = p.cmd.Process.Signal(syscall.SIGCONT) }

// Stop makes the process stop in order, and waits until it has ended.
func (p *Process) Stop(tb testing.TB) {
	tb.Helper()
	_ = p.stdin.Close()
	select {
	case <-p.gone:
	case <-time.After(timeLimit):
		tb.Fatal("the worker process does not stop")
	}
	if !p.cmd.ProcessState.Success() {
		tb.Fatalf("the worker process: %v: %s", p.cmd.ProcessState, p.stderr.String())
	}
}

// Gone returns a channel that is closed when the process has ended.
func (p *Process) Gone() <-chan struct{} { return p.gone }

// Submit submits a job in the process.
func (p *Process) Submit(spec jobs.Spec) (jobs.Job, error) {
	answer, err := p.ask(request{Op: "submit", Spec: spec})
	return answer.Job, err
}

// Get gets a job in the process.
func (p *Process) Get(id string) (jobs.Job, error) {
	answer, err := p.ask(request{Op: "get", ID: id})
	return answer.Job, err
}

// Result reads the result of a job in the process.
func (p *Process) Result(id string) (string, error) {
	answer, err := p.ask(request{Op: "result", ID: id})
	return answer.Result, err
}

// Cancel cancels a job in the process.
func (p *Process) Cancel(id string) (jobs.Job, error) {
	answer, err := p.ask(request{Op: "cancel", ID: id})
	return answer.Job, err
}

func (p *Process) ask(r request) (response, error) {
	ch := make(chan response, 1)
	p.mu.Lock()
	p.n++
	r.N = p.n
	p.waiting[r.N] = ch
	p.mu.Unlock()
	raw, err := json.Marshal(r)
	if err != nil {
		return response{}, err
	}
	p.writing.Lock()
	_, err = p.stdin.Write(append(raw, '\n'))
	p.writing.Unlock()
	if err != nil {
		return response{}, ErrGone
	}
	select {
	case answer := <-ch:
		if answer.Err != "" {
			return answer, errors.New(answer.Err)
		}
		return answer, nil
	case <-p.gone:
		select {
		case answer := <-ch: // received before the end
			if answer.Err == "" {
				return answer, nil
			}
		default:
		}
		return response{}, ErrGone
	}
}
