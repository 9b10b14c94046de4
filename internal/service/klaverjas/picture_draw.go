package klaverjas

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// escaped returns a text as SVG has it. Package html knows 2,000 entities, of which a program for pages would have all.
func escaped(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;").Replace(text)
}

// pictureTheme holds the colours of a picture: the colours of the board (internal/web/board/src/shared/styles/base.css).
type pictureTheme struct{ paper, ink, soft, felt, onFelt, onFeltSoft, gold, card, edge string }

var pictureThemes = map[string]pictureTheme{
	"light": {"#f6f4ee", "#1b2522", "#56625d", "#2d6a50", "#f3f6f1", "#cfe0d6", "#f0c24b", "#fffefa", "#b9b5a6"},
	"dark":  {"#121715", "#e9ece8", "#a7b2ac", "#183b2d", "#e4ede8", "#a9c2b5", "#e8bd4c", "#eeebe1", "#77746a"},
}

// Colours of the suits on cards, and their shapes on a ground of 32 x 32, as the pages have them (internal/web/pages/program.html).
var (
	suitColours = [4]string{"#14703f", "#1b5fc1", "#c0263a", "#1d2530"}
	suitShapes  = [4]string{
		"M16 2a6.6 6.6 0 0 1 5.6 10.1A6.6 6.6 0 1 1 18 22.6c.2 3 1.2 5.3 3.2 7.4H10.800c2-2.100 3-4.400 3.200-7.400a6.600 6.600 0 1 " +
			"1-3.600-10.500A6.600 6.600 0 0 1 16 2z",
		"M16 1.500Q20.500 10 28 16 20.500 22 16 30.500 11.500 22 4 16 11.500 10 16 1.500z",
		"M16 30C11 23 2 18 2 10.500A7.400 7.400 0 0 1 16 7.500 7.400 7.400 0 0 1 30 10.500C30 18 21 23 16 30z",
		"M16 1.500C20 9 30 13 30 19.800A6.600 6.600 0 0 1 18 23c.200 2.800 1.200 5 3.200 7H10.800c2-2 3-4.200 3.200-7A6.600 6.600 0 0 1 2 " +
			"19.800C2 13 12 9 16 1.500z",
	}
)

// words holds the words of a picture in a language.
type words struct {
	game, trump, declare, toPlay, trick, table string
	seats, suits, teams                        []string
	faces                                      []string
}

var pictureWords = map[string]words{
	"en": {
		game: "Klaverjas", trump: "Trump", declare: "declare", toPlay: "to play", trick: "Trick", table: "Table",
		seats: []string{"North", "East", "South", "West"}, suits: []string{"clubs", "diamonds", "hearts", "spades"},
		teams: []string{"N/S", "E/W"}, faces: []string{"7", "8", "9", "10", "J", "Q", "K", "A"},
	},
	"nl": {
		game: "Klaverjassen", trump: "Troef", declare: "spelen", toPlay: "aan de beurt", trick: "Slag", table: "Tafel",
		seats: []string{"Noord", "Oost", "Zuid", "West"}, suits: []string{"klaveren", "ruiten", "harten", "schoppen"},
		teams: []string{"N/Z", "O/W"}, faces: []string{"7", "8", "9", "10", "B", "V", "H", "A"},
	},
}

// Sizes of a picture, in its own units.
const (
	pictureWidth = 720
	tableHeight  = 490
	cardWidth    = 56
	cardHeight   = 78
	cardStep     = cardWidth + 4
	feltTop      = 42
)

// drawing is a picture that is being drawn. What it writes are numbers and its own words: nothing of the request is repeated.
type drawing struct {
	out    bytes.Buffer
	p      Position
	played []api.KlaverjasCompletedTrick
	theme  pictureTheme
	words  words
}

func newDrawing(p Position, played []api.KlaverjasCompletedTrick, theme pictureTheme, w words) *drawing {
	return &drawing{p: p, played: played, theme: theme, words: w}
}

func (d *drawing) writef(format string, args ...any) { fmt.Fprintf(&d.out, format, args...) }

