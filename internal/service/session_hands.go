package service

import (
	"context"
	"fmt"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/record"
	"roem/internal/engine/violation"
)

// SessionHands is what a SessionGame whose sessions have hands has besides: the hands that are over can be read again. They follow from
// the bytes of the session, which therefore need not keep more for them.
type SessionHands[S any] interface {
	// Ends returns the game as it was at the end of each hand that is over.
	Ends(s S) ([]S, error)
	// Record returns the record of the present hand, which is over. number is its number, from 1.
	Record(s S, number int) record.Hand
}

// Hand returns a session as the client saw it when a hand was over. number is the number of the hand as the client wrote it.
func (g *Sessions[Q, S, A, T]) Hand(ctx context.Context, holder, id, number string) (answer T, err error) {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		var vs Problems
		vs.AddIn("number", violation.New(violation.WrongForm, "is not the number of a hand: expected a number from 1").Of(number))
		return answer, vs.Err()
	}
	entry, s, err := g.load(ctx, holder, id)
	if err != nil {
		return answer, err
	}
	ends, err := g.hands.Ends(s)
	if err != nil {
		return answer, err
	}
	if n > len(ends) {
		return answer, NewSessionConflict(HandNotOver, NumberOf(s),
			fmt.Sprintf("Hand %d of the session is not over. The number of hands that are over is %d.", n, len(ends)))
	}
	return g.answer(entry, ends[n-1]), nil
}

// Records returns the records of the hands of a session that are over.
func (g *Sessions[Q, S, A, T]) Records(ctx context.Context, holder, id string) (out api.RecordConversion, err error) {
	_, s, err := g.load(ctx, holder, id)
	if err != nil {
		return out, err
	}
	ends, err := g.hands.Ends(s)
	if err != nil {
		return out, err
	}
	if len(ends) == 0 {
		return out, NewSessionConflict(HandNotOver, NumberOf(s), "No hand of the session is over.")
	}
	hands := make([]record.Hand, len(ends))
	for i, end := range ends {
		hands[i] = g.hands.Record(end, i+1)
	}
	return g.service.WriteRecords(hands, api.RecordFormText)
}

// SessionTags returns the tags of the record of a hand of a session: the number of the hand, and the seat of the client.
func SessionTags(number int, seat string) []record.Tag {
	return []record.Tag{{Name: "Board", Value: strconv.Itoa(number)}, {Name: "Seat", Value: seat}}
}
