package ginrummy

import "roem/internal/engine/violation"

// Numbers of the rules.
const (
	HandSize      = 10
	MaxDeadwood   = 10  // with which a player may knock
	GinBonus      = 25  // for a knock without deadwood
	UndercutBonus = 25  // for the opponent of a knocker who has no less deadwood
	GameScore     = 100 // the points that end a game
	LeastStock    = 2   // a round without a knock ends when no more cards than these are left in the stock
)

// Seat is one of the two players. A gets the first card of a deal.
type Seat uint8

// The seats.
const (
	A Seat = 0
	B Seat = 1
)

// String returns A or B.
func (s Seat) String() string { return "AB"[s&1 : s&1+1] }

// ParseSeat returns the seat of a letter, in upper or lower case.
func ParseSeat(text string) (Seat, error) {
	switch text {
	case "A", "a":
		return A, nil
	case "B", "b":
		return B, nil
	}
	return 0, violation.New(violation.NotASeat, "%.24q is not a seat: expected A or B", text).Of(text).OneOf("A", "B")
}

// Other returns the other seat.
func (s Seat) Other() Seat { return s ^ 1 }

// Result is how a round ended.
type Result struct {
	Void     bool // nobody knocked; the other fields are zero
	Knocker  Seat
	Gin      bool // the knocker had no deadwood
	Undercut bool // the opponent had no more deadwood than the knocker
	Deadwood [2]int
	LaidOff  []LayOff // cards of the opponent on melds of the knocker
	Score    [2]int   // one of the two is zero
}

// Score scores a knock. The hands have ten cards, and the melds are the arrangement that each player laid down. The cards that the
// opponent did not meld are laid off first, except on a knocker without deadwood: where off says, or by the rule.
func Score(hands [2]Set, melds [2]Arrangement, knocker Seat, rule LayOffs, off Laid) Result {
	r := Result{Knocker: knocker & 1}
	opponent := r.Knocker.Other()
	r.Deadwood[r.Knocker] = melds[r.Knocker].Deadwood(hands[r.Knocker])
	left := hands[opponent] &^ melds[opponent].Cards()
	r.Gin = r.Deadwood[r.Knocker] == 0
	switch {
	case r.Gin:
	case off.Given:
		r.LaidOff, left = off.list(melds[r.Knocker]), left&^off.Cards()
	default:
		r.LaidOff, left = rule.LayOff(left, melds[r.Knocker])
	}
	r.Deadwood[opponent] = left.Points()
	switch ahead := r.Deadwood[opponent] - r.Deadwood[r.Knocker]; {
	case r.Gin:
		r.Score[r.Knocker] = GinBonus + ahead
	case ahead > 0:
		r.Score[r.Knocker] = ahead
	default:
		r.Undercut = true
		r.Score[opponent] = UndercutBonus - ahead
	}
	return r
}
