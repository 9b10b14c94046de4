// Package variants compares ways to choose a card of Klaverjas with hidden cards from the same positions, with less variance than a match.
//
// Two ways, a base and a variant, play the same deal in the same seats against the same opponents. As long as both choose the same card, the hand goes on
// once. From the first choice in which they differ, each plays its own hand to the end. So a hand in which they never differ counts 0, without any noise.
package variants

import (
	"context"
	"time"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/knowledge"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/match"
	"roem/internal/random"
)

// Way is a way to choose a card. What it draws at random comes from seed.
type Way interface {
	// Choose returns the card for the view, whose seat is to play.
	Choose(ctx context.Context, v knowledge.View, seed uint64) (cards.Card, error)
}

// Settings are those of a comparison.
type Settings struct {
	Base      Way
	Variants  []Way
	Opponents players.Kind
	Early     players.Kind // plays the first From cards for the side of the base and the variant
	From      int          // the base and the variant choose after so many cards
	Deals     int          // each is played twice: by north and south, then by east and west
	Seed      uint64
	Tools     *players.Tools
	Progress  func(int) // if not nil, it is called with the number of deals played
}

// Result is what a comparison has found of one variant.
type Result struct {
	Gain      match.Estimate // points a hand that the variant scores above the base, over the deals
	Deals     int
	Hands     int
	Different int   // the hands in which the ways chose different cards
	Base      Spent // the choices between several cards
	Variant   Spent
}

// Spent is the time for choices.
type Spent struct {
	Choices int
	Time    time.Duration
}

// Mean returns the time for a choice.
func (s *Spent) Mean() time.Duration { return s.Time / time.Duration(max(s.Choices, 1)) }

// Compare plays the deals. If the context ends, the results are those of the deals played by then, with its error.
func Compare(ctx context.Context, s Settings) (results []Result, err error) {
	rng := index.NewRand(s.Seed)
	results = make([]Result, len(s.Variants))
	gains := make([][]float64, len(s.Variants))
	defer func() {
		for i := range results {
			results[i].Gain = match.MeanOf(gains[i])
			results[i].Deals = len(gains[i])
		}
	}()
	base := &remembered{way: s.Base, known: map[string]cards.Card{}}
	for deal := range s.Deals {
		trump, leader := cards.Suit(random.Below(rng, 4)), cards.Seat(random.Below(rng, 4))
		d := klaverjas.Deal{Trump: trump, Leader: leader, Declarer: leader.Team(), Hands: index.Random(rng, trump, leader)}
		clear(base.known)
		some := make([]float64, len(s.Variants))
		for i, variant := range s.Variants {
			for _, team := range cards.Teams() {
				h := hand{s: &s, r: &results[i], base: base, variant: variant, team: team, seed: s.Seed<<32 + uint64(deal)}
				apart, err := h.compare(ctx, d)
				if err != nil {
					return results, err
				}
				some[i] += float64(apart) / 2
			}
		}
		for i := range gains {
			results[i].Base = base.spent
			gains[i] = append(gains[i], some[i])
		}
		if s.Progress != nil {
			s.Progress(deal + 1)
		}
	}
	return results, nil
}

// remembered is a way that does not choose twice in the same position.
type remembered struct {
	way   Way
	known map[string]cards.Card
	spent Spent
}

// Choose asks the way, or remembers.
func (r *remembered) Choose(ctx context.Context, v knowledge.View, seed uint64) (cards.Card, error) {
	key := make([]byte, 0, 33)
	for _, c := range v.Played {
		key = append(key, byte(c))
	}
	key = append(key, byte(v.Seat))
	if c, ok := r.known[string(key)]; ok {
		return c, nil
	}
	began := time.Now()
	c, err := r.way.Choose(ctx, v, seed)
	r.spent.Choices++
	r.spent.Time += time.Since(began)
	r.known[string(key)] = c
	return c, err
}

// hand is one hand of a comparison, in which team is that of the base and the variant.
type hand struct {
	s             *Settings
	r             *Result
	base, variant Way
	team          cards.Team
	seed          uint64
}

// line is a hand under way.
type line struct {
	p      klaverjas.Position
	played []cards.Card
}

func (l *line) play(c cards.Card) (err error) {
	l.p, err = l.p.Play(c)
	l.played = append(l.played, c)
	return err
}

// compare returns how many points more the variant's team scores above the opponents than the base's.
func (h *hand) compare(ctx context.Context, d klaverjas.Deal) (int, error) {
	p, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Rotterdam), d)
	if err != nil {
		return 0, err
	}
	h.r.Hands++
	l := line{p: p}
	for !l.p.Finished() {
		if l.p.Turn().Team() != h.team || len(l.played) < h.s.From || l.p.Legal().Len() == 1 {
			if err := h.other(ctx, &l); err != nil {
				return 0, err
			}
			continue
		}
		view := knowledge.ViewOf(l.p, l.played, l.p.Turn())
		base, err := h.base.Choose(ctx, view, h.seed)
		if err != nil {
			return 0, err
		}
		began := time.Now()
		variant, err := h.variant.Choose(ctx, view, h.seed)
		if err != nil {
			return 0, err
		}
		h.r.Variant.Choices++
		h.r.Variant.Time += time.Since(began)
		if base == variant {
			if err := l.play(base); err != nil {
				return 0, err
			}
			continue
		}
		h.r.Different++
		a, err := h.finish(ctx, l, variant, h.variant)
		if err != nil {
			return 0, err
		}
		b, err := h.finish(ctx, l, base, h.base)
		return a - b, err
	}
	return 0, nil
}

// finish plays a card and the rest of the hand, and returns what the team scores above the opponents.
func (h *hand) finish(ctx context.Context, l line, c cards.Card, way Way) (int, error) {
	l.played = append([]cards.Card(nil), l.played...)
	if err := l.play(c); err != nil {
		return 0, err
	}
	for !l.p.Finished() {
		if l.p.Turn().Team() != h.team || l.p.Legal().Len() == 1 {
			if err := h.other(ctx, &l); err != nil {
				return 0, err
			}
			continue
		}
		c, err := way.Choose(ctx, knowledge.ViewOf(l.p, l.played, l.p.Turn()), h.seed)
		if err != nil {
			return 0, err
		}
		if err := l.play(c); err != nil {
			return 0, err
		}
	}
	outcome := l.p.Outcome()
	if l.p.Deal().Declarer != h.team {
		outcome = -outcome
	}
	return outcome, nil
}

// other plays a card that neither the base nor the variant chooses.
func (h *hand) other(ctx context.Context, l *line) error {
	if legal := l.p.Legal(); legal.Len() == 1 {
		return l.play(legal.First())
	}
	kind := h.s.Opponents
	if l.p.Turn().Team() == h.team {
		kind = h.s.Early
	}
	c, err := Kind{kind, h.s.Tools}.Choose(ctx, knowledge.ViewOf(l.p, l.played, l.p.Turn()), h.seed)
	if err != nil {
		return err
	}
	return l.play(c)
}

// Kind is the way of a kind of player, whose random numbers depend on the seed, the seat and the number of cards played.
type Kind struct {
	Kind  players.Kind
	Tools *players.Tools
}

// Choose asks a new player.
func (k Kind) Choose(ctx context.Context, v knowledge.View, seed uint64) (cards.Card, error) {
	p := k.Kind.New(players.Place{Seat: v.Seat, Rand: stream(&v, seed), Tools: k.Tools})
	choice, err := p.Choose(ctx, v)
	return choice.Card, err
}
