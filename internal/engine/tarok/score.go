package tarok

import (
	"slices"
	"strings"

	"roem/internal/engine/violation"
)

// Bonus is a feat that scores besides the contract in three, two and one.
type Bonus uint8

// The bonuses.
const (
	AllKings  Bonus = iota // win the four kings
	AllTrula               // win taroks 1, 21 and 22
	LastPagat              // win the last trick with tarok 1
	Valat                  // win every trick; it replaces everything else
)

var bonusNames = []string{"kings", "trula", "pagat", "valat"}

// Bonuses returns the bonuses.
func Bonuses() [4]Bonus { return [4]Bonus{AllKings, AllTrula, LastPagat, Valat} }

// String returns kings, trula, pagat or valat.
func (b Bonus) String() string { return bonusNames[b&3] }

// ParseBonus reads the name of a bonus.
func ParseBonus(text string) (Bonus, error) {
	if i := slices.Index(bonusNames, strings.ToLower(text)); i >= 0 {
		return Bonus(i), nil
	}
	return 0, violation.Word(text, bonusNames...)
}

// Silent is what a bonus scores that was not announced. An announced one scores twice that.
func (b Bonus) Silent() int { return [4]int{10, 10, 25, 250}[b&3] }

// Side is one of the two sides of a contract other than klop.
type Side int8

// The sides. NoSide is the side of a feat that nobody made or announced.
const (
	Declarers Side = 1
	NoSide    Side = 0
	Opponents Side = -1
)

// String returns declarer, opponents or nobody.
func (s Side) String() string { return [3]string{"opponents", "nobody", "declarer"}[s+1] }

// Announced is what was said about a bonus.
type Announced struct {
	By     Side
	Kontra int // 0; 1 kontra, 2 re, 3 sub, 4 mort: each doubles what the bonus scores
}

// MaxKontra is the highest level of kontra: mort.
const MaxKontra = 4

// Announcements are what was said after the exchange, and the radli of each player.
type Announcements struct {
	Kontra  int // of the game
	Bonuses [4]Announced
	Radli   [3]int
}

// Score is how a hand scores.
type Score struct {
	Won        bool   // the declarer has made the contract; false in klop
	Thirds     [3]int // what each player has, in thirds of a point; with a declarer, each opponent's are counted alone
	Rest       int    // the value of the cards that only the opponents as a side have: the rest of the talon
	Points     [3]int // rounded points: the declarer's, and 0 for the others; in klop each player's
	Game       int    // what the contract scores for the declarer, with kontra
	Difference int    // what the points above or below 35 score, with kontra
	Bonuses    [4]int // what each bonus scores for the declarer
	LostPagat  Side   // who has lost tarok 1 in the last trick, also to the own side
	Radl       bool   // a radl has doubled the declarer's score
	Mond       [3]int // the penalty of the owner of the mond
	Total      [3]int // what each player scores
	Radli      [3]int // the radli of each player afterwards
}

// threshold is the most points with which a declarer loses three, two, one and zero.
const threshold = 35

// Check returns what is wrong with the announcements.
func (a *Announcements) Check(c Contract) (bad Violations) {
	if a.Kontra < 0 || a.Kontra > MaxKontra {
		bad = append(bad, violation.Beyond(a.Kontra, 0, MaxKontra).At("/kontra"))
	}
	if c == Klop && a.Kontra != 0 {
		bad = append(bad, violation.New(violation.NotUsed, "klop has no declarer to double").At("/kontra"))
	}
	for _, b := range Bonuses() {
		said := a.Bonuses[b]
		where := "/announcements/" + b.String()
		switch {
		case said.By == NoSide && said.Kontra != 0:
			bad = append(bad, violation.New(violation.Contradicts, "is doubled but was not announced").At(where))
		case said.Kontra < 0 || said.Kontra > MaxKontra:
			bad = append(bad, violation.Beyond(said.Kontra, 0, MaxKontra).At(where+"/kontra"))
		case said.By != NoSide && c.Exchange() == 0:
			bad = append(bad, violation.New(violation.NotUsed, "%s has no bonuses", c).At(where))
		}
	}
	for p, n := range a.Radli {
		if n < 0 {
			bad = append(bad, violation.New(violation.TooSmall, "is negative").At("/radli/"+Player(p).String()).Of(n))
		}
	}
	return bad
}

// Score scores a finished hand. Its error is Violations.
func (p *Position) Score(a Announcements) (Score, error) {
	if !p.Finished() {
		return Score{}, Violations{violation.New(violation.Needed, "has %d cards: the hand is not finished", p.played).At("/played")}
	}
	bad := a.Check(p.setup.Contract)
	if len(bad) > 0 {
		return Score{}, bad
	}
	out := Score{Radli: a.Radli}
	for i, won := range p.won {
		out.Thirds[i] = won.Thirds()
	}
	if p.setup.Contract == Klop {
		p.scoreKlop(&out)
	} else {
		p.scoreDeclarer(&out, &a)
	}
	if c := p.setup.Contract; c == Klop || c.Value() >= Beggar.Value() {
		for i := range out.Radli {
			out.Radli[i]++
		}
	}
	return out, nil
}

