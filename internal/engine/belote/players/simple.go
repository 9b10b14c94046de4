package players

import (
	"context"

	"roem/internal/engine/belote"
	"roem/internal/engine/piquet"
)

// thumb are the numbers of the rule of thumb, in points. They are first guesses: no match has tuned them.
var thumb = struct{ Trump, TrumpHeld, PlainHeld, Ace, Lead float64 }{Trump: 4, TrumpHeld: 0.4, PlainHeld: 0.3, Ace: 3, Lead: 2}

// chooseSimple plays the card that is best for one trick. A follower knows how the trick ends. A leader takes the reply that is best for
// the other, whose open cards it sees. The cards that are spent count by what they may be worth later.
func chooseSimple(_ context.Context, _ *seat, v View) (piquet.Card, error) {
	now := v.Seen.Now()
	trump := now.Deal()
	t := trump.Trump
	led, follows := now.Led()
	best, most := piquet.Card(0), 0.0
	for i, c := range now.Legal().Slice() {
		value := 0.0
		if follows {
			value = -trick(t, led, c)
		} else {
			for j, d := range t.Legal(c, now.Up(now.Turn().Other())).Slice() {
				if v := trick(t, c, d); j == 0 || v < value {
					value = v
				}
			}
		}
		if i == 0 || value > most {
			best, most = c, value
		}
	}
	return best, nil
}

// trick returns what a trick is worth to its leader.
func trick(t belote.Trump, led, reply piquet.Card) float64 {
	v := float64(t.Points(led)+t.Points(reply)) + thumb.Lead
	if t.Beats(reply, led) {
		v = -v
	}
	return v - held(t, led) + held(t, reply)
}

// held returns what a card may be worth in a later trick.
func held(t belote.Trump, c piquet.Card) float64 {
	points := float64(t.Points(c))
	if t.Is(c.Suit()) {
		return thumb.Trump + thumb.TrumpHeld*points
	}
	v := thumb.PlainHeld * points
	if c.Face() == piquet.Ace {
		v += thumb.Ace
	}
	return v
}
