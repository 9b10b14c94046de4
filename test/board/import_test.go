package board_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"roem/api/apitest"
	"roem/internal/api"
)

// Every example of the contract that is a position can be imported, and the address of the board shows the same board in another tab.
func TestImport(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	doc, err := apitest.Document()
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string][]byte{}
	for _, path := range []string{"/v1/klaverjas/legal-moves", "/v1/klaverjas/solve", "/v1/klaverjas/analyse", "/v1/klaverjas/deals/index"} {
		for name, e := range doc.Paths.Find(path).Post.RequestBody.Value.Content["application/json"].Examples {
			text, err := json.Marshal(e.Value.Value)
			if err != nil {
				t.Fatal(err)
			}
			tests[path+" "+name] = text
		}
	}
	if len(tests) < 8 {
		t.Fatalf("the contract has only %d examples", len(tests))
	}
	p := open(t, s, "/board"+example().fragment(-1))
	p.valued()
	again := p.another("/board")
	for _, name := range slices.Sorted(maps.Keys(tests)) {
		var position map[string]any
		if err := json.Unmarshal(tests[name], &position); err != nil {
			t.Fatal(err)
		}
		delete(position, "goal")
		want := request[api.KlaverjasLegalMoves](t, s, "POST", "/v1/klaverjas/legal-moves", position)
		p.click("#import")
		p.until("document.getElementById('import-text')")
		eval[bool](p, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('input', {bubbles: true})); return true `+
			`})(document.getElementById('import-text'))`, tests[name]))
		before := hash(p)
		p.click("#import-do")
		p.until("!document.querySelector('dialog')")
		p.until(fmt.Sprintf("document.getElementById('outcome') && !document.querySelector('.value.late') && (location.hash !== %q || true)",
			before))
		if got := eval[int](p, "+document.getElementById('total-NS').textContent"); got != want.Score.NS.Tricks+want.Score.NS.Melds {
			t.Errorf("%s: N/S have %d points, by the API %d", name, got, want.Score.NS.Tricks+want.Score.NS.Melds)
		}
		legal := eval[[]string](p, `[...document.querySelectorAll('#felt .card.legal')].map(e => e.dataset.card)`)
		slices.Sort(legal)
		cards := slices.Sorted(slices.Values(want.Legal))
		if !slices.Equal(legal, cards) {
			t.Errorf("%s: the legal cards are %v, by the API %v", name, legal, cards)
		}
		again.navigate("/docs/errors")
		again.navigate("/board" + hash(p))
		again.until("document.getElementById('outcome') && !document.querySelector('.value.late')")
		if a, b := eval[string](p, state), eval[string](again, state); a != b {
			t.Errorf("%s: the address %s shows another board", name, hash(p))
		}
	}

	// What is wrong is said in words, by the server where it knows best.
	for text, want := range map[string]string{
		"hello":             "This is no JSON",
		`{"trump": "S"}`:    "names no deal",
		"99561092450391000": "99561092450390999",
		`{"trump":"S","leader":"N","deal":"0","played":["JH","JH"]}`: "/played/",
	} {
		p.click("#import")
		p.until("document.getElementById('import-text')")
		eval[bool](p, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('input', {bubbles: true})); return true `+
			`})(document.getElementById('import-text'))`, text))
		p.allow("status of 4")
		p.click("#import-do")
		p.until(fmt.Sprintf("document.getElementById('import-error').textContent.includes(%q)", want))
		p.click("dialog .dialog-head button")
		p.until("!document.querySelector('dialog')")
	}
}
