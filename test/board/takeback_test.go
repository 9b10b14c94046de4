package board_test

import (
	"fmt"
	"testing"
)

// In a friendly game the last card is taken back with a button: the hand has it again, and the cards of the others that followed are gone.
func TestTakeBack(t *testing.T) {
	t.Parallel()
	for _, game := range []struct{ path, kept, sessions string }{
		{"/board#v=1&m=play", "game", sessionsPath},
		{"/belote#v=1&m=play", "belote-game", "/v1/belote/sessions"},
		{"/tarok#v=1&m=play", "tarok-game", "/v1/tarok/sessions"},
		{"/gin-rummy", "gin", "/v1/gin-rummy/sessions"},
	} {
		t.Run(game.kept, func(t *testing.T) {
			p := open(t, commonSite(t), game.path)
			p.still()
			p.until("document.querySelector('#lobby-play, #play')")
			p.click("#play, #lobby-play")
			p.until("document.querySelector('#play-takeback')")
			p.click("#play-takeback")
			p.click("#play-begin")
			p.until("document.querySelector('#takeback')")
			session := fmt.Sprintf("ask('%s/' + localStorage.getItem('roem.%s')).then(r => r.json())", game.sessions, game.kept)
			if !eval[bool](p, session+".then(s => s.takeback && s.acts === 0)") {
				t.Errorf("%s: the session is not a friendly one", game.path)
			}
			before := eval[string](p, session+".then(s => JSON.stringify({...s, acts: 0, expires_at: ''}))")
			// What may be done first: a call, a bid, a card, or a draw.
			p.click("#felt [data-call]:not([aria-disabled=true]), #act-pass, #act-stock, " +
				"#felt .card.legal")
			p.until("document.querySelector('#takeback:not([aria-disabled=true])')")
			p.click("#takeback")
			p.settles(session + ".then(s => s.acts === 2)")
			if after := eval[string](p, session+".then(s => JSON.stringify({...s, acts: 0, expires_at: ''}))"); after != before {
				t.Errorf("%s: the session is\n%s, before\n%s", game.path, after, before)
			}
			if eval[bool](p, "!!document.querySelector('#conflict, #refused, #offline')") {
				t.Errorf("%s: the page says that something is wrong", game.path)
			}
		})
	}
}
