package board_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// earlierGame is a match whose first hand is over, on the page of its game.
type earlierGame struct {
	page, kept, sheet string
	request           map[string]any
	before            int    // the fewest steps before the first card of the first hand
	last              string // the text of the table at the last of these steps has it
}

var earlierGames = map[string]earlierGame{
	"klaverjas": {
		"/board#v=1&m=play", "roem.game", "#tab-sheet",
		map[string]any{
			"hands": 16, "bidding": "free", "seed": "7",
			"players": map[string]string{"partner": "simple", "opponents": "simple"},
		},
		1, "dealt",
	},
	"belote": {
		"/belote#v=1&m=play", "roem.belote-game", "",
		map[string]any{"hands": 4, "suits": []string{"H", "S"}, "players": map[string]any{"opponent": "simple"}, "seed": "16"},
		1, "passes",
	},
	"gin-rummy": {
		"/gin-rummy", "roem.gin", "",
		map[string]any{"players": map[string]any{"opponent": "simple"}, "starter": "A", "seed": "5"},
		0, "",
	},
	"tarok": {
		"/tarok#v=1&m=play", "roem.tarok-game", "",
		map[string]any{"seat": "B", "hands": 3, "players": map[string]string{"left": "heuristic", "right": "random"}, "seed": "9"},
		5,
		"says nothing",
	},
}

// actOf returns the next act in a session of any game: the first that is legal.
func actOf(now map[string]any) (path string, body map[string]any) {
	first := func(name string) any { return now[name].([]any)[0] }
	body = map[string]any{"acts": now["acts"]}
	switch state := now["state"]; state {
	case "bidding":
		path, body["call"] = "/call", first("legal_calls")
	case "announce":
		path = "/announce"
	case "playing":
		path, body["card"] = "/play", first("legal")
	case "hand_over":
		path = "/next"
	default:
		action := map[string]any{"kind": first("legal_actions")}
		if cards := now["discards"].([]any); state == "discard" {
			action["card"] = cards[int(now["acts"].(float64))%len(cards)]
		} else if kinds := now["legal_actions"].([]any); state == "draw" {
			action["kind"] = kinds[len(kinds)-1]
		}
		path, body["action"] = "/play", action
	}
	return path, body
}

// A hand of a match that is over is opened from the sheet: with the cards of all, from its first call on, with its review. A reload keeps
// it, the browser goes back from it, and its record, and the record of all hands, can be had. The game goes on as it was.
func TestEarlierHands(t *testing.T) {
	t.Parallel()
	browser(t)
	for game, g := range earlierGames {
		t.Run(game, func(t *testing.T) {
			t.Parallel()
			if game != "klaverjas" {
				sweep(t)
			}
			g.open(t, game)
		})
	}
}

// joinEarlier gives the page a match of which two hands are over and the third has begun. It returns the path and the state of its
// session.
func (t *tab) joinEarlier(game string) (self string, now map[string]any) {
	t.tb.Helper()
	g := earlierGames[game]
	now = request[map[string]any](t.tb, t.site, "POST", "/v1/"+game+"/sessions", g.request)
	self, _ = now["links"].(map[string]any)["self"].(string)
	for done := 0; now["number"] != 3.0 || done < 2; {
		path, body := actOf(now)
		now = request[map[string]any](t.tb, t.site, "POST", self+path, body)
		if now["number"] == 3.0 {
			done++
		}
	}
	eval[bool](t, fmt.Sprintf("(localStorage.setItem('%s', %q), localStorage.setItem('roem.pace', 'off'), true)", g.kept, now["id"]))
	t.navigate("/docs/errors")
	t.navigate(g.page)
	if g.sheet != "" {
		t.until(fmt.Sprintf("document.querySelector(%q)", g.sheet))
		t.click(g.sheet)
	}
	t.until("document.querySelector('[data-hand=\"1\"]')")
	return self, now
}

func (g *earlierGame) open(t *testing.T, game string) {
	t.Helper()
	s := newSite(t)
	p := open(t, s, g.page)
	p.allow("Not allowed to load local resource: blob:x") // no file is written
	self, now := p.joinEarlier(game)
	records := request[api.RecordConversion](t, s, "GET", self+"/records", nil)
	present := eval[string](p, "document.querySelector('.count').textContent")
	p.click("[data-hand='1']")
	for range 2 { // a reload keeps the hand
		p.until("document.querySelector('#hand-now')")
		g.steps(t, p)
		p.reload()
	}
	p.until("document.querySelector('#hand-now')")
	p.click("#tab-review")
	p.until("document.querySelector('#seat-review')")
	got := request[api.RecordConversion](t, s, "POST", "/v1/records/convert", map[string]any{"text": p.copied(), "form": "json"})
	if diff := cmp.Diff(records.Records[0], got.Records[0]); diff != "" {
		t.Errorf("the record (-server +page)\n%s", diff)
	}
	eval[bool](p, "(window.blob = null, URL.createObjectURL = b => (b.text().then(x => window.blob = x), 'blob:x'), true)")
	p.click("#share")
	p.until("document.querySelector('#record-all')")
	p.click("#record-all")
	p.until("window.blob !== null")
	if all := eval[string](p, "window.blob"); all != records.Text || strings.Count(all, "[Game ") != 2 {
		t.Errorf("the record of all hands is\n%s", all)
	}
	p.click("dialog .dialog-head button")
	p.until("!document.querySelector('dialog')")
	p.click("#hand-now")
	p.until(fmt.Sprintf("!document.querySelector('#hand-now') && document.querySelector('.count').textContent === %q", present))
	p.do(chromedp.NavigateBack())
	p.until("document.querySelector('#hand-now')")
	p.do(chromedp.NavigateForward())
	p.until("!document.querySelector('#hand-now')")
	eval[bool](p, `(document.querySelector('.auction button, .acts button') ?? `+
		`document.querySelector('#felt .card.legal')).click() ?? true`)
	acts := now["acts"].(float64)
	p.settles(fmt.Sprintf("ask(%q).then(r => r.json()).then(s => s.acts > %v)", self, acts))
}

// steps goes through the hand from its first call to its last card and back.
func (g *earlierGame) steps(t *testing.T, p *tab) {
	t.Helper()
	if got := eval[string](p, "document.querySelector('.count').textContent"); !strings.HasPrefix(got, "0 ") {
		t.Errorf("the hand begins at %s", got)
	}
	if !eval[bool](p, "document.querySelector('#undo').ariaDisabled === 'true'") {
		t.Error("there is something before the beginning")
	}
	before := 0
	for ; eval[bool](p, "document.querySelector('.count').textContent.startsWith('0 ')"); before++ {
		if before > 60 {
			t.Fatal("there is no first card")
		}
		p.click("#redo")
	}
	if g.before > 0 && !eval[bool](p, "!!document.querySelector('#felt .trick :is(li, .face)')") {
		t.Error("the first card is not on the table")
	}
	if before <= g.before {
		t.Errorf("%d steps before the first card", before-1)
	}
	p.click("#undo")
	p.until("document.querySelector('.count').textContent.startsWith('0 ')")
	if got := p.text("#felt"); !strings.Contains(got, g.last) {
		t.Errorf("before the first card the table has\n%s", got)
	}
	p.click("#last")
	p.until("document.querySelector('#redo').ariaDisabled === 'true'")
	p.click("#first")
	p.until("document.querySelector('#undo').ariaDisabled === 'true'")
}
