package naive

import (
	"fmt"
	"math"
	"slices"
)

// State is an endgame for minimax. Cards, suits, seats and teams are numbers.
//
// A card is 8 x suit + face. The suits C D H S are 0 to 3 and the faces 7 8 9 10 J Q K A are 0 to 7. The seats N E S W are 0 to 3, the
// teams NS and EW are 0 and 1.
type State struct {
	Rules    Rules
	Trump    int
	Declarer int    // team
	Leader   int    // leader of the current trick
	Hands    [4]int // the cards still in hand, one bit per card, without those in the trick
	Trick    []int  // cards of the current trick, in order of play
	Points   [2]int // trick points so far, by team
	Melds    [2]int
	Taken    [2]int // tricks so far, by team
}

// CardName returns the name of a card in the form of the other files of this package.
func CardName(card int) string { return natural[card%8] + []string{"C", "D", "H", "S"}[card/8] }

// Game converts the endgame to a [Game].
func (s State) Game() Game {
	teams := []string{"NS", "EW"}
	g := Start(s.Rules, []string{"C", "D", "H", "S"}[s.Trump], seats[s.Leader], teams[s.Declarer], map[string][]string{})
	for seat, hand := range s.Hands {
		for card := range 32 {
			if hand>>card&1 == 1 {
				g.Hands[seats[seat]] = append(g.Hands[seats[seat]], CardName(card))
			}
		}
	}
	for _, card := range s.Trick {
		g.Trick = append(g.Trick, CardName(card))
	}
	for i, team := range teams {
		g.Points[team], g.Melds[team], g.Taken[team] = s.Points[i], s.Melds[i], s.Taken[i]
	}
	return g
}

// State converts the game to a State.
func (g Game) State() State {
	index := slices.Index[[]string]
	deck, teams := Deck(), []string{"NS", "EW"}
	s := State{
		Rules: g.Rules, Trump: index([]string{"C", "D", "H", "S"}, g.Trump),
		Declarer: index(teams, g.Declarer), Leader: index(seats, g.Leader),
	}
	for i, seat := range seats {
		for _, card := range g.Hands[seat] {
			s.Hands[i] |= 1 << index(deck, card)
		}
	}
	for _, card := range g.Trick {
		s.Trick = append(s.Trick, index(deck, card))
	}
	for i, team := range teams {
		s.Points[i], s.Melds[i], s.Taken[i] = g.Points[team], g.Melds[team], g.Taken[team]
	}
	return s
}

// String formats the endgame for test failures.
func (s State) String() string {
	return fmt.Sprintf("rules %+v, %v, points %v, melds %v, taken %v (NS, EW)", s.Rules, s.Game(), s.Points, s.Melds, s.Taken)
}

// Minimax returns the OUTCOME of best play from an unfinished endgame, the outcome of every legal card, and the number of visited
// positions, which is the number of all positions.
func Minimax(s State) (outcome int, moves map[int]int, nodes int) {
	j := newJudge(s)
	moves = map[int]int{}
	outcome = j.best(func(card, value int) { moves[card] = value })
	return outcome, moves, j.nodes
}

// AlphaBeta returns the OUTCOME of best play like [Minimax], but uses alpha-beta. It is for endgames that take too long for minimax. It
// is tested against minimax.
func AlphaBeta(s State) int {
	j := newJudge(s)
	return j.alphaBeta(math.MinInt, math.MaxInt)
}

// Lines returns the number of legal lines of play with the given number of cards. It is a faster version of [Game.Lines].
func Lines(s State, depth int) uint64 {
	j := newJudge(s)
	return j.lines(depth)
}

// judge is a position in which cards are played and taken back.
type judge struct {
	strength [32]int // within a suit
	points   [32]int
	four     [8]int
	trump    int
	declarer int
	pit      [2]int // by team
	natAll   bool
	melds    bool
	// The rule for a player who cannot follow suit and has a trump.
	freeWithPartner                bool // amsterdam
	underRuffForced, underRuffFree bool // if both are false, it is forbidden

	leader int
	hands  [4]int
	trick  [4]int
	length int
	k      [2][2]int // [team]{points, melds}
	taken  [2]int
	nodes  int
}

func newJudge(s State) *judge {
	j := &judge{
		trump: s.Trump, declarer: s.Declarer, leader: s.Leader, hands: s.Hands, length: len(s.Trick), taken: s.Taken,
		melds: s.Rules.Melds, natAll: s.Rules.NatMelds == "all",
		freeWithPartner: s.Rules.System == "amsterdam",
		underRuffForced: s.Rules.UnderRuff == "forced", underRuffFree: s.Rules.UnderRuff == "free",
	}
	copy(j.trick[:], s.Trick)
	j.pit[s.Declarer], j.pit[1-s.Declarer] = s.Rules.PitDeclarers, s.Rules.PitDefenders
	for team := range 2 {
		j.k[team] = [2]int{s.Points[team], s.Melds[team]}
	}
	//                      7  8  9  10  J  Q  K  A
	trumpRank := [8]int{0, 1, 6, 4, 7, 2, 3, 5}
	plainRank := [8]int{0, 1, 2, 6, 3, 4, 5, 7}
	trumpWorth := [8]int{0, 0, 14, 10, 20, 3, 4, 11}
	plainWorth := [8]int{0, 0, 0, 10, 2, 3, 4, 11}
	for card := range 32 {
		if card/8 == s.Trump {
			j.strength[card], j.points[card] = trumpRank[card%8], trumpWorth[card%8]
		} else {
			j.strength[card], j.points[card] = plainRank[card%8], plainWorth[card%8]
		}
	}
	for face, name := range natural {
		j.four[face] = 100
		if bonus, ok := s.Rules.FourOfAKind[name]; ok {
			j.four[face] = bonus
		}
	}
	return j
}

