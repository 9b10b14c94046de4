// Package naive is the reference implementation of Klaverjas for tests. It follows docs/reference/rules/klaverjas.md in the simplest way,
// with strings, slices and maps, and is not fast. It shares no code with the engine and imports no package of this module.
//
// Game implements the rules. [Minimax] is the reference for the search: plain minimax on integers and arrays, without pruning, move
// ordering or a table.
package naive

import (
	"maps"
	"slices"
	"strings"
)

// Rules are the options of the rules, with the terms of docs/reference/rules/klaverjas.md.
type Rules struct {
	System       string // rotterdam or amsterdam
	UnderRuff    string // forced, forbidden or free
	Melds        bool
	FourOfAKind  map[string]int // by face; a missing face counts 100
	PitDeclarers int
	PitDefenders int
	NatMelds     string // defenders or all
}

// Default returns the rules of the paper with the given system.
func Default(system string) Rules {
	r := Rules{System: system, UnderRuff: "forced", Melds: true, PitDeclarers: 100, NatMelds: "defenders"}
	if system == "amsterdam" {
		r.UnderRuff = "forbidden"
	}
	return r
}

// The seats in the order of play.
var seats = []string{"N", "E", "S", "W"}

// The faces in natural order, and from the weakest to the strongest in a trump suit and in a plain suit.
var (
	natural       = []string{"7", "8", "9", "10", "J", "Q", "K", "A"}
	trumpStrength = []string{"7", "8", "Q", "K", "10", "A", "9", "J"}
	plainStrength = []string{"7", "8", "9", "J", "Q", "K", "10", "A"}
	trumpPoints   = map[string]int{"7": 0, "8": 0, "Q": 3, "K": 4, "10": 10, "A": 11, "9": 14, "J": 20}
	plainPoints   = map[string]int{"7": 0, "8": 0, "9": 0, "J": 2, "Q": 3, "K": 4, "10": 10, "A": 11}
)

// Deck returns the 32 cards. The name of a card is its face and then its suit, such as 10H.
func Deck() []string {
	var deck []string
	for _, suit := range []string{"C", "D", "H", "S"} {
		for _, face := range natural {
			deck = append(deck, face+suit)
		}
	}
	return deck
}

func suitOf(card string) string { return card[len(card)-1:] }
func faceOf(card string) string { return card[:len(card)-1] }

func teamOf(seat string) string {
	if seat == "N" || seat == "S" {
		return "NS"
	}
	return "EW"
}

func opponents(team string) string {
	if team == "NS" {
		return "EW"
	}
	return "NS"
}

func seatAfter(seat string, places int) string {
	return seats[(slices.Index(seats, seat)+places)%4]
}

// Game is a deal during play.
type Game struct {
	Rules    Rules
	Trump    string // C, D, H or S
	Declarer string // NS or EW
	Leader   string // leader of the current trick
	Hands    map[string][]string
	Trick    []string       // cards of the current trick, in order of play
	Points   map[string]int // trick points by team
	Melds    map[string]int // by team; the last trick adds a pit
	Taken    map[string]int // tricks by team
}

// Start returns a deal before the first card.
func Start(rules Rules, trump, leader, declarer string, hands map[string][]string) Game {
	return Game{
		Rules: rules, Trump: trump, Leader: leader, Declarer: declarer, Hands: hands,
		Points: map[string]int{}, Melds: map[string]int{}, Taken: map[string]int{},
	}
}

// Turn returns the seat whose turn it is.
func (g Game) Turn() string { return seatAfter(g.Leader, len(g.Trick)) }

// Finished reports whether all cards have been played.
func (g Game) Finished() bool {
	for _, hand := range g.Hands {
		if len(hand) > 0 {
			return false
		}
	}
	return true
}

// beats reports whether a later card of a trick beats the card that was winning.
func (g Game) beats(later, winning string) bool {
	switch {
	case suitOf(later) == suitOf(winning):
		order := plainStrength
		if suitOf(later) == g.Trump {
			order = trumpStrength
		}
		return slices.Index(order, faceOf(later)) > slices.Index(order, faceOf(winning))
	default:
		return suitOf(later) == g.Trump
	}
}

// winning returns the index of the winning card of the current trick.
func (g Game) winning() int {
	best := 0
	for i := range g.Trick {
		if g.beats(g.Trick[i], g.Trick[best]) {
			best = i
		}
	}
	return best
}

// Winner returns the seat that is winning the current trick.
func (g Game) Winner() string { return seatAfter(g.Leader, g.winning()) }

func keep(cards []string, want func(string) bool) []string {
	var kept []string
	for _, card := range cards {
		if want(card) {
			kept = append(kept, card)
		}
	}
	return kept
}

