// Package svgplot draws charts as SVG: axes, lines, bars and labels. It writes the SVG itself, so that a file is small, the same on
// every machine, and legible on a light and on a dark page. It contains nothing about the meaning of a chart.
//
// Lengths are in pixels. x increases to the right and y downwards.
package svgplot

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// Tone is a colour. It differs between a light and a dark page.
type Tone string

// The tones. The numbered ones are for series; people with colour-blindness can distinguish them.
const (
	Ink    Tone = "ink"   // main text
	Muted  Tone = "muted" // secondary text
	Grid   Tone = "grid"
	Blue   Tone = "s1"
	Orange Tone = "s2"
	Green  Tone = "s3"
	Purple Tone = "s4"
)

// style holds the colours for a light page and for a dark page.
const style = `
svg { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
.page { fill: #ffffff; }
.ink { fill: #1f2328; } .muted { fill: #59636e; } .grid { fill: #d8dee4; }
.s1 { fill: #1f6fb4; } .s2 { fill: #d1620a; } .s3 { fill: #1a8a5f; } .s4 { fill: #8d4fa8; }
.l-ink { stroke: #1f2328; } .l-muted { stroke: #8c959f; } .l-grid { stroke: #d8dee4; }
.l-s1 { stroke: #1f6fb4; } .l-s2 { stroke: #d1620a; } .l-s3 { stroke: #1a8a5f; } .l-s4 { stroke: #8d4fa8; }
.title { font-size: 16px; font-weight: 600; } .small { font-size: 11px; } .strong { font-weight: 600; }
@media (prefers-color-scheme: dark) {
.page { fill: #0d1117; }
.ink { fill: #e6edf3; } .muted { fill: #9da7b3; } .grid { fill: #30363d; }
.s1 { fill: #58a6e8; } .s2 { fill: #f0934a; } .s3 { fill: #3fbf8f; } .s4 { fill: #c08be0; }
.l-ink { stroke: #e6edf3; } .l-muted { stroke: #6e7681; } .l-grid { stroke: #30363d; }
.l-s1 { stroke: #58a6e8; } .l-s2 { stroke: #f0934a; } .l-s3 { stroke: #3fbf8f; } .l-s4 { stroke: #c08be0; }
}
`

// Drawing is an incomplete picture.
type Drawing struct {
	body          strings.Builder
	width, height float64
	title, about  string
}

// New starts a picture. The title is drawn at the top. Screen readers read the title and about.
func New(width, height float64, title, about string) *Drawing {
	d := &Drawing{width: width, height: height, title: title, about: about}
	d.Text(20, 28, Start, Ink, "title", title)
	return d
}

// Bytes returns the file.
func (d *Drawing) Bytes() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" `+
		`role="img" aria-labelledby="title about">`+"\n",
		num(d.width), num(d.height), num(d.width), num(d.height))
	fmt.Fprintf(&b, "<title id=\"title\">%s</title>\n<desc id=\"about\">%s</desc>\n", html.EscapeString(d.title), html.EscapeString(d.about))
	fmt.Fprintf(&b, "<style>%s</style>\n", style)
	fmt.Fprintf(&b, `<rect class="page" width="%s" height="%s" rx="6"/>`+"\n", num(d.width), num(d.height))
	b.WriteString(d.body.String())
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// num formats a length with at most one decimal.
func num(x float64) string {
	return strconv.FormatFloat(math.Round(x*10)/10+0, 'f', -1, 64) // + 0 avoids a negative zero
}

// Anchor is the part of a text that is at its position.
type Anchor string

// The anchors.
const (
	Start  Anchor = "start"
	Middle Anchor = "middle"
	End    Anchor = "end"
)

// Text writes a text. extra holds further classes: title, small, strong.
func (d *Drawing) Text(x, y float64, anchor Anchor, tone Tone, extra, text string) {
	d.text(x, y, anchor, tone, extra, "", text)
}

