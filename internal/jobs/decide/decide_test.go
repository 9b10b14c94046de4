package decide_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/jobs"
	"roem/internal/jobs/decide"
)

func TestView(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	stored := func(status jobs.Status) jobs.Job {
		return jobs.Job{
			Status: status, CreatedAt: at(10), StartedAt: at(20), FinishedAt: at(30), PositionInQueue: 3, Progress: []byte("p"), ResultSize: 5,
			Failure: jobs.FailedForGood, Error: []byte("e"),
		}
	}
	for _, test := range []struct {
		name      string
		job       jobs.Job
		cancelled time.Time
		want      jobs.Job
	}{
		{"queued", stored(jobs.Queued), time.Time{}, jobs.Job{
			Status: jobs.Queued, CreatedAt: at(10), StartedAt: at(20), FinishedAt: at(30), PositionInQueue: 3,
		}},
		{"running", stored(jobs.Running), time.Time{}, jobs.Job{
			Status: jobs.Running, CreatedAt: at(10), StartedAt: at(20), FinishedAt: at(30), Progress: []byte("p"),
		}},
		{"succeeded", stored(jobs.Succeeded), time.Time{}, jobs.Job{
			Status: jobs.Succeeded, CreatedAt: at(10), StartedAt: at(20), FinishedAt: at(30), Progress: []byte("p"), ResultSize: 5,
		}},
		{"failed", stored(jobs.Failed), time.Time{}, jobs.Job{
			Status: jobs.Failed, CreatedAt: at(10), StartedAt: at(20), FinishedAt: at(30), Progress: []byte("p"),
			Failure: jobs.FailedForGood, Error: []byte("e"),
		}},
		{"cancelled before its task began", stored(jobs.Running), at(15), jobs.Job{
			Status: jobs.Cancelled, CreatedAt: at(10), FinishedAt: at(15),
		}},
		{"cancelled by one owner, succeeded for others", stored(jobs.Succeeded), at(25), jobs.Job{
			Status: jobs.Cancelled, CreatedAt: at(10), StartedAt: at(20), FinishedAt: at(25),
		}},
		{
			"created after its task's end",
			jobs.Job{Status: jobs.Succeeded, CreatedAt: at(40), StartedAt: at(20), FinishedAt: at(30)},
			time.Time{},
			jobs.Job{Status: jobs.Succeeded, CreatedAt: at(40), StartedAt: at(40), FinishedAt: at(40)},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, decide.View(test.job, test.cancelled)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRefuse(t *testing.T) {
	o := jobs.Options{MaxQueued: 8, Reserved: 2, MaxOwned: 5, MaxCost: 10 * time.Second}
	full := func(queued int, reserved bool) error {
		return &jobs.FullError{Queued: queued, Max: 8, Reserved: reserved}
	}
	for _, test := range []struct {
		name string
		spec jobs.Spec
		load decide.Load
		want error
	}{
		{"nothing waits", jobs.Spec{}, decide.Load{}, nil},
		{"the last for an owner of whom one waits", jobs.Spec{}, decide.Load{Waiting: 5, Own: 1}, nil},
		{"reserved", jobs.Spec{}, decide.Load{Waiting: 6, Own: 1}, full(6, true)},
		{"reserved for this one", jobs.Spec{}, decide.Load{Waiting: 7}, nil},
		{"full", jobs.Spec{}, decide.Load{Waiting: 8}, full(8, false)},
		{"full, and one of its owner waits", jobs.Spec{}, decide.Load{Waiting: 9, Own: 1}, full(9, false)},
		{"as many as an owner may have", jobs.Spec{}, decide.Load{Unfinished: 4, Waiting: 1, Own: 1}, nil},
		{"too many", jobs.Spec{}, decide.Load{Unfinished: 5, Waiting: 8}, &jobs.TooManyError{Unfinished: 5, Max: 5}},
		{"as much as an owner may have", jobs.Spec{Cost: 4 * time.Second}, decide.Load{Own: 1, Cost: 6 * time.Second}, nil},
		{
			"too costly",
			jobs.Spec{Cost: 5 * time.Second},
			decide.Load{Own: 1, Waiting: 8, Cost: 6 * time.Second},
			&jobs.TooCostlyError{Waiting: 6 * time.Second, Cost: 5 * time.Second, Max: 10 * time.Second},
		},
		{
			"too costly beside any other",
			jobs.Spec{Cost: time.Hour},
			decide.Load{Own: 1, Cost: 1},
			&jobs.TooCostlyError{Waiting: 1, Cost: time.Hour, Max: 10 * time.Second},
		},
		{"its only one may cost more", jobs.Spec{Cost: time.Hour}, decide.Load{}, nil},
		{"no new one", jobs.Spec{NoNewTask: true}, decide.Load{Unfinished: 5}, jobs.ErrNewTask},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := decide.Refuse(&o, &test.spec, test.load)
			if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", test.want) { // with the numbers
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
	much := decide.Load{Unfinished: 1000, Own: 7, Waiting: 7, Cost: time.Hour}
	if err := decide.Refuse(&jobs.Options{MaxQueued: 8}, &jobs.Spec{Cost: time.Hour}, much); err != nil {
		t.Errorf("without bounds: %v", err)
	}
}

// A script compares a load with the bounds, and asks for the reason only beyond them. It must then get one, and no other load may have one.
func TestBoundsAreReasons(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 20_000 {
		o := jobs.Options{MaxQueued: 1 + random.IntN(4), MaxOwned: random.IntN(4), MaxCost: time.Duration(random.IntN(4)) * time.Second}
		o.Reserved = random.IntN(o.MaxQueued)
		spec := jobs.Spec{NoNewTask: random.IntN(8) == 0, Cost: time.Duration(random.IntN(4)) * time.Second}
		load := decide.Load{Unfinished: random.IntN(5), Waiting: random.IntN(6)}
		b := decide.Limits(&o, &spec)
		if b.AsksOwn(load.Waiting) {
			load.Own = random.IntN(1 + min(load.Waiting, load.Unfinished))
			load.Cost = time.Duration(load.Own*(1+random.IntN(3))) * time.Second
		}
		waiting := b.Waiting
		if load.Own > 0 {
			waiting = b.Behind
		}
		beyond := load.Unfinished > b.Unfinished || load.Waiting > waiting || load.Own > 0 && load.Cost > b.Cost
		err := decide.Refuse(&o, &spec, load)
		if beyond != (err != nil) {
			t.Fatalf("%+v, %+v, %+v: beyond the bounds %v, refused with %v", o, spec, load, beyond, err)
		}
		if beyond {
			refused++
		}
	}
	if refused < 1000 || refused > 19_000 {
		t.Errorf("%d of 20,000 were refused", refused)
	}
}

func TestEnded(t *testing.T) {
	fault := errors.New("x")
	for _, test := range []struct {
		name     string
		result   string
		err      error
		failures int
		stopping bool
		want     decide.End
	}{
		{"success", "ok", nil, 2, true, decide.End{Status: jobs.Succeeded, Result: []byte("ok"), Charge: true}},
		{"too large", "large", nil, 0, false, decide.End{Status: jobs.Failed, Failure: jobs.FailedTooLarge, Charge: true}},
		{"a failed attempt", "", fault, 1, false, decide.End{Status: jobs.Queued, Failures: 1, Forget: true, Charge: true}},
		{"the last attempt", "", jobs.WithDetail(fault, []byte("d")), 2, false, decide.End{
			Status: jobs.Failed, Failure: jobs.FailedTooOften, Error: []byte("d"), Charge: true,
		}},
		{"a detail beyond the bound", "", jobs.WithDetail(fault, make([]byte, decide.MaxDetail+1)), 2, false, decide.End{
			Status: jobs.Failed, Failure: jobs.FailedTooOften, Charge: true,
		}},
		{"permanent", "", jobs.Permanent(fault), 0, false, decide.End{Status: jobs.Failed, Failure: jobs.FailedForGood, Charge: true}},
		{"the process stops", "", jobs.Permanent(fault), 2, true, decide.End{Status: jobs.Queued, Attempts: -1, InPlace: true}},
		{"another's turn", "", jobs.ErrYield, 2, false, decide.End{Status: jobs.Queued, Attempts: -1, Charge: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := decide.Ended([]byte(test.result), test.err, test.failures, 3, test.stopping)
			if diff := cmp.Diff(test.want, got, cmpopts.IgnoreFields(decide.End{}, "Cause")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeaths(t *testing.T) {
	for _, test := range []struct {
		name    string
		numbers []uint64 // the deaths during which the task was running
		want    int      // the number of deaths after which the task fails; 0 for never
	}{
		{"every death", []uint64{7, 8, 9, 10}, 3},
		{"every second death", []uint64{1, 3, 5, 7, 9}, 0},
		{"two in a row, twice", []uint64{1, 2, 4, 5}, 0},
		{"every second death, six times", []uint64{1, 3, 5, 7, 9, 11}, 6},
		{"three in a row, later", []uint64{1, 5, 6, 7}, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			var d decide.Deaths
			got := 0
			for i, n := range test.numbers {
				end := d.Died(n)
				if end.Charge || end.Attempts != 0 {
					t.Errorf("a death is charged, or no attempt: %+v", end)
				}
				if end.Status == jobs.Failed {
					got = i + 1
					break
				}
			}
			if got != test.want {
				t.Errorf("the task fails after %d deaths, want %d", got, test.want)
			}
		})
	}
}

func TestTurns(t *testing.T) {
	for _, test := range []struct {
		name             string
		status           jobs.Status
		turn, cost, took int64
		by, behind       int64
	}{
		{"it took longer", jobs.Running, 50, 10, 30, 20, -1},
		{"it took less", jobs.Running, 50, 10, 4, -6, -1},
		{"a clock that was set back", jobs.Running, 50, 10, -4, -10, -1},
		{"it has not begun", jobs.Queued, 50, 10, 30, -10, 50},
	} {
		t.Run(test.name, func(t *testing.T) {
			if by, behind := decide.Charge(test.status, test.turn, test.cost, test.took); by != test.by || behind != test.behind {
				t.Errorf("by %d behind %d, want %d behind %d", by, behind, test.by, test.behind)
			}
		})
	}
	for _, test := range []struct {
		name              string
		turns             []int64
		by, reached, want int64
	}{
		{"none waits", nil, -10, 100, -10},
		{"later", []int64{120, 110}, 5, 100, 5},
		{"earlier", []int64{120, 110}, -5, 100, -5},
		{"not before the last started task", []int64{120, 110}, -50, 100, -10},
		{"the last started task is later", []int64{90}, -5, 100, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := decide.Shift(test.turns, test.by, test.reached); got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
		})
	}
}
