package belote

import (
	"bytes"
	"slices"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// canonical is the canonical form of a position: A leads to the first trick, the trump suit is the first of the deck, the other suits are
// in the order that gives the least encoding, and the stacks of each player are sorted. Positions that differ only in the names of suits
// and players, or in the order of the stacks, have the same canonical form, and so share searches and cached results.
//
// The paper's algorithms try the cards in the order of the stacks, so that their counts depend on it. For them the stacks keep their order.
type canonical struct {
	start, now belote.Position
	played     []piquet.Card
	back       [32]piquet.Card // from the canonical form to the request
	swapped    bool            // the players have changed places
	key        service.Key     // the part of the cache key that is the same for all questions about the deal
}

// The names in keys: the format of keys and values, and the game.
const (
	schemaVersion = 3
	gameName      = "belote"
)

// newCanonical returns the canonical form.
func newCanonical(p *Position, keepOrder bool) (canonical, error) {
	d := p.start.Deal()
	twin := canonical{swapped: d.Leader == belote.B}
	if twin.swapped {
		d.Stacks[0], d.Stacks[1] = d.Stacks[1], d.Stacks[0]
		d.Leader, d.Declarer = d.Leader.Other(), d.Declarer.Other()
	}
	var least []byte
	var best belote.Deal
	var there [32]piquet.Card
	for _, order := range orders(d.Deck, d.Trump) {
		one, to := relabelled(&d, order, keepOrder)
		if code := appendStacks(nil, &one); least == nil || bytes.Compare(code, least) < 0 {
			least, best, there = code, one, to
		}
	}
	var err error
	if twin.start, err = belote.NewPosition(best); err != nil {
		return canonical{}, err
	}
	for from, to := range there {
		if d.Deck.Has(piquet.Card(from)) {
			twin.back[to] = piquet.Card(from)
		}
	}
	for _, c := range p.played {
		twin.played = append(twin.played, there[c])
	}
	if twin.now, err = twin.start.Replay(twin.played); err != nil {
		return canonical{}, err
	}
	twin.key = appendDeal(newKey(positionKey), &best)
	return twin, nil
}

// orders returns the orders of the suits of a deck, with the trump first.
func orders(deck piquet.Set, trump belote.Trump) (out [][]piquet.Suit) {
	var rest, first []piquet.Suit
	for _, s := range piquet.Suits() {
		switch {
		case deck.InSuit(s).Empty():
		case trump.Is(s):
			first = append(first, s)
		default:
			rest = append(rest, s)
		}
	}
	var permute func(done, rest []piquet.Suit)
	permute = func(done, rest []piquet.Suit) {
		if len(rest) == 0 {
			out = append(out, done)
		}
		for i := range rest {
			permute(append(slices.Clone(done), rest[i]), append(slices.Clone(rest[:i]), rest[i+1:]...))
		}
	}
	permute(first, rest)
	return out
}

// relabelled returns the deal with its suits renamed to clubs, diamonds, and so on, in the order given, and the map of the cards.
func relabelled(d *belote.Deal, order []piquet.Suit, keepOrder bool) (out belote.Deal, to [32]piquet.Card) {
	out = belote.Deal{Trump: d.Trump, Leader: d.Leader, Declarer: d.Declarer, Threshold: d.Threshold}
	for i, s := range order {
		for _, f := range piquet.Faces() {
			to[piquet.Of(s, f)] = piquet.Of(piquet.Suit(i), f)
		}
		out.Deck |= belote.Deck(piquet.Suit(i))
	}
	if _, ok := d.Trump.Suit(); ok {
		out.Trump = belote.TrumpOf(piquet.Clubs)
	}
	for _, p := range belote.Players() {
		for i, s := range d.Of(p) {
			out.Stacks[p][i] = belote.Stack{Top: to[s.Top], Bottom: to[s.Bottom]}
		}
		if !keepOrder {
			slices.SortFunc(out.Of(p), func(a, b belote.Stack) int { return int(a.Top) - int(b.Top) })
		}
	}
	return out, to
}

// positionKey is the kind of the keys of results about a canonical position. Other keys have the kind of their operation.
const positionKey = "position"

// newKey begins a key with what every result depends on: the game, the format of keys and values, and the version of the solver.
func newKey(kind string) service.Key {
	return service.NewKey(gameName, schemaVersion, search.Version, kind)
}

func appendStacks(key service.Key, d *belote.Deal) service.Key {
	for _, p := range belote.Players() {
		for _, s := range d.Of(p) {
			key = key.Byte(byte(s.Top)).Byte(byte(s.Bottom))
		}
	}
	return key
}

// appendDeal writes a deal. The deck decides how many stacks there are.
func appendDeal(key service.Key, d *belote.Deal) service.Key {
	deck := byte(0)
	for _, s := range piquet.Suits() {
		if !d.Deck.InSuit(s).Empty() {
			deck |= 1 << s
		}
	}
	return appendStacks(key.Byte(deck).Byte(byte(d.Trump)).Byte(byte(d.Leader)).Byte(byte(d.Declarer)).Byte(byte(d.Threshold)), d)
}

// analysisQuestion is the question "analysis of all played cards" in a cache key.
const analysisQuestion = 255

// keyFor returns the cache key of a question about the position after the cards played.
func (c *canonical) keyFor(question ...byte) solvecache.Key {
	return solvecache.Key(service.AppendList(slices.Clone(c.key).Bytes(question), c.played))
}

// appendTo writes the position in its own players, suits and order of stacks.
func (p *Position) appendTo(key service.Key) service.Key {
	d := p.start.Deal()
	return service.AppendList(appendDeal(key, &d).Byte(byte(p.flip)), p.played)
}
