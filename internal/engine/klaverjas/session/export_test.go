package session

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// Sure is sure.
func Sure(k *worlds.Knowledge, now klaverjas.Position) (piquet.Card, bool) { return sure(k, now) }

// WithHands returns the session with other hands dealt in the present hand, after the same calls and cards. The cards must be legal from
// the hands.
func (s Session) WithHands(hands [4]piquet.Set) (Session, error) {
	out := s
	out.dealt.hands = hands
	if s.State() == Bidding {
		return out, nil
	}
	d := s.now.Deal()
	out, err := out.begin(d.Trump, d.Declarer)
	for _, c := range s.played {
		if err == nil {
			out, err = out.play(c)
		}
	}
	out.acts = s.acts
	return out, err
}

// Dealt returns the hands as dealt.
func (s Session) Dealt() [4]piquet.Set { return s.dealt.hands }
