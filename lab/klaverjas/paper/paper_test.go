package paper_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/lab/klaverjas/dataset"
	"roem/lab/klaverjas/dataset/datasettest"
	"roem/lab/klaverjas/paper"
)

const docs = "../../docs/klaverjas/paper"

// smallSet makes a small data set of two shards, of which the given number is missing.
func smallSet(t *testing.T, rows uint64, goal search.Goal, missing int) *dataset.Set {
	t.Helper()
	return datasettest.Make(t, dataset.Settings{
		Sampling: dataset.ClassUniform, Goal: goal, Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Seed: 4, Rows: rows,
		ShardRows: int(rows / 2),
	}, missing)
}

// The results on a small set are the same with one worker and two, the counts are consistent, and the accuracies exceed a minimum.
func TestSmall(t *testing.T) {
	rows, trees, least := 3000, 16, 68.0 // percent; the worst model, a tree on ownership, is well above the share of wins
	if testing.Short() {                 // the race detector makes searches slow
		rows, trees, least = 400, 3, 50
	}
	set := smallSet(t, uint64(rows), search.Win, 0)
	run := func(o paper.Options) (*paper.Results, []byte) {
		r, err := paper.Run(t.Context(), set, o)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return r, text
	}
	share := 0.0
	r, one := run(paper.Options{Seed: 2, Trees: trees, Workers: 1, Told: func(more float64) { share += more }})
	_, two := run(paper.Options{Seed: 2, Trees: trees, Workers: 2})
	if !bytes.Equal(one, two) {
		t.Error("the results of two workers differ from the results of one")
	}
	if math.Abs(share-1) > 1e-9 {
		t.Errorf("the reported shares of the work sum to %g, expected 1", share)
	}
	_, other := run(paper.Options{Seed: 3, Trees: trees, Workers: 2})
	if bytes.Equal(one, other) {
		t.Error("another seed gives the same results")
	}

	if r.Data.Rows != rows || r.Folds[0].Rows+r.Folds[1].Rows != rows || r.Folds[0].Won+r.Folds[1].Won != r.Data.Won {
		t.Errorf("%d rows, folds %+v", r.Data.Rows, r.Folds)
	}
	columns := map[paper.Subset]int{paper.Ownership: 32, paper.Handcrafted: 111, paper.All: 143}
	judged := 0
	for _, a := range r.Accuracies {
		right := a.Right[0] + a.Right[1]
		if want := 100 * float64(right) / float64(rows); math.Abs(a.Percent-want) > 1e-9 {
			t.Errorf("%v: %g %%, expected %g", a.Cell, a.Percent, want)
		}
		if a.Columns != columns[a.Subset] {
			t.Errorf("%v: %d columns, expected %d", a.Cell, a.Columns, columns[a.Subset])
		}
		if a.Percent < least || a.Percent > 95 {
			t.Errorf("%v: %g %%", a.Cell, a.Percent)
		}
		if a.Cell == r.Judge {
			judged = right
		}
	}
	grouped, right, won := 0, 0, 0
	for _, e := range r.Effort {
		counted := 0
		for _, n := range e.Counts {
			counted += n
		}
		if counted != e.Rows || e.Low > e.Median || e.Median > e.High || e.High > e.Most || e.Most > r.Data.Nodes.Most {
			t.Errorf("group %+v", e)
		}
		grouped += e.Rows
		if e.Right {
			right += e.Rows
		}
		if e.Won {
			won += e.Rows
		}
	}
	if grouped != rows || right != judged || won != r.Data.Won {
		t.Errorf("groups have %d rows, %d right, %d won; expected %d, %d, %d", grouped, right, won, rows, judged, r.Data.Won)
	}
	sampled := 0
	for i, e := range r.Values {
		sampled += e.Rows
		if e.Won != r.Effort[i].Won || e.Right != r.Effort[i].Right || e.Rows > r.Effort[i].Rows {
			t.Errorf("group of the sample %+v", e)
		}
	}
	if mean := float64(rows) / 100; math.Abs(float64(sampled)-mean) > 5*math.Sqrt(mean) { // five standard deviations
		t.Errorf("the outcome of %d deals was determined, expected about 1 %% of %d", sampled, rows)
	}
	var sums [3]float64
	for i, x := range r.Importance {
		sums[0], sums[1], sums[2] = sums[0]+x.Ownership, sums[1]+x.Handcrafted, sums[2]+x.All
		if i < 32 && x.Handcrafted != 0 || i >= 32 && x.Ownership != 0 {
			t.Errorf("%s is in the wrong subset: %+v", x.Column, x)
		}
	}
	for _, sum := range sums {
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("importances sum to %g, expected 1", sum)
		}
	}
	files, err := paper.Render(r)
	if err != nil {
		t.Fatal(err)
	}
	if page := string(files["README.md"]); !strings.Contains(page, "deals, of the sampling class-uniform, seed") ||
		strings.Contains(page, "deals, one of each") {
		t.Errorf("the page does not say what the deals are:\n%s", page)
	}
}

