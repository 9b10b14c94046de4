package computation

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"roem/internal/testkit"
)

// The model test explores, for small configurations, every order in which callers join and leave, runs end, and the Scheduler closes.
// No goroutine runs: the test replaces Scheduler.spawn and ends each run itself. Each state is reached by a replay from a new
// Scheduler. A state that was already reached is not explored again. So the exploration of a configuration is complete, without a limit
// of depth. Without -long, an exploration of more than three callers leaves out most steps, by chance with a fixed seed.
//
// model_world_test.go has the world to which steps are applied. model_rules_test.go has the requirements of the specification for each
// step. model_invariants_test.go has the invariants after each step.

// caller describes a caller that joins once.
type caller struct {
	key        Key
	slot       bool // whether the computation needs a slot
	priority   Priority
	client     string
	job        bool // of the client
	deadline   deadline
	parent     int  // 1 + the caller whose computation is the waiter; 0 for none
	inline     bool // calls Do or TryDo instead of Join
	background bool // may call SetBackground
}

// deadline is the deadline of a caller. No time passes in the test, so two deadlines are enough: one that has passed and one that does
// not pass.
type deadline uint8

const (
	noDeadline deadline = iota
	passed              // the caller has not reacted yet
	far
)

// outcome is what a run returns.
type outcome uint8

const (
	returnsValue outcome = iota
	returnsError
	returnsDeadline
	returnsBusy
	panics
	returnsLimitedA // a LimitedError of client a
	returnsLimitedB
)

var outcomeNames = [...]string{"value", "error", "deadline", "busy", "panic", "limited a", "limited b"}

var errFailure = errors.New("failure")

// configuration is a set of callers and options to explore.
type configuration struct {
	name     string
	options  Options
	callers  []caller
	outcomes []outcome
}