func (p *Position) scoreKlop(out *Score) {
	special := false
	for i, thirds := range out.Thirds {
		out.Points[i] = Points(thirds)
		switch {
		case p.tricks[i] == 0:
			out.Total[i], special = Klop.Value(), true
		case out.Points[i] > threshold:
			out.Total[i], special = -Klop.Value(), true
		}
	}
	if !special {
		for i, points := range out.Points {
			out.Total[i] = -points
		}
	}
}

func (p *Position) scoreDeclarer(out *Score, a *Announcements) {
	s, declarer := p.setup, p.setup.Declarer
	out.Thirds[declarer] = p.Thirds()
	out.Rest = s.Left().Thirds()
	points := Points(out.Thirds[declarer])
	out.Points[declarer] = points
	out.Won = points > threshold
	if s.Contract == Beggar {
		out.Won = p.tricks[declarer] == 0
	}
	sign := -1
	if out.Won {
		sign = 1
	}
	out.Game = sign * s.Contract.Value() << a.Kontra
	if s.Contract.Exchange() > 0 {
		out.Difference = s.Rules.DifferenceOf(points) << a.Kontra
		p.scoreBonuses(out, a)
	}
	total := out.Game + out.Difference
	for _, n := range out.Bonuses {
		total += n
	}
	if out.Radli[declarer] > 0 {
		out.Radl = true
		total *= 2
		if out.Won {
			out.Radli[declarer]--
		}
	}
	out.Total[declarer] = total
	if s.Contract != Beggar {
		p.scoreMond(out)
	}
}

// DifferenceOf returns what points of the declarer score besides the contract.
func (r *Rules) DifferenceOf(points int) int {
	switch r.Difference {
	case NoDifference:
		return 0
	case RoundedDifference:
		return (points+2)/5*5 - threshold
	default:
		return points - threshold
	}
}

// scoreBonuses adds the bonuses, or replaces the score by the score of a valat.
func (p *Position) scoreBonuses(out *Score, a *Announcements) {
	out.LostPagat = p.lostPagat()
	for _, b := range Bonuses() {
		made, said := p.made(b), a.Bonuses[b]
		switch {
		case said.By == NoSide && b == LastPagat && out.LostPagat != NoSide:
			out.Bonuses[b] = p.setup.Rules.LostPagat(out.LostPagat)
		case said.By == NoSide && b == Valat:
			out.Bonuses[b] = int(made) * p.setup.Rules.SilentValat(a.Kontra)
		case said.By == NoSide:
			out.Bonuses[b] = int(made) * b.Silent()
		case made == said.By:
			out.Bonuses[b] = int(said.By) * 2 * b.Silent() << said.Kontra
		default:
			out.Bonuses[b] = -int(said.By) * 2 * b.Silent() << said.Kontra
		}
	}
	if n := out.Bonuses[Valat]; n != 0 {
		out.Game, out.Difference, out.Bonuses = 0, 0, [4]int{Valat: n}
	}
}

// made returns which side has made a bonus.
func (p *Position) made(b Bonus) Side {
	declarer := p.setup.Declarer
	switch b {
	case AllKings, AllTrula:
		all := [2]Set{Kings, Trula}[b]
		for _, player := range Players() {
			if side := p.side(player); p.wonBy(side)&all == all {
				return side
			}
		}
	case LastPagat:
		for _, player := range Players() {
			if p.last.By(player) == Pagat && p.last.Winner == player {
				return p.side(player)
			}
		}
	case Valat:
		switch p.tricks[declarer] {
		case HandSize:
			return Declarers
		case 0:
			return Opponents
		}
	}
	return NoSide
}

// lostPagat returns who has lost tarok 1 in the last trick. If nobody has announced it, that counts as if the other side had made it; an
// announcement of the other side has failed, for none of them has won the trick with it.
func (p *Position) lostPagat() Side {
	for _, player := range Players() {
		if p.last.By(player) == Pagat && p.last.Winner != player {
			return p.side(player)
		}
	}
	return NoSide
}

func (p *Position) side(player Player) Side {
	if player == p.setup.Declarer {
		return Declarers
	}
	return Opponents
}

// wonBy returns the cards that a side has won in tricks.
func (p *Position) wonBy(side Side) (won Set) {
	for _, player := range Players() {
		if p.side(player) == side {
			won |= p.won[player]
		}
	}
	return won
}

// scoreMond takes the penalty from the player whose mond was captured, or from the declarer who has left it in the talon.
func (p *Position) scoreMond(out *Score) {
	owner := p.mond
	if p.setup.Contract.Exchange() > 0 && p.setup.Left().Has(Mond) {
		owner = int8(p.setup.Declarer)
	}
	if owner >= 0 {
		out.Mond[owner] = -p.setup.Rules.Mond
		out.Total[owner] -= p.setup.Rules.Mond
	}
}