func TestRefused(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name string
		ctx  context.Context
		set  *dataset.Set
		want string
	}{
		{"a shard is missing", t.Context(), smallSet(t, 20, search.Win, 1), "1 of 2 shards"},
		{"another goal", t.Context(), smallSet(t, 20, search.Value, 0), "goal value"},
		{"stopped", ended, smallSet(t, 20, search.Win, 0), context.Canceled.Error()},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := paper.Run(test.ctx, test.set, paper.Options{Trees: 1}); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, expected one with %q", err, test.want)
			}
		})
	}
	if _, err := paper.Render(&paper.Results{}); !errors.Is(err, paper.ErrResults) {
		t.Errorf("error %v, expected %v", err, paper.ErrResults)
	}
}

func shipped(t *testing.T) *paper.Results {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(docs, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r paper.Results
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// Every file of lab/docs/klaverjas/paper is what Render returns for the committed results.
func TestDocuments(t *testing.T) {
	files, err := paper.Render(shipped(t))
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(docs)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() == "results.json" {
			continue
		}
		want, ok := files[entry.Name()]
		if !ok {
			t.Errorf("Render does not write %s", entry.Name())
			continue
		}
		delete(files, entry.Name())
		got, err := os.ReadFile(filepath.Join(docs, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-from the results +there; roem-lab klaverjas paper render lab/docs/klaverjas/paper writes it)\n%s", entry.Name(), diff)
		}
	}
	for name := range files {
		t.Errorf("%s is missing", name)
	}
}

// The targets of the experiment: the number of rows, the share of wins, and every accuracy at most 0.3 percentage points below the
// paper's.
func TestTargets(t *testing.T) {
	r := shipped(t)
	if r.Data.Rows != 981_541 || r.Data.Sampling != dataset.Classes || r.Trees != paper.PaperTrees {
		t.Errorf("%d rows of sampling %s, %d trees", r.Data.Rows, r.Data.Sampling, r.Trees)
	}
	if share := 100 * float64(r.Data.Won) / float64(r.Data.Rows); math.Abs(share-53.83) > 0.3 {
		t.Errorf("%.2f %% won, expected 53.83", share)
	}
	for _, a := range r.Accuracies {
		if a.Percent < a.Paper-0.3 {
			t.Errorf("%v: %.2f %%, the paper has %.2f", a.Cell, a.Percent, a.Paper)
		}
	}
}

// Drawings are well-formed XML and contain neither NaN nor infinity.
func TestDrawings(t *testing.T) {
	files, err := paper.Render(shipped(t))
	if err != nil {
		t.Fatal(err)
	}
	drawings := 0
	for name, content := range files {
		if filepath.Ext(name) != ".svg" {
			continue
		}
		drawings++
		dec := xml.NewDecoder(bytes.NewReader(content))
		for {
			if _, err := dec.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		for _, bad := range []string{"NaN", "Inf", "%!"} {
			if bytes.Contains(content, []byte(bad)) {
				t.Errorf("%s contains %s", name, bad)
			}
		}
	}
	if drawings != 3 {
		t.Errorf("%d drawings, expected 3", drawings)
	}
}
