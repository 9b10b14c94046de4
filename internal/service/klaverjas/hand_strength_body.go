package klaverjas

import (
	"fmt"

	"github.com/cespare/xxhash/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
	"roem/internal/service/klaverjas/handstrength"
)

// handsField is the field of a request that lists hands.
const handsField = "hands"

// with returns the body with the fields of another where it has none.
func (b handStrengthItemBody) with(defaults handStrengthItemBody) handStrengthItemBody {
	fill(&b.Rules, defaults.Rules)
	fill(&b.Seat, defaults.Seat)
	fill(&b.Leader, defaults.Leader)
	fill(&b.Declarer, defaults.Declarer)
	fill(&b.Trump, defaults.Trump)
	fill(&b.Precision, defaults.Precision)
	fill(&b.Method, defaults.Method)
	fill(&b.Seed, defaults.Seed)
	return b
}

func fill[T any](to **T, from *T) {
	if *to == nil {
		*to = from
	}
}

// points is how many points of a precision are a probability of 1.
const points = 100

// parse returns the question that the fields of the body ask, with all four trumps if it has no trump. Fields that are missing are zero.
// Its errors are the errors of the fields that are there.
func (b handStrengthItemBody) parse() (q handstrength.Question, trumps []piquet.Suit, err error) {
	var vs service.Problems
	q.Rules = newRules(b.Rules, &vs)
	if b.Hand.given() {
		q.Hand = b.Hand.hand(&vs)
	}
	if b.Seat != nil {
		q.Seat, err = piquet.ParseSeat(*b.Seat)
		vs.Add("/seat", err)
		q.Declarer = q.Seat.Team()
	}
	if b.Leader != nil {
		q.Leader, err = piquet.ParseSeat(*b.Leader)
		vs.Add("/leader", err)
	}
	if b.Declarer != nil {
		q.Declarer, err = piquet.ParseTeam(*b.Declarer)
		vs.Add("/declarer", err)
	}
	all := piquet.Suits()
	trumps = all[:]
	if b.Trump != nil {
		trump, err := piquet.ParseSuit(*b.Trump)
		vs.Add("/trump", err)
		trumps = []piquet.Suit{trump}
	}
	q.Precision = handstrength.DefaultPrecision
	if b.Precision != nil {
		q.Precision = *b.Precision / points
	}
	if b.Method != nil {
		q.Method, err = handstrength.ParseMethod(string(*b.Method))
		vs.Add("/method", err)
	}
	q.Seed = vs.OptionalSeed(b.Seed, 0)
	if err := vs.Err(); err != nil {
		return q, nil, err
	}
	return q, trumps, nil
}

// hand returns the eight cards of a list. It adds violations to vs.
func (l cardList) hand(vs *service.Problems) (hand piquet.Set) {
	if len(l.cards) == klaverjas.HandSize {
		if hand = piquet.SetOf(l.cards...); hand.Len() == klaverjas.HandSize {
			return hand
		}
		hand = 0
	}
	texts := l.text()
	if n := len(texts); n != klaverjas.HandSize {
		vs.Add("/hand", violation.New(violation.WrongCount, "has %d cards, expected %d", n, klaverjas.HandSize).Of(n).
			Between(klaverjas.HandSize, klaverjas.HandSize))
	}
	first := map[piquet.Card]int{}
	for i, text := range texts[:min(len(texts), piquet.Deck.Len())] {
		here := fmt.Sprintf("/hand/%d", i)
		c, err := piquet.ParseCard(text)
		if err != nil {
			vs.Add(here, err)
			continue
		}
		if at, twice := first[c]; twice {
			vs.Add(here, violation.New(violation.CardTwice, "%s is also in /hand/%d", c, at).Of(c))
			continue
		}
		first[c] = i
		hand = hand.With(c)
	}
	return hand
}

// query returns the query of the body.
func (b handStrengthItemBody) query(g *Game) (*HandStrengthQuery, error) {
	q, trumps, err := b.parse()
	if err != nil {
		return nil, err
	}
	var missing service.Problems
	for _, field := range []struct {
		name  string
		there bool
	}{{"seat", b.Seat != nil}, {"leader", b.Leader != nil}} {
		if !field.there {
			missing.Addf("/"+field.name, violation.Missing, "is missing")
		}
	}
	if err := missing.Err(); err != nil {
		return nil, err
	}
	if b.Seed == nil {
		q.Seed = xxhash.Sum64(appendQuestion(nil, &q))
	}
	questions := make([]handstrength.Question, len(trumps))
	for i, trump := range trumps {
		questions[i] = q
		questions[i].Trump = trump
	}
	precision := handstrength.DefaultPrecision * points
	if b.Precision != nil {
		precision = *b.Precision
	}
	return g.newHandStrengthQuery(questions, precision)
}

// ParseHandStrength reads the body of hand-strength.
func ParseHandStrength() service.Parser[*Game, *HandStrengthQuery] {
	return service.BodyOf("KlaverjasHandStrengthRequest", func(g *Game, in handStrengthBody) (*HandStrengthQuery, error) {
		return handStrengthItemBody{
			Rules: in.Rules, Hand: in.Hand, Seat: &in.Seat, Leader: &in.Leader, Declarer: in.Declarer, Trump: in.Trump, Precision: in.Precision,
			Method: in.Method, Seed: in.Seed,
		}.query(g)
	})
}

// defaults returns the fields that the hands of a list have in common.
func (in handStrengthBatchBody) defaults() (handStrengthItemBody, error) {
	common := handStrengthItemBody{
		Rules: in.Rules, Seat: in.Seat, Leader: in.Leader, Declarer: in.Declarer, Trump: in.Trump, Precision: in.Precision, Method: in.Method,
		Seed: in.Seed,
	}
	_, _, err := common.parse()
	return common, err
}

// ParseHandStrengthBatch reads the body of hand-strength/batch. An error in one hand is the error of its item.
func ParseHandStrengthBatch() service.Parser[*Game, *HandStrengthBatchQuery] {
	return service.ListOf("KlaverjasHandStrengthBatchRequest", handsField,
		func(_ *Game, in handStrengthBatchBody) (handStrengthItemBody, error) { return in.defaults() },
		"KlaverjasHandStrengthItem",
		func(g *Game, in handStrengthItemBody, defaults handStrengthItemBody) (*HandStrengthQuery, error) {
			return in.with(defaults).query(g)
		},
		func(g *Game, _ handStrengthItemBody, items service.Items[*HandStrengthQuery]) *HandStrengthBatchQuery {
			return &HandStrengthBatchQuery{game: g, items: items}
		})
}
