// Package preview draws what messengers show of a link to a position: the cards of each player as a PNG picture.
package preview

// Width and Height are the size of a picture in pixels, which messengers show whole.
const (
	Width  = 1200
	Height = 630
)

// Card is a card as it is drawn. Its face and symbol have no more than a few characters.
type Card struct {
	Face   string // "10", "K", "XXI"
	Symbol string // of its suit, such as "♠"; empty for none
	Colour Colour
}

// Colour is the colour of a card.
type Colour uint8

// The colours of the suits, as the pages have them.
const (
	Black Colour = iota
	Green
	Blue
	Red
)

// Row is the cards of a player, or what lies on the table.
type Row struct {
	Name  string
	Cards []Card
	Turn  bool // the player is to play
}

// Preview is what is shown of a link: a title, a sentence, and the rows of its picture, at most MostRows of at most MostCards each. It has
// nothing of the request but cards and numbers.
type Preview struct {
	Title, Text string
	Rows        []Row
}

// MostRows and MostCards are what fits into a picture.
const (
	MostRows  = 5
	MostCards = 16
)

// Of returns a card of a suit, C, D, H or S.
func Of(face, suit string) Card {
	switch suit {
	case "C":
		return Card{face, "♣", Green}
	case "D":
		return Card{face, "♦", Blue}
	case "H":
		return Card{face, "♥", Red}
	default:
		return Card{face, "♠", Black}
	}
}