func configurations() []configuration {
	all := []outcome{returnsValue, returnsError, returnsDeadline, panics}
	return []configuration{
		{
			name: "one key, three deadlines", options: Options{Slots: 1}, outcomes: all,
			callers: []caller{
				{key: "k", slot: true, priority: Urgent, deadline: passed, background: true},
				{key: "k", slot: true, priority: Urgent, deadline: far},
				{key: "k", slot: true, priority: Background},
			},
		},
		{
			name: "queue of one", options: Options{Slots: 1, Queue: 1}, outcomes: []outcome{returnsValue, panics},
			callers: []caller{
				{key: "k", slot: true, priority: Urgent, background: true},
				{key: "k", slot: true, priority: Background},
				{key: "l", slot: true, priority: Urgent, background: true},
				{key: "l", slot: true, priority: Urgent},
			},
		},
		{
			name: "queue full", options: Options{Slots: 1, Queue: 1}, outcomes: []outcome{returnsValue},
			callers: []caller{
				{key: "k", slot: true, priority: Urgent, background: true},
				{key: "l", slot: true, priority: Urgent, background: true},
				{key: "m", slot: true, priority: Urgent},
				{key: "m", slot: true, priority: Background},
			},
		},
		{
			name: "long queues", options: Options{Slots: 1, Queue: 2}, outcomes: []outcome{returnsValue, returnsDeadline},
			callers: []caller{
				{key: "k", slot: true, priority: Urgent, deadline: passed},
				{key: "k", slot: true, priority: Urgent},
				{key: "l", slot: true, priority: Urgent, background: true},
				{key: "m", slot: true, priority: Urgent, background: true},
			},
		},
		{
			name: "two slots", options: Options{Slots: 2, Queue: 1}, outcomes: []outcome{returnsValue, panics},
			callers: []caller{
				{key: "k", slot: true, priority: Urgent},
				{key: "k", slot: true, priority: Background},
				{key: "l", slot: true, priority: Background},
				{key: "m", slot: true, priority: Urgent},
			},
		},
		{
			name: "without a key, check and try", options: Options{Slots: 1, Queue: 1}, outcomes: []outcome{returnsValue, returnsError, panics},
			callers: []caller{
				{slot: true, priority: Urgent, inline: true, deadline: passed},
				{slot: true, priority: first},
				{slot: true, priority: ifFree, inline: true},
				{key: "k", slot: true, priority: Background},
			},
		},
		{
			name:    "limits of clients",
			options: Options{Slots: 1, Queue: 2, Limits: Limits{Searches: 1}}, outcomes: []outcome{returnsValue, returnsLimitedA, returnsLimitedB},
			callers: []caller{
				{key: "k", slot: true, priority: Urgent, client: "a"},
				{key: "k", slot: true, priority: Urgent, client: "b"},
				{key: "l", slot: true, priority: Background, client: "b"},
				{key: "m", slot: true, priority: Urgent, client: "a"},
			},
		},
		{
			name: "an error of another client without a key", options: Options{Slots: 1, Limits: Limits{Searches: 1}},
			outcomes: []outcome{returnsValue, returnsLimitedB},
			callers: []caller{
				{slot: true, priority: Urgent, client: "a", inline: true},
				{priority: Urgent, client: "a", inline: true},
				{key: "k", slot: true, priority: Background},
			},
		},
		{
			name: "one computation that waits for others", options: Options{Slots: 1}, outcomes: []outcome{
				returnsValue, returnsBusy,
				returnsLimitedA,
			},
			callers: []caller{
				{key: "p", priority: Urgent, client: "a", background: true},
				{key: "p", priority: Background, client: "b"},
				{key: "k", slot: true, priority: Urgent, parent: 1},
				{key: "k", slot: true, priority: Urgent, client: "b", deadline: far},
			},
		},
		{
			name: "two computations that wait for the same", options: Options{Slots: 1, Queue: 1}, outcomes: []outcome{returnsValue, returnsError},
			callers: []caller{
				{key: "p", priority: Urgent, background: true},
				{key: "q", priority: Background},
				{key: "k", slot: true, parent: 1},
				{key: "k", slot: true, parent: 2},
				{key: "l", slot: true, priority: Urgent},
			},
		},
		{
			name: "one computation that waits for another that waits", options: Options{Slots: 1}, outcomes: []outcome{returnsValue, returnsBusy},
			callers: []caller{
				{key: "p", priority: Urgent, background: true},
				{key: "q", parent: 1},
				{key: "q", priority: Background},
				{key: "k", slot: true, parent: 2},
				{key: "l", slot: true, priority: Background},
			},
		},
		{
			name: "a request with several parts, and no time left", options: Options{
				Slots: 1, Queue: 2,
				Limits: Limits{Time: 1e-9, Burst: time.Second},
			},
			outcomes: []outcome{returnsValue, returnsLimitedA},
			callers: []caller{
				{key: "p", priority: Urgent, client: "a", background: true},
				{key: "k", slot: true, parent: 1},
				{key: "l", slot: true, parent: 1},
				{key: "k", slot: true, priority: Urgent, client: "b"},
				{key: "l", slot: true, priority: Urgent, client: "a"},
			},
		},
		{
			name: "requests with parts, at the limit of requests", options: Options{
				Slots:  1,
				Limits: Limits{Searches: 1, Time: 1e-9, Burst: time.Second},
			},
			outcomes: []outcome{returnsValue, returnsError},
			callers: []caller{
				{key: "p", priority: Urgent, client: "a"},
				{key: "q", priority: Urgent, client: "a", background: true},
				{key: "k", slot: true, parent: 1},
				{key: "l", slot: true, parent: 1},
				{key: "k", slot: true, parent: 2},
			},
		},
		{
			name: "a job of a client without time", options: Options{Slots: 1, Limits: Limits{Searches: 1, Time: 1e-9, Burst: time.Second}},
			outcomes: []outcome{returnsValue, returnsLimitedA},
			callers: []caller{
				{key: "k", slot: true, priority: Urgent, client: "a", deadline: far},
				{key: "k", slot: true, priority: Background, client: "a", job: true},
				{key: "l", slot: true, priority: Background, client: "a", job: true},
				{key: "l", slot: true, priority: Urgent, client: "a", background: true},
			},
		},
		{
			name: "TryDo in a run", options: Options{Slots: 1}, outcomes: []outcome{returnsValue},
			callers: []caller{
				{key: "k", priority: Urgent, background: true},
				{slot: true, priority: ifFree, inline: true, parent: 1},
				{key: "l", slot: true, priority: Urgent},
			},
		},
	}
}

