package board_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// shortPauses notes every pause that the page asks for, and makes it short.
const shortPauses = `(wait => { window.pauses = []; window.setTimeout = (f, ms, ...more) => { if (ms > 100) window.pauses.push(ms); ` +
	`return wait(f, Math.min(ms, 5), ...more) } })(window.setTimeout)`

// watchTricks counts the complete tricks that are shown, and how many of them are not gathered.
const watchTricks = `(window.done = new Set(), window.left = 0, new MutationObserver(() => {
  const trick = document.querySelector('.trick.done')
  if (!trick) return
  window.done.add(trick.querySelector('h2').textContent)
  if (!trick.classList.contains('paced')) window.left++
}).observe(document.body, {childList: true, subtree: true, attributes: true}), true)`

// gathered is how many cards of the trick move toward its winner, and where their middle is then, in card widths to the right of and below
// the middle of the table.
const gathered = `(async () => {
  const trick = document.querySelector('.trick.done')
  const middle = e => (r => [r.x + r.width / 2, r.y + r.height / 2])(e.getBoundingClientRect())
  const moves = trick.getAnimations({subtree: true}).filter(a => a.animationName === 'gather')
  await Promise.all(moves.map(a => a.finished))
  const [cx, cy] = middle(trick), cards = [...trick.querySelectorAll('li')].map(middle), mean = i => cards.reduce((s, c) => s + c[i], 0) / 4
  const width = parseFloat(getComputedStyle(trick.querySelector('li')).width)
  return [moves.length, (mean(0) - cx) / width, (mean(1) - cy) / width]
})()`

// choosePace chooses a pace beside the table.
func (t *tab) choosePace(name string) {
	t.tb.Helper()
	eval[bool](t, fmt.Sprintf("(e => { e.value = %q; e.dispatchEvent(new Event('change', {bubbles: true})); return true "+
		"})(document.querySelector('#pace'))", name))
}

// The pace of the others' cards is chosen beside the table and kept. A trick is gathered toward its winner, unless the pace is off or the
// reader wants less motion: then it lies on the table for the same time.
func TestPace(t *testing.T) {
	t.Parallel()
	p := open(t, newSite(t), "/board"+southHolds)
	p.script(shortPauses)
	p.joinGame(1, "none")
	for _, pace := range []struct {
		name   string
		pauses []int
		motion string
	}{
		{"slow", []int{1200, 2700}, "no-preference"}, {"off", nil, "no-preference"}, {"fast", []int{250, 700}, "reduce"},
	} {
		p.until("document.querySelector('#felt .card.legal')")
		p.motion(pace.motion)
		p.choosePace(pace.name)
		eval[bool](p, "(window.pauses = [], true)")
		for range 2 {
			before := eval[int](p, "document.querySelectorAll('.own .slot').length")
			p.clickCard()
			p.until(fmt.Sprintf("document.querySelectorAll('.own .slot').length === %d && document.querySelector('#felt .card.legal')", before+1))
		}
		got := slices.Compact(slices.Sorted(slices.Values(eval[[]int](p, "window.pauses"))))
		for _, ms := range got {
			if !slices.Contains(pace.pauses, ms) {
				t.Errorf("%s, motion %s: pauses of %v milliseconds", pace.name, pace.motion, got)
			}
		}
		if len(got) == 0 && pace.pauses != nil {
			t.Errorf("%s, motion %s: no pause", pace.name, pace.motion)
		}
	}
	p.motion("no-preference")
	p.reload()
	p.until("document.querySelector('#pace')?.value === 'fast'")
	eval[bool](p, watchTricks)
	p.playHand()
	if done, left := eval[int](p, "window.done.size"), eval[int](p, "window.left"); done < 2 || left > 0 {
		t.Errorf("%d tricks were shown complete, and %d times not gathered", done, left)
	}
	p.until("document.querySelector('.trick.done.paced')")
	winner := eval[string](p, "document.querySelector('.trick.done').className.match(/to-(.)/)[1]")
	if at := eval[string](p, "document.querySelector('.trick .winning').className"); at != "at-"+winner+" winning" {
		t.Errorf("the trick is gathered to %s, won by the card %s", winner, at)
	}
	toward := map[string][2]float64{"N": {0, -1}, "S": {0, 1}, "W": {-1, 0}, "E": {1, 0}}[winner]
	got := eval[[3]float64](p, gathered)
	if along := got[1]*toward[0] + got[2]*toward[1]; got[0] != 4 || along < 1 {
		t.Errorf("won by %s: %v cards move, %.2f widths to the right and %.2f down", winner, got[0], got[1], got[2])
	}
	p.choosePace("off")
	if got := eval[[3]float64](p, gathered); got[0] != 0 {
		t.Errorf("off: %v cards move", got[0])
	}
	p.choosePace("slow")
	p.motion("reduce")
	if got := eval[[3]float64](p, gathered); got[0] != 0 {
		t.Errorf("with less motion %v cards move", got[0])
	}
}

