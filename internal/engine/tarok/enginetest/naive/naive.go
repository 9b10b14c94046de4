// Package naive is the reference implementation of tarok for tests: the rules of docs/reference/rules/tarok.md in the simplest way, with
// strings and slices, and a plain minimax. It shares no code with the engine and imports no package of this module.
package naive

import (
	"slices"
	"strconv"
)

// Deck returns the 54 cards.
func Deck() (deck []string) {
	for n := 1; n <= 22; n++ {
		deck = append(deck, "T"+strconv.Itoa(n))
	}
	for _, suit := range []string{"H", "D"} {
		for _, rank := range []string{"4", "3", "2", "1", "J", "C", "Q", "K"} {
			deck = append(deck, suit+rank)
		}
	}
	for _, suit := range []string{"S", "C"} {
		for _, rank := range []string{"7", "8", "9", "10", "J", "C", "Q", "K"} {
			deck = append(deck, suit+rank)
		}
	}
	return deck
}

func suit(card string) string { return card[:1] }

// ranks are the places of the cards in the deck.
var ranks = func() map[string]int {
	out := map[string]int{}
	for i, c := range Deck() {
		out[c] = i
	}
	return out
}()

func rank(card string) int { return ranks[card] }

// Raw returns the points of a card before the counting in threes.
func Raw(card string) int {
	switch card {
	case "T1", "T21", "T22":
		return 5
	}
	if suit(card) == "T" {
		return 1
	}
	switch card[1:] {
	case "K":
		return 5
	case "Q":
		return 4
	case "C":
		return 3
	case "J":
		return 2
	}
	return 1
}

// Thirds returns the value of cards in thirds of a point: each three cards together count two points less than their sum.
func Thirds(cards []string) (sum int) {
	for _, c := range cards {
		sum += 3*Raw(c) - 2
	}
	return sum
}

// Points rounds thirds to the nearest point.
func Points(thirds int) int {
	whole := thirds / 3
	if thirds%3 == 2 {
		whole++
	}
	return whole
}

// Game is a hand during play. Players are 0, 1 and 2.
type Game struct {
	Contract string
	Declarer int // -1 in klop
	Emperor  bool
	Kontra   int  // how often the game is doubled
	Plain    bool // a kontra does not double a silent valat
	OwnPagat bool // a pagat that a defender loses counts for nobody
	Hands    [3][]string
	Talon    []string // what is left of it
	Discards []string
	Turn     int
	Table    []string
	Leader   int
	Tricks   [][]string // of each trick the three cards from its leader
	Leaders  []int
	Winners  []int
	Gifts    []string // in klop the card that comes with each of the first tricks
}

// New returns a game before the first card.
func New(contract string, declarer, leader int, hands [3][]string, talon, discards []string) *Game {
	g := &Game{
		Contract: contract, Declarer: declarer, Emperor: true, Talon: slices.Clone(talon), Discards: discards, Turn: leader,
		Leader: leader,
	}
	for i := range hands {
		g.Hands[i] = slices.Clone(hands[i])
	}
	return g
}

// Copy returns a copy that changes independently.
func (g *Game) Copy() *Game {
	out := *g
	for i := range g.Hands {
		out.Hands[i] = slices.Clone(g.Hands[i])
	}
	out.Table = slices.Clone(g.Table)
	out.Tricks, out.Leaders = slices.Clone(g.Tricks), slices.Clone(g.Leaders)
	out.Winners, out.Gifts = slices.Clone(g.Winners), slices.Clone(g.Gifts)
	return &out
}

// Over reports whether the hand is finished.
func (g *Game) Over() bool {
	if g.Contract == "beggar" && slices.Contains(g.Winners, g.Declarer) {
		return true
	}
	return len(g.Hands[0])+len(g.Hands[1])+len(g.Hands[2])+len(g.Table) == 0
}

// winner returns which card of a table wins it.
func (g *Game) winner(table []string) int {
	if g.Emperor && slices.Contains(table, "T1") && slices.Contains(table, "T21") && slices.Contains(table, "T22") {
		return slices.Index(table, "T1")
	}
	best := -1
	for i, c := range table {
		if suit(c) == "T" && (best < 0 || rank(c) > rank(table[best])) {
			best = i
		}
	}
	if best >= 0 {
		return best
	}
	for i, c := range table {
		if suit(c) == suit(table[0]) && (best < 0 || rank(c) > rank(table[best])) {
			best = i
		}
	}
	return best
}

func keep(cards []string, ok func(string) bool) (out []string) {
	for _, c := range cards {
		if ok(c) {
			out = append(out, c)
		}
	}
	return out
}

// Legal returns the legal cards.
func (g *Game) Legal() []string {
	if g.Over() {
		return nil
	}
	legal := g.Hands[g.Turn]
	if len(g.Table) > 0 {
		same := keep(legal, func(c string) bool { return suit(c) == suit(g.Table[0]) })
		if len(same) == 0 {
			same = keep(legal, func(c string) bool { return suit(c) == "T" })
		}
		if len(same) > 0 {
			legal = same
		}
	}
	if g.Contract != "klop" && g.Contract != "beggar" {
		return legal
	}
	if len(g.Table) > 0 {
		wins := keep(legal, func(c string) bool {
			table := append(slices.Clone(g.Table), c)
			return g.winner(table) == len(table)-1
		})
		if len(wins) > 0 {
			legal = wins
		}
	}
	if others := keep(legal, func(c string) bool { return c != "T1" }); len(others) > 0 {
		return others
	}
	return legal
}

