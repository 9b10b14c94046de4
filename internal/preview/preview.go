// Package preview draws what messengers show of a link to a position: the cards of each player as a PNG picture.
package preview

import "context"

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

// Artist draws previews, a few at a time, in memory of its own. It is safe for concurrent use.
type Artist struct{ canvases chan *canvas }

// NewArtist returns an Artist that draws as many previews at a time as given, each in 2 MiB. The others wait.
func NewArtist(atOnce int) *Artist {
	a := &Artist{canvases: make(chan *canvas, atOnce)}
	for range atOnce {
		a.canvases <- nil // made when it is needed
	}
	return a
}

// PNG returns the picture of a preview. The error is the context's, if it ends before the picture is begun.
func (a *Artist) PNG(ctx context.Context, p *Preview) ([]byte, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case c := <-a.canvases:
		defer func() { a.canvases <- c }()
		if c == nil {
			var err error
			if c, err = newCanvas(); err != nil {
				return nil, err
			}
		}
		c.draw(p)
		return c.png()
	}
}

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
