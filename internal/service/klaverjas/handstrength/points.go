package handstrength

import "roem/internal/engine/piquet"

// The point count of a hand. Goedhart, Klaverjasboek, describes such a count of trumps and aces, with which a player in the first seat
// should have 45 points to play. The page that is public (members.ziggo.nl/goedharten/Publiek/Klaverjasboek/SpelenPassen.html) shows
// three hands with 50, 45 and 40 points and not the table. These values are ours; they give the points of the three hands.
const (
	pointsJack      = 20 // of trump
	pointsNine      = 10 // of trump
	pointsTrump     = 5  // any other trump
	pointsAce       = 10 // of a plain suit
	pointsBareAce   = 15 // of a plain suit, with no other card of the suit
	PointsToDeclare = 45 // with which the source plays in the first seat
)

// Points returns the point count of a hand for a trump. It knows neither the seat nor the rules.
func Points(hand piquet.Set, trump piquet.Suit) int {
	sum := 0
	for c := range hand.All() {
		switch {
		case c.Suit() == trump && c.Face() == piquet.Jack:
			sum += pointsJack
		case c.Suit() == trump && c.Face() == piquet.Nine:
			sum += pointsNine
		case c.Suit() == trump:
			sum += pointsTrump
		case c.Face() == piquet.Ace && hand.InSuit(c.Suit()).Len() == 1:
			sum += pointsBareAce
		case c.Face() == piquet.Ace:
			sum += pointsAce
		}
	}
	return sum
}
