package search

import (
	_ "embed"
	"fmt"
	"math/bits"
	"strings"

	"roem/internal/engine/tarok"
)

// Situations and Categories are the numbers of situations and of categories of cards of the table of the paper (section 3.2). Its 324
// entries were not published, and neither were the situations and categories.
const (
	Situations = 36
	Categories = 9
)

// A Choice is such a table: for each situation the categories whose cards are tried, one bit each. A card that belongs to several
// categories is tried if one of them is. If no card is left, all are tried.
type Choice [Situations]uint16

//go:embed learned.txt
var learnedText string

// learned is the table that roem-lab tarok learn made.
var learned = func() Choice {
	c, err := ParseChoice(learnedText)
	if err != nil {
		panic(err)
	}
	return c
}()

// The names of situations and of categories in the text of a table.
var (
	leaders = [...]string{"declarer, more than 8 tricks left", "declarer", "opponent before the declarer", "opponent before the partner"}
	players = [...]string{"declarer", "opponent after the declarer", "opponent before the declarer"}
	answers = [...]string{"suit", "tarok to tarok", "tarok to suit", "neither"}
)

// SituationName returns the name of a situation.
func SituationName(i int) string {
	switch {
	case i < 4:
		return "lead: " + leaders[i]
	case i < 16:
		return "second: " + players[(i-4)/4] + ", " + answers[i%4]
	case i < 20:
		return "third: declarer, " + answers[i%4]
	}
	i -= 20
	winner := "own side wins"
	if i%8 >= 4 {
		winner = "declarer wins"
	}
	return "third: " + players[1+i/8] + ", " + winner + ", " + answers[i%4]
}

// String returns the table as text: a line for each situation, with a digit for each category and the name of the situation.
func (t *Choice) String() string {
	var b strings.Builder
	for i, keep := range t {
		for c := range Categories {
			b.WriteByte('0' + byte(keep>>c&1))
		}
		fmt.Fprintf(&b, " %s\n", SituationName(i))
	}
	return b.String()
}

// ParseChoice reads what String returns.
func ParseChoice(text string) (t Choice, err error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) != Situations {
		return t, fmt.Errorf("%d lines, expected %d", len(lines), Situations)
	}
	for i, line := range lines {
		digits, name, _ := strings.Cut(line, " ")
		if len(digits) != Categories || strings.Trim(digits, "01") != "" || name != SituationName(i) {
			return t, fmt.Errorf("line %d: %.60q", i+1, line)
		}
		for c, digit := range digits {
			t[i] |= uint16(digit-'0') << c
		}
	}
	return t, nil
}

// keep returns the cards that are tried.
func (t *Choice) keep(n *node, cards uint64) (out uint64) {
	sets := n.categories(cards)
	for keep := t[n.situation()]; keep != 0; keep &= keep - 1 {
		out |= sets[bits.TrailingZeros16(keep)]
	}
	if out == 0 {
		return cards
	}
	return out
}

// situation returns the situation of the player to move: who it is, how many cards are on the table, and whether the player follows suit,
// plays tarok or neither; for the third player also which side wins so far.
func (n *node) situation() int {
	player := n.player()
	if n.n == 0 {
		switch {
		case player == 0 && n.tricks() > lateTricks:
			return 0
		case player == 0:
			return 1
		default:
			return 4 - player // 1 is before the partner
		}
	}
	hand, led := n.hands[player], suitOf[n.cards[0]]
	answer := 3
	switch {
	case hand&led != 0 && led != taroks:
		answer = 0
	case hand&led != 0:
		answer = 1
	case hand&taroks != 0:
		answer = 2
	}
	switch {
	case n.n == 1:
		return 4 + 4*player + answer
	case player == 0:
		return 16 + answer
	}
	at := 20 + 8*(player-1) + answer
	if after[n.leader][n.best] == 0 {
		at += 4
	}
	return at
}

// categories returns the cards of each category. Each card belongs to at least one.
//
//	  lead                                       suit or tarok is played      neither
//	0 tarok 1                                    the lowest that wins so far  the dearest card
//	1 the highest tarok                          the highest that wins so far the lowest of the shortest suit
//	2 the lowest tarok but the 1                 the lowest that surely wins  the dearest of the shortest suit
//	3 other taroks                               the dearest that wins so far the lowest of the longest suit
//	4 the dearest of a suit, if it surely wins   others that win so far       the dearest of the longest suit
//	5 other cards of suits that surely win       the lowest that does not     the lowest of each suit
//	6 the lowest of a suit                       the dearest that does not    others from the queen
//	7 the highest of a suit                      others that do not           others of 4 or 7 thirds
//	8 other cards of suits                       tarok 1                      other low cards
func (n *node) categories(cards uint64) (sets [Categories]uint64) {
	switch {
	case n.n == 0:
		n.leads(cards, &sets)
	case cards&(suitOf[n.cards[0]]|taroks) != 0:
		n.answers(cards, &sets)
	default:
		discards(cards, n.hands[n.player()], &sets)
	}
	return sets
}

