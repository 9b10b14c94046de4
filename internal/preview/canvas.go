//go:build !js

package preview

import (
	"bytes"
	"image"
	"image/color"
	"image/png"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// shades is how many shades a picture has between a ground and what is written on it.
const shades = 16

// ink is what is written on a ground: the number of its first shade in the palette, which is the ground itself.
type ink = uint8

// The inks, each with its shades, in the order of the palette.
const (
	white ink = iota * shades // on felt
	soft                      // on felt
	gold                      // on felt
	cards                     // on the card: one ink for each Colour
)

const cardWhite = cards // the first shade of an ink on the card is the card

var (
	felt   = color.RGBA{0x2d, 0x6a, 0x50, 0xff}
	onFelt = []color.RGBA{{0xf3, 0xf6, 0xf1, 0xff}, {0xcf, 0xe0, 0xd6, 0xff}, {0xf0, 0xc2, 0x4b, 0xff}}
	paper  = color.RGBA{0xff, 0xfe, 0xfa, 0xff}
	onCard = []color.RGBA{
		Black: {0x1d, 0x25, 0x30, 0xff}, Green: {0x14, 0x70, 0x3f, 0xff}, Blue: {0x1b, 0x5f, 0xc1, 0xff}, Red: {0xc0, 0x26, 0x3a, 0xff},
	}
	fontSizes = []float64{44, 28, 22} // of titles, names, and the rest; cards have sizes of their own
)

// palette returns the shades of every ink.
func palette() (all color.Palette) {
	ramp := func(ground, ink color.RGBA) {
		for i := range shades {
			mix := func(a, b uint8) uint8 { return uint8((int(a)*(shades-1-i) + int(b)*i) / (shades - 1)) }
			all = append(all, color.RGBA{mix(ground.R, ink.R), mix(ground.G, ink.G), mix(ground.B, ink.B), 0xff})
		}
	}
	for _, ink := range onFelt {
		ramp(felt, ink)
	}
	for _, ink := range onCard {
		ramp(paper, ink)
	}
	return all
}

// canvas is a picture that is being drawn.
type canvas struct {
	image   *image.Paletted
	parsed  *opentype.Font
	faces   map[float64]font.Face // by their sizes in pixels
	buffer  *png.EncoderBuffer
	encoder png.Encoder
}

func newCanvas() (*canvas, error) {
	parsed, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return nil, err
	}
	c := &canvas{
		image: image.NewPaletted(image.Rect(0, 0, Width, Height), palette()), parsed: parsed, faces: map[float64]font.Face{},
		buffer: new(png.EncoderBuffer),
	}
	c.encoder = png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: c}
	return c, nil
}

// Get and Put make the encoder use the memory of the canvas.
func (c *canvas) Get() *png.EncoderBuffer  { return c.buffer }
func (c *canvas) Put(b *png.EncoderBuffer) { c.buffer = b }

func (c *canvas) png() ([]byte, error) {
	var out bytes.Buffer
	err := c.encoder.Encode(&out, c.image)
	return out.Bytes(), err
}

// face returns the font in a size. There are few sizes: the ones in fontSizes, and one for each number of cards of a row.
func (c *canvas) face(size float64) (font.Face, error) {
	if face, ok := c.faces[size]; ok {
		return face, nil
	}
	face, err := opentype.NewFace(c.parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err == nil {
		c.faces[size] = face
	}
	return face, err
}

// fill fills a rectangle, inside the picture, with round corners.
func (c *canvas) fill(r image.Rectangle, radius int, shade uint8) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		inset := 0
		if d := radius - min(y-r.Min.Y, r.Max.Y-1-y); d > 0 {
			for inset*(2*radius-inset) < d*d && inset < radius { // the circle of the corner
				inset++
			}
		}
		row := c.image.Pix[c.image.PixOffset(r.Min.X+inset, y):c.image.PixOffset(r.Max.X-inset, y)]
		for i := range row {
			row[i] = shade
		}
	}
}

// write writes a text from x on, with its base line at y. What does not fit before most is left out.
func (c *canvas) write(text string, x, y, most int, size float64, in ink) {
	face, err := c.face(size)
	if err != nil {
		return // the font comes with the program
	}
	dot := fixed.P(x, y)
	for _, r := range text {
		box, mask, at, advance, ok := face.Glyph(dot, r)
		letter, is := mask.(*image.Alpha)
		if !ok || !is {
			continue
		}
		if (dot.X + advance).Ceil() > most {
			break
		}
		c.glyph(box, letter, at, in)
		dot.X += advance
	}
}

// glyph lays a glyph on the ground of an ink.
func (c *canvas) glyph(box image.Rectangle, mask *image.Alpha, at image.Point, in ink) {
	clipped := box.Intersect(c.image.Rect)
	for y := clipped.Min.Y; y < clipped.Max.Y; y++ {
		for x := clipped.Min.X; x < clipped.Max.X; x++ {
			if a := mask.AlphaAt(at.X+x-box.Min.X, at.Y+y-box.Min.Y).A; a >= 256/shades {
				c.image.Pix[c.image.PixOffset(x, y)] = in + a/(256/shades)
			}
		}
	}
}

// middle returns where a text begins that has its middle at x.
func (c *canvas) middle(text string, x int, size float64) int {
	face, err := c.face(size)
	if err != nil {
		return x
	}
	return x - font.MeasureString(face, text).Round()/2
}
