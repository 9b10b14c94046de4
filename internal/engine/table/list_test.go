package table_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/table"
)

// Lists that grow from the same list do not see each other, however often they grow.
func TestList(t *testing.T) {
	var l table.List[int]
	lists, want := []table.List[int]{l}, [][]int{nil}
	for i := range 200 {
		at := i * 7 % len(lists)
		lists = append(lists, lists[at].With(i))
		want = append(want, append(append([]int(nil), want[at]...), i))
	}
	for i, l := range lists {
		if diff := cmp.Diff(want[i], l.All()); diff != "" || l.Len() != len(want[i]) {
			t.Fatalf("list %d (-want +got)\n%s", i, diff)
		}
	}
}
