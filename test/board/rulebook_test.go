package board_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"roem/internal/testkit"
)

// ruleGames are the games that have a page of rules, by the path of the page that plays them.
var ruleGames = map[string]string{"klaverjas": "/board", "belote": "/belote", "gin-rummy": "/gin-rummy", "tarok": "/tarok"}

// ruleViews are the views of the pages of the rules.
var ruleViews = []view{
	{"klaverjas", "#klaverjas", "#rules-trick", ".rules-board .winning"},
	{"belote", "#belote", "#rules-next", ".rules-trick"},
	{"gin rummy", "#gin-rummy", "#rules-next", ".rules-trick"},
	{"tarok", "#tarok", "#rules-trick", ".rules-board .winning"},
}

// eachRules opens every view of the pages of the rules in turn and calls f.
func (t *tab) eachRules(f func(view string)) {
	t.tb.Helper()
	t.walk("/rules", ruleViews, nil, func(view string) { f("rules, " + view) })
}

// ruleSteps returns how many steps the example of each game has.
func ruleSteps(t *testing.T) map[string]int {
	t.Helper()
	root, err := testkit.Root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "internal", "web", "board", "facts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var facts map[string]struct{ Hand []json.RawMessage }
	if err := json.Unmarshal(text, &facts); err != nil {
		t.Fatal(err)
	}
	steps := map[string]int{}
	for game, f := range facts {
		steps[game] = len(f.Hand)
	}
	return steps
}

// What is in a text for the page alone: a variable, a card or a term that was not replaced, or a key without a text.
var unreplaced = regexp.MustCompile(`[][{}*]|undefined|NaN|\b[a-z]+_[a-z]`)

// The rules of each game are one click away from the help of its page and from the start page. The example goes forward to its end and
// back with buttons and keys, and every sentence is complete in both languages.
func TestRulesOfEachGame(t *testing.T) {
	t.Parallel()
	steps := ruleSteps(t)
	for game, path := range ruleGames {
		t.Run(game, func(t *testing.T) {
			t.Parallel()
			s := commonSite(t)
			p := open(t, s, path+"#v=1&m=play")
			p.until("document.querySelector('.top')")
			p.press("?")
			p.until("document.querySelector('#help-dialog .rules-link')")
			p.click(".rules-link")
			p.until(fmt.Sprintf("location.pathname === %q && location.hash === '#%s' && document.querySelector('#rules-hand')",
				s.at("/rules"), game))
			p.click(".rules-play")
			p.until(fmt.Sprintf("location.pathname === %q", s.at(path)))
			p.navigate("/")
			p.click(fmt.Sprintf("a[href$='%s#%s']", filepath.Base(s.at("/rules")), game))
			p.until("location.hash.length > 1 && document.querySelector('#rules-hand')")
			for _, lang := range []string{"en", "nl"} {
				p.speak(lang)
				p.click("#rules-first")
				text := eval[string](p, "document.querySelector('main').textContent")
				if found := unreplaced.FindString(strings.ReplaceAll(switchNames.ReplaceAllString(text, ""), "forehand_first", "")); found != "" {
					t.Errorf("%s: the text has %q", lang, found)
				}
				var said []string
				for n := range steps[game] {
					if want := fmt.Sprint(n + 1); !strings.Contains(p.text("#rules-hand .count"), " "+want+" ") {
						t.Fatalf("%s: step %s says %s", lang, want, p.text("#rules-hand .count"))
					}
					one := p.text(".rules-says")
					if found := unreplaced.FindString(one); found != "" {
						t.Errorf("%s, step %d: %q in %s", lang, n+1, found, one)
					}
					said = append(said, one)
					p.click("#rules-next")
				}
				p.press(kb.ArrowLeft)
				if got := p.text(".rules-says"); got != said[len(said)-2] {
					t.Errorf("%s: back is %s, expected %s", lang, got, said[len(said)-2])
				}
			}
		})
	}
}

var switchNames = regexp.MustCompile(`system|under_ruff|four_of_a_kind|nat_melds|lay_offs|valat_kontra|defenders_pagat`)

// Each game is a page of its own, with a title and a heading, and no width cuts it.
func TestRulesPageOfAGame(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/rules#belote")
	p.until("document.title === 'Roem: Belote Découverte in five minutes'")
	p.click(".rules-games a[href='#tarok']")
	p.until("document.title === 'Roem: Tarok in five minutes' && document.activeElement.matches('h1') && scrollY === 0")
	p.eachRules(func(view string) {
		for _, width := range []int{320, 360, 390, 768, 1280, 1920} {
			p.do(chromedp.EmulateViewport(int64(width), 800))
			if got := eval[[]string](p, `[...document.querySelectorAll('main *')].filter(e => {
				const r = e.getBoundingClientRect(), cut = r.right > innerWidth + 1 || r.left < -1
				return cut && r.width > 1 && !e.closest('.vh, .rules-fan, svg')
			}).map(e => e.className || e.tagName)`); len(got) > 0 {
				t.Errorf("%s, %d pixels: %v", view, width, got)
			}
		}
	})
}
