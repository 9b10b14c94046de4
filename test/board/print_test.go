package board_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// On paper, both modes are black on white in either theme, without what is only there to be pressed.
func TestPrint(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board"+example(wholeHand[:9]...).fragment(-1))
	p.valued()
	for _, address := range []string{example(wholeHand[:9]...).fragment(-1), southSees} {
		p.navigate("/docs/errors")
		p.navigate("/board" + address)
		p.until("document.querySelector('#outcome, #advice')")
		for _, theme := range []string{"light", "dark"} {
			if eval[string](p, "document.documentElement.dataset.theme") != theme {
				p.click("#theme")
			}
			media := func(kind string) {
				t.Helper()
				if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: kind}); err != nil {
					t.Fatal(err)
				}
			}
			media("print")
			type paper struct {
				Shown  []string `json:"shown"`
				Ink    string   `json:"ink"`
				Felt   string   `json:"felt"`
				Title  string   `json:"title"`
				Hands  int      `json:"hands"`
				Panel  bool     `json:"panel"`
				Scroll bool     `json:"scroll"`
			}
			got := eval[paper](p, `(() => {
				const visible = e => e.getClientRects().length > 0
				return {
					shown: ['.top', '.bar', '.controls', '.skip', '.tabs', '#tab-panel .segments']
						.filter(x => [...document.querySelectorAll(x)].some(visible)),
					ink: getComputedStyle(document.body).color, felt: getComputedStyle(document.querySelector('#felt')).backgroundImage,
					title: getComputedStyle(document.querySelector('.hand h2')).color,
					hands: [...document.querySelectorAll('.hand')].filter(visible).length, panel: visible(document.querySelector('.panel')),
					scroll: document.documentElement.scrollWidth > innerWidth,
				}
			})()`)
			want := paper{Shown: []string{}, Ink: "rgb(0, 0, 0)", Felt: "none", Title: got.Title, Hands: 4, Panel: true}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %s (-want +got)\n%s", address, theme, diff)
			}
			if got.Title != "rgb(0, 0, 0)" && got.Title != "rgb(51, 51, 51)" {
				t.Errorf("%s, %s: the name of a hand is %s", address, theme, got.Title)
			}
			media("")
		}
	}
}
