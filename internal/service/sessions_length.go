package service

import (
	"roem/internal/engine/length"
	"roem/internal/engine/violation"
)

// SessionLength returns how many hands a session has at most, and the points that end it, 0 for none, of the fields hands and target of its
// request. Without either it has one hand. It adds a violation to vs if both are given.
func SessionLength(hands, target *int, vs *Problems) (most, points int) {
	if target == nil {
		return Or(hands, 1), 0
	}
	if hands != nil {
		vs.Add("/target", violation.New(violation.OnlyOneOf, "is given together with hands: give only one of them").OneOf("hands", "target"))
	}
	return length.MaxHands, *target
}

// Given returns a number that may be missing, which 0 stands for, as the field of an answer.
func Given(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}
