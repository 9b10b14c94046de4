package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/engine/record"
	"roem/internal/engine/violation"
)

// klaverLive is the part of the JSON of KlaverLive that says what was dealt and played. The seats are numbers in the order of play from
// south: 0 south, 1 west, 2 north, 3 east. South is the one who looks.
type klaverLive struct {
	History           []liveTrick
	Center            []seatCard
	TroefKleur        string
	TeamGaat          *int // 0 is the team of south
	PlayerNrGaat      *int // the seat that declares
	PlayersTurn       *int
	PlayersTurnCompas string
	DealerNr          *int
	MyCards           string
	Order             string // not of KlaverLive: which of the two readings of History is meant; empty to find it
}

type liveTrick struct {
	First *int
	Title string // "3e slag"
	Cards []seatCard
}

type seatCard struct{ Compas, Card string }

// The two readings of History. In what the site keeps, the cards of a trick stand in the order of play from First, and Compas is a place on
// the screen. In other states Compas is the seat, and First says whose card was the first.
const (
	orderFirst  = "First"
	orderCompas = "Compas"
)

func isKlaverLive(raw []byte) bool {
	var head struct {
		History, TroefKleur json.RawMessage
		Game                json.RawMessage `json:"game"`
	}
	return bytes.Contains(raw, []byte(`"TroefKleur"`)) && json.Unmarshal(raw, &head) == nil && head.TroefKleur != nil &&
		head.History != nil && head.Game == nil
}

// liveSeats are the seats by the numbers of KlaverLive.
var liveSeats = [4]piquet.Seat{piquet.South, piquet.West, piquet.North, piquet.East}

// liveSeat returns the seat of a number; ok is false for none.
func liveSeat(n *int) (s piquet.Seat, ok bool) {
	if n == nil || *n < 0 || *n > 3 {
		return 0, false
	}
	return liveSeats[*n], true
}

// livePlay is a card that a seat has played.
type livePlay struct {
	seat piquet.Seat
	card piquet.Card
}

// liveHand is what the JSON of KlaverLive says of a hand.
type liveHand struct {
	trump  piquet.Suit
	leader piquet.Seat
	mine   piquet.Set // that south still holds
	plays  []livePlay
}

// readKlaverLive reads the JSON of KlaverLive. The hands of the others are known as far as they have played; a finished hand is known as a
// whole, and another one as what south has seen.
func readKlaverLive(text string, at int) (r record.Record, wrong *record.Error) {
	r = record.Record{Game: "klaverjas", At: at}
	var in klaverLive
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		return r, record.Wrong(at, "KlaverLive", violation.New(violation.WrongType, "cannot be read: %s", err))
	}
	h, tag, bad := in.hand()
	if bad != nil {
		return r, record.Wrong(at, tag, *bad)
	}
	var hands [4]piquet.Set
	list := []piquet.Card{}
	for _, p := range h.plays {
		hands[p.seat], list = hands[p.seat].With(p.card), append(list, p.card)
	}
	hands[piquet.South] |= h.mine
	for _, s := range piquet.Seats() {
		if s != piquet.South && len(list) < piquet.Deck.Len() {
			hands[s] = 0
		}
	}
	team := piquet.NorthSouth
	if s, ok := liveSeat(in.PlayerNrGaat); ok {
		team = s.Team()
	} else if in.TeamGaat != nil && *in.TeamGaat == 1 {
		team = piquet.EastWest
	}
	rules := klaverjas.DefaultRules(klaverjas.Rotterdam)
	if !h.possible(rules) && h.possible(klaverjas.DefaultRules(klaverjas.Amsterdam)) {
		rules = klaverjas.DefaultRules(klaverjas.Amsterdam)
	}
	r.Fields = append(r.Fields, record.Row("Rules", rulesWords(rules)...), record.Row("Leader", h.leader.String()),
		record.Row("Trump", h.trump.String()), record.Row("Declarer", team.String()), dealOf(hands))
	return withPlay(r, list), nil
}

