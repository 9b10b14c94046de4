package board_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// The picture of an address has the cards that the board shows for it, in the same order, and can be shown as an image.
func TestPictureOfAnAddress(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/docs/errors")
	for _, fragment := range []string{
		example().fragment(-1), example(wholeHand[:7]...).fragment(-1), example(wholeHand...).fragment(13),
		strings.Replace(example("JH").fragment(-1), "&h=", "&r=amsterdam,under:free,melds:0,nat:all,pit:100/50,fourJ:200&h=", 1),
	} {
		p.navigate("/docs/errors")
		p.navigate("/board" + fragment)
		p.until("document.querySelector('#felt .hand.turn')")
		want := eval[[]string](p, `[...document.querySelectorAll('#felt .hand-N, #felt .hand-W, #felt .hand-E, #felt .hand-S')]
			.sort((a, b) => 'NWES'.indexOf(a.className.at(10)) - 'NWES'.indexOf(b.className.at(10)))
			.flatMap(e => [...e.querySelectorAll('[data-card]')].map(c => c.dataset.card))`)
		address := "/v1/klaverjas/picture?" + strings.TrimPrefix(fragment, "#")
		got := eval[[]string](p, fmt.Sprintf(`ask(%q).then(r => r.text()).then(t => [...new DOMParser().parseFromString(t, 'image/svg+xml')
			.querySelectorAll('[id^=card-]')].map(e => e.id.slice(5)))`, address))
		if diff := cmp.Diff(want, got[:min(len(got), len(want))]); diff != "" {
			t.Errorf("%s (-board +picture)\n%s", fragment, diff)
		}
		if s.alone != nil {
			continue // an address of a picture needs a server
		}
		for _, view := range []string{"table", "tricks"} {
			for _, theme := range []string{"light", "dark"} {
				size := eval[[]float64](p, fmt.Sprintf(`new Promise((done, failed) => Object.assign(new Image(), {
					onload() { document.body.replaceChildren(this); done([this.naturalWidth, this.naturalHeight]) }, onerror: failed, src: %q}))`,
					address+"&view="+view+"&theme="+theme))
				if !slices.Equal(size, []float64{720, map[string]float64{"table": 490, "tricks": 478}[view]}) {
					t.Errorf("%s, %s: the image is %v pixels", fragment, view, size)
				}
				if *pictures != "" && strings.Contains(fragment, "i=13") {
					shot, err := chromedp.Run(p.ctx, chromedp.Screenshot(chromedp.CSS("img")))
					if err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(filepath.Join(*pictures, "picture-"+view+"-"+theme+".png"), shot, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}
