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
				Ink    bool     `json:"ink"`
				Felt   string   `json:"felt"`
				Title  bool     `json:"title"`
				Hands  int      `json:"hands"`
				Panel  bool     `json:"panel"`
				Scroll bool     `json:"scroll"`
			}
			got := eval[paper](p, `(() => {
				const visible = e => e.getClientRects().length > 0
				// Whether a text has a contrast of 7 to white paper (WCAG 2.2, 1.4.6).
				const readable = e => {
					const [r, g, b] = getComputedStyle(e).color.match(/[\d.]+/g).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
					return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05) >= 7
				}
				return {
					shown: ['.top', '.bar', '.controls', '.skip', '.tabs', '#tab-panel .segments']
						.filter(x => [...document.querySelectorAll(x)].some(visible)),
					ink: readable(document.body), felt: getComputedStyle(document.querySelector('#felt')).backgroundImage,
					title: readable(document.querySelector('.hand h2')),
					hands: [...document.querySelectorAll('.hand')].filter(visible).length, panel: visible(document.querySelector('.panel')),
					scroll: document.documentElement.scrollWidth > innerWidth,
				}
			})()`)
			want := paper{Shown: []string{}, Ink: true, Felt: "none", Title: true, Hands: 4, Panel: true}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %s (-want +got)\n%s", address, theme, diff)
			}
			media("")
		}
	}
}
