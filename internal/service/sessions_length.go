package service

import (
	"strconv"

	"roem/internal/engine/length"
	"roem/internal/engine/table/session"
	"roem/internal/engine/violation"
)

// Terms reads the fields that a request for a session has in every game. Without hands and target the session has one hand. The secret is
// drawn later, unless there is a seed.
func (ps *Problems) Terms(hands, target *int, takeback *bool, seed *string) session.Terms {
	t := session.Terms{Hands: Or(hands, 1), Takeback: Or(takeback, false), Seed: seed != nil}
	if target != nil {
		t.Hands, t.Target = length.MaxHands, *target
	}
	if target != nil && hands != nil {
		ps.Add("/target", violation.New(violation.OnlyOneOf, "is given together with hands: give only one of them").OneOf("hands", "target"))
	}
	t.Secret[0] = ps.OptionalSeed(seed, 0)
	return t
}

// OutTerms returns what the answer for a session has of its terms: nil for none. The secret is in it only if the client has chosen it.
func OutTerms(t *session.Terms) (target *int, takeback *bool, seed *string) {
	if t.Takeback {
		takeback = &t.Takeback
	}
	if t.Seed {
		seed = new(strconv.FormatUint(t.Secret[0], 10))
	}
	return Given(t.Target), takeback, seed
}

// Given returns a number that may be missing, which 0 stands for, as the field of an answer.
func Given(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}