// text writes a text. anchor is start, middle or end.
func (d *drawing) text(x, y, size int, anchor, colour, text string) {
	d.writef(`<text x="%d" y="%d" font-family="system-ui, 'Segoe UI', Roboto, sans-serif" font-size="%d" font-weight="600" `+
		`text-anchor="%s" fill="%s">%s</text>`, x, y, size, anchor, colour, escaped(text))
}

// begin writes what every picture begins with: its words for those who do not see it, the contract and the score.
func (d *drawing) begin(height int) {
	now, deal := d.p.now, d.p.now.Deal()
	team := d.words.teams[deal.Declarer]
	contract := fmt.Sprintf("%s: %s. %s %s.", d.words.trump, d.words.suits[deal.Trump], team, d.words.declare)
	d.writef(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img">`, pictureWidth, height)
	d.writef(`<title>%s</title><desc>%s</desc><defs>`, escaped(contract), escaped(d.described()))
	for _, suit := range piquet.Suits() {
		d.writef(`<path id="suit-%s" d="%s"/>`, suit, suitShapes[suit])
	}
	d.writef(`</defs><rect width="%d" height="%d" fill="%s"/>`, pictureWidth, height, d.theme.paper)
	d.text(14, 27, 16, "start", d.theme.ink, strings.TrimSuffix(contract, "."))
	score, parts := now.Score(), []string{}
	for _, team := range piquet.Teams() {
		parts = append(parts, fmt.Sprintf("%s %d", d.words.teams[team], score.Sum(team)))
	}
	d.text(pictureWidth-14, 27, 16, "end", d.theme.ink, strings.Join(parts, " · "))
	d.writef(`<rect x="8" y="%d" width="%d" height="%d" rx="14" fill="%s"/>`, feltTop, pictureWidth-16, height-feltTop-8, d.theme.felt)
}

// described is the position in words.
func (d *drawing) described() string {
	now := d.p.now
	var parts []string
	for _, seat := range piquet.Seats() {
		if hand := d.sorted(now.Hand(seat)); len(hand) > 0 {
			parts = append(parts, d.words.seats[seat]+": "+d.named(hand)+".")
		}
	}
	if trick := now.Trick(); trick.Len > 0 {
		parts = append(parts, fmt.Sprintf("%s %d, %s: %s.", d.words.trick, len(d.played)+1, d.words.seats[trick.Leader],
			d.named(trick.Cards[:trick.Len])))
	}
	if !now.Finished() {
		parts = append(parts, fmt.Sprintf("%s %s.", d.words.seats[now.Turn()], d.words.toPlay))
	}
	return strings.Join(parts, " ")
}

func (d *drawing) named(cards []piquet.Card) string {
	texts := make([]string, len(cards))
	for i, c := range cards {
		texts[i] = d.words.faces[c.Face()] + []string{"♣", "♦", "♥", "♠"}[c.Suit()]
	}
	return strings.Join(texts, " ")
}

// sorted returns the cards of a hand as the board shows them: trumps first, then the other suits, the strongest first.
func (d *drawing) sorted(hand piquet.Set) []piquet.Card {
	trump := d.p.now.Deal().Trump
	rank := func(c piquet.Card) int {
		if c.Suit() == trump {
			return -1
		}
		return slices.Index([]piquet.Suit{piquet.Spades, piquet.Hearts, piquet.Clubs, piquet.Diamonds}, c.Suit())
	}
	cards := hand.Slice()
	slices.SortFunc(cards, func(a, b piquet.Card) int {
		if by := rank(a) - rank(b); by != 0 {
			return by
		}
		return klaverjas.Strength(b, trump) - klaverjas.Strength(a, trump)
	})
	return cards
}

// card draws a card. edge is the colour around it.
func (d *drawing) card(c piquet.Card, x, y float64, scale float64, edge string, width float64) {
	colour, face := suitColours[c.Suit()], d.words.faces[c.Face()]
	d.writef(`<g id="card-%s" transform="translate(%g %g) scale(%g)" fill="%s">`, c, x, y, scale, colour)
	d.writef(`<rect width="%d" height="%d" rx="6" fill="%s" stroke="%s" stroke-width="%g"/>`,
		cardWidth, cardHeight, d.theme.card, edge, width)
	d.writef(`<text x="6" y="22" font-family="Georgia, 'Times New Roman', serif" font-size="21" font-weight="700">%s</text>`, face)
	d.writef(`<use href="#suit-%s" transform="translate(38 6) scale(0.44)"/><use href="#suit-%[1]s" transform="translate(12 36)"/></g>`,
		c.Suit())
}

// hand draws a hand in rows around the middle x.
func (d *drawing) hand(seat piquet.Seat, middle, y, columns int) {
	now := d.p.now
	name, colour := d.words.seats[seat], d.theme.onFeltSoft
	if !now.Finished() && now.Turn() == seat {
		name, colour = name+", "+d.words.toPlay, d.theme.gold
	}
	d.text(middle, y, 14, "middle", colour, name)
	for row := range slices.Chunk(d.sorted(now.Hand(seat)), columns) {
		left := middle - (len(row)*cardStep-(cardStep-cardWidth))/2
		for i, c := range row {
			d.card(c, float64(left+i*cardStep), float64(y+9), 1, d.theme.edge, 1)
		}
		y += cardHeight + 4
	}
}

// places are where the cards of the seats lie in a trick, from its middle, in widths of a card and heights of a card.
var places = [4][2]float64{{0, -0.54}, {1.1, 0}, {0, 0.54}, {-1.1, 0}}

// trick draws the cards of a trick, the winning card with a golden edge.
func (d *drawing) trick(cards []piquet.Card, leader, winner piquet.Seat, x, y, scale float64) {
	for i, c := range cards {
		seat := leader.Plus(i)
		edge, width := d.theme.edge, 1.0
		if seat == winner {
			edge, width = d.theme.gold, 4
		}
		at := places[seat]
		d.card(c, x+(at[0]-0.5)*cardWidth*scale, y+(at[1]-0.5)*cardHeight*scale, scale, edge, width)
	}
}

// table draws the hands and the trick on the table.
func (d *drawing) table() {
	const side = 4*cardStep - (cardStep - cardWidth)
	d.begin(tableHeight)
	d.hand(piquet.North, pictureWidth/2, feltTop+20, 8)
	d.hand(piquet.West, 20+side/2, 180, 4)
	d.hand(piquet.East, pictureWidth-20-side/2, 180, 4)
	d.hand(piquet.South, pictureWidth/2, 384, 8)
	trick := d.p.now.Trick()
	d.trick(trick.Cards[:trick.Len], trick.Leader, trick.Winner, pictureWidth/2, 265, 1)
	d.writef("</svg>\n")
}

// tricks draws the tricks that were played, each with its points, and the trick on the table.
func (d *drawing) tricks() {
	const (
		columns, cell = 4, (pictureWidth - 16) / 4
		cellHeight    = 214
		scale         = 0.82
	)
	d.begin(feltTop + 2*cellHeight + 8)
	for i := range klaverjas.HandSize {
		x, y := 8+i%columns*cell+cell/2, feltTop+i/columns*cellHeight
		d.text(x-cell/2+10, y+22, 13, "start", d.theme.onFeltSoft, fmt.Sprintf("%s %d", d.words.trick, i+1))
		cards := d.p.played[min(len(d.p.played), i*trickSize):min(len(d.p.played), (i+1)*trickSize)]
		if len(cards) == 0 {
			continue
		}
		leader, winner := d.p.now.Trick().Leader, d.p.now.Trick().Winner
		if i < len(d.played) {
			one := d.played[i]
			leader, winner = seatOf(one.Leader), seatOf(one.Winner)
			points := one.Points
			for _, meld := range one.Melds {
				points += meld.Points
			}
			d.text(x, y+cellHeight-14, 14, "middle", d.theme.onFelt, fmt.Sprintf("%s %d", d.words.seats[winner], points))
		}
		d.trick(cards, leader, winner, float64(x), float64(y+108), scale)
	}
	d.writef("</svg>\n")
}

// seatOf returns the seat of an answer.
func seatOf(seat api.KlaverjasSeat) piquet.Seat {
	return piquet.Seat(strings.Index("NESW", string(seat)))
}
