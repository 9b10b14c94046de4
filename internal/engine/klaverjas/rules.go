package klaverjas

import (
	"math/bits"
	"strings"

	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// System is the rule on when a player must ruff.
type System uint8

// The systems of docs/reference/rules/klaverjas.md. They differ only in whether a player who cannot follow suit must ruff while the
// partner is winning the trick.
const (
	Rotterdam System = iota // must always ruff
	Amsterdam               // must ruff only while an opponent is winning
)

// UnderRuff says whether a player who cannot follow suit and cannot overruff must, may or must not under-ruff.
type UnderRuff uint8

// The ways to treat an under-ruff.
const (
	Forced    UnderRuff = iota // a player who must ruff and cannot overruff must under-ruff
	Forbidden                  // a player may under-ruff only if no other card may be played
	Free                       // a player who cannot overruff may play any card
)

// NatMelds is the rule on which melds the defenders score if the declarers are nat.
type NatMelds uint8

// The ways to score melds at a nat.
const (
	NatDefenders NatMelds = iota // the defenders' own melds (the paper, section 3)
	NatAll                       // the melds of both teams
)

var (
	systemNames    = [2]string{"rotterdam", "amsterdam"}
	underRuffNames = [3]string{"forced", "forbidden", "free"}
	natMeldsNames  = [2]string{"defenders", "all"}
)

// String returns the name of the system in JSON.
func (s System) String() string { return systemNames[s&1] }

// String returns the name of the value in JSON.
func (u UnderRuff) String() string { return underRuffNames[u%3] }

// String returns the name of the value in JSON.
func (n NatMelds) String() string { return natMeldsNames[n&1] }

// ParseSystem reads rotterdam or amsterdam.
func ParseSystem(text string) (System, error) {
	return violation.ParseWord[System](text, systemNames[:]...)
}

// ParseUnderRuff reads forced, forbidden or free.
func ParseUnderRuff(text string) (UnderRuff, error) {
	return violation.ParseWord[UnderRuff](text, underRuffNames[:]...)
}

// ParseNatMelds reads defenders or all.
func ParseNatMelds(text string) (NatMelds, error) {
	return violation.ParseWord[NatMelds](text, natMeldsNames[:]...)
}

// Pit holds the bonus, counted as a meld, for winning all eight tricks.
type Pit struct {
	Declarers int
	Defenders int
}

// Rules is a complete rule set. The zero value is not valid; start from DefaultRules.
type Rules struct {
	System      System
	UnderRuff   UnderRuff
	Melds       bool   // false: tricks score no melds. The pit is separate
	FourOfAKind [8]int // points for four of a face in one trick, by piquet.Face
	Pit         Pit
	NatMelds    NatMelds
}

// MaxBonus is the maximum of a configurable bonus (a four of a kind or a pit), in points.
const MaxBonus = 1000

// DefaultRules returns the rules of the paper (section 1) in the given system.
func DefaultRules(s System) Rules {
	r := Rules{System: s, Melds: true, Pit: Pit{Declarers: 100}}
	for f := range r.FourOfAKind {
		r.FourOfAKind[f] = 100
	}
	if s == Amsterdam {
		r.UnderRuff = Forbidden
	}
	return r
}

// Validate returns Violations that list every invalid value.
//
// Bonuses must be multiples of 10 from 0 to MaxBonus. All melds are then multiples of 10, and every OUTCOME is even.
func (r Rules) Validate() error {
	var bad Violations
	if int(r.System) >= len(systemNames) {
		bad = append(bad, unknown("system", systemNames[:]))
	}
	if int(r.UnderRuff) >= len(underRuffNames) {
		bad = append(bad, unknown("under_ruff", underRuffNames[:]))
	}
	if int(r.NatMelds) >= len(natMeldsNames) {
		bad = append(bad, unknown("nat_melds", natMeldsNames[:]))
	}
	bonus := func(pointer, name string, v int) {
		if v < 0 || v > MaxBonus || v%10 != 0 {
			bad = append(bad, wrongBonus(v).At(pointer+name))
		}
	}
	for f, v := range r.FourOfAKind {
		bonus("/rules/four_of_a_kind/", piquet.Face(f).String(), v)
	}
	bonus("/rules/pit/", "declarers", r.Pit.Declarers)
	bonus("/rules/pit/", "defenders", r.Pit.Defenders)
	return bad.OrNil()
}

// Strength and points of a face, by piquet.Face (the paper, table 1).
var (
	strength = [2][8]uint8{
		{0, 1, 2, 6, 3, 4, 5, 7}, // plain: 7 8 9 J Q K 10 A
		{0, 1, 6, 4, 7, 2, 3, 5}, // trump: 7 8 Q K 10 A 9 J
	}
	points = [2][8]uint8{
		{0, 0, 0, 10, 2, 3, 4, 11},
		{0, 0, 14, 10, 20, 3, 4, 11},
	}
)

// LastTrick is the number of trick points for winning the last trick, in addition to its cards.
const LastTrick = 10

// AllTricks is the sum of all trick points: 152 for the cards, and LastTrick.
const AllTricks = 162

func trumpIndex(c piquet.Card, trump piquet.Suit) int {
	if c.Suit() == trump {
		return 1
	}
	return 0
}

// Strength returns the rank of the card within its suit, 0 (lowest) to 7.
func Strength(c piquet.Card, trump piquet.Suit) int {
	return int(strength[trumpIndex(c, trump)][c.Face()])
}

// Points returns the trick points of the card.
func Points(c piquet.Card, trump piquet.Suit) int { return int(points[trumpIndex(c, trump)][c.Face()]) }

// beats reports whether b beats a, the card that is winning the trick when b is played. Only a card of a's suit or a trump can beat a.
func beats(b, a piquet.Card, trump piquet.Suit) bool {
	if b.Suit() == a.Suit() {
		return Strength(b, trump) > Strength(a, trump)
	}
	return b.Suit() == trump
}

// Values of the sequences and of the trump marriage (the paper, section 1).
const (
	threeInSequence = 20
	fourInSequence  = 50
	trumpMarriage   = 20 // king and queen of trump
)

// Meld returns the meld points of a trick with exactly the cards of the set, in any order of play.
func (r Rules) Meld(trick piquet.Set, trump piquet.Suit) int {
	if !r.Melds {
		return 0
	}
	sum := 0
	for _, s := range piquet.Suits() {
		f := trick.Faces(s)
		if three := f & (f >> 1) & (f >> 2); three != 0 { // one bit for the lowest face of each sequence of three
			if three&(three>>1) != 0 {
				sum += fourInSequence // two overlapping sequences of three are a sequence of four
			} else {
				sum += threeInSequence
			}
		}
	}
	const marriage = 1<<piquet.Queen | 1<<piquet.King
	if trick.Faces(trump)&marriage == marriage {
		sum += trumpMarriage
	}
	all := trick.Faces(piquet.Clubs) & trick.Faces(piquet.Diamonds) & trick.Faces(piquet.Hearts) & trick.Faces(piquet.Spades)
	if all != 0 {
		sum += r.FourOfAKind[bits.TrailingZeros8(all)]
	}
	return sum
}

// unknown is the violation of a rule that is not one of its values.
func unknown(rule string, names []string) Violation {
	return violation.New(violation.NotOneOf, "expected one of %s", strings.Join(names, ", ")).At("/rules/" + rule).OneOf(names...)
}

// wrongBonus is the violation of a bonus that is not a multiple of 10 within its range.
func wrongBonus(n int) Violation {
	code := violation.NotAMultiple
	switch {
	case n < 0:
		code = violation.TooSmall
	case n > MaxBonus:
		code = violation.TooLarge
	}
	return violation.New(code, "is %d: expected a multiple of 10 from 0 to %d", n, MaxBonus).Of(n).Between(0, MaxBonus)
}
