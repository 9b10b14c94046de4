package tarokist

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestClustering: the comparison does not depend on the number of workers, and its parts agree with each other.
func TestClustering(t *testing.T) {
	run := func(workers int) []Comparison {
		c := Clustering{Decisions: 20, Repeats: 2, Sizes: []int{3, 9}, Base: 40, Reference: 30, Depth: 6, Tricks: 12, Seed: 1, Workers: workers}
		list, err := c.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	list := run(1)
	if diff := cmp.Diff(list, run(2)); diff != "" {
		t.Errorf("two workers differ:\n%s", diff)
	}
	for _, x := range list {
		if x.Plain.Mean < 0 || x.Clustered.Mean < 0 || x.Better+x.Worse > x.Disagree+1e-12 {
			t.Errorf("%+v", x)
		}
		if diff := x.Plain.Mean - x.Clustered.Mean - x.Difference.Mean; diff > 1e-9 || diff < -1e-9 {
			t.Errorf("the difference of %+v is wrong by %g", x, diff)
		}
	}
	if list[0].Plain.Mean <= list[1].Plain.Mean {
		t.Errorf("more worlds do not reduce the regret: %+v", list)
	}
	if n := strings.Count(ClusteringTable(list), "\n"); n != 4 {
		t.Errorf("%d lines of Markdown", n)
	}
}
