package board_test

import (
	"bytes"
	"encoding/base64"
	"flag"
	"fmt"
	"html"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var picturesOfViews = flag.String("pictures-of-views", "", "the folder that TestPicturesOfViews writes a picture of each view to")

// look is how a view is looked at.
type look struct {
	width, height int64
	theme, lang   string
}

func (l look) String() string { return fmt.Sprintf("%d-%s-%s", l.width, l.theme, l.lang) }

// looks are those at every view. Light and dark have the same layout, but a mistake of colours can be at one width only.
var looks = []look{
	{390, 844, "light", "en"},
	{390, 844, "dark", "en"},
	{390, 844, "light", "nl"},
	{768, 1024, "light", "en"},
	{1280, 800, "light", "en"},
	{1280, 800, "dark", "en"},
	{1920, 1080, "light", "en"},
	{1920, 1080, "dark", "en"},
}

// plain are views without a button for the theme and the language: by name, the address for a theme and a language.
var plain = []struct{ name, address string }{
	{"start", "/?language=LANG"},
	{"errors", "/docs/errors"},
	{"embed", "/embed?language=LANG&theme=THEME" + example(wholeHand[:6]...).fragment(5)},
	{"embed over", "/embed?language=LANG&theme=THEME" + example(wholeHand...).fragment(-1)},
	{"embed wrong", "/embed?language=LANG&theme=THEME#v=1&t=X"},
}

// TestPicturesOfViews takes a picture of every view of every page for people to look at: on a phone, a tablet and two screens, light and
// dark, in English and on the phone in Dutch. Where no dialog is open it is a picture of the whole page. A sheet shows several in one
// picture. `make pictures PAGE=all` writes them, for one page with PAGE.
func TestPicturesOfViews(t *testing.T) {
	t.Parallel()
	if *picturesOfViews == "" {
		t.Skip("make pictures PAGE=all takes them")
	}
	s := commonSite(t)
	t.Run("plain", func(t *testing.T) {
		t.Parallel()
		g := newGallery(t, "plain")
		p := open(t, s, "/docs/errors")
		for _, v := range plain {
			for _, l := range looks {
				p.do(chromedp.EmulateViewport(l.width, l.height))
				p.navigate("/docs/errors")
				p.navigate(strings.NewReplacer("LANG", l.lang, "THEME", l.theme).Replace(v.address))
				eval[bool](p, fmt.Sprintf("(document.documentElement.dataset.theme = %q, true)", l.theme))
				if strings.HasPrefix(v.name, "embed") {
					p.until("!document.querySelector('.value.late')")
				}
				g.take(p, v.name, l)
			}
		}
		g.sheets(p)
	})
	for name, walk := range walks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGallery(t, name)
			p := open(t, s, "/board"+example(wholeHand[:10]...).fragment(8))
			p.still()
			p.reload()
			p.valued()
			walk(p, func(view string) {
				for _, l := range looks {
					p.do(chromedp.EmulateViewport(l.width, l.height))
					p.dress(l.theme, l.lang)
					g.take(p, view, l)
				}
				p.dress("light", "en")
				p.do(chromedp.EmulateViewport(1280, 900))
			})
			g.sheets(p)
		})
	}
}

// dress sets the theme and the language of the page, also while a dialog is open.
func (t *tab) dress(theme, lang string) {
	t.tb.Helper()
	if eval[string](t, "document.documentElement.lang") != lang {
		t.speak(lang)
	}
	if eval[string](t, "document.documentElement.dataset.theme") != theme {
		t.click("#theme")
		t.until(fmt.Sprintf("document.documentElement.dataset.theme === %q", theme))
	}
}

// gallery is the pictures of a page, in a folder of its own.
type gallery struct {
	t      *testing.T
	folder string
	views  int
	taken  map[look][]string // the names of the files
}

func newGallery(t *testing.T, name string) *gallery {
	t.Helper()
	g := &gallery{t: t, folder: filepath.Join(*picturesOfViews, strings.ReplaceAll(name, " ", "-")), taken: map[look][]string{}}
	if err := os.RemoveAll(g.folder); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(g.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return g
}

// notInNames is what does not stand in the names of files.
var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// painted waits until the page has been painted.
const painted = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true)))))"

