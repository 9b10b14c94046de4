package board_test

import (
	"net/http"
	"testing"

	"roem/internal/web"
)

// kitPage is a page of a site that shows the board by two files of its own, as docs/how-to/analysis-without-a-server.md says.
const kitPage = `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Cards</title>
<script type="module" src="files/roem-board.js"></script></head><body><h1>A hand</h1>
<roem-board language="nl" theme="dark" position="v=1&amp;t=S&amp;l=S&amp;d=NS&amp;h=SENNSEESNWWWEWEWNENNSESESWSNWWSN&amp;p=KH8S7H8H&amp;i=2"></roem-board>
</body></html>`

// The board with values in a page of another site, by two files and without a server. The policy of the page is as strict as can be.
func TestBoardOfTwoFiles(t *testing.T) {
	t.Parallel()
	browser(t)
	kit, err := web.NewKit(pageWorker(t))
	if err != nil || len(kit) != 2 {
		t.Fatalf("%d files, %v", len(kit), err)
	}
	s := &site{url: serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, body := range kit {
			if r.URL.Path == "/files/"+name {
				w.Header().Set("Content-Type", map[bool]string{true: "application/wasm", false: "text/javascript"}[name == "klaverjas.wasm"])
				_, _ = w.Write(body)
				return
			}
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy",
			"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:")
		if r.URL.Path == "/" {
			_, _ = w.Write([]byte(kitPage))
		}
	})).URL}
	p := open(t, s, "/")
	const frame = "document.querySelector('roem-board iframe')?.contentDocument"
	valued := "(d => d?.querySelector('#outcome') && !d.querySelector('.value.late'))(" + frame + ")"
	p.until(valued)
	if got := eval[string](p, frame+".querySelector('.count').textContent"); got != "2 / 32" {
		t.Errorf("the board begins at %s", got)
	}
	if got := eval[string](p, frame+".documentElement.lang + ' ' + "+frame+".documentElement.dataset.theme"); got != "nl dark" {
		t.Errorf("the board is shown in %s", got)
	}
	p.until("(f => f.clientHeight > 300 && f.contentDocument.documentElement.scrollHeight <= f.clientHeight)(document.querySelector('iframe'))")
	eval[bool](p, "("+frame+".querySelector('#felt .card.legal').click(), true)")
	p.until(frame + ".querySelector('.count').textContent === '3 / 32' && " + valued)
	if eval[bool](p, "!!"+frame+".querySelector('.open-it')") {
		t.Error("the board has a link to a page that is not there")
	}
	eval[bool](p, "(document.querySelector('roem-board').setAttribute('position', "+
		"'v=1&t=S&l=S&d=NS&h=SENNSEESNWWWEWEWNENNSESESWSNWWSN&p=KH'), true)")
	p.until(frame + "?.querySelector('.count')?.textContent === '1 / 32' && " + valued)
	if eval[int](p, "localStorage.length") != 0 {
		t.Error("the board keeps something")
	}
}
