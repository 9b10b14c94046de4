package board_test

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write what the pages show for the addresses in the documents to them")

// promised matches an address in a block of its own, and the lines after it: what the page shows.
var promised = regexp.MustCompile("(?s)```\n(/[a-z-]+)(#[^\n]*)\n([^`]*)\n```")

// inText matches the addresses in running text. One with an ellipsis only shows the order of the fields.
var inText = regexp.MustCompile("`(/[a-z-]+|)(#v=1[^`…]*)`")

// inFrames matches the addresses of frames in code for pages.
var inFrames = regexp.MustCompile(`<iframe src="https://[^/"]+(/[a-z-]+\?[^#"]*)(#[^"]*)"`)

// inImages matches the addresses of pictures in code for pages.
var inImages = regexp.MustCompile(`<img src="https://[^/"]+(/v1/[^"]*)"`)

// shows is what a page says of a position: the choices above the table, the cards that were played, the trick, and each hand.
const shows = `(() => {
  const text = e => [...e.childNodes].map(n => n.nodeType === 3 ? n.data : n.matches?.('[aria-hidden=true], select') ? ''
    : n.matches?.('.vh') || !n.children ? n.textContent : text(n)).join('')
  const of = (e, name) => e ? name + ': ' + e : ''
  const card = e => e.querySelector('.vh').textContent.replace(/, .*/, '')
  return [
    ...[...document.querySelectorAll('.bar .segments')].map(e => of(e.querySelector('[aria-pressed=true]')?.getAttribute('aria-label'),
      e.getAttribute('aria-label'))),
    ...[...document.querySelectorAll('.bar label.inline select')].map(e => of(e.selectedOptions[0].text, text(e.parentElement))),
    of(document.querySelector('.count')?.textContent, 'Cards'),
    of([...document.querySelectorAll('.trick:not(.done) li')]
      .map(e => [...e.querySelectorAll('.vh')].map(x => x.textContent).join('')).join(', '), 'Trick'),
    of(document.querySelector('#pile-top, .piles li:last-child .card')?.textContent.replace(/.*: /, ''), 'Top discard'),
    ...[...document.querySelectorAll('#felt .hand')].map(e => of([...e.querySelectorAll('[data-card]')].map(card).join(', '),
      [...e.querySelector('h2').childNodes].map(n => n.textContent.trim().replace(/^, /, '')).filter(Boolean).join(', '))),
  ].filter(Boolean).join('\n')
})()`

// Every address in the documents can be opened, stays the address of the page, and shows what the document says. With -update that is
// written to it.
func TestAddressesInDocuments(t *testing.T) {
	t.Parallel()
	files := []string{"../../README.md"}
	for _, pattern := range []string{
		"../../docs/*.md", "../../docs/*/*.md", "../../docs/*/*/*.md", "../../clients/*/README.md", "../../examples/*.md",
	} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	p := open(t, commonSite(t), "/docs/errors")
	opened := 0
	follow := func(file, page, fragment string) bool {
		t.Helper()
		if name, _, _ := strings.Cut(page, "?"); !p.site.has(name) {
			return false
		}
		opened++
		p.navigate("/docs/errors")
		eval[bool](p, "(localStorage.clear(), true)")
		p.navigate(page + fragment)
		p.until("document.querySelector('#felt .hand, #felt.lobby, #url-error')")
		if wrong := p.text("#url-error"); wrong != "(none)" {
			t.Errorf("%s: %s%s: %s", file, page, fragment, wrong)
		} else if got := hash(p); got != fragment {
			t.Errorf("%s: %s%s has become %s", file, page, fragment, got)
		}
		return true
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range promised.FindAllSubmatch(text, -1) {
			page, fragment, want := string(found[1]), string(found[2]), string(found[3])
			if !follow(file, page, fragment) {
				continue
			}
			p.until("document.querySelector('#felt .hand.turn, #felt.gin .hand')")
			got := eval[string](p, shows)
			// What a page shows can be completed by answers of the server, such as melds.
			for end := time.Now().Add(patience); got != want && !*update && !t.Failed() && time.Now().Before(end); got = eval[string](p, shows) {
				time.Sleep(20 * time.Millisecond)
			}
			if *update {
				text = bytes.Replace(text, found[0], fmt.Appendf(nil, "```\n%s%s\n%s\n```", page, fragment, got), 1)
			} else if got != want {
				t.Errorf("%s: %s%s\nshows\n%s\nthe document says\n%s", file, page, fragment, got, want)
			}
		}
		for _, found := range inFrames.FindAllStringSubmatch(string(text), -1) {
			follow(file, html.UnescapeString(found[1]), html.UnescapeString(found[2]))
		}
		for _, found := range inImages.FindAllStringSubmatch(string(text), -1) {
			address := html.UnescapeString(found[1])
			opened++
			got := eval[string](p, fmt.Sprintf("ask(%q).then(r => r.status + ' ' + r.headers.get('Content-Type'))", address))
			if got != "200 image/svg+xml" {
				t.Errorf("%s: %s is %s", file, address, got)
			}
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "|") {
				continue // what the tests print for pages that are broken on purpose
			}
			for _, found := range inText.FindAllStringSubmatch(line, -1) {
				if found[1] == "" {
					t.Errorf("%s: %s is the address of no page", file, found[2])
					continue
				}
				follow(file, found[1], found[2])
			}
			if block := regexp.MustCompile("^/[a-z-]+#.*").FindString(line); block != "" && !bytes.Contains(text, []byte("```\n"+block+"\n")) {
				t.Errorf("%s: the address %s is not checked", file, block)
			}
		}
		if *update && !t.Failed() {
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if opened == 0 {
		t.Error("no address was opened")
	}
}