func (n *node) leads(cards uint64, sets *[Categories]uint64) {
	sets[0] = cards & pagat
	if some := cards & taroks &^ pagat; some != 0 {
		sets[1], sets[2] = top(some), some&-some
		sets[3] = some &^ (sets[1] | sets[2])
	}
	for _, suit := range suits[1:] {
		some := cards & suit
		if some == 0 {
			continue
		}
		sure := uint64(0)
		for rest := some; rest != 0; rest &= rest - 1 {
			if c := bits.TrailingZeros64(rest); n.leadTaker(c) == own {
				sure |= bit(c)
			}
		}
		if sure != 0 {
			sets[4] |= top(sure)
			sets[5] |= sure &^ top(sure)
		}
		sets[6] |= some & -some
		sets[7] |= top(some)
		sets[8] |= some &^ (sure | some&-some | top(some))
	}
}

func (n *node) answers(cards uint64, sets *[Categories]uint64) {
	wins := cards & above(int(n.cards[n.best]))
	loses := cards &^ wins
	if wins != 0 {
		sets[0], sets[1], sets[3] = wins&-wins, top(wins), dearest(wins)
		for rest := wins; rest != 0 && sets[2] == 0; rest &= rest - 1 {
			if c := bits.TrailingZeros64(rest); n.n == 2 || n.secondTaker(c) == own {
				sets[2] = bit(c)
			}
		}
		sets[4] = wins &^ (sets[0] | sets[1] | sets[2] | sets[3])
	}
	if loses != 0 {
		sets[5], sets[6] = cheapest(loses), dearest(loses)
		sets[7] = loses &^ (sets[5] | sets[6])
	}
	sets[8] = cards & pagat
}

func discards(cards, hand uint64, sets *[Categories]uint64) {
	sets[0] = dearest(cards)
	short, long := uint64(0), uint64(0)
	for _, suit := range suits[1:] {
		if cards&suit == 0 {
			continue
		}
		length := bits.OnesCount64(hand & suit)
		if short == 0 || length < bits.OnesCount64(hand&short) {
			short = suit
		}
		if length > bits.OnesCount64(hand&long) {
			long = suit
		}
		sets[5] |= cards & suit & -(cards & suit)
	}
	short, long = short&cards, long&cards
	sets[1], sets[2], sets[3], sets[4] = short&-short, top(short), long&-long, top(long)
	for rest := cards &^ (sets[0] | sets[1] | sets[2] | sets[3] | sets[4] | sets[5]); rest != 0; rest &= rest - 1 {
		switch c := bits.TrailingZeros64(rest); {
		case thirds[c] > 7:
			sets[6] |= bit(c)
		case thirds[c] > 1:
			sets[7] |= bit(c)
		default:
			sets[8] |= bit(c)
		}
	}
}

func top(set uint64) uint64 { return 1 << (bits.Len64(set) - 1) }

// suits are the masks of the taroks and the four suits.
var suits = [5]uint64{taroks, 0xFF << 24, 0xFF << 32, 0xFF << 40, 0xFF << 48}

// cheapest returns the lowest card, but tarok 1 only alone.
func cheapest(set uint64) uint64 {
	if rest := set &^ pagat; rest != 0 {
		set = rest
	}
	return set & -set
}

// dearest returns the card of the highest value.
func dearest(set uint64) uint64 {
	out, value := uint64(0), int32(0)
	for rest := set; rest != 0; rest &= rest - 1 {
		if c := bits.TrailingZeros64(rest); thirds[c] > value {
			out, value = bit(c), thirds[c]
		}
	}
	return out
}

// Candidate is a card that a search would try without a table of the situations.
type Candidate struct {
	Card       tarok.Card
	Categories uint16 // one bit each
}

// Candidates returns the situation of the player to move, and the cards that are not provably superfluous in a search to a depth of the
// given number of tricks, with their categories.
func Candidates(p *tarok.Position, tricks int) (situation int, out []Candidate) {
	setup := p.Setup()
	g, n := gameOf(&setup), nodeOf(p)
	cards := g.needed(&n, g.legal(&n), tricks)
	sets := n.categories(cards)
	for rest := cards; rest != 0; rest &= rest - 1 {
		c := Candidate{Card: tarok.Card(bits.TrailingZeros64(rest))}
		for i, set := range sets {
			c.Categories |= uint16(set>>c.Card&1) << i
		}
		out = append(out, c)
	}
	return n.situation(), out
}
