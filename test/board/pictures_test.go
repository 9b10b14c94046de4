package board_test

import (
	"bytes"
	"encoding/base64"
	"flag"
	"fmt"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"roem/internal/api"
)

var pictures = flag.String("pictures", "", "the folder that TestPictures writes the pictures of the board to")

// The pictures of the board for the documentation. `make pictures` writes them.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("make pictures writes them")
	}
	p := open(t, commonSite(t), "/board"+example(wholeHand...).fragment(6))
	p.valued()
	p.do(chromedp.EmulateViewport(1240, 800))
	save := func(name string) {
		t.Helper()
		picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		writePicture(t, name, picture)
	}
	for _, theme := range []string{"light", "dark"} {
		if eval[string](p, "document.documentElement.dataset.theme") != theme {
			p.click("#theme")
		}
		eval[bool](p, "(document.activeElement.blur(), true)")
		p.click("#tab-values")
		p.until("document.querySelector('.moves')")
		save("board-" + theme + ".png")
		p.click("#tab-review")
		p.until("document.querySelector('.review')")
		save("review-" + theme + ".png")
	}
	p.still()
	p.do(chromedp.EmulateViewport(1240, 1100))
	for _, theme := range []string{"light", "dark"} {
		p.navigate("/docs/errors")
		p.navigate("/board" + southSees)
		if eval[string](p, "document.documentElement.dataset.theme") != theme {
			p.click("#theme")
		}
		p.until("document.querySelector('#advice')")
		p.click("#tab-holders")
		p.click("[data-model=QH]")
		p.until("document.querySelector('.legend') && document.querySelector('.holders')")
		eval[bool](p, "(document.activeElement.blur(), scrollTo(0, 0), true)")
		save("hidden-" + theme + ".png")
	}
	p.do(chromedp.EmulateViewport(1240, 900))
	for _, theme := range []string{"light", "dark"} {
		p.navigate("/docs/errors")
		p.navigate("/belote" + beloteTen)
		if eval[string](p, "document.documentElement.dataset.theme") != theme {
			p.click("#theme")
		}
		p.valued()
		eval[bool](p, "(document.activeElement.blur(), scrollTo(0, 0), true)")
		save("belote-" + theme + ".png")
	}
	p.navigate("/gin-rummy")
	begun := request[api.GinSession](t, p.site, http.MethodPost, ginSessions, map[string]any{
		"players": map[string]any{"opponent": "simple"}, "starter": "A", "seed": "6",
	})
	eval[bool](p, fmt.Sprintf("(localStorage.setItem('roem.gin', %q), true)", begun.Id))
	p.reload()
	p.click("#tab-advice")
	for range 10 {
		p.until("document.querySelector('#advice')")
		p.ginAct(func() { p.click("#best") })
	}
	for _, theme := range []string{"light", "dark"} {
		if eval[string](p, "document.documentElement.dataset.theme") != theme {
			p.click("#theme")
		}
		p.until("document.querySelector('#advice') && document.querySelector('#heat[data-late=false]')")
		eval[bool](p, "(document.activeElement.blur(), scrollTo(0, 0), true)")
		save("gin-rummy-" + theme + ".png")
	}
	for _, theme := range []string{"light", "dark"} {
		p.navigate("/docs/errors")
		p.navigate("/tarok" + tarokGame + "&i=5")
		if eval[string](p, "document.documentElement.dataset.theme") != theme {
			p.click("#theme")
		}
		p.until("document.querySelector('.moves')")
		eval[bool](p, "(document.activeElement.blur(), scrollTo(0, 0), true)")
		save("tarok-" + theme + ".png")
	}
}

// writePicture writes a picture for the documentation.
func writePicture(t *testing.T, name string, picture []byte) {
	t.Helper()
	decoded, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	// The browser compresses quickly, not well.
	var small bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&small, decoded); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*pictures, name), small.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A first visit: the start page, the table after one click, and the first card. `make pictures` writes them, beside each other.
func TestPicturesOfAFirstVisit(t *testing.T) {
	if *pictures == "" {
		t.Skip("make pictures writes them")
	}
	for _, size := range []struct{ width, height, shown int64 }{{390, 844, 300}, {768, 1024, 400}, {1280, 800, 500}} {
		shownHeight := size.shown * size.height / size.width
		p := open(t, newSite(t), "/")
		p.do(chromedp.EmulateViewport(size.width, size.height))
		sheet := ""
		take := func() {
			eval[bool](p, painted)
			sheet += fmt.Sprintf(`<img width=%d height=%d src="data:image/png;base64,%s">`,
				size.shown, shownHeight, base64.StdEncoding.EncodeToString(p.picture(0, 0)))
		}
		take()
		p.click("a[href$='board#v=1&m=begin']")
		p.until("location.hash === '#v=1&m=play' && " + begins["board"] + " && !document.querySelector('dialog[open], .lobby')")
		// The bids, where there are any, and the cards of the others.
		for !eval[bool](p, "document.querySelector('#felt .own .legal') !== null") {
			p.until("document.querySelector('#felt .own .legal, .auction button:not([aria-disabled=true])')")
			eval[bool](p, "(document.querySelector('#felt .own .legal') ?? document.querySelector('.auction button').click(), true)")
		}
		take()
		p.click("#felt .own .legal")
		p.until("document.querySelectorAll('#felt .own .card').length === 7")
		take()
		p.do(chromedp.Navigate("about:blank"), chromedp.EmulateViewport(3*size.shown+16, shownHeight))
		eval[bool](p, fmt.Sprintf("(document.body.style.cssText = 'margin:0;display:flex;gap:8px', document.body.innerHTML = %q, "+
			"Promise.all([...document.images].map(i => i.decode())).then(() => true))", sheet))
		writePicture(t, fmt.Sprintf("first-visit-%d.png", size.width), p.picture(3*size.shown+16, shownHeight))
	}
}
