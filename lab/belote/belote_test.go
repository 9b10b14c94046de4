package belote

import (
	"bytes"
	"strings"
	"testing"

	"roem/internal/engine/belote/compare"
	"roem/internal/engine/belote/search"
)

// A median that is only a lower bound, because searches ended at the limit, is marked in the table and is an open bar in the figure.
func TestLowerBounds(t *testing.T) {
	known := compare.Row{Suits: 1, Way: compare.Way{Algorithm: search.AlphaBeta}, Deals: 4, Limited: 2, Min: 10, Median: 20, P90: 50, Max: 50}
	bound := compare.Row{Suits: 2, Way: compare.Way{Algorithm: search.Table}, Deals: 4, Limited: 3, Min: 10, Median: 50, P90: 50, Max: 50}
	rows := []compare.Row{known, bound}
	lines := strings.Split(string(CSV(rows)), "\n")
	if !strings.HasPrefix(lines[1], "1,alphabeta,points,false,4,2,10,20,false,") ||
		!strings.HasPrefix(lines[2], "2,table,points,false,4,3,10,50,true,") {
		t.Errorf("%q", lines)
	}
	drawn := Figure(rows, false)
	if n := bytes.Count(drawn, []byte("≥")); n != 1 {
		t.Errorf("%d bars are marked, want 1", n)
	}
	if !bytes.Contains(drawn, []byte("1 suit, 4 deals")) || !bytes.Contains(drawn, []byte("2 suits, 4 deals")) {
		t.Error("the groups are not named")
	}
	if bytes.Contains(Figure(rows[:1], false), []byte("≥")) {
		t.Error("a known median is marked")
	}
}