func (j *judge) turn() int { return (j.leader + j.length) % 4 }

// winning returns the index of the winning card of the trick.
func (j *judge) winning() int {
	best := 0
	for i := 1; i < j.length; i++ {
		a, b := j.trick[i], j.trick[best]
		if a/8 == b/8 && j.strength[a] > j.strength[b] || a/8 != b/8 && a/8 == j.trump {
			best = i
		}
	}
	return best
}

// legal lists the legal cards and returns their number.
func (j *judge) legal(list *[8]int) int {
	hand := j.hands[j.turn()]
	trumps := hand & (0xff << (8 * j.trump))
	may := hand
	if j.length > 0 {
		led := j.trick[0] / 8
		at := j.winning()
		highest := -1 // strength of the highest trump of the trick
		if j.trick[at]/8 == j.trump {
			highest = j.strength[j.trick[at]]
		}
		higher := 0
		for card := 8 * j.trump; card < 8*j.trump+8; card++ {
			if trumps>>card&1 == 1 && j.strength[card] > highest {
				higher |= 1 << card
			}
		}
		lower := trumps &^ higher
		following := hand & (0xff << (8 * led))
		switch {
		case led == j.trump && higher != 0:
			may = higher
		case following != 0:
			may = following
		case trumps == 0:
			// every card is legal
		case j.freeWithPartner && at == j.length-2: // the partner played two cards before
			if !j.underRuffForced && !j.underRuffFree && hand != lower {
				may = hand &^ lower
			}
		case higher != 0:
			may = higher
		case j.underRuffForced:
			may = trumps
		case !j.underRuffFree && hand != trumps:
			may = hand &^ trumps
		}
	}
	n := 0
	for card := range 32 {
		if may>>card&1 == 1 {
			list[n] = card
			n++
		}
	}
	return n
}

// meld returns the meld points of the complete current trick.
func (j *judge) meld() int {
	sum := 0
	var faces [4]int // bits by suit
	for _, card := range j.trick {
		faces[card/8] |= 1 << (card % 8)
	}
	for suit, f := range faces {
		switch {
		case f&(f>>1)&(f>>2)&(f>>3) != 0:
			sum += 50
		case f&(f>>1)&(f>>2) != 0:
			sum += 20
		}
		if suit == j.trump && f>>5&3 == 3 {
			sum += 20
		}
	}
	if faces[0]&faces[1]&faces[2]&faces[3] != 0 {
		sum += j.four[j.trick[0]%8]
	}
	return sum
}

// undo holds the values that playing a card can overwrite.
type undo struct {
	leader, length int
	trick          [4]int
	k              [2][2]int
	taken          [2]int
}

func (j *judge) play(card int) undo {
	u := undo{j.leader, j.length, j.trick, j.k, j.taken}
	j.nodes++
	j.hands[j.turn()] &^= 1 << card
	j.trick[j.length] = card
	j.length++
	if j.length < 4 {
		return u
	}
	j.leader = (j.leader + j.winning()) % 4
	team := j.leader % 2
	for _, c := range j.trick {
		j.k[team][0] += j.points[c]
	}
	if j.melds {
		j.k[team][1] += j.meld()
	}
	j.taken[team]++
	j.length = 0
	if j.hands == [4]int{} {
		j.k[team][0] += 10
		if j.taken[1-team] == 0 {
			j.k[team][1] += j.pit[team]
		}
	}
	return u
}

func (j *judge) takeBack(card int, u undo) {
	j.leader, j.length, j.trick, j.k, j.taken = u.leader, u.length, u.trick, u.k, u.taken
	j.hands[j.turn()] |= 1 << card
}

func (j *judge) outcome() int {
	us, them := j.k[j.declarer], j.k[1-j.declarer]
	if d := us[0] + us[1] - them[0] - them[1]; d > 0 {
		return d
	}
	if j.natAll {
		return -162 - us[1] - them[1]
	}
	return -162 - them[1]
}

// best returns the OUTCOME of best play. It calls each, unless it is nil, with the outcome of every legal card.
func (j *judge) best(each func(card, value int)) int {
	if j.length == 0 && j.hands == [4]int{} {
		return j.outcome()
	}
	var list [8]int
	n := j.legal(&list)
	maximise := j.turn()%2 == j.declarer
	best := 0
	for i, card := range list[:n] {
		u := j.play(card)
		value := j.best(nil)
		j.takeBack(card, u)
		if each != nil {
			each(card, value)
		}
		if i == 0 || maximise && value > best || !maximise && value < best {
			best = value
		}
	}
	return best
}

// alphaBeta returns the OUTCOME of best play if it is between alpha and beta. Otherwise it returns a bound: an upper bound of at most
// alpha, or a lower bound of at least beta.
func (j *judge) alphaBeta(alpha, beta int) int {
	if j.length == 0 && j.hands == [4]int{} {
		return j.outcome()
	}
	var list [8]int
	n := j.legal(&list)
	maximise := j.turn()%2 == j.declarer
	for _, card := range list[:n] {
		u := j.play(card)
		value := j.alphaBeta(alpha, beta)
		j.takeBack(card, u)
		if maximise {
			alpha = max(alpha, value)
		} else {
			beta = min(beta, value)
		}
		if alpha >= beta {
			break
		}
	}
	if maximise {
		return alpha
	}
	return beta
}

func (j *judge) lines(depth int) uint64 {
	if depth == 0 {
		return 1
	}
	var list [8]int
	n := j.legal(&list)
	if depth == 1 {
		return uint64(n)
	}
	var sum uint64
	for _, card := range list[:n] {
		u := j.play(card)
		sum += j.lines(depth - 1)
		j.takeBack(card, u)
	}
	return sum
}