// Upwards writes a text that runs from the bottom to the top.
func (d *Drawing) Upwards(x, y float64, tone Tone, text string) {
	d.text(x, y, Middle, tone, "", fmt.Sprintf(` transform="rotate(-90 %s %s)"`, num(x), num(y)), text)
}

func (d *Drawing) text(x, y float64, anchor Anchor, tone Tone, extra, more, text string) {
	class := string(tone)
	if extra != "" {
		class += " " + extra
	}
	at := ""
	if anchor != Start {
		at = ` text-anchor="` + string(anchor) + `"`
	}
	fmt.Fprintf(&d.body, `<text class="%s" x="%s" y="%s"%s%s>%s</text>`+"\n", class, num(x), num(y), at, more, html.EscapeString(text))
}

// Rect fills a rectangle.
func (d *Drawing) Rect(x, y, width, height float64, tone Tone, opacity float64) {
	fmt.Fprintf(&d.body, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"%s/>`+"\n",
		tone, num(x), num(y), num(width), num(height), opaque(opacity))
}

func opaque(opacity float64) string {
	if opacity >= 1 {
		return ""
	}
	return ` opacity="` + strconv.FormatFloat(opacity, 'f', -1, 64) + `"`
}

// Line draws a straight line.
func (d *Drawing) Line(x1, y1, x2, y2 float64, tone Tone, width float64, dashed bool) {
	dash := ""
	if dashed {
		dash = ` stroke-dasharray="4 4"`
	}
	fmt.Fprintf(&d.body, `<line class="l-%s" x1="%s" y1="%s" x2="%s" y2="%s" stroke-width="%s"%s/>`+"\n",
		tone, num(x1), num(y1), num(x2), num(y2), num(width), dash)
}

// Point is a position.
type Point struct{ X, Y float64 }

func path(points []Point) string {
	var b strings.Builder
	for i, p := range points {
		if i == 0 {
			b.WriteByte('M')
		} else {
			b.WriteByte('L')
		}
		b.WriteString(num(p.X) + " " + num(p.Y))
	}
	return b.String()
}

// Polyline draws straight lines from point to point.
func (d *Drawing) Polyline(points []Point, tone Tone, width float64) {
	fmt.Fprintf(&d.body, `<path class="l-%s" d="%s" fill="none" stroke-width="%s" stroke-linejoin="round" stroke-linecap="round"/>`+"\n",
		tone, path(points), num(width))
}

// Shape fills the area that the points enclose.
func (d *Drawing) Shape(points []Point, tone Tone, opacity float64) {
	fmt.Fprintf(&d.body, `<path class="%s" d="%sZ"%s/>`+"\n", tone, path(points), opaque(opacity))
}

// Dot draws a dot.
func (d *Drawing) Dot(p Point, radius float64, tone Tone) {
	fmt.Fprintf(&d.body, `<circle class="%s" cx="%s" cy="%s" r="%s"/>`+"\n", tone, num(p.X), num(p.Y), num(radius))
}

// Scale converts values to positions. Values beyond the ends are drawn at the ends.
type Scale struct {
	From, To    float64 // the values at the ends
	Start, Stop float64 // the positions of the ends
	Logarithmic bool
}

// At returns the position of a value.
func (s Scale) At(value float64) float64 {
	from, to := s.From, s.To
	if s.Logarithmic {
		value, from, to = math.Log10(math.Max(value, math.SmallestNonzeroFloat64)), math.Log10(from), math.Log10(to)
	}
	part := min(1, max(0, (value-from)/(to-from)))
	return s.Start + part*(s.Stop-s.Start)
}

// Power writes a power of ten: 1, 10, 100, 1,000, and then 10 with an exponent.
func Power(exponent int) string {
	switch exponent {
	case 0:
		return "1"
	case 1:
		return "10"
	case 2:
		return "100"
	case 3:
		return "1,000"
	}
	digits := strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "-", "⁻")
	return "10" + digits.Replace(strconv.Itoa(exponent))
}