// take writes a picture of a view. Of a dialog that must be scrolled it writes a second one, in a window in which it need not be.
func (g *gallery) take(p *tab, view string, l look) {
	g.t.Helper()
	if l == looks[0] {
		g.views++
	}
	name := fmt.Sprintf("%02d-%s", g.views, notInNames.ReplaceAllString(view, "-"))
	eval[bool](p, "(scrollTo(0, 0), true)")
	eval[bool](p, painted)
	const dialog = "(d => d ? d.scrollHeight - d.clientHeight : -1)(document.querySelector('dialog'))"
	hidden := eval[int64](p, dialog)
	if hidden < 0 {
		const height = "document.documentElement.scrollHeight"
		g.write(name, l, p.picture(l.width, min(eval[int64](p, height), highest)))
		return
	}
	g.write(name, l, p.picture(0, 0))
	if hidden > 0 {
		p.do(chromedp.EmulateViewport(l.width, l.height+hidden+40))
		eval[bool](p, painted)
		g.write(name+"-whole", l, p.picture(0, 0))
	}
}

// highest is how much of a long page is in its picture.
const highest = 4000

// picture takes a picture of the page from its top, also of what is below the window, or of the window.
func (t *tab) picture(width, height int64) []byte {
	t.tb.Helper()
	yes, params := true, page.CaptureScreenshotParams{}
	if width > 0 {
		params.CaptureBeyondViewport = &yes
		params.Clip = &page.Viewport{Width: float64(width), Height: float64(height), Scale: 1}
	}
	r, err := chromedp.Call(t.ctx, page.CaptureScreenshot, params)
	if err != nil {
		t.tb.Fatal(err)
	}
	return r.Data
}

func (g *gallery) write(name string, l look, picture []byte) {
	g.t.Helper()
	name += "-" + l.String()
	if err := os.WriteFile(filepath.Join(g.folder, name+".png"), picture, 0o644); err != nil {
		g.t.Fatal(err)
	}
	g.taken[l] = append(g.taken[l], name)
}

// The size of a sheet, and how many pictures of a width are beside each other on it.
const sheetWidth, sheetHeight = 1560, 1200

var across = map[int64]int{390: 5, 768: 3, 1280: 2, 1920: 2}

// sheets writes the pictures of each look on sheets, with their names. A picture that is higher than a sheet is cut into several.
func (g *gallery) sheets(p *tab) {
	g.t.Helper()
	p.do(chromedp.Navigate("about:blank"), chromedp.EmulateViewport(sheetWidth, 100))
	for l, names := range g.taken {
		width := sheetWidth/across[l.width] - 8
		var sheet strings.Builder
		var n, column, top, row int
		flush := func() {
			if sheet.Len() == 0 {
				return
			}
			n++
			eval[bool](p, fmt.Sprintf("(document.body.style.cssText = 'margin:0;display:flex;flex-wrap:wrap;align-items:start;gap:8px;"+
				"background:#777;font:12px sans-serif', document.body.innerHTML = %q, Promise.all([...document.images].map(i => i.decode()))."+
				"then(() => true))", sheet.String()))
			picture := p.picture(sheetWidth, eval[int64](p, "document.body.offsetHeight"))
			if err := os.WriteFile(filepath.Join(g.folder, fmt.Sprintf("sheet-%s-%d.png", l, n)), picture, 0o644); err != nil {
				g.t.Fatal(err)
			}
			sheet.Reset()
			column, top, row = 0, 0, 0
		}
		for _, name := range names {
			picture, err := os.ReadFile(filepath.Join(g.folder, name+".png"))
			if err != nil {
				g.t.Fatal(err)
			}
			size, err := png.DecodeConfig(bytes.NewReader(picture))
			if err != nil {
				g.t.Fatal(err)
			}
			const caption = 24
			height := size.Height * width / size.Width
			for from := 0; from < height; from += sheetHeight - caption {
				part := min(height-from, sheetHeight-caption)
				if column == across[l.width] {
					column, top, row = 0, top+row+8, 0
				}
				if top+part+caption > sheetHeight {
					flush()
				}
				fmt.Fprintf(&sheet, `<div style="width:%dpx;color:#fff">%s<div style="height:%dpx;overflow:hidden;margin-top:2px">`+
					`<img src="data:image/png;base64,%s" style="width:%dpx;margin-top:-%dpx"></div></div>`,
					width, html.EscapeString(name), part, base64.StdEncoding.EncodeToString(picture), width, from)
				column, row = column+1, max(row, part+caption)
			}
		}
		flush()
	}
}
