package tarok

import (
	"slices"
	"strings"

	"roem/internal/engine/violation"
)

// Player is one of the three players, in the order of play.
type Player uint8

// The players. A is the forehand, who has the highest priority in the bidding; C deals.
const (
	A Player = iota
	B
	C
)

// Players returns the three players.
func Players() [3]Player { return [3]Player{A, B, C} }

// Next returns the player after p.
func (p Player) Next() Player { return (p + 1) % 3 }

// After returns the player n places after p.
func (p Player) After(n int) Player { return Player((int(p) + n) % 3) }

// String returns A, B or C.
func (p Player) String() string { return "ABC"[p%3 : p%3+1] }

// playerWords are the names of the seats in lower case: A is always the forehand, and C deals.
var playerWords = map[string]Player{
	"a": A, "b": B, "c": C, "forehand": A, "middlehand": B, "dealer": C, "delivec": C,
}

// ParsePlayer reads a seat in any case: A, B or C, forehand, middlehand or dealer, or the Slovenian delivec.
func ParsePlayer(text string) (Player, error) {
	if len(text) <= len("middlehand") && strings.IndexFunc(text, notASCII) < 0 {
		if p, ok := playerWords[strings.ToLower(text)]; ok {
			return p, nil
		}
	}
	return 0, violation.New(violation.NotASeat, "%.24q is not a seat: expected A, B or C", text).Of(text).OneOf("A", "B", "C")
}

// MarshalText writes the seat as String does.
func (p Player) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a seat as ParsePlayer does.
func (p *Player) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePlayer(string(text))
	return err
}

// Contract is what is played, from the lowest bid to the highest.
type Contract uint8

// The contracts (docs/reference/rules/tarok.md).
const (
	Klop   Contract = iota // everyone alone, for fewest points
	Three                  // the declarer exchanges three cards
	Two                    // two
	One                    // one
	Beggar                 // the declarer takes no trick
	Zero                   // the declarer exchanges no card
)

var contractNames = []string{"klop", "three", "two", "one", "beggar", "zero"}

// Contracts returns the contracts from the lowest to the highest.
func Contracts() [6]Contract { return [6]Contract{Klop, Three, Two, One, Beggar, Zero} }

// String returns the name of the contract.
func (c Contract) String() string { return contractNames[c%6] }

// ParseContract reads the name of a contract.
func ParseContract(text string) (Contract, error) {
	if i := slices.Index(contractNames, strings.ToLower(text)); i >= 0 {
		return Contract(i), nil
	}
	return 0, violation.Word(text, contractNames...)
}

// Value returns what the contract scores.
func (c Contract) Value() int { return [6]int{70, 10, 20, 30, 70, 80}[c%6] }

// Exchange returns how many cards the declarer exchanges with the talon.
func (c Contract) Exchange() int { return [6]int{0, 3, 2, 1, 0, 0}[c%6] }

// Groups returns how many groups of the talon the declarer may choose from. It is 0 if no cards are exchanged.
func (c Contract) Groups() int {
	if n := c.Exchange(); n > 0 {
		return TalonSize / n
	}
	return 0
}

// Negative reports whether tricks are to be avoided: klop and beggar. Players then must beat the trick if they can.
func (c Contract) Negative() bool { return c == Klop || c == Beggar }

// Leads is who leads to the first trick of klop, three, two and one. In beggar and zero the declarer leads.
type Leads uint8

// The values of Leads.
const (
	ForehandLeads Leads = iota
	DeclarerLeads
)

// Order is in which order players bid.
type Order uint8

// The values of Order.
const (
	// ForehandFirst is the order of the paper: A, B, C. Each may bid any contract.
	ForehandFirst Order = iota
	// ForehandLast is the order of other implementations: B, C, A. Three and klop are for A alone, after two passes.
	ForehandLast
)

// Difference is how the points above 35 are scored in three, two and one.
type Difference uint8

// The values of Difference.
const (
	ExactDifference   Difference = iota
	RoundedDifference            // to the nearest multiple of 5, halves upwards
	NoDifference
)

