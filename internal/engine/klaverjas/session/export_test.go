package session

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// Sure is sure.
func Sure(k *worlds.Knowledge, now klaverjas.Position) (piquet.Card, bool) { return sure(k, now) }

// WithHands returns the session with other hands dealt in the present hand, after the same acts. The cards must be legal from the hands.
func WithHands(s Session, hands [4]piquet.Set) (Session, error) {
	m := s.Match()
	d, turned, before := m.draw(random.New(m.Secret[0], m.Secret[1], uint64(s.Number()), 0), s.Number()-1)
	d.Hands = hands
	h, err := m.begin(d, turned, before)
	for _, a := range s.Done() {
		if err == nil {
			h, err = h.Act(a)
		}
	}
	return s.With(h), err
}