// Legal returns the legal cards (docs/reference/rules/klaverjas.md, "Play").
func (g Game) Legal() []string {
	hand := g.Hands[g.Turn()]
	if len(g.Trick) == 0 {
		return hand
	}
	led := suitOf(g.Trick[0])
	best := g.Trick[g.winning()]
	following := keep(hand, func(c string) bool { return suitOf(c) == led })
	trumps := keep(hand, func(c string) bool { return suitOf(c) == g.Trump })
	// The trumps that win the trick: those higher than the highest trump in it, or all if it has none.
	higher := keep(trumps, func(c string) bool { return g.beats(c, best) })

	if len(following) > 0 {
		if led == g.Trump && len(higher) > 0 {
			return higher // when trump is led you must beat the highest trump if you can
		}
		return following
	}
	if len(trumps) == 0 {
		return hand
	}

	partnerIsWinning := teamOf(g.Winner()) == teamOf(g.Turn())
	mustRuff := g.Rules.System == "rotterdam" || !partnerIsWinning
	notLower := keep(hand, func(c string) bool { return suitOf(c) != g.Trump || slices.Contains(higher, c) })
	if mustRuff {
		if len(higher) > 0 {
			return higher
		}
		switch g.Rules.UnderRuff {
		case "forced":
			return trumps
		case "free":
			return hand
		}
	}
	if g.Rules.UnderRuff == "forbidden" && len(notLower) > 0 {
		return notLower
	}
	return hand
}

// TrickPoints returns the trick points of some cards.
func (g Game) TrickPoints(cards []string) int {
	sum := 0
	for _, card := range cards {
		if suitOf(card) == g.Trump {
			sum += trumpPoints[faceOf(card)]
		} else {
			sum += plainPoints[faceOf(card)]
		}
	}
	return sum
}

// Meld returns the meld points of a trick (docs/reference/rules/klaverjas.md, "Melds (roem)").
func (g Game) Meld(trick []string) int {
	if !g.Rules.Melds {
		return 0
	}
	has := func(face, suit string) bool { return slices.Contains(trick, face+suit) }
	meld := 0
	for _, suit := range []string{"C", "D", "H", "S"} {
		longest, run := 0, 0
		for _, face := range natural {
			if has(face, suit) {
				run++
			} else {
				run = 0
			}
			longest = max(longest, run)
		}
		switch longest {
		case 3:
			meld += 20
		case 4:
			meld += 50
		}
	}
	if has("K", g.Trump) && has("Q", g.Trump) {
		meld += 20
	}
	for _, face := range natural {
		if has(face, "C") && has(face, "D") && has(face, "H") && has(face, "S") {
			if bonus, ok := g.Rules.FourOfAKind[face]; ok {
				meld += bonus
			} else {
				meld += 100
			}
		}
	}
	return meld
}

// Play returns the game after the player whose turn it is plays a legal card.
func (g Game) Play(card string) Game {
	after := g
	after.Hands = map[string][]string{}
	for seat, hand := range g.Hands {
		after.Hands[seat] = keep(hand, func(c string) bool { return c != card })
	}
	after.Trick = append(slices.Clone(g.Trick), card)
	if len(after.Trick) < 4 {
		return after
	}

	after.Points, after.Melds, after.Taken = maps.Clone(g.Points), maps.Clone(g.Melds), maps.Clone(g.Taken)
	winner := after.Winner()
	team := teamOf(winner)
	after.Points[team] += after.TrickPoints(after.Trick)
	after.Melds[team] += after.Meld(after.Trick)
	after.Taken[team]++
	after.Leader = winner
	after.Trick = nil
	if after.Finished() {
		after.Points[team] += 10
		if after.Taken[opponents(team)] == 0 { // pit
			if team == after.Declarer {
				after.Melds[team] += after.Rules.PitDeclarers
			} else {
				after.Melds[team] += after.Rules.PitDefenders
			}
		}
	}
	return after
}

// Outcome returns OUTCOME of a finished game (docs/reference/rules/klaverjas.md, "Outcome").
func (g Game) Outcome() int {
	defenders := opponents(g.Declarer)
	difference := g.Points[g.Declarer] + g.Melds[g.Declarer] - g.Points[defenders] - g.Melds[defenders]
	if difference > 0 {
		return difference
	}
	if g.Rules.NatMelds == "all" {
		return -(162 + g.Melds["NS"] + g.Melds["EW"])
	}
	return -(162 + g.Melds[defenders])
}

// Lines returns the number of legal lines of play with the given number of cards.
func (g Game) Lines(depth int) uint64 {
	if depth == 0 {
		return 1
	}
	var lines uint64
	for _, card := range g.Legal() {
		lines += g.Play(card).Lines(depth - 1)
	}
	return lines
}

// String formats the game as one line for test failures.
func (g Game) String() string {
	var b strings.Builder
	b.WriteString("trump " + g.Trump + ", declarer " + g.Declarer + ", leader " + g.Leader)
	for _, seat := range seats {
		b.WriteString(", " + seat + ": " + strings.Join(g.Hands[seat], " "))
	}
	b.WriteString(", table: " + strings.Join(g.Trick, " "))
	return b.String()
}