// hand returns the hand, or what is wrong with the field of the tag.
func (in *klaverLive) hand() (h liveHand, tag string, wrong *violation.Violation) {
	var err error
	if h.trump, err = piquet.ParseSuit(in.TroefKleur); err != nil {
		v := violation.New(violation.NotASuit, "%.24q is not a suit in Dutch", in.TroefKleur).Of(in.TroefKleur)
		return h, "TroefKleur", &v
	}
	played := 0
	for name := range strings.FieldsSeq(in.MyCards) {
		if name == "." {
			played++
			continue
		}
		c, bad := liveCard(name)
		if bad != nil {
			return h, "MyCards", bad
		}
		h.mine = h.mine.With(c)
	}
	if bad := in.complete(played); bad != nil {
		return h, "History", bad
	}
	if len(in.History)+len(in.Center) == 0 {
		var bad *violation.Violation
		h.leader, bad = in.turn()
		return h, "PlayersTurnCompas", bad
	}
	h.plays, wrong = in.reading(&h)
	if wrong == nil {
		h.leader = h.plays[0].seat
	}
	return h, "History", wrong
}

// turn returns the seat that leads before the first card.
func (in *klaverLive) turn() (s piquet.Seat, wrong *violation.Violation) {
	if in.PlayersTurnCompas != "" {
		s, err := piquet.ParseSeat(in.PlayersTurnCompas)
		if err != nil {
			return 0, notCompas(in.PlayersTurnCompas)
		}
		return s, nil
	}
	if s, ok := liveSeat(in.PlayersTurn); ok {
		return s, nil
	}
	if s, ok := liveSeat(in.DealerNr); ok {
		return s.Next(), nil
	}
	v := violation.New(violation.Missing, "is not there, and no card was played: nothing says who leads").
		OneOf("Noord", "Oost", "Zuid", "West")
	return 0, &v
}

func notCompas(text string) *violation.Violation {
	return new(violation.New(violation.NotASeat, "%.24q is not a Compas: expected Noord, Oost, Zuid or West", text).Of(text))
}

// complete says what is missing of the tricks: their titles say which they are, and MyCards how many cards south has played.
func (in *klaverLive) complete(played int) *violation.Violation {
	if len(in.History) > 8 || len(in.Center) > 4 {
		v := violation.New(violation.TooMany, "has %d tricks and %d cards on the table, expected at most 8 and 4",
			len(in.History), len(in.Center)).Of(len(in.History)).Between(0, 8)
		return &v
	}
	for i, trick := range in.History {
		if n := trick.number(); n > i+1 {
			return missingTricks(i+1, n-1)
		}
		if n := len(trick.Cards); n != 4 {
			return new(violation.New(violation.WrongCount, "trick %d has %d cards, expected 4", i+1, n).Of(n).Between(4, 4))
		}
	}
	for _, one := range in.Center {
		if s, err := piquet.ParseSeat(one.Compas); err == nil && s == piquet.South {
			played--
		}
	}
	if missing := played - len(in.History); missing > 0 {
		return missingTricks(1, missing)
	}
	return nil
}

