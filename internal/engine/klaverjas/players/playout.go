package players

import (
	"context"
	"errors"
	"math/rand/v2"

	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

var errNoPolicy = errors.New("there is no policy for the players that need one")

// Models returns the policies of the tools.
func (t *Tools) Models() (playout.Models, error) {
	if t.policies.Play == nil {
		if t.Policies == nil {
			return playout.Models{}, errNoPolicy
		}
		m, err := t.Policies()
		if err != nil {
			return playout.Models{}, err
		}
		t.policies = m
	}
	return t.policies, nil
}

// Policy plays the card that a network holds best for what the seat sees. It searches nothing.
type Policy struct{ tools *Tools }

// Choose asks the network. Its error says that there is none, or that the view has no world.
func (p *Policy) Choose(_ context.Context, v worlds.View) (Choice, error) {
	s, err := look(&v)
	if err != nil {
		return Choice{}, err
	}
	if s.legal.Len() == 1 {
		return only(s.legal.First()), nil
	}
	m, err := p.tools.Models()
	if err != nil {
		return Choice{}, err
	}
	t := playout.TableOf(&v)
	var logits [32]float32
	m.Play.Logits(&t, s.own, s.legal, &logits)
	return learned(&logits, s.legal), nil
}

// learned is the choice of the card with the highest logit.
func learned(logits *[32]float32, legal piquet.Set) Choice {
	var p [32]float64
	playout.Probabilities(logits, legal, &p)
	best := playout.Likeliest(logits, legal)
	next := playout.Likeliest(logits, legal.Without(best))
	t := about(LearnedCard, best)
	t.Next, t.Chance, t.NextChance = &next, p[best], p[next]
	return Choice{Card: best, Thoughts: []Thought{t}}
}

// Playout plays each legal card to the end of the hand in many worlds, with the policy in all seats, and chooses the card with the best
// mean outcome. The worlds are drawn by what the cards played say about them. Cards that are clearly worse are given up early. In
// the last tricks it searches the worlds exactly instead.
type Playout struct {
	Worlds int
	// Mixture holds it for possible that the opponents are players by rules of thumb: logical or simple.
	Mixture bool
	rng     *rand.Rand
	tools   *Tools
}

// Choose plays the worlds to their ends. Its error is the error of the context, of a view without worlds, or says that there is no policy.
func (p *Playout) Choose(ctx context.Context, v worlds.View) (Choice, error) {
	k, err := worlds.New(v)
	if err != nil {
		return Choice{}, err
	}
	q, err := advice.NewQuestion(k)
	if err != nil {
		return Choice{}, err
	}
	if q.Forced() {
		return only(q.Cards()[0]), nil
	}
	m, err := p.tools.Models()
	if err != nil {
		return Choice{}, err
	}
	if p.Mixture {
		m.Rules = ruledPlayers()
	}
	r, err := q.Race(ctx, p.rng, m, counted{p.tools}, advice.DefaultPlayouts(p.Worlds))
	if err != nil {
		return Choice{}, err
	}
	return raced(r), nil
}

// counted is the searcher of tools, which counts the nodes.
type counted struct{ tools *Tools }

// Solve searches a position.
func (c counted) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	r, err := c.tools.searcher().Solve(ctx, q)
	c.tools.nodes += r.Nodes
	return r, err
}

// ruledPlayers returns the players by rules that the opponents may be.
func ruledPlayers() []playout.Policy {
	l := newLogical(Logical{}, nil)
	return []playout.Policy{
		ruled{func(s *sight) (piquet.Card, error) {
			b, err := l.beliefs(s)
			if err != nil {
				return 0, err
			}
			c, _ := l.choose(s, &b)
			return c, nil
		}},
		ruled{func(s *sight) (piquet.Card, error) { return Simple{}.choose(s), nil }},
	}
}

// ruled is a player by rules of thumb as a policy.
type ruled struct {
	choose func(*sight) (piquet.Card, error)
}

// sure is the logit of the card that a player by rules chooses. The other cards have the logit 0.
const sure = 100

// Logits writes the logits of the legal cards.
func (r ruled) Logits(t *playout.Table, own, legal piquet.Set, logits *[32]float32) {
	seat := t.Turn()
	for c := range legal.All() {
		logits[c] = 0
	}
	v := worlds.View{
		Rules: *t.Rules, Trump: t.Trump, Leader: t.Leader, Declarer: t.Declarer, Seat: seat, Hand: own | t.PlayedBy(seat), Played: t.Line(),
	}
	s, err := look(&v)
	if err != nil {
		return
	}
	if c, err := r.choose(&s); err == nil {
		logits[c] = sure
	}
}
