package roem_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	roem "roem/clients/go"
)

func position() roem.KlaverjasSolveRequest {
	return roem.KlaverjasSolveRequest{Trump: "S", Leader: "S", Hands: &roem.KlaverjasHandsInput{
		N: []roem.Card{"9C", "10C", "7D", "7H", "9H", "10H", "10S", "AS"},
		E: []roem.Card{"8C", "QC", "KC", "JD", "KD", "8H", "QH", "AH"},
		S: []roem.Card{"7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"},
		W: []roem.Card{"8D", "9D", "10D", "QD", "AD", "8S", "JS", "QS"},
	}}
}

// long returns a match that does not end while a test runs.
func long(seed string) roem.KlaverjasMatchRequest {
	return roem.KlaverjasMatchRequest{A: "pimc:100", B: "pimc:100", Deals: roem.Ptr(2000), Seed: seed}
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	ctx, c := t.Context(), start(t).client()
	solution := must(c.Solve(ctx, position()))(t)
	equal(t, solution.Exact, true)
	job := must(roem.Start(ctx, c, roem.JobKlaverjasSolve, position()))(t)
	equal(t, must(job.Wait(ctx))(t).Line, solution.Line)
	found := must(roem.FindJob(ctx, c, roem.JobKlaverjasSolve, job.ID()))(t)
	equal(t, must(found.Wait(ctx))(t).Line, solution.Line)
	match := must(c.Klaverjas.Match(ctx, roem.KlaverjasMatchRequest{A: "simple", B: "random", Deals: roem.Ptr(2), Seed: "1"}))(t)
	equal(t, match.Deals, 2)
}

func TestProblem(t *testing.T) {
	t.Parallel()
	ctx, c := t.Context(), start(t).client()
	twice := position()
	twice.Hands.N[7] = roem.CardKS
	_, err := c.Solve(ctx, twice)
	var problem *roem.ProblemDocument
	if !errors.As(err, &problem) {
		t.Fatal(err)
	}
	equal(t, []any{problem.Status, problem.Type}, []any{422, roem.ProblemTypeImpossible})
	equal(t, []any{problem.Code, problem.Pointer}, []any{roem.ErrorCodeCardTwice, "/hands/S/7"})
	if !regexp.MustCompile(`^\w+$`).MatchString(problem.RequestID) {
		t.Errorf("the request id is %q", problem.RequestID)
	}
	other := position()
	other.Trump = "X"
	_, err = c.Solve(ctx, other)
	if !errors.As(err, &problem) {
		t.Fatal(err)
	}
	equal(t, []any{problem.Code, problem.Pointer}, []any{roem.ErrorCodeNotASuit, "/trump"})
	equal(t, problem.Expected, &roem.Expected{OneOf: []string{"C", "D", "H", "S"}})
	right, wrong := must(roem.As[roem.KlaverjasPosition](position()))(t), must(roem.As[roem.KlaverjasPosition](twice))(t)
	request := roem.KlaverjasSolveBatchRequest{Positions: []roem.KlaverjasPosition{right, wrong}}
	batch := must(roem.Start(ctx, c, roem.JobKlaverjasSolveBatch, request))(t)
	results := must(batch.Wait(ctx))(t).Results
	equal(t, results[0].Answer.Outcome, must(c.Solve(ctx, position()))(t).Outcome)
	equal(t, []any{results[1].Answer, results[1].Err.Code}, []any{(*roem.KlaverjasSolution)(nil), roem.ErrorCodeCardTwice})
	_, err = roem.FindJob(ctx, c, roem.JobKlaverjasSolve, "nosuchjob")
	if !errors.As(err, &problem) || problem.Status != 404 {
		t.Error(err)
	}
}

func TestRefusal(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, status := range []int{429, 503} {
		s.tell(t, fmt.Sprintf("/refuse?status=%d&times=5&after=2", status))
		before := s.counts(t).Requests
		c, pauses := s.hasty(nil)
		must(c.Solve(t.Context(), position()))(t)
		equal(t, []int{s.counts(t).Requests - before, len(*pauses)}, []int{6, 5})
		for _, wait := range *pauses {
			if wait < 2*time.Second || wait > 6*time.Second {
				t.Errorf("%v for Retry-After: 2", wait)
			}
		}
	}
}

