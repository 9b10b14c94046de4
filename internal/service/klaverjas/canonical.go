package klaverjas

import (
	"encoding/binary"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/solvecache"
)

// canonical is the canonical form of a position: clubs are trump, north leads, and the plain suits are in the order that gives the
// deal its least index. Positions that differ only in the names of suits and seats have the same canonical form, and so share
// searches and cached results. Only this file relabels positions into the canonical form and results back.
type canonical struct {
	Position
	back index.Relabelling // from the canonical form to the request
	key  []byte            // the part of the cache key that is the same for all questions about the position
}

// schemaVersion changes whenever the format of a key or of a cached value changes.
const schemaVersion = 2

func newCanonical(p Position) (canonical, error) {
	number, there := index.Canonical(p.start.Deal())
	rules, deal := p.start.Rules(), there.Deal(p.start.Deal())
	start, err := klaverjas.NewPosition(rules, deal)
	if err != nil {
		return canonical{}, err
	}
	twin := canonical{back: there.Inverse()}
	twin.start = start
	twin.played = make([]cards.Card, len(p.played))
	for i, c := range p.played {
		twin.played[i] = there.Card(c)
	}
	if twin.now, err = start.Replay(twin.played); err != nil {
		return canonical{}, err
	}

	key := appendRules(appendVersions(), rules)
	key = append(key, byte(deal.Declarer)) // the leader's team is NorthSouth here
	twin.key = binary.BigEndian.AppendUint64(key, number)
	return twin, nil
}

// before returns the canonical form before the card played with that number, from 0.
func (c canonical) before(number int) (canonical, error) {
	c.played = c.played[:number]
	var err error
	c.now, err = c.start.Replay(c.played)
	return c, err
}

// appendVersions writes what every result depends on: the format of keys and values, the game, and the version of the solver.
func appendVersions() []byte {
	return append(append(append(append([]byte{schemaVersion}, checkedGame...), 0), search.Version...), 0)
}

func appendRules(key []byte, rules klaverjas.Rules) []byte {
	key = append(key, byte(rules.System), byte(rules.UnderRuff), flag(rules.Melds), byte(rules.NatMelds))
	for _, bonus := range rules.FourOfAKind {
		key = binary.BigEndian.AppendUint16(key, uint16(bonus))
	}
	key = binary.BigEndian.AppendUint16(key, uint16(rules.Pit.Declarers))
	return binary.BigEndian.AppendUint16(key, uint16(rules.Pit.Defenders))
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// keyFor returns the cache key of a question about the position after the first n played cards. A question is a goal or
// analysisQuestion.
func (c canonical) keyFor(question byte, n int) solvecache.Key {
	key := make([]byte, 0, len(c.key)+1+n)
	key = append(key, c.key...)
	key = append(key, question)
	for _, card := range c.played[:n] {
		key = append(key, byte(card))
	}
	return solvecache.Key(key)
}

// keysFor returns the cache keys under which a result for the goal may be. The result of a more expensive goal also answers the
// cheaper ones.
func (c canonical) keysFor(goal search.Goal) []solvecache.Key {
	keys := make([]solvecache.Key, 0, 3)
	for g := goal; g <= search.Moves; g++ {
		keys = append(keys, c.keyFor(byte(g), len(c.played)))
	}
	return keys
}

// returned relabels a result of the canonical form for the Position, with its moves in the order of the contract.
func (c canonical) returned(f result, p Position) result {
	f = c.relabel(f)
	sortMoves(f, p.now)
	return f
}

// relabel relabels a result of the canonical form with the suits and seats of the request.
func (c canonical) relabel(f result) result {
	for i, card := range f.line {
		f.line[i] = c.back.Card(card)
	}
	for i := range f.moves {
		f.moves[i].Card = c.back.Card(f.moves[i].Card)
	}
	there := f.score
	for _, t := range cards.Teams() {
		to := c.back.Team(t)
		f.score.Tricks[to], f.score.Melds[to] = there.Tricks[t], there.Melds[t]
	}
	return f
}

// appendTo writes the position in its own seats and suits.
func (p Position) appendTo(b []byte) []byte {
	deal := p.start.Deal()
	b = append(appendRules(b, p.start.Rules()), byte(deal.Trump), byte(deal.Leader), byte(deal.Declarer))
	b = binary.BigEndian.AppendUint64(b, index.Rank(deal))
	for _, card := range p.played {
		b = append(b, byte(card))
	}
	return b
}