// watchCalls notes how many calls of an auction the table shows, each time that the number changes.
const watchCalls = `(window.calls = [], new MutationObserver(() => {
  const list = document.querySelectorAll('#felt .called-by td, #felt .auction ol li')
  const n = [...list].filter(e => e.textContent !== '…').length
  if (list.length > 0 && n !== window.calls.at(-1)) window.calls.push(n)
}).observe(document.body, {childList: true, subtree: true, characterData: true}), true)`

// The calls of the others come at the chosen pace too: after a pass each call is shown alone.
func TestPaceOfCalls(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, game := range []struct {
		name, kept string
		more       map[string]any
	}{
		{"klaverjas", "game", map[string]any{"bidding": "free", "hands": 16}},
		{"belote", "belote-game", map[string]any{}},
		{"tarok", "tarok-game", map[string]any{}},
	} {
		t.Run(game.name, func(t *testing.T) {
			t.Parallel()
			page := map[string]string{"klaverjas": "/board"}[game.name]
			if page == "" {
				page = "/" + game.name
			}
			s.needs(t, page)
			p := open(t, s, "/docs/errors")
			path := "/v1/" + game.name + "/sessions"
			// begun begins a session of a seed; calls is how many calls it has. A second one tells what follows after a pass.
			begun := func(seed int) (g map[string]any, calls int) {
				body := maps.Clone(game.more)
				body["seed"] = itoa(seed)
				g = request[map[string]any](t, s, "POST", path, body)
				list, _ := g["calls"].([]any)
				return g, len(list)
			}
			var g map[string]any
			var before, after int
			for seed := 0; after < before+2; seed++ {
				var twin map[string]any
				if twin, before = begun(seed); twin["state"] != "bidding" {
					continue
				}
				id, _ := twin["id"].(string)
				twin = request[map[string]any](t, s, "POST", path+"/"+id+"/call", map[string]any{"acts": twin["acts"], "call": "pass"})
				list, _ := twin["calls"].([]any)
				if after = len(list); after >= before+2 {
					g, _ = begun(seed)
				}
			}
			eval[bool](p, fmt.Sprintf("(localStorage.setItem('roem.%s', %q), true)", game.kept, g["id"]))
			p.script(shortPauses)
			p.navigate(page + "#v=1&m=play")
			const pass = "document.querySelector('#felt [data-call=pass]:not([aria-disabled=true])')"
			p.until(pass)
			eval[bool](p, watchCalls)
			eval[bool](p, "(window.pauses = [], true)")
			eval[bool](p, pass+".click() ?? true")
			p.until(fmt.Sprintf("window.calls.at(-1) === %d", after))
			got := eval[[]int](p, "window.calls")
			for i, n := range got {
				if i > 0 && n > got[i-1]+1 || n > before+1 && i == 0 {
					t.Errorf("the table showed %v calls after %d, one call each is wanted", got, before)
					break
				}
			}
			if pauses := eval[[]int](p, "window.pauses"); !slices.Contains(pauses, 650) {
				t.Errorf("pauses of %v milliseconds", pauses)
			}
		})
	}
}
