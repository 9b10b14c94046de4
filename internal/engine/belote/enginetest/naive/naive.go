// Package naive is the reference implementation of Belote Découverte for tests: the rules of docs/reference/rules/belote.md in the
// simplest way, with strings and slices, and a plain minimax. It shares no code with the engine and imports no package of this module.
package naive

import "strings"

// The faces from the weakest to the strongest, and their points.
var (
	trumpOrder  = []string{"7", "8", "Q", "K", "10", "A", "9", "J"}
	plainOrder  = []string{"7", "8", "9", "J", "Q", "K", "10", "A"}
	trumpPoints = map[string]int{"J": 20, "9": 14, "A": 11, "10": 10, "K": 4, "Q": 3}
	plainPoints = map[string]int{"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}
	openPoints  = map[string]int{"A": 19, "10": 10, "K": 4, "Q": 3, "J": 2} // without trump
)

// Game is a hand during play.
type Game struct {
	Trump    string // a suit, or empty for none
	Stacks   map[string][][]string
	Turn     string // A or B
	Led      string // the card on the table, or empty
	Points   map[string]int
	Declarer string
}

// Deck returns the cards of the suits.
func Deck(suits string) (deck []string) {
	for suit := range strings.SplitSeq(suits, "") {
		for _, face := range plainOrder {
			deck = append(deck, face+suit)
		}
	}
	return deck
}

// New returns the game of a deal: the stacks of A and B, each with its top card first.
func New(trump, leader, declarer string, a, b [][]string) *Game {
	return &Game{
		Trump: trump, Turn: leader, Declarer: declarer, Points: map[string]int{},
		Stacks: map[string][][]string{"A": copied(a), "B": copied(b)},
	}
}

func copied(stacks [][]string) (out [][]string) {
	for _, s := range stacks {
		out = append(out, append([]string(nil), s...))
	}
	return out
}

// Copy returns a copy that changes independently.
func (g *Game) Copy() *Game {
	out := New(g.Trump, g.Turn, g.Declarer, g.Stacks["A"], g.Stacks["B"])
	out.Led = g.Led
	out.Points = map[string]int{"A": g.Points["A"], "B": g.Points["B"]}
	return out
}

func suit(card string) string { return card[len(card)-1:] }
func face(card string) string { return card[:len(card)-1] }

func other(player string) string {
	if player == "A" {
		return "B"
	}
	return "A"
}

func place(list []string, face string) int {
	for i, f := range list {
		if f == face {
			return i
		}
	}
	return -1
}

// Worth returns the points of a card.
func (g *Game) Worth(card string) int {
	switch g.Trump {
	case "":
		return openPoints[face(card)]
	case suit(card):
		return trumpPoints[face(card)]
	}
	return plainPoints[face(card)]
}

// beats reports whether the second card takes the trick.
func (g *Game) beats(second, first string) bool {
	switch {
	case suit(second) == g.Trump && suit(first) == g.Trump:
		return place(trumpOrder, face(second)) > place(trumpOrder, face(first))
	case suit(second) == g.Trump:
		return true
	case suit(second) == suit(first):
		return place(plainOrder, face(second)) > place(plainOrder, face(first))
	}
	return false
}

// Legal returns the cards that may be played, in the order of the stacks.
func (g *Game) Legal() []string {
	var all, same, higher, trumps []string
	for _, stack := range g.Stacks[g.Turn] {
		if len(stack) == 0 {
			continue
		}
		card := stack[0]
		all = append(all, card)
		if g.Led != "" && suit(card) == suit(g.Led) {
			same = append(same, card)
			if suit(card) == g.Trump && g.beats(card, g.Led) {
				higher = append(higher, card)
			}
		}
		if suit(card) == g.Trump {
			trumps = append(trumps, card)
		}
	}
	switch {
	case g.Led == "":
		return all
	case len(higher) > 0:
		return higher
	case len(same) > 0:
		return same
	case len(trumps) > 0:
		return trumps
	}
	return all
}

// Over reports whether all cards have been played.
func (g *Game) Over() bool { return len(g.cards("A"))+len(g.cards("B")) == 0 }

func (g *Game) cards(player string) (out []string) {
	for _, stack := range g.Stacks[player] {
		out = append(out, stack...)
	}
	return out
}

// Play plays a legal card.
func (g *Game) Play(card string) {
	for i, stack := range g.Stacks[g.Turn] {
		if len(stack) > 0 && stack[0] == card {
			g.Stacks[g.Turn][i] = stack[1:]
		}
	}
	if g.Led == "" {
		g.Led, g.Turn = card, other(g.Turn)
		return
	}
	points := g.Worth(card) + g.Worth(g.Led)
	if !g.beats(card, g.Led) {
		g.Turn = other(g.Turn)
	}
	if g.Over() {
		points += 10
	}
	g.Points[g.Turn] += points
	g.Led = ""
}

// Minimax returns the points that the declarer has at the end if both play perfectly, and how many states it made.
func (g *Game) Minimax() (points, states int) {
	if g.Over() {
		return g.Points[g.Declarer], 0
	}
	points = -1
	for _, card := range g.Legal() {
		next := g.Copy()
		next.Play(card)
		value, below := next.Minimax()
		states += 1 + below
		if points < 0 || g.Turn == g.Declarer && value > points || g.Turn != g.Declarer && value < points {
			points = value
		}
	}
	return points, states
}
