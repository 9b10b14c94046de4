// Package takeback numbers the acts of a player in a session in which acts can be taken back: each act and each taking back has a number of
// its own, which no other one gets, also after it was taken back.
package takeback

// Count is what was taken back in a session. The zero Count is nothing.
type Count struct {
	Lost int `json:"lost"` // how many numbers belong to no act that stands
	Next int `json:"next"` // the number after the last taking back
}

// Number returns the number of the next act, after a number of acts that stand.
func (c Count) Number(standing int) int { return standing + c.Lost }

// After returns the Count after the last of a number of acts that stand, at least one, is taken back.
func (c Count) After(standing int) Count {
	return Count{Lost: c.Lost + 2, Next: c.Number(standing) + 1}
}

// Place returns the place of the act with a number among the acts that stand. back says that the number is of the last taking back, and
// known is false if an earlier part of the session has the number, of which no more is kept.
func (c Count) Place(number int) (place int, back, known bool) {
	if number < c.Next {
		return 0, number == c.Next-1, number == c.Next-1
	}
	return number - c.Lost, false, true
}
