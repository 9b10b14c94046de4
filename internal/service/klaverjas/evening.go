package klaverjas

import (
	"context"
	"crypto/sha256"
	"time"

	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	handrecord "roem/internal/engine/klaverjas/record"
	"roem/internal/engine/piquet"
	"roem/internal/engine/record"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// EveningQuery asks for reviews of many hands, with the sheet.
type EveningQuery struct {
	service.Uncached[[]service.Answer[*findings]]
	game  *Game
	hands []eveningHand
	seed  uint64
	key   service.Key
}

// eveningHand is a hand of an evening.
type eveningHand struct {
	record   *handrecord.Hand
	position Position
	names    [4]string    // by seat
	review   *ReviewQuery // nil if no card was played
}

// maxEvening is how many hands an evening may have.
const maxEvening = 100

// newEveningQuery returns the query about the hands of a text. worlds is nil for as many as decide.
func (g *Game) newEveningQuery(text string, worlds *int, seed uint64) (*EveningQuery, error) {
	q := &EveningQuery{game: g, seed: seed}
	kinds := record.Kinds{Kinds: []*record.Kind{handrecord.Kind}, Foreign: handrecord.Foreign, Most: maxEvening}
	list, err := kinds.Read(text)
	if err != nil {
		return nil, service.FromRecords("/text", err)
	}
	for i, one := range list {
		hand, err := g.eveningHand(one, i+1, worlds, seed)
		if err != nil {
			return nil, err
		}
		q.hands = append(q.hands, hand)
	}
	sum := sha256.Sum256([]byte(text)) // the text can be long, and nothing else says what the hands are
	q.key = newKey(KindEvening).Bytes(sum[:]).Int(service.Or(worlds, 0)).Uint(seed)
	return q, nil
}

// eveningHand returns a hand with its review.
func (g *Game) eveningHand(one record.Hand, number int, worlds *int, seed uint64) (out eveningHand, err error) {
	h, ok := one.(*handrecord.Hand)
	if !ok || h.View || !h.Decided {
		return out, service.Refused(violation.New(violation.Needed, "record %d has no trump, or the hand of one seat only", number).At("/text"))
	}
	out.names, out.record = eveningNames(h), h
	deal := klaverjas.Deal{Trump: h.Trump, Leader: h.Leader, Declarer: h.Declarer, Hands: h.Hands}
	if out.position, err = positionOf(h.Rules, deal, h.Played); err != nil {
		return out, service.FromEngineAt("/text", err)
	}
	if len(h.Played) > 0 {
		out.review, err = g.reviewOf(out.position, service.Whose{}, worlds, seed)
	}
	return out, service.Below("/text", err)
}

// eveningNames returns the names of the players by seat: the names in the tags, or the letters of the seats.
func eveningNames(h *handrecord.Hand) (names [4]string) {
	for i, tag := range [4]string{piquet.North: "North", piquet.East: "East", piquet.South: "South", piquet.West: "West"} {
		names[i] = piquet.Seat(i).String()
		for _, t := range h.Tags {
			if t.Name == tag && t.Value != "" {
				names[i] = t.Value
			}
		}
	}
	return names
}

// Key holds a digest of the records, and the options.
func (q *EveningQuery) Key() []byte { return q.key }

// Cost is the cost of the reviews.
func (q *EveningQuery) Cost() (sum time.Duration) {
	for i := range q.hands {
		if r := q.hands[i].review; r != nil {
			sum += r.Cost()
		}
	}
	return sum
}

// Known returns the answer if the cache has all reviews.
func (q *EveningQuery) Known(ctx context.Context) (answer service.Answer[[]service.Answer[*findings]], ok bool, err error) {
	reviews := make([]service.Answer[*findings], len(q.hands))
	for i := range q.hands {
		if r := q.hands[i].review; r != nil {
			if reviews[i], ok, err = r.Known(ctx); !ok || err != nil {
				return answer, false, err
			}
		}
	}
	return q.answer(reviews), true, nil
}

// Computation reviews the hands. It needs no slot; the reviews do.
func (q *EveningQuery) Computation() computation.Spec {
	run := func(ctx context.Context, task *computation.Task) (answer service.Answer[[]service.Answer[*findings]], err error) {
		reviews := make([]service.Answer[*findings], len(q.hands))
		err = q.game.service.EachPart(ctx, task, len(q.hands), func(i int) (err error) {
			if r := q.hands[i].review; r != nil {
				reviews[i], err = service.Ask(ctx, q.game.service, r)
			}
			return err
		})
		return q.answer(reviews), err
	}
	return service.Running(q.game.sharedKey(q.key), run)
}

// answer returns the answers to the reviews, of which a hand without a card has an empty one.
func (q *EveningQuery) answer(reviews []service.Answer[*findings]) service.Answer[[]service.Answer[*findings]] {
	out := service.Answer[[]service.Answer[*findings]]{Result: reviews, Source: service.FromCache}
	for i := range reviews {
		if reviews[i].Source == service.FromSearch {
			out.Source = service.FromSearch
		}
		out.Nodes += reviews[i].Nodes
	}
	out.Progress = computation.Progress{Done: len(q.hands), Of: len(q.hands), Nodes: uint64(out.Nodes)}
	return out
}
