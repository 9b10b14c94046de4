package board_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roem/api/apitest"
)

// dialogOfGame is the page of a game, and what the browser calls its session.
type dialogOfGame struct{ path, kept, sessions string }

func dialogsOfGames() map[string]dialogOfGame {
	return map[string]dialogOfGame{
		"klaverjas": {"/board#v=1&m=play", "game", sessionsPath},
		"belote":    {"/belote#v=1&m=play", "belote-game", "/v1/belote/sessions"},
		"tarok":     {"/tarok#v=1&m=play", "tarok-game", "/v1/tarok/sessions"},
		"gin-rummy": {"/gin-rummy", "gin", "/v1/gin-rummy/sessions"},
	}
}

// toDialog opens the dialog that begins a game.
func (t *tab) toDialog() {
	t.tb.Helper()
	t.until("document.querySelector('#lobby-play, #play')")
	t.click("#play, #lobby-play")
	t.until("document.querySelector('#play-dialog #house-rules')")
}

// settles waits until an expression, which has a promise, is true.
func (t *tab) settles(expression string) {
	t.tb.Helper()
	eval[bool](t, "(async () => { while (!await ("+expression+")) await new Promise(done => setTimeout(done, 10)); return true })()")
}

// The names of all fields of rules in the dialog, over the choices of each list, which show others.
const ruleFields = `(async () => {
	const found = new Set()
	const look = () => document.querySelectorAll('#play-dialog [data-rule]').forEach(e => found.add(e.dataset.rule))
	look()
	for (const id of [...document.querySelectorAll('#play-dialog select')].map(e => e.id)) {
		const list = document.getElementById(id), began = list.value
		for (const value of [...list.options].map(o => o.value).concat(began)) {
			document.getElementById(id).value = value
			document.getElementById(id).dispatchEvent(new Event('change', {bubbles: true}))
			await new Promise(done => setTimeout(done))
			look()
		}
	}
	return [...found].join(' ')
})()`

// The keys of texts that the dialog shows in place of the texts.
const textKeys = `(() => {
	const found = [], all = document.createTreeWalker(document.querySelector('#play-dialog'), NodeFilter.SHOW_TEXT)
	while (all.nextNode()) if (/^[a-z]+(_|[A-Z])\w*$/.test(all.currentNode.data.trim())) found.push(all.currentNode.data)
	return found.join(' ')
})()`

// The dialog that begins a game has a field for every switch that analysis has, in both languages.
func TestHouseRulesHaveFields(t *testing.T) {
	t.Parallel()
	doc, err := apitest.Document()
	if err != nil {
		t.Fatal(err)
	}
	for game, dialog := range dialogsOfGames() {
		t.Run(game, func(t *testing.T) {
			p := open(t, commonSite(t), dialog.path)
			p.toDialog()
			fields := strings.Fields(eval[string](p, ruleFields))
			for _, name := range append(apitest.Switches(doc, game), "target") {
				if !slices.Contains(fields, name) {
					t.Errorf("%s: the page has no field for %s, only %v", game, name, fields)
				}
			}
			for _, lang := range []string{"nl", "en"} {
				p.speak(lang)
				if bare := eval[string](p, textKeys); bare != "" {
					t.Errorf("%s: in the language %s the dialog has keys of texts: %s", game, lang, bare)
				}
			}
		})
	}
}

