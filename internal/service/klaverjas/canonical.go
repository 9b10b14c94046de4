package klaverjas

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// canonical is the canonical form of a position: clubs are trump, north leads, and the plain suits are in the order that gives the
// deal its least index. Positions that differ only in the names of suits and seats have the same canonical form, and so share
// searches and cached results. Only this file relabels positions into the canonical form and results back.
type canonical struct {
	Position
	back index.Relabelling // from the canonical form to the request
	key  service.Key       // the part of the cache key that is the same for all questions about the position
}

// schemaVersion changes whenever the format of a key or of a cached value changes.
const schemaVersion = 4

func newCanonical(p Position) (canonical, error) {
	number, there := index.Canonical(p.start.Deal())
	rules, deal := p.start.Rules(), there.Deal(p.start.Deal())
	start, err := klaverjas.NewPosition(rules, deal)
	if err != nil {
		return canonical{}, err
	}
	twin := canonical{back: there.Inverse()}
	twin.start = start
	twin.played = make([]piquet.Card, len(p.played))
	for i, c := range p.played {
		twin.played[i] = there.Card(c)
	}
	if twin.now, err = start.Replay(twin.played); err != nil {
		return canonical{}, err
	}

	// The leader's team is NorthSouth here.
	twin.key = appendRules(newKey(positionKey), rules).Byte(byte(deal.Declarer)).Uint(number)
	return twin, nil
}

// befores returns the canonical positions before each card that was played.
func (c *canonical) befores() ([]klaverjas.Position, error) {
	list := make([]klaverjas.Position, len(c.played))
	at := c.start
	for i, card := range c.played {
		list[i] = at
		var err error
		if at, err = at.Play(card); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// positionKey is the kind of the keys of results about a canonical position. Other keys have the kind of their operation.
const positionKey = "position"

// newKey begins a key with what every result depends on: the game, the format of keys and values, and the version of the solver.
func newKey(kind string) service.Key {
	return service.NewKey(checkedGame, schemaVersion, search.Version, kind)
}

func appendRules(key service.Key, rules klaverjas.Rules) service.Key {
	key = key.Byte(byte(rules.System)).Byte(byte(rules.UnderRuff)).Bool(rules.Melds).Byte(byte(rules.NatMelds))
	for _, bonus := range rules.FourOfAKind {
		key = key.Uint16(uint16(bonus))
	}
	return key.Uint16(uint16(rules.Pit.Declarers)).Uint16(uint16(rules.Pit.Defenders))
}

func asByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// keyFor returns the cache key of a question about the position after the first n played cards. A question is a goal or
// analysisQuestion.
func (c canonical) keyFor(question byte, n int) solvecache.Key {
	key := append(make(service.Key, 0, len(c.key)+2+n), c.key...).Byte(question)
	return solvecache.Key(service.AppendList(key, c.played[:n]))
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
	for _, t := range piquet.Teams() {
		to := c.back.Team(t)
		f.score.Tricks[to], f.score.Melds[to] = there.Tricks[t], there.Melds[t]
	}
	return f
}

// appendTo writes the position in its own seats and suits.
func (p Position) appendTo(key service.Key) service.Key {
	deal := p.start.Deal()
	key = appendRules(key, p.start.Rules()).Byte(byte(deal.Trump)).Byte(byte(deal.Leader)).Byte(byte(deal.Declarer))
	return service.AppendList(key.Uint(index.Rank(deal)), p.played)
}