// action is a kind of step.
type action uint8

const (
	doJoin          action = iota // a caller joins
	doLeave                       // a caller leaves
	doSetBackground               // a caller makes its waiter one of a job
	doEnd                         // the run that has a caller's computation returns
	doClose
)

// step is one transition of the world.
type step struct {
	action  action
	caller  int
	outcome outcome
}

func (s step) String() string {
	switch s.action {
	case doJoin:
		return fmt.Sprint("join ", s.caller)
	case doLeave:
		return fmt.Sprint("leave ", s.caller)
	case doSetBackground:
		return fmt.Sprint("background ", s.caller)
	case doEnd:
		return fmt.Sprintf("end run of %d: %s", s.caller, outcomeNames[s.outcome])
	default:
		return "close"
	}
}

// underRaceDetector is set in race_test.go.
var underRaceDetector bool

func TestModel(t *testing.T) {
	t.Parallel()
	for _, c := range configurations() {
		if underRaceDetector && len(c.callers) > 3 {
			continue // it would take half a minute, and only one goroutine runs
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := &explorer{config: c, seen: map[string]bool{}}
			if len(c.callers) > 3 && !testkit.Long() {
				e.chance = rand.New(rand.NewPCG(1, 2))
			}
			if failed, err := e.explore(nil); err != nil {
				t.Fatalf("%v\nafter: %s", err, join(failed))
			}
			t.Logf("%d states, %d steps, %d ends, the longest sequence has %d steps", len(e.seen), e.steps, e.ends, e.longest)
			if e.ends == 0 {
				t.Error("no sequence ended")
			}
		})
	}
}

func join(steps []step) string {
	names := make([]string, len(steps))
	for i, s := range steps {
		names[i] = s.String()
	}
	return strings.Join(names, "; ")
}

// explorer explores the states of a configuration, depth first.
type explorer struct {
	config  configuration
	chance  *rand.Rand // which steps are left out; nil for none
	seen    map[string]bool
	steps   int // transitions
	ends    int // how often a state without enabled steps was reached
	longest int
}

// explore explores everything that can follow the steps. It returns the steps that led to an error.
func (e *explorer) explore(steps []step) ([]step, error) {
	w, err := replay(e.config, steps)
	if err != nil {
		return steps, err
	}
	e.longest = max(e.longest, len(steps))
	state := w.state()
	if e.seen[state] {
		return nil, nil
	}
	e.seen[state] = true
	next := w.enabled()
	if len(next) == 0 {
		e.ends++
		if err := w.empty(); err != nil {
			return steps, err
		}
	}
	if err := w.drain(); err != nil { // w is not used afterwards
		return steps, fmt.Errorf("when every run then returns a value: %w", err)
	}
	for _, one := range e.some(next) {
		e.steps++
		if failed, err := e.explore(append(slices.Clip(steps), one)); err != nil {
			return failed, err
		}
	}
	return nil, nil
}

// some returns the steps of a state to explore: all, or one of them and a half of the others.
func (e *explorer) some(steps []step) []step {
	if e.chance == nil || len(steps) == 0 {
		return steps
	}
	e.chance.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	return slices.Concat(steps[:1], slices.DeleteFunc(steps[1:], func(step) bool { return e.chance.IntN(2) != 0 }))
}

// replay applies the steps to a new world and checks it after the last step. The states before have already been checked.
func replay(c configuration, steps []step) (*world, error) {
	w := newWorld(c)
	for i, one := range steps {
		err := w.apply(one)
		if err == nil && i == len(steps)-1 {
			err = w.check()
		}
		if err != nil {
			return nil, err
		}
	}
	return w, nil
}
