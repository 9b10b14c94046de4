package search

import (
	"context"
	"math"
	"math/bits"

	"roem/internal/engine/tarok"
	"roem/internal/engine/violation"
)

// Selection is which legal cards a search to a limited depth tries.
type Selection uint8

// The selections.
const (
	EveryCard Selection = iota
	Provable            // without cards that are provably equal to another one, or not better
	Learned             // few cards, by a table like the paper's, which was not published, learned from searches: see learned.go
)

// Selections returns all selections.
func Selections() []Selection { return []Selection{EveryCard, Provable, Learned} }

// Table is what a search to a limited depth keeps in its table.
type Table uint8

// The tables.
const (
	NoTable     Table = iota
	Plain             // positions between tricks
	Equivalence       // classes of positions that the paper calls strategically equivalent: see keys.go
)

var (
	selectionNames = []string{"all", "provable", "learned"}
	tableNames     = []string{"none", "plain", "equivalence"}
)

// String returns the name of the selection in JSON.
func (s Selection) String() string { return selectionNames[s%3] }

// String returns the name of the table in JSON.
func (t Table) String() string { return tableNames[t%3] }

// ParseSelection reads all, provable or learned.
func ParseSelection(text string) (Selection, error) {
	return violation.ParseWord[Selection](text, selectionNames...)
}

// ParseTable reads none, plain or equivalence.
func ParseTable(text string) (Table, error) { return violation.ParseWord[Table](text, tableNames...) }

// Discount is the weight of each trick against the one before it (the paper, equation 2).
const Discount = 0.9

// Enhancements are the enhancements of the paper's alpha-beta search (section 3.2). The zero value is alpha-beta without any.
type Enhancements struct {
	Deepening bool // iterative deepening, by tricks
	History   bool // the history heuristic
	Minimal   bool // minimal window: a card after the first is searched again only if it is better (the paper gained nothing by it)
	Selection Selection
	Table     Table
}

// AllFour are the enhancements of the paper, with the cards that are provably not needed left out.
var AllFour = Enhancements{Deepening: true, History: true, Selection: Provable, Table: Equivalence}

// LimitedQuery is a position to search to a limited depth.
type LimitedQuery struct {
	Position tarok.Position
	Depth    int // cards, a multiple of 3: the trick on the table counts as a whole
	Enhancements
	Moves    bool   // every card that the selection leaves gets its own value
	Every    bool   // with Moves: every legal card does
	MaxNodes uint64 // see Query
	Pause    func() error
}

// Estimate is the result of a LimitedQuery.
type Estimate struct {
	// Value is the discounted value of the tricks that were searched, in thirds of a point for the declarer less those for the opponents. A
	// trick counts 0.9 times as much as the one before it.
	Value float64
	Card  tarok.Card // the best card
	Moves []Estimated
	Nodes uint64 // cards played by the search
}

// Estimated is the value of a card.
type Estimated struct {
	Card  tarok.Card
	Value float64
}

// tiny is more than the rounding errors of a value. Only a value that is better by more is better: the bound of a card that is not better
// than another often equals the value of that one, but for rounding.
const tiny = 1e-9

// lostBeggar is the value of a trick that the declarer of a beggar takes.
const lostBeggar = -100

// limited is a search to a limited depth.
type limited struct {
	*Solver
	Enhancements
	memo    []memo
	success [3][3][64]int32 // the history: by player, number of cards on the table, and card
}

// Estimate searches a position to a limited depth. If it is finished, the estimate is 0 without a card. Equal queries make equal numbers
// of nodes.
func (s *Solver) Estimate(ctx context.Context, q LimitedQuery) (Estimate, error) {
	setup := q.Position.Setup()
	if setup.Contract == tarok.Klop {
		return Estimate{}, ErrKlop
	}
	if err := ctx.Err(); err != nil {
		return Estimate{}, err
	}
	if q.Position.Finished() {
		return Estimate{}, nil
	}
	s.game = gameOf(&setup)
	s.nodes, s.checkAt, s.stop = 0, checkEvery, false
	s.end = end{ctx: ctx, pause: q.Pause, most: q.MaxNodes}
	l := &limited{Solver: s, Enhancements: q.Enhancements}
	if q.Table != NoTable {
		if s.memos == nil {
			s.memos = make([]memo, memoSize)
		}
		if s.searches++; s.searches == 0 {
			clear(s.memos)
			s.searches = 1
		}
		l.memo = s.memos
	}
	out := l.run(&q)
	cause := s.end.cause
	s.end = end{}
	if out.Nodes = s.nodes; s.stop {
		return Estimate{Nodes: s.nodes}, cause
	}
	return out, nil
}

func (l *limited) run(q *LimitedQuery) (out Estimate) {
	n := nodeOf(&q.Position)
	tricks := min(q.Depth/3, n.tricks())
	first := tricks
	if l.Deepening {
		first = 1
	}
	card := -1
	for depth := first; depth <= tricks && !l.stop; depth++ {
		out.Value, card = l.best(&n, l.cards(&n), depth, math.Inf(-1), math.Inf(1), card)
	}
	out.Card = tarok.Card(max(card, 0))
	if !q.Moves || l.stop {
		return out
	}
	cards := l.cards(&n)
	if q.Every {
		cards = l.game.legal(&n)
	}
	for rest := cards; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros64(rest)
		l.nodes++
		value := l.after(&n, c, tricks, math.Inf(-1), math.Inf(1))
		out.Moves = append(out.Moves, Estimated{tarok.Card(c), value})
	}
	return out
}

// tricks returns how many tricks are left, with the one on the table.
func (n *node) tricks() int {
	return bits.OnesCount64(n.hands[n.player()])
}