// number returns the number in the title of a trick, 0 without one.
func (t *liveTrick) number() int {
	digits := t.Title[:len(t.Title)-len(strings.TrimLeft(t.Title, "0123456789"))]
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

func missingTricks(from, to int) *violation.Violation {
	which := fmt.Sprintf("trick %d is missing", from)
	if to > from {
		which = fmt.Sprintf("tricks %d to %d are missing", from, to)
	}
	return new(violation.New(violation.Missing, "%s: a hand can be read with all its tricks from the first on", which))
}

// reading returns the cards in the order of play, in the reading of History under which they can have been played.
func (in *klaverLive) reading(h *liveHand) (plays []livePlay, wrong *violation.Violation) {
	byCompas, wrong := in.plays(orderCompas, h.trump)
	if wrong != nil {
		return nil, wrong
	}
	byFirst, _ := in.plays(orderFirst, h.trump) // the same cards
	switch in.Order {
	case orderCompas:
		return byCompas, nil
	case orderFirst:
		return byFirst, nil
	case "":
	default:
		v := violation.New(violation.NotOneOf, "the field Order is %.24q, expected First or Compas", in.Order).Of(in.Order).
			OneOf(orderFirst, orderCompas)
		return nil, &v
	}
	can := func(plays []livePlay) bool {
		one := liveHand{trump: h.trump, leader: plays[0].seat, mine: h.mine, plays: plays}
		return one.possible(klaverjas.DefaultRules(klaverjas.Rotterdam)) || one.possible(klaverjas.DefaultRules(klaverjas.Amsterdam))
	}
	compas, first := can(byCompas), can(byFirst)
	switch {
	case slices.Equal(byCompas, byFirst), compas && !first:
		return byCompas, nil
	case compas && first:
		v := violation.New(violation.Contradicts, "has two readings, and the cards can have been played in both: "+
			"add \"Order\": \"First\" beside it "+
			"if the cards of a trick stand in the order of play from First, and \"Order\": \"Compas\" if Compas is the seat of a card").
			OneOf(orderFirst, orderCompas)
		return nil, &v
	}
	return byFirst, nil
}

// plays returns the cards in the order of play, in one of the readings of History. Cards on the table have their seats.
func (in *klaverLive) plays(order string, trump piquet.Suit) (out []livePlay, wrong *violation.Violation) {
	for _, trick := range in.History {
		list, bad := livePlays(trick.Cards)
		if bad != nil {
			return nil, bad
		}
		if first, ok := liveSeat(trick.First); ok {
			if order == orderFirst {
				for i := range list {
					list[i].seat = first.Plus(i)
				}
			}
			sortFrom(first, list)
		}
		out = append(out, list...)
	}
	table, bad := livePlays(in.Center)
	if n := len(out); n > 0 {
		t := klaverjas.Trick{Leader: out[n-4].seat, Winner: out[n-4].seat}
		for _, p := range out[n-4:] {
			t = t.With(p.card, trump)
		}
		sortFrom(t.Winner, table)
	}
	return append(out, table...), bad
}

// sortFrom sorts the cards of a trick by their seats, from the first on.
func sortFrom(first piquet.Seat, list []livePlay) {
	slices.SortStableFunc(list, func(a, b livePlay) int { return a.seat.Minus(first) - b.seat.Minus(first) })
}

func livePlays(cards []seatCard) (out []livePlay, wrong *violation.Violation) {
	for _, one := range cards {
		seat, err := piquet.ParseSeat(one.Compas)
		if err != nil {
			return nil, notCompas(one.Compas)
		}
		c, bad := liveCard(one.Card)
		if bad != nil {
			return nil, bad
		}
		out = append(out, livePlay{seat, c})
	}
	return out, nil
}

// liveCard reads a card: k, h, r or s, and 7 to 14, where 11 is the jack, 12 the queen, 13 the king and 14 the ace.
func liveCard(text string) (c piquet.Card, wrong *violation.Violation) {
	if len(text) > 1 && len(text) < 4 {
		suit := strings.IndexByte("krhs", text[0])
		if n, err := strconv.Atoi(text[1:]); err == nil && suit >= 0 && n >= 7 && n <= 14 && strconv.Itoa(n) == text[1:] {
			return piquet.Of(piquet.Suit(suit), piquet.Face(n-7)), nil
		}
	}
	v := violation.New(violation.NotACard, "%.24q is not a card: expected k, h, r or s and 7 to 14, such as k7", text).Of(text)
	return 0, &v
}

// possible reports whether the cards can have been played: each seat in its turn, each card once, and no card, nor any that south still
// holds, proves that its player has revoked before.
func (h *liveHand) possible(r klaverjas.Rules) bool {
	t := klaverjas.Trick{Leader: h.leader, Winner: h.leader}
	var excluded [4]piquet.Set
	seen := h.mine
	for _, p := range h.plays {
		if excluded[p.seat].Has(p.card) || p.seat != t.Turn() || seen.Has(p.card) {
			return false
		}
		seen = seen.With(p.card)
		excluded[p.seat] |= r.Excluded(h.trump, t, p.card)
		if t = t.With(p.card, h.trump); t.Len == 4 {
			t = klaverjas.Trick{Leader: t.Winner, Winner: t.Winner}
		}
	}
	return excluded[piquet.South]&h.mine == 0
}
