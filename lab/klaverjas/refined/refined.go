// Package refined measures the marks that advice gives while it becomes better: it compares what the first and each later answer of a
// stream says of every card with what a far larger sample says.
package refined

import (
	"bytes"
	"context"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/match"
	"roem/internal/engine/piquet"
	"roem/internal/random"
	"roem/internal/service/klaverjas/bidadvice"
	"roem/lab/klaverjas/table"
)

// Settings say which decisions are taken and how many worlds are played out for each.
type Settings struct {
	Random  int // decisions with more than one legal card
	Jacks   int // decisions of IsJack
	Most    int // worlds of the last answer of a stream
	Truth   int // worlds of the large sample
	Player  players.Kind
	Seed    uint64
	Workers int
	Tools   func() *players.Tools
	Models  func() (playout.Models, error)
	// Progress, if not nil, is called after each decision.
	Progress func()
}

// Decision is a choice of a card, and what is said of the cards.
type Decision struct {
	Hand    int           // the number of the hand, from 0
	Played  int           // cards played before it
	Jack    *piquet.Card  // of IsJack; nil for a random decision
	Answers []Answer      // of the stream
	Truth   advice.Advice // of the large sample
}

// Answer is one answer of a stream.
type Answer struct {
	Worlds int // that were asked for
	Advice advice.Advice
}

// Round is the number of worlds of the first answer, which are drawn from advice.CandidatesEach times as many.
const Round = 100

// stopErrors ends a stream early, as it ends one of the server.
const stopErrors = 4

// Measure takes the decisions and asks for advice on each. The same settings give the same decisions, with any number of workers.
func Measure(ctx context.Context, s Settings) ([]Decision, error) {
	asked, err := s.choose(ctx)
	if err != nil {
		return nil, err
	}
	models := make([]playout.Models, s.Workers)
	for i := range models {
		if models[i], err = s.Models(); err != nil {
			return nil, err
		}
	}
	all := make([]Decision, 0, len(asked))
	err = match.Run(ctx, len(asked), s.Workers, func(ctx context.Context, worker, i int) (Decision, error) {
		return asked[i].measure(ctx, &s, models[worker])
	}, func(_ int, d Decision) error {
		all = append(all, d)
		if s.Progress != nil {
			s.Progress()
		}
		return nil
	})
	return all, err
}

// question is a decision before advice.
type question struct {
	Decision
	q       *advice.Question
	auction *bidding.Auction
}

// choose plays hands until there are enough decisions, at most one of each kind from a hand.
func (s *Settings) choose(ctx context.Context) (all []question, err error) {
	tools := s.Tools()
	left := [2]int{s.Random, s.Jacks}
	for hand := 0; left[0]+left[1] > 0; hand++ {
		var file bytes.Buffer
		if err := table.MakeBids(ctx, &file, table.BidSettings{
			Policy: new(bidadvice.Policy), Player: s.Player, First: hand, Games: 1, Seed: s.Seed, Tools: tools,
		}); err != nil {
			return nil, err
		}
		rows, err := table.ReadBids(&file)
		if err != nil {
			return nil, err
		}
		found, err := decisions(&rows[0])
		if err != nil {
			return nil, err
		}
		rng := random.New(s.Seed, uint64(hand), 1)
		for kind, list := range found {
			if left[kind] == 0 || len(list) == 0 {
				continue
			}
			left[kind]--
			d := list[random.Below(rng, uint64(len(list)))]
			d.Hand, d.auction = hand, &rows[0].Auction
			all = append(all, d)
		}
	}
	return all, nil
}

// decisions returns the choices of a hand, and its choices of IsJack.
func decisions(row *table.Auctioned) (found [2][]question, err error) {
	p, err := klaverjas.NewPosition(row.Rules, row.Deal)
	if err != nil {
		return found, err
	}
	for i, c := range row.Cards {
		if p.Legal().Len() > 1 {
			k, err := worlds.New(worlds.ViewOf(p, row.Cards[:i], p.Turn()))
			if err != nil {
				return found, err
			}
			q, err := advice.NewQuestion(k)
			if err != nil {
				return found, err
			}
			one := question{Decision: Decision{Played: i}, q: q}
			found[0] = append(found[0], one)
			if jack, ok := IsJack(p); ok {
				one.Jack = &jack
				found[1] = append(found[1], one)
			}
		}
		if p, err = p.Play(c); err != nil {
			return found, err
		}
	}
	return found, nil
}

// IsJack reports whether the partner of the seat to play is winning the trick and the seat may play the jack of the suit led, or else the
// jack of trumps, and a cheaper card.
func IsJack(p klaverjas.Position) (jack piquet.Card, ok bool) {
	t, trump, legal := p.Trick(), p.Deal().Trump, p.Legal()
	if t.Len < 2 || t.Winner != p.Turn().Partner() {
		return 0, false
	}
	for _, suit := range []piquet.Suit{t.Cards[0].Suit(), trump} {
		for c := range legal.InSuit(suit).All() {
			if c.Face() != piquet.Jack {
				continue
			}
			for other := range legal.All() {
				if klaverjas.Points(other, trump) < klaverjas.Points(c, trump) {
					return c, true
				}
			}
		}
	}
	return 0, false
}

// measure asks for the answers of a stream, and for the answer of the large sample.
func (d *question) measure(ctx context.Context, s *Settings, models playout.Models) (Decision, error) {
	view := d.q.Knowledge().View()
	e, err := bidadvice.NewEvidence(new(bidadvice.Policy), view.Rules, *d.auction, view.Seat)
	if err != nil {
		return d.Decision, err
	}
	o := advice.DefaultPlayouts(Round)
	o.Weights.Prior = e.Likelihood
	// Where all worlds are played out, there is one answer, and it is the truth.
	if all := d.q.Knowledge().Worlds(); all <= uint64(o.Candidates) {
		o.Worlds, o.Candidates = int(all), int(all)
		d.Truth, err = d.q.AdvisePlayouts(ctx, rand.New(rand.NewPCG(0, 0)), models, o)
		d.Answers = []Answer{{Worlds: int(all), Advice: d.Truth}}
		return d.Decision, err
	}
	var t advice.Tally
	add := func(seed uint64, from, to int) error {
		for first := from; first < to; first += Round {
			part, err := d.q.PlayOuts(ctx, random.New(seed, uint64(d.Hand), uint64(d.Played), uint64(first)), models, o)
			if err != nil {
				return err
			}
			t.Merge(part)
		}
		return nil
	}
	for n, done := Round, 0; ; n, done = min(2*n, s.Most), n {
		if err := add(s.Seed, done, n); err != nil {
			return d.Decision, err
		}
		d.Answers = append(d.Answers, Answer{Worlds: n, Advice: d.q.Advise(&t, advice.Score, false)})
		if n == s.Most || d.q.Separated(&t, advice.Score, stopErrors, false) {
			break
		}
	}
	t = advice.Tally{}
	err = add(^s.Seed, 0, s.Truth)
	d.Truth = d.q.Advise(&t, advice.Score, false)
	return d.Decision, err
}