// Play plays a legal card.
func (g *Game) Play(card string) {
	hand := g.Hands[g.Turn]
	at := slices.Index(hand, card)
	g.Hands[g.Turn] = append(slices.Clone(hand[:at]), hand[at+1:]...)
	g.Table = append(g.Table, card)
	if len(g.Table) < 3 {
		g.Turn = (g.Turn + 1) % 3
		return
	}
	winner := (g.Leader + g.winner(g.Table)) % 3
	g.Tricks, g.Leaders, g.Winners = append(g.Tricks, g.Table), append(g.Leaders, g.Leader), append(g.Winners, winner)
	if g.Contract == "klop" && len(g.Winners) <= 6 {
		g.Gifts = append(g.Gifts, g.Talon[len(g.Winners)-1])
	}
	g.Table, g.Leader, g.Turn = nil, winner, winner
}

// Won returns the cards that a player has won in tricks, with the gifts of klop.
func (g *Game) Won(player int) (won []string) {
	for i, w := range g.Winners {
		if w == player {
			won = append(won, g.Tricks[i]...)
			if i < len(g.Gifts) {
				won = append(won, g.Gifts[i])
			}
		}
	}
	return won
}

// Count returns how many tricks a player has won.
func (g *Game) Count(player int) (n int) {
	for _, w := range g.Winners {
		if w == player {
			n++
		}
	}
	return n
}

var values = map[string]int{"three": 10, "two": 20, "one": 30, "beggar": 70, "zero": 80}

// Score returns what each player scores without announcements and radli, with 21 for the mond.
func (g *Game) Score() (score [3]int) {
	if g.Contract == "klop" {
		special := false
		for p := range score {
			points := Points(Thirds(g.Won(p)))
			score[p] = -points
			if g.Count(p) == 0 || points >= 36 {
				special = true
			}
		}
		for p := range score {
			if special {
				points := -score[p]
				score[p] = 0
				if g.Count(p) == 0 {
					score[p] = 70
				} else if points >= 36 {
					score[p] = -70
				}
			}
		}
		return score
	}
	d := g.Declarer
	points := Points(Thirds(append(g.Won(d), g.Discards...)))
	won := points >= 36
	if g.Contract == "beggar" {
		won = g.Count(d) == 0
	}
	sum := -values[g.Contract]
	if won {
		sum = -sum
	}
	sum = g.doubled(sum, points)
	score[d] = sum
	if g.Contract != "beggar" {
		for i, trick := range g.Tricks {
			if at := slices.Index(trick, "T21"); at >= 0 && (g.Leaders[i]+at)%3 != g.Winners[i] {
				score[(g.Leaders[i]+at)%3] -= 21
			}
		}
		if g.Contract != "zero" && slices.Contains(g.Talon, "T21") {
			score[d] -= 21
		}
	}
	return score
}

// doubled returns the score of the declarer with the kontra of the game: of the contract, the points and the bonuses.
func (g *Game) doubled(contract, points int) int {
	double := 1
	for range g.Kontra {
		double *= 2
	}
	if g.Contract == "beggar" || g.Contract == "zero" {
		return contract * double
	}
	valat := 250 * double
	if g.Plain {
		valat = 250
	}
	switch g.Count(g.Declarer) {
	case 16:
		return valat
	case 0:
		return -valat
	}
	return (contract+points-35)*double + g.bonuses()
}

func (g *Game) bonuses() (sum int) {
	d := g.Declarer
	mine, theirs := g.Won(d), append(g.Won((d+1)%3), g.Won((d+2)%3)...)
	all := func(cards []string, want ...string) bool {
		for _, c := range want {
			if !slices.Contains(cards, c) {
				return false
			}
		}
		return true
	}
	for _, want := range [][]string{{"HK", "DK", "SK", "CK"}, {"T1", "T21", "T22"}} {
		if all(mine, want...) {
			sum += 10
		}
		if all(theirs, want...) {
			sum -= 10
		}
	}
	last := len(g.Tricks) - 1
	if at := slices.Index(g.Tricks[last], "T1"); at >= 0 {
		owner := (g.Leaders[last] + at) % 3
		switch winner := g.Winners[last]; {
		case owner == d && winner == d:
			sum += 25
		case owner == d || winner == owner:
			sum -= 25
		case !g.OwnPagat:
			sum += 25
		}
	}
	return sum
}

// Minimax returns how many thirds the declarer makes from here on if the declarer plays for most and the others together for fewest, and
// in a beggar 1 if the declarer makes it and 0 if not.
func (g *Game) Minimax() int {
	if g.Over() {
		if g.Contract == "beggar" && g.Count(g.Declarer) == 0 {
			return 1
		}
		return 0
	}
	best, first := 0, true
	for _, c := range g.Legal() {
		next := g.Copy()
		next.Play(c)
		value := next.Minimax()
		if n := len(next.Winners); n > len(g.Winners) && next.Winners[n-1] == g.Declarer && g.Contract != "beggar" {
			value += Thirds(next.Tricks[n-1])
		}
		if first || (g.Turn == g.Declarer && value > best) || (g.Turn != g.Declarer && value < best) {
			best, first = value, false
		}
	}
	return best
}