// search returns the value of a position, searched to a depth of the given number of tricks, the one on the table included (fail-soft).
func (l *limited) search(n *node, depth int, alpha, beta float64) float64 {
	if depth == 0 || n.n == 0 && n.hands[0] == 0 {
		return 0
	}
	if n.n == 0 && l.nodes >= l.checkAt && l.cancelled() {
		return 0
	}
	if l.Table == NoTable || l.Table == Plain && n.n > 0 {
		value, _ := l.best(n, l.needed(n, depth), depth, alpha, beta, -1)
		return value
	}
	k := l.memoKey(n)
	m := &l.memo[k.place()]
	lower, upper, card := math.Inf(-1), math.Inf(1), -1
	if m.key == k && m.search == l.searches {
		card = int(m.card)
		if int(m.depth) >= depth {
			lower, upper = m.lower, m.upper
			switch {
			case lower >= beta-tiny || upper-lower <= tiny:
				return lower
			case upper <= alpha+tiny:
				return upper
			}
		}
	}
	value, card := l.best(n, l.needed(n, depth), depth, alpha, beta, card)
	if l.stop {
		return 0
	}
	if value > alpha+tiny {
		lower = max(lower, value)
	}
	if value < beta-tiny {
		upper = min(upper, value)
	}
	*m = memo{key: k, lower: lower, upper: upper, search: l.searches, depth: uint8(depth), card: uint8(card)}
	return value
}

// best tries some cards of the player to move. It returns the value of the position, and the card.
func (l *limited) best(n *node, cards uint64, depth int, alpha, beta float64, first int) (value float64, card int) {
	player := n.player()
	var list [16]int32
	moves := l.sorted(n, cards, first, list[:0])
	value = math.Inf(-1)
	if player != 0 {
		value = math.Inf(1)
	}
	low, high := alpha, beta
	for i, m := range moves {
		c := int(m & 63)
		l.nodes++
		got := l.compared(n, c, depth, low, high, i > 0)
		if l.stop {
			return 0, 0
		}
		if player == 0 {
			if got > value+tiny {
				value, card = got, c
			}
			low = max(low, value)
		} else {
			if got < value-tiny {
				value, card = got, c
			}
			high = min(high, value)
		}
		if low >= high-tiny {
			break
		}
	}
	if l.History {
		l.success[player][n.n][card] += 1 << min(3*depth-int(n.n), 24)
	}
	return value, card
}

// width is the width of a minimal window. It is more than tiny, and the sums of the values of different tricks differ by more.
const width = 4 * tiny

// compared returns the value of a position after a card. With a minimal window, a later card is first only compared with the best before
// it.
func (l *limited) compared(n *node, c, depth int, low, high float64, later bool) float64 {
	if !l.Minimal || !later || high-low <= width {
		return l.after(n, c, depth, low, high)
	}
	if n.player() == 0 {
		if got := l.after(n, c, depth, low, low+width); l.stop || got <= low+tiny || got >= high-tiny {
			return got
		}
		return l.after(n, c, depth, low, high)
	}
	if got := l.after(n, c, depth, high-width, high); l.stop || got >= high-tiny || got <= low+tiny {
		return got
	}
	return l.after(n, c, depth, low, high)
}

// after returns the value of a position after a card.
func (l *limited) after(n *node, c, depth int, alpha, beta float64) float64 {
	next, won, taken := l.game.play(n, c)
	if next.n > 0 {
		return l.search(&next, depth, alpha, beta)
	}
	trick := float64(2*won - n.sum - thirds[c]) // the declarer's thirds minus the opponents'
	if l.game.negative {
		if taken {
			return Discount * lostBeggar
		}
		trick = 0
	}
	return Discount * (trick + l.search(&next, depth-1, alpha/Discount-trick, beta/Discount-trick))
}

// cards returns the cards that are tried at the root.
func (l *limited) cards(n *node) uint64 {
	legal := l.game.legal(n)
	if l.Selection == EveryCard || legal&(legal-1) == 0 {
		return legal
	}
	return l.selected(n, l.game.provable(n, legal))
}

// needed returns the cards that are tried below the root. In the last trick that is searched, what is left afterwards is worth nothing.
func (l *limited) needed(n *node, depth int) uint64 {
	legal := l.game.legal(n)
	if l.Selection == EveryCard || legal&(legal-1) == 0 {
		return legal
	}
	return l.selected(n, l.game.needed(n, legal, depth))
}

// needed returns the legal cards without those that are provably not better than another one in a search to a depth of the given number of
// tricks.
func (g *game) needed(n *node, legal uint64, depth int) uint64 {
	cards := g.provable(n, legal)
	if depth > 1 || g.negative || cards&(cards-1) == 0 {
		return cards
	}
	return g.last(n, cards)
}

// selected removes cards by the learned table, which can lose the best card. It is not for beggars.
func (l *limited) selected(n *node, cards uint64) uint64 {
	if l.Selection != Learned || l.game.negative || cards&(cards-1) == 0 {
		return cards
	}
	return learned.keep(n, cards)
}

// sorted appends the cards, each in the low bits of a number: first the card of the table, then by their success so far. Without a table
// and the history heuristic they are in the order of the deck.
func (l *limited) sorted(n *node, legal uint64, first int, list []int32) []int32 {
	history := &l.success[n.player()][n.n]
	for rest := legal; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros64(rest)
		x := int32(0)
		if l.History {
			x = min(history[c], 1<<23)
		}
		if c == first {
			x = 1 << 24
		}
		x = x<<6 | int32(c)
		list = append(list, x)
		for i := len(list) - 1; i > 0 && list[i-1]>>6 < x>>6; i-- {
			list[i-1], list[i] = x, list[i-1]
		}
	}
	return list
}