// Rules are the options of the rules. The zero value is the default, except for Mond.
type Rules struct {
	Mond       int  // what the owner of a captured mond loses: 21, 20 or 0
	NoEmperor  bool // a trick of taroks 1, 21 and 22 goes to the 22, not to the 1
	Leads      Leads
	Order      Order
	Difference Difference
	// PlainValat says that a kontra of the game does not double a valat that was not announced.
	PlainValat bool
	// OwnPagat says that a pagat that a defender loses in the last trick, unannounced, counts for nobody.
	OwnPagat bool
}

// DefaultRules are the rules of docs/reference/rules/tarok.md.
var DefaultRules = Rules{Mond: 21}

// SilentValat returns what a valat scores for its side that was not announced, with a kontra of the game.
func (r *Rules) SilentValat(kontra int) int {
	if r.PlainValat {
		kontra = 0
	}
	return Valat.Silent() << kontra
}

// LostPagat returns what the declarer scores for an unannounced tarok 1 that a side has lost in the last trick.
func (r *Rules) LostPagat(by Side) int {
	if by == Opponents && r.OwnPagat {
		return 0
	}
	return -int(by) * LastPagat.Silent()
}

// Winner returns the index of the card that wins a trick, which may be incomplete but not empty: the highest tarok, otherwise the highest
// card of the suit led. If the trick is taroks 1, 21 and 22, the 1 wins, unless NoEmperor is set.
func (r *Rules) Winner(trick []Card) int {
	best := 0
	for i, c := range trick[1:] {
		if Beats(c, trick[best]) {
			best = i + 1
		}
	}
	if len(trick) == 3 && !r.NoEmperor && SetOf(trick...) == Trula {
		return slices.Index(trick, Pagat)
	}
	return best
}

// Beats reports whether c beats the card best, which wins the trick so far.
func Beats(c, best Card) bool {
	if c.Suit() == best.Suit() {
		return c > best
	}
	return c.Suit() == Taroks
}

// Illegal returns why a card of a hand may not be played to a trick by the player to move. It is nil if it may be.
func (r *Rules) Illegal(contract Contract, turn Player, hand Set, trick []Card, c Card) *IllegalCard {
	legal := r.Legal(contract, hand, trick)
	if legal.Has(c) {
		return nil
	}
	e := &IllegalCard{Card: c, Turn: turn, Legal: legal}
	e.Code, e.Reason = r.reason(c, legal, hand, trick)
	return e
}

// reason says which rule a held card breaks that is not among the legal ones.
func (r *Rules) reason(c Card, legal, hand Set, trick []Card) (violation.Code, string) {
	wins := func(c Card) bool {
		var with [3]Card
		n := copy(with[:], trick)
		with[n] = c
		return r.Winner(with[:n+1]) == n
	}
	switch {
	case len(trick) > 0 && c.Suit() != trick[0].Suit() && !hand.InSuit(trick[0].Suit()).Empty():
		return violation.MustFollowSuit, "must follow " + trick[0].Suit().String()
	case len(trick) > 0 && c.Suit() != trick[0].Suit() && c.Suit() != Taroks:
		return violation.MustRuff, "must play a tarok"
	case c == Pagat && wins(c) == wins(legal.First()):
		return violation.NotLegal, "may play tarok 1 only when nothing else is left"
	}
	return violation.MustBeat, "must beat the trick"
}

// Legal returns the cards of a hand that may be played to a trick: cards of the suit led if there are any, otherwise taroks if there are
// any, otherwise all. In klop and beggar, if some of these win the trick, only these; and tarok 1 only if no other card is left, which
// includes that it alone wins the trick.
func (r *Rules) Legal(contract Contract, hand Set, trick []Card) Set {
	legal := hand
	if len(trick) > 0 {
		for _, s := range [2]Suit{trick[0].Suit(), Taroks} {
			if some := hand.InSuit(s); !some.Empty() {
				legal = some
				break
			}
		}
	}
	if !contract.Negative() {
		return legal
	}
	if len(trick) > 0 {
		var heads Set
		var with [3]Card
		n := copy(with[:], trick)
		for c := range legal.All() {
			with[n] = c
			if r.Winner(with[:n+1]) == n {
				heads = heads.With(c)
			}
		}
		if !heads.Empty() {
			legal = heads
		}
	}
	if rest := legal.Without(Pagat); !rest.Empty() {
		legal = rest
	}
	return legal
}
