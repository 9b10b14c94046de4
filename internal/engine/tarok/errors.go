package tarok

import "roem/internal/engine/violation"

// Violation is one error in the description of a position.
type Violation = violation.Violation

// Violations is the error for an invalid position: all violations, in the order of the input.
type Violations = violation.List

// IllegalCard is the error for a card that may not be played.
type IllegalCard = violation.IllegalCard[Card, Player, Set]