func TestPatience(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.tell(t, "/refuse?status=503&times=1000")
	c, pauses := s.hasty(nil)
	_, err := c.Solve(t.Context(), position())
	var problem *roem.ProblemDocument
	if !errors.As(err, &problem) || problem.Status != 503 {
		t.Error(err)
	}
	sum := time.Duration(0)
	for i, wait := range *pauses {
		most := time.Duration(min(8, 0.25*math.Exp2(float64(i))) * float64(time.Second))
		if wait < most/2 || wait > most {
			t.Errorf("wait %d is %v", i, wait)
		}
		sum += wait
	}
	if sum < 10*time.Second || sum > 20*time.Second {
		t.Errorf("it waited %v", sum)
	}
}

func TestEnds(t *testing.T) {
	t.Parallel()
	c := start(t).client()
	job := must(roem.Start(t.Context(), c, roem.JobKlaverjasMatch, long("5")))(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := job.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	var last error
	for _, last = range job.Events(ctx) {
		cancel()
	}
	if !errors.Is(last, context.Canceled) {
		t.Error(last)
	}
	check(t, job.Cancel(t.Context()))
	equal(t, job.State().Status, roem.JobStatusCancelled)
	_, err := job.Wait(t.Context())
	var cancelled *roem.JobCancelled
	if !errors.As(err, &cancelled) {
		t.Error(err)
	}
}

// deals returns random deals as positions.
func deals(t *testing.T, c *roem.Client, n uint64) roem.KlaverjasSolveBatchRequest {
	t.Helper()
	var request roem.KlaverjasSolveBatchRequest
	for seed := range n {
		deal := must(c.Klaverjas.RandomDeal(t.Context(), roem.KlaverjasRandomDealQuery{Seed: roem.Index(seed), Trump: "H", Leader: "N"}))(t)
		request.Positions = append(request.Positions, must(roem.As[roem.KlaverjasPosition](deal.Position))(t))
	}
	return request
}

func outcomes(t *testing.T, batch *roem.KlaverjasSolveBatch) (all []int) {
	t.Helper()
	for _, result := range batch.Results {
		if result.Err != nil {
			t.Fatal(result.Err)
		}
		all = append(all, *result.Answer.Outcome)
	}
	return all
}

// play plays a hand with advice, and solves 200 deals as a job. It returns what it was answered.
func play(t *testing.T, c *roem.Client) []any {
	t.Helper()
	ctx, answers := t.Context(), []any(nil)
	hand := must(c.Klaverjas.CreateSession(ctx, roem.KlaverjasSessionRequest{
		Trump: "H", Leader: "W", Seed: "7", Players: &roem.KlaverjasSessionPlayersInput{Partner: "simple", Opponents: "simple"},
	}))(t)
	for hand.State == roem.KlaverjasSessionStatePlaying {
		request := must(roem.As[roem.KlaverjasAdviseRequest](hand.View))(t)
		request.Worlds, request.Seed = roem.Ptr(4), "1"
		advice := must(c.Klaverjas.Advise(ctx, request))(t)
		answers = append(answers, advice.Cards)
		hand = must(c.Klaverjas.SessionPlay(ctx, hand.ID, roem.KlaverjasSessionPlayRequest{Acts: hand.Acts, Card: advice.Cards[0].Card}))(t)
	}
	job := must(roem.Start(ctx, c, roem.JobKlaverjasSolveBatch, deals(t, c, 200)))(t)
	last := roem.JobState{}
	for state, err := range job.Events(ctx) {
		check(t, err)
		last = state
	}
	equal(t, last.Status, roem.JobStatusSucceeded)
	return append(answers, outcomes(t, must(job.Wait(ctx))(t)), hand.Totals, hand.Acts)
}

func TestCut(t *testing.T) {
	t.Parallel()
	whole := start(t)
	want := play(t, whole.client())
	s := start(t)
	s.tell(t, "/cut?every=3")
	c, _ := s.hasty(nil)
	equal(t, play(t, c), want)
	after := s.counts(t)
	if after.Cut < 50 {
		t.Errorf("%d answers were cut", after.Cut)
	}
	equal(t, []int{after.Jobs, after.Sessions}, []int{1, 1})
	// What is created and ended, is created and ended once.
	var ids []string
	for range 6 {
		ids = append(ids, must(c.Klaverjas.CreateSession(t.Context(), roem.KlaverjasSessionRequest{}))(t).ID)
	}
	equal(t, s.counts(t).Sessions, 7)
	for _, id := range ids {
		check(t, c.Klaverjas.EndSession(t.Context(), id))
	}
	equal(t, s.counts(t).Sessions, 1)
	var problem *roem.ProblemDocument
	if err := whole.client().Klaverjas.EndSession(t.Context(), ids[0]); !errors.As(err, &problem) || problem.Status != 404 {
		t.Errorf("a session that there is not was ended: %v", err)
	}
}

// TestRefusedForTenSeconds refuses until a client has waited ten seconds, with 429 and then with 503.
func TestRefusedForTenSeconds(t *testing.T) {
	t.Parallel()
	s := start(t)
	for i, status := range []int{429, 503} {
		request := deals(t, s.client(), uint64(20+i))
		want := outcomes(t, must(s.client().Klaverjas.SolveBatch(t.Context(), request))(t))
		waited := time.Duration(0)
		c, _ := s.hasty(func(wait time.Duration) {
			if waited += wait; waited >= 10*time.Second {
				s.tell(t, "/refuse?times=0")
			}
		})
		before := s.counts(t).Jobs
		s.tell(t, fmt.Sprintf("/refuse?status=%d&times=1000", status))
		job := must(roem.Start(t.Context(), c, roem.JobKlaverjasSolveBatch, request, roem.IdempotencyKey(fmt.Sprint("ten-seconds-", status))))(t)
		equal(t, outcomes(t, must(job.Wait(t.Context()))(t)), want)
		equal(t, s.counts(t).Jobs, before+1)
		if waited < 10*time.Second {
			t.Errorf("it waited %v", waited)
		}
	}
}

// TestStreamGoesOn cuts each stream in its second event, and looks at what the client asks for then.
func TestStreamGoesOn(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, _ := s.hasty(nil)
	job := must(roem.Start(t.Context(), c, roem.JobKlaverjasMatch, long("3")))(t)
	s.tell(t, "/cut?every=1")
	var seen []roem.JobState
	for state, err := range job.Events(t.Context()) {
		check(t, err)
		if seen = append(seen, state); len(seen) == 4 {
			s.tell(t, "/cut?every=0")
			check(t, job.Cancel(t.Context()))
		}
	}
	equal(t, seen[len(seen)-1].Status, roem.JobStatusCancelled)
	streams, ids, after := s.streams(t), map[string]bool{}, ""
	if len(streams) < 4 {
		t.Errorf("%d streams", len(streams))
	}
	for i, one := range streams {
		if one.After != after {
			t.Errorf("stream %d goes on after %q, want %q", i, one.After, after)
		}
		for _, id := range one.Sent {
			ids[id], after = true, id
		}
	}
	equal(t, len(ids), len(seen)) // each event came once
	for range job.Events(t.Context()) {
		seen = append(seen, job.State())
	}
	equal(t, len(ids)+1, len(seen)) // a new iterator begins anew
}

// TestRestart kills the server while a job runs and its events are read, and starts it again.
func TestRestart(t *testing.T) {
	t.Parallel()
	s := start(t)
	ctx, c := t.Context(), s.client()
	job := must(roem.Start(ctx, c, roem.JobKlaverjasMatch, long("4")))(t)
	var attempts []int
	for state, err := range job.Events(ctx) {
		check(t, err)
		if state.Status != roem.JobStatusRunning || len(attempts) > 0 && attempts[len(attempts)-1] == state.Attempts {
			continue
		}
		if attempts = append(attempts, state.Attempts); len(attempts) == 1 {
			s.tell(t, "/restart")
		} else {
			check(t, job.Cancel(ctx))
		}
	}
	equal(t, attempts, []int{1, 2})
	found := must(roem.FindJob(ctx, c, roem.JobKlaverjasMatch, job.ID()))(t)
	var cancelled *roem.JobCancelled
	if _, err := found.Wait(ctx); !errors.As(err, &cancelled) {
		t.Error(err)
	}

	request := deals(t, c, 400)
	batch := must(roem.Start(ctx, c, roem.JobKlaverjasSolveBatch, request))(t)
	for state, err := range batch.Events(ctx) {
		check(t, err)
		if state.Status == roem.JobStatusRunning {
			break
		}
	}
	s.tell(t, "/restart")
	results := outcomes(t, must(batch.Wait(ctx))(t))
	equal(t, []int{len(results), batch.State().Attempts, s.counts(t).Jobs}, []int{400, 2, 2})
	for _, i := range []int{0, 200, 399} {
		solution := must(c.Solve(ctx, must(roem.As[roem.KlaverjasSolveRequest](request.Positions[i]))(t)))(t)
		equal(t, results[i], *solution.Outcome)
	}
}

// TestReadme runs the program of the README.
func TestReadme(t *testing.T) {
	t.Parallel()
	s, folder := start(t), t.TempDir()
	readme := string(must(os.ReadFile("README.md"))(t))
	found := regexp.MustCompile("(?s)```go\n(   package main.*?)```").FindStringSubmatch(readme)
	server := fmt.Sprintf("%q, roem.Settings{Key: %q}", s.URL, s.Key)
	program := strings.Replace(found[1], `"http://localhost:8080", roem.Settings{}`, server, 1)
	check(t, os.WriteFile(filepath.Join(folder, "main.go"), []byte(program), 0o600))
	here := must(filepath.Abs("."))(t)
	for _, arguments := range [][]string{
		{"mod", "init", "first"}, {"mod", "edit", "-require", "roem/clients/go@v0.0.0", "-replace", "roem/clients/go=" + here}, {"run", "."},
	} {
		command := exec.CommandContext(t.Context(), "go", arguments...)
		command.Dir = folder
		out, err := command.CombinedOutput()
		if err != nil || arguments[0] == "run" && !strings.Contains(string(out), " [") {
			t.Fatalf("%v: %s", err, out)
		}
	}
}

func TestHelpers(t *testing.T) {
	t.Parallel()
	equal(t, []int{
		roem.OutcomeFor(roem.KlaverjasTeamNS, 52, roem.KlaverjasTeamNS), roem.OutcomeFor(roem.KlaverjasSeatE, 52, roem.KlaverjasTeamNS),
		roem.OutcomeFor(roem.KlaverjasSeatW, -200, roem.KlaverjasTeamEW),
	}, []int{52, -52, -200})
	equal(t, []any{roem.TeamOf("S"), roem.TeamOf("W")}, []any{roem.KlaverjasTeamNS, roem.KlaverjasTeamEW})
	after := []roem.KlaverjasSeat{roem.SeatAfter("W", 1), roem.SeatAfter("N", 2), roem.SeatAfter("N", -1)}
	equal(t, after, []roem.KlaverjasSeat{"N", "S", "W"})
	equal(t, roem.Seating("S", [4]string{"Ann", "Bob", "Cas", "Dee"}),
		map[roem.KlaverjasSeat]string{"N": "Cas", "E": "Dee", "S": "Ann", "W": "Bob"})
	const exact = 99561092450390998 // as a float64 it ends with 992
	c := start(t).client()
	deal := must(c.Klaverjas.DealAt(t.Context(), roem.Index(exact), roem.KlaverjasDealAtQuery{Trump: "H", Leader: "N"}))(t).Deal
	equal(t, must(roem.ParseIndex(deal.Index))(t), uint64(exact))
}
