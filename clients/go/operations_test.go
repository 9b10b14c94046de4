package roem_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	roem "roem/clients/go"
)

// asked keeps what a client asks: the form of the answer, the method and the path.
type asked map[string]bool

func (a asked) RoundTrip(r *http.Request) (*http.Response, error) {
	form := "application/json"
	if r.Header.Get("Accept") == "text/event-stream" || strings.HasSuffix(r.URL.Path, "/events") {
		form = "text/event-stream"
	}
	a[fmt.Sprintf("%s %s %s", form, r.Method, r.URL.Path)] = true
	answer := &http.Response{StatusCode: http.StatusNoContent, Header: http.Header{}, Body: http.NoBody, Request: r}
	if form == "application/json" {
		answer.StatusCode = http.StatusOK
		answer.Body = io.NopCloser(strings.NewReader(`{"id": "x", "status": "queued", "jobs": [{"id": "x", "status": "queued"}]}`))
	}
	return answer, nil
}

// inContract returns what a client must be able to ask.
func inContract(t *testing.T) asked {
	t.Helper()
	var contract struct {
		Paths map[string]map[string]struct {
			LeftOut   string `json:"x-not-in-clients"`
			Responses map[string]struct{ Content map[string]any }
		}
	}
	check(t, json.Unmarshal(must(os.ReadFile("../../api/openapi.json"))(t), &contract))
	all := asked{}
	for path, item := range contract.Paths {
		for method, operation := range item {
			forms := slices.Collect(maps.Keys(operation.Responses["200"].Content))
			if len(forms) == 0 {
				forms = []string{"application/json"}
			}
			for _, form := range forms {
				if operation.LeftOut == "" {
					all[fmt.Sprintf("%s %s %s", form, strings.ToUpper(method), regexp.MustCompile(`\{\w+\}`).ReplaceAllString(path, "x"))] = true
				}
			}
		}
	}
	return all
}

// TestEveryOperation calls every method of the client, and compares what it asks with the operations of the contract.
func TestEveryOperation(t *testing.T) {
	t.Parallel()
	ctx, got := t.Context(), asked{}
	c := roem.New("http://localhost", roem.Settings{HTTP: &http.Client{Transport: got}})
	fields := reflect.ValueOf(c).Elem()
	for i := range fields.NumField() {
		for j := range fields.Field(i).NumMethod() {
			if fields.Type().Field(i).IsExported() {
				callWithX(t, fields.Field(i).Method(j))
			}
		}
	}
	job := must(roem.Start(ctx, c, roem.JobKlaverjasSolve, position()))(t)
	must(roem.FindJob(ctx, c, roem.JobKlaverjasSolve, "x"))(t)
	for listed, err := range c.Jobs(ctx, roem.JobsQuery{}) {
		check(t, err)
		equal(t, listed.ID(), "x")
	}
	must(c.Version(ctx))(t)
	must(job.Token(ctx))(t)
	for _, err := range job.Events(ctx) {
		t.Error(err)
	}
	check(t, job.Cancel(ctx))
	for _, one := range slices.Sorted(maps.Keys(inContract(t))) {
		if !got[one] {
			t.Errorf("no method asks %s", one)
		}
		delete(got, one)
	}
	if len(got) > 0 {
		t.Errorf("the contract does not have %v", got)
	}
}

// callWithX calls a method with the text x for each text, and without anything else. It reads the stream that it may return.
func callWithX(t *testing.T, method reflect.Value) {
	t.Helper()
	given := []reflect.Value{reflect.ValueOf(t.Context())}
	for i := 1; i < method.Type().NumIn(); i++ {
		if in := method.Type().In(i); in.Kind() == reflect.String {
			given = append(given, reflect.ValueOf("x"))
		} else if !method.Type().IsVariadic() || i < method.Type().NumIn()-1 {
			given = append(given, reflect.Zero(in))
		}
	}
	if answer := method.Call(given)[0]; answer.Kind() == reflect.Func {
		for _, err := range answer.Seq2() {
			t.Error(err)
		}
	}
}

func TestJobs(t *testing.T) {
	t.Parallel()
	ctx, c := t.Context(), start(t).client()
	var ids []string
	for n := range 21 {
		match := roem.KlaverjasMatchRequest{A: "simple", B: "random", Deals: roem.Ptr(1), Seed: fmt.Sprint(n)}
		ids = append(ids, must(roem.Start(ctx, c, roem.JobKlaverjasMatch, match))(t).ID())
	}
	list := func(query roem.JobsQuery) (all []string) {
		for job, err := range c.Jobs(ctx, query) {
			check(t, err)
			all = append(all, job.ID())
			must(job.Wait(ctx))(t)
		}
		return all
	}
	all := list(roem.JobsQuery{})
	slices.Reverse(all)
	equal(t, all, ids)
	equal(t, len(list(roem.JobsQuery{IDs: []string{ids[3], ids[7]}})), 2)
	equal(t, len(list(roem.JobsQuery{IDs: ids[:1], Status: roem.JobStatusCancelled})), 0)
}

func TestAdviceAsStream(t *testing.T) {
	t.Parallel()
	s := start(t)
	view := roem.KlaverjasAdviseRequest{
		Trump: "S", Leader: "S", Seat: "S", Hand: []roem.Card{"7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"},
		Played: []roem.Card{"KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S", "QS", "AS", "JD", "9S"}, Worlds: roem.Ptr(400), Seed: "1",
	}
	var used []int
	for advice, err := range s.client().Klaverjas.AdviseStream(t.Context(), view) {
		check(t, err)
		used = append(used, advice.Worlds.Used)
	}
	if len(used) < 2 || used[0] != 100 || !slices.IsSorted(used) {
		t.Errorf("answers of %v worlds", used)
	}
	for range s.client().Klaverjas.AdviseStream(t.Context(), view) {
		break // a loop can end when the answer is good enough
	}
	var last error
	wrong := view
	wrong.Trump = "X"
	for _, last = range s.client().Klaverjas.AdviseStream(t.Context(), wrong) {
	}
	var problem *roem.ProblemDocument
	if !errors.As(last, &problem) {
		t.Error(last)
	}
	s.tell(t, "/cut?every=1")
	c, _ := s.hasty(nil)
	for _, last = range c.Klaverjas.AdviseStream(t.Context(), view) {
	}
	var broken *roem.ConnectionError
	if !errors.As(last, &broken) || !strings.Contains(last.Error(), "broken before its end") {
		t.Error(last)
	}
}

func TestGetSession(t *testing.T) {
	t.Parallel()
	ctx, c := t.Context(), start(t).client()
	made := must(c.Klaverjas.CreateSession(ctx, roem.KlaverjasSessionRequest{}))(t)
	equal(t, must(c.Klaverjas.GetSession(ctx, made.ID))(t), must(c.Klaverjas.Session(ctx, made.ID))(t))
}
