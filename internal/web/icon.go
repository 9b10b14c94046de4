package web

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
)

// drawIcon draws static/icon.svg, a card with a diamond, as a PNG of a size in pixels. If it is full, the card lies on a green square, and
// nothing of it is cut off with the corners.
func drawIcon(size int, full bool) ([]byte, error) {
	const samples = 4 // in each direction of a pixel
	picture := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			var sum [4]float64
			for i := range samples * samples {
				// The drawing is 32 units wide.
				c := iconColor(32*(float64(x)+(float64(i%samples)+.5)/samples)/float64(size),
					32*(float64(y)+(float64(i/samples)+.5)/samples)/float64(size), full)
				a := float64(c.A)
				sum[0], sum[1], sum[2], sum[3] = sum[0]+a*float64(c.R), sum[1]+a*float64(c.G), sum[2]+a*float64(c.B), sum[3]+a
			}
			if sum[3] > 0 {
				mean := func(of float64) uint8 { return uint8(math.Round(of / sum[3])) }
				picture.SetNRGBA(x, y, color.NRGBA{mean(sum[0]), mean(sum[1]), mean(sum[2]), uint8(math.Round(sum[3] / (samples * samples)))})
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		return nil, fmt.Errorf("drawing an icon: %w", err)
	}
	return b.Bytes(), nil
}

// iconColor returns the colour at a place of the icon.
func iconColor(x, y float64, full bool) color.NRGBA {
	green := color.NRGBA{0x1d, 0x5c, 0x3f, 0xff}
	within := color.NRGBA{}
	if full {
		const scale = .62
		x, y, within = 16+(x-16)/scale, 16+(y-16)/scale, green
	}
	// rounded is whether the place is in a rectangle around the middle with round corners.
	rounded := func(width, height, radius float64) bool {
		dx, dy := max(0, math.Abs(x-16)-width/2+radius), max(0, math.Abs(y-16)-height/2+radius)
		return math.Hypot(dx, dy) <= radius
	}
	switch {
	case math.Abs(x-16)/7+math.Abs(y-16)/8 <= 1:
		return color.NRGBA{0xc0, 0x39, 0x2b, 0xff}
	case rounded(20, 26, 2):
		return color.NRGBA{0xff, 0xff, 0xff, 0xff}
	case rounded(24, 30, 4):
		return green
	}
	return within
}
