package board_test

import (
	"flag"
	"slices"
	"testing"
)

var speed = flag.Bool("speed", false, "measure how long the board takes until the first value (on a quiet machine)")

var firstVisits = flag.Int("visits", 5, "how many first visits of the site are measured")

// How long the board takes from loading until the first value beside a card, for drawn deals whose values the server does not know yet.
// `make proof NAME=board` logs it.
func TestFirstValue(t *testing.T) {
	if !*speed {
		t.Skip("make proof NAME=board measures it")
	}
	s := newSite(t)
	p := open(t, s, "/docs/errors")
	p.script(`new MutationObserver(() => {
		if (window.firstValue === undefined && document.querySelector('#felt .value:not(.late)')) window.firstValue = performance.now()
	}).observe(document, {childList: true, subtree: true, attributes: true})`)
	for _, what := range []string{"one position, known after the first time", "deals that are drawn, each new to the server"} {
		var took []float64
		for range 21 {
			eval[bool](p, "(localStorage.clear(), true)")
			p.navigate("/docs/errors")
			if what[0] == 'd' {
				p.navigate("/board")
			} else {
				p.navigate("/board" + example("KH").fragment(-1))
			}
			p.until("window.firstValue")
			took = append(took, eval[float64](p, "window.firstValue"))
		}
		slices.Sort(took)
		t.Logf("%s: from the start of loading to the first value %.0f ms in the median, %.0f to %.0f", what, took[len(took)/2], took[0],
			took[len(took)-1])
	}
}
