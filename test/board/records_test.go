package board_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/testkit"
)

// recordTexts returns the texts of the vectors by their names.
func recordTexts(tb testing.TB) map[string]string {
	tb.Helper()
	root, err := testkit.Root()
	if err != nil {
		tb.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "testdata", "records", "vectors.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		var v struct{ Name, Text string }
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			tb.Fatal(err)
		}
		out[v.Name] = v.Text
	}
	return out
}

// imports enters a text in the dialog of the page, and submits it.
func (t *tab) imports(open, field, submit, text string) {
	t.tb.Helper()
	t.click(open)
	t.until(fmt.Sprintf("document.getElementById(%q)", field))
	eval[bool](t, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('input', {bubbles: true})); return true `+
		`})(document.getElementById(%q))`, text, field))
	t.click(submit)
}

// copied returns the record that the page copies.
func (t *tab) copied() string {
	t.tb.Helper()
	eval[bool](t, "(window.copied = '', navigator.clipboard.writeText = text => (window.copied = text, Promise.resolve()), true)")
	t.click("#share")
	t.until("document.querySelector('#record-copy')")
	t.click("#record-copy")
	t.until("window.copied")
	t.click("dialog .dialog-head button")
	t.until("!document.querySelector('dialog')")
	return eval[string](t, "window.copied")
}

// none reports what the page shows and should not.
func (t *tab) none(selector string) {
	t.tb.Helper()
	if eval[bool](t, fmt.Sprintf("!!document.querySelector(%q)", selector)) {
		t.tb.Errorf("the page shows %s", selector)
	}
}

// A record that is imported is the record that the page copies, on the boards of three games.
func TestRecordsOnTheBoards(t *testing.T) {
	t.Parallel()
	browser(t)
	s := newSite(t)
	s.speaks("the conversion of records")
	texts := recordTexts(t)
	for path, name := range map[string]string{
		"/board": "klaverjas, finished, with the auction", "/belote": "belote, finished", "/tarok": "tarok, finished",
	} {
		p := open(t, s, path)
		p.imports("#import", "import-text", "#import-do", texts[name])
		p.until("!document.querySelector('dialog') && document.querySelector('.count')?.textContent.match(/[1-9]/)")
		got := request[api.RecordConversion](t, s, "POST", "/v1/records/convert", map[string]any{"text": p.copied(), "form": "json"})
		want := request[api.RecordConversion](t, s, "POST", "/v1/records/convert", map[string]any{"text": texts[name], "form": "json"})
		for _, field := range []string{"position", "result"} {
			a, _ := json.Marshal(got.Records[0].(map[string]any)[field])
			b, _ := json.Marshal(want.Records[0].(map[string]any)[field])
			if !bytes.Equal(a, b) || len(a) < 8 {
				t.Errorf("%s: %s is %s, imported was %s", path, field, a, b)
			}
		}
	}
}

// The record of a hand of a session is the hand that the session has revealed. It cannot be copied before the hand is over.
func TestRecordsOfSessions(t *testing.T) {
	sweep(t)
	t.Parallel()
	browser(t)
	s := newSite(t)
	for game, play := range map[string]func(p *tab){
		"klaverjas": func(p *tab) {
			p.joinGame(1, "free")
			p.none("#share")
			p.playHand()
		},
		"belote": func(p *tab) {
			p.sitDown(map[string]string{"play-suits": "1", "play-hands": "1"})
			p.until(beloteSettled)
			p.none("#share")
			p.playBelote()
		},
		"tarok": func(p *tab) {
			p.beginTarok(map[string]any{"seat": "B", "hands": 1, "players": map[string]string{"left": "random", "right": "random"}, "seed": "9"})
			p.none("#share")
			p.playTarok()
		},
		"gin-rummy": func(p *tab) {
			eval[bool](p, fmt.Sprintf("(localStorage.setItem('roem.gin', %q), true)", ginPlayed(t, s).Id))
			p.reload()
		},
	} {
		path, kept := "/"+game, "roem."+game+"-game"
		switch game {
		case "klaverjas":
			path, kept = "/board", "roem.game"
		case "gin-rummy":
			kept = "roem.gin"
		}
		address := path + "#v=1&m=play"
		if game == "gin-rummy" {
			address = path
		}
		p := open(t, s, address)
		play(p)
		p.until("document.querySelector('#share')")
		id := eval[string](p, fmt.Sprintf("localStorage.getItem(%q)", kept))
		now := request[map[string]any](t, s, "GET", "/v1/"+game+"/sessions/"+id, nil)
		got := request[api.RecordConversion](t, s, "POST", "/v1/records/convert", map[string]any{"text": p.copied(), "form": "json"})
		position := got.Records[0].(map[string]any)["position"].(map[string]any)
		revealed := now["revealed"].(map[string]any)
		if hand, ok := revealed["position"].(map[string]any); ok {
			revealed = hand
		}
		for _, field := range []string{"hands", "stacks", "contract", "trump", "played", "upcard", "events"} {
			if diff := cmp.Diff(revealed[field], position[field]); diff != "" {
				t.Errorf("%s: %s (-session +record)\n%s", game, field, diff)
			}
		}
	}
}

// A record in the address of a page is opened. The page says what is wrong with one that cannot be read, and opens the next.
func TestRecordInAddress(t *testing.T) {
	sweep(t)
	t.Parallel()
	browser(t)
	s := newSite(t)
	s.speaks("the conversion of records")
	texts := recordTexts(t)
	for path, name := range map[string]string{
		"/board": "klaverjas, finished, with the auction", "/belote": "belote, finished", "/tarok": "tarok, finished",
		"/gin-rummy": "gin-rummy, unfinished",
	} {
		convert := func(text, form string) api.RecordConversion {
			return request[api.RecordConversion](t, s, "POST", "/v1/records/convert", map[string]any{"text": text, "form": form})
		}
		line := strings.TrimSpace(convert(texts[name], "line").Text)
		p := open(t, s, path+"#record=roem1:chess")
		p.allow("status of 4")
		p.until("document.getElementById('url-error')?.textContent.includes('line 1, column')")
		if got := hash(p); got != "#record=roem1:chess" {
			t.Errorf("%s: the address has become %s", path, got)
		}
		p.show("#record=" + url.QueryEscape(line))
		p.until("!document.getElementById('url-error') && location.hash.startsWith('#v=1')")
		if path == "/gin-rummy" {
			p.until("location.hash.includes('&h=')")
			continue
		}
		got, want := convert(p.copied(), "json"), convert(line, "json")
		of := func(c api.RecordConversion) any { return c.Records[0].(map[string]any)["position"] }
		if diff := cmp.Diff(of(want), of(got)); diff != "" {
			t.Errorf("%s: (-record +page)\n%s", path, diff)
		}
	}
}

// A record of a round of Gin Rummy is shown as one player has seen it. One that is damaged is refused with its line.
func TestGinRecord(t *testing.T) {
	t.Parallel()
	browser(t)
	p := open(t, newSite(t), "/gin-rummy")
	p.allow("status of 4")
	text := recordTexts(t)["gin-rummy, unfinished"]
	p.imports("#situation", "situation-text", "#situation-show", strings.Replace(text, "[Upcard", "[Upcard \"2C\"]\n[Upcard", 1))
	p.until("document.getElementById('situation-error').textContent.includes('line 5, column 2')")
	p.click("dialog .dialog-head button")
	p.until("!document.querySelector('dialog')")
	p.imports("#situation", "situation-text", "#situation-show", text)
	p.until("!document.querySelector('dialog') && location.hash.includes('&h=')")
}

// eveningText is two hands of two couples of players, of which a few cards were played.
func eveningText(tb testing.TB) string {
	tb.Helper()
	one := recordTexts(tb)["klaverjas, finished, with the auction"]
	named, _, _ := strings.Cut(strings.Replace(one, "[Rules", "[North \"An\"]\n[Rules", 1), "[Play]")
	short := named + "[Play \"7D 9D QD KD JS\"]\n[Result \"*\"]\n"
	return short + "\n" + strings.Replace(short, "An", "Bo", 1)
}

// startEvening asks for a job that reviews an evening.
func startEvening(tb testing.TB, s *site) api.Job {
	tb.Helper()
	return request[api.Job](tb, s, "POST", "/v1/jobs", map[string]any{
		"kind": "klaverjas.evening", "request": map[string]any{"text": eveningText(tb)},
	})
}

// Several hands become an evening, whose players, sheet and mistakes a page of its own shows. Each mistake opens on the board, in the
// review of its player, which judges the card as the evening does. A reload keeps it.
func TestEveningOnThePage(t *testing.T) {
	t.Parallel()
	browser(t)
	s := newSite(t)
	s.speaks("an evening")
	p := open(t, s, "/")
	p.allow("400") // what is no text of hands
	p.click("a[href$=evening]")
	p.until("location.pathname === '/evening' && document.querySelector('#evening-text')")
	p.click("#evening-begin")
	p.until("document.querySelector('#evening-error').textContent !== ''")
	eval[bool](p, fmt.Sprintf("((e => { e.value = %q; e.dispatchEvent(new Event('input', {bubbles: true})) })"+
		"(document.getElementById('evening-text')), true)", eveningText(t)))
	p.click("#evening-begin")
	p.until("document.querySelector('#evening-players')")
	p.navigate("/board")
	p.imports("#import", "import-text", "#import-do", eveningText(t))
	p.until("location.pathname === '/evening' && document.querySelector('#evening-players')")
	if got := p.text("#evening-players"); !strings.Contains(got, "An") || !strings.Contains(got, "Bo") {
		t.Errorf("the players are %s", got)
	}
	if n := eval[int](p, "document.querySelectorAll('#evening-sheet tbody tr').length"); n != 3 {
		t.Errorf("the sheet has %d rows", n)
	}
	if n := eval[int](p, "document.querySelectorAll('#evening-mistakes li').length"); n == 0 {
		t.Fatal("there are no mistakes")
	}
	p.click("#evening-mistakes a")
	for range 2 {
		p.until("location.pathname === '/board' && location.hash.includes('&m=review') && " +
			"/^\\d \\/ 32$/.test(document.querySelector('.count')?.textContent)")
		p.until("document.querySelector('#tab-review[aria-selected=true]') && document.querySelector('.seat-review .wrong .here')")
		p.reload()
	}
}

// A double click begins one job: of the import of several hands, and of the page of an evening.
func TestDoubleClicks(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.speaks("several hands at once")
	p := open(t, s, "/board")
	for _, c := range []struct{ path, opens, text, do string }{
		{"/board", "#import", "import-text", "import-do"}, {"/evening", "", "evening-text", "evening-begin"},
	} {
		p.navigate(c.path)
		if c.opens != "" {
			p.until(fmt.Sprintf("document.querySelector(%q)", c.opens))
			p.click(c.opens)
		}
		p.until(fmt.Sprintf("document.getElementById(%q)", c.text))
		s.record()
		eval[bool](p, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('input', {bubbles: true})); return true `+
			`})(document.getElementById(%q))`, eveningText(t), c.text))
		p.until(fmt.Sprintf("(b => (b.click(), b.click(), true))(document.getElementById(%q))", c.do))
		p.until("location.pathname === '/evening' && location.hash.length > 1 && document.querySelector('#evening-mistakes')")
		jobs := 0
		for _, e := range s.recorded() {
			if e.path == "/v1/jobs" {
				jobs++
			}
		}
		if jobs != 1 {
			t.Errorf("%s: %d jobs", c.path, jobs)
		}
	}
}
