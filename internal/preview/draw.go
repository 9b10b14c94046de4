//go:build !js

package preview

import "image"

// Places in a picture, in pixels.
const (
	margin    = 48
	top       = 148 // where the rows begin
	nameWidth = 180
	cardGap   = 6
	cardWide  = 84 // the widest card
)

// draw draws a preview over what was drawn before.
func (c *canvas) draw(p *Preview) {
	c.fill(c.image.Rect, 0, white) // the first shade of an ink is its ground
	c.write(p.Title, margin, 70, Width-margin, fontSizes[0], white)
	c.write(p.Text, margin, 114, Width-margin, fontSizes[1], soft)
	rows := p.Rows[:min(len(p.Rows), MostRows)]
	most := 8
	for _, row := range rows {
		most = max(most, min(len(row.Cards), MostCards))
	}
	high := (Height - top - 24) / max(len(rows), 3)
	wide := min(cardWide, (Width-2*margin-nameWidth)/most-cardGap, (high-14)*5/7)
	for i, row := range rows {
		y := top + i*high
		in := soft
		if row.Turn {
			in = gold
		}
		c.write(row.Name, margin, y+wide*7/10+8, margin+nameWidth-12, fontSizes[2], in)
		for k, card := range row.Cards[:min(len(row.Cards), MostCards)] {
			x := margin + nameWidth + k*(wide+cardGap)
			c.card(card, image.Rect(x, y, x+wide, y+wide*7/5))
		}
	}
}

// card draws a card: its face, and below it the symbol of its suit.
func (c *canvas) card(card Card, r image.Rectangle) {
	c.fill(r, r.Dx()/9, cardWhite)
	in := cards + uint8(card.Colour)*shades
	size, middle := float64(r.Dx())*0.5, (r.Min.X+r.Max.X)/2
	if len(card.Face) > 3 {
		size *= 0.7
	}
	y := r.Min.Y + r.Dy()*45/100
	if card.Symbol == "" {
		y = r.Min.Y + r.Dy()*62/100
	}
	c.write(card.Face, c.middle(card.Face, middle, size), y, r.Max.X, size, in)
	c.write(card.Symbol, c.middle(card.Symbol, middle, size*1.3), r.Min.Y+r.Dy()*90/100, r.Max.X, size*1.3, in)
}