// The session has the rules and the points that are chosen in the dialog, and the browser keeps them for the next game, also when
// the page is read again.
func TestHouseRulesAreKept(t *testing.T) {
	t.Parallel()
	for game, change := range map[string]struct{ list, value, session string }{
		"klaverjas": {"rule-under", "free", "s => s.rules.under_ruff === 'free'"},
		"belote":    {"rule-contract", "standard", "s => s.contract === 'standard'"},
		"tarok":     {"rule-difference", "none", "s => s.view.rules.difference === 'none'"},
		"gin-rummy": {"play-layOffs", "challenge", "s => s.lay_offs === 'challenge'"},
	} {
		t.Run(game, func(t *testing.T) {
			dialog := dialogsOfGames()[game]
			p := open(t, commonSite(t), dialog.path)
			p.still()
			p.toDialog()
			p.choose(change.list, change.value)
			p.choose("play-hands", "t")
			p.until("document.getElementById('play-target')")
			p.click("#play-target")
			eval[bool](p, "document.getElementById('play-target').select() ?? true")
			p.typeText("0")
			p.click("#play-begin")
			p.until("document.activeElement.id === 'play-target'") // it is refused at the field
			eval[bool](p, "document.getElementById('play-target').select() ?? true")
			p.typeText("222")
			p.click("#play-begin")
			begun := fmt.Sprintf("ask('%s/' + localStorage.getItem('roem.%s')).then(r => r.json())", dialog.sessions, dialog.kept)
			p.until("!document.querySelector('#play-dialog')")
			p.until(fmt.Sprintf("localStorage.getItem('roem.%s')", dialog.kept))
			p.settles(begun + ".then(s => s.target === 222 && (" + change.session + ")(s))")
			p.reload()
			p.until("document.querySelector('#play')")
			p.click("#play")
			p.until("document.querySelector('#play-dialog #house-rules')")
			if !eval[bool](p, fmt.Sprintf("document.getElementById(%q).value === %q && document.getElementById('play-target').value === '222' && "+
				"document.getElementById('house-rules').open", change.list, change.value)) {
				t.Errorf("%s: the dialog has forgotten the choices", game)
			}
		})
	}
}

// In Amsterdam, chosen in the dialog, a player whose partner is winning the trick may keep a trump back: the page lets such a card be
// played, which the usual rules forbid, and the match ends at the points that were chosen.
func TestHouseRulesChangeWhatIsLegal(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), dialogsOfGames()["klaverjas"].path)
	p.still()
	p.toDialog()
	p.choose("rule-system", "amsterdam")
	p.choose("play-hands", "t")
	p.until("document.getElementById('play-target')")
	p.click("#play-target")
	eval[bool](p, "document.getElementById('play-target').select() ?? true")
	p.typeText("300")
	for _, list := range []string{"play-partner", "play-opponents"} {
		p.choose(list, "casual")
	}
	p.choose("play-bidding", "none")
	// The deals are the same in each run.
	p.passes(`(to, body) => to.endsWith('/sessions') ? JSON.stringify({...JSON.parse(body), seed: '1'}) : body`)
	p.click("#play-begin")
	p.until("document.querySelector('#felt .card.legal')")
	// A legal card of another suit than the one led, no trump, where the seat has no card of that suit but a trump.
	const kept = `(s => {
		const led = s.trick?.cards[0]?.card.slice(-1), trump = s.view?.trump, suits = s.held.map(c => c.slice(-1))
		if (!led || led === trump || suits.includes(led) || !suits.includes(trump)) return ''
		return s.legal.find(c => c.slice(-1) !== trump) ?? ''
	})`
	session := fmt.Sprintf("ask('%s/' + localStorage.getItem('roem.game')).then(r => r.json())", sessionsPath)
	shown := false
	for range 60 { // a hand has eight cards of the player
		state, card, _ := strings.Cut(eval[string](p, session+".then(s => `${s.state} ${("+kept+")(s) || s.legal[0]}`)"), " ")
		if state == "over" {
			break
		}
		if state == "hand_over" {
			p.until("document.querySelector('#next-hand:not([aria-disabled=true])')")
			p.click("#next-hand")
			p.settles(session + ".then(s => s.state === 'playing')")
			continue
		}
		shown = shown || eval[bool](p, session+".then(s => "+kept+"(s) !== '')")
		own := fmt.Sprintf("#felt .card.legal[data-card=%q]", card)
		p.until("document.querySelector('" + own + "')")
		p.click(own)
		p.settles(session + fmt.Sprintf(".then(s => s.state !== 'playing' || !s.held.includes(%q))", card))
	}
	p.until("document.querySelector('#again')")
	const end = ".then(s => `${s.state} ${s.target} ${Math.max(s.totals.NS, s.totals.EW) >= 300}`)"
	if ends := eval[string](p, session+end); ends != "over 300 true" {
		t.Errorf("the match is %s", ends)
	}
	if said := p.text("#result"); !strings.Contains(said, "300") {
		t.Errorf("the page says %q", said)
	}
	if !shown {
		t.Error("no card was played that the usual rules forbid")
	}
}
