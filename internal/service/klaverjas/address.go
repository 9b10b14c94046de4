package klaverjas

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// address holds the fields of an address of the board: docs/how-to/embed-a-board.md describes them.
type address struct {
	trump, leader, declarer, holders string
	rules, played, cursor            *string // nil where absent
}

// parseAddress returns the position of an address. What is wrong with it is added to vs, and the position is not valid.
func parseAddress(a address, vs *service.Problems) Position {
	before := len(*vs)
	deal := klaverjas.Deal{
		Trump: fieldOf(vs, "t", a.trump, piquet.ParseSuit), Leader: fieldOf(vs, "l", a.leader, piquet.ParseSeat),
		Declarer: fieldOf(vs, "d", a.declarer, piquet.ParseTeam), Hands: fieldOf(vs, "h", a.holders, holdersOf),
	}
	rules, err := addressRules(service.Or(a.rules, ""))
	vs.AddIn("r", err)
	played, err := addressCards(service.Or(a.played, ""))
	vs.AddIn("p", err)
	cursor := len(played)
	if a.cursor != nil && err == nil {
		cursor, err = addressCursor(*a.cursor, len(played))
		vs.AddIn("i", err)
	}
	if len(*vs) > before {
		return Position{}
	}
	start, err := klaverjas.NewPosition(rules, deal)
	if err != nil {
		vs.AddIn("h", err)
		return Position{}
	}
	p := Position{start: start, now: start, played: played[:cursor]}
	for i, c := range played {
		next, err := start.Play(c)
		if err != nil {
			for _, v := range violation.Of("", err) {
				v.Detail = fmt.Sprintf("card %d: %s", i+1, v.Detail)
				vs.AddIn("p", v)
			}
			return Position{}
		}
		if start = next; i < cursor {
			p.now = start
		}
	}
	return p
}

// fieldOf reads a field that every address has.
func fieldOf[T any](vs *service.Problems, name, text string, parse func(string) (T, error)) (value T) {
	err := error(violation.New(violation.Missing, "is missing"))
	if text != "" {
		value, err = parse(text)
	}
	vs.AddIn(name, err)
	return value
}

// holdersOf reads who holds each card, in the order of the cards.
func holdersOf(holders string) (hands [4]piquet.Set, err error) {
	const form = "expected 32 letters N, E, S or W, one for each card from 7C to AS"
	if len(holders) != piquet.Deck.Len() {
		return hands, violation.New(violation.WrongForm, "has %d characters: %s", len(holders), form).Of(holders)
	}
	for c := range piquet.Deck.All() {
		letter := holders[c : c+1]
		if letter == "." {
			return hands, violation.New(violation.WrongForm, "gives %s to nobody: a picture needs a complete deal", c).Of(holders)
		}
		seat := strings.Index("NESW", letter)
		if seat < 0 {
			return hands, violation.New(violation.WrongForm, "has %q for %s: %s", letter, c, form).Of(holders)
		}
		hands[seat] = hands[seat].With(c)
	}
	for _, seat := range piquet.Seats() {
		if n := hands[seat].Len(); n != klaverjas.HandSize {
			return hands, violation.New(violation.WrongCount, "gives %s %d cards, expected %d", seat, n, klaverjas.HandSize).Of(n).
				Between(klaverjas.HandSize, klaverjas.HandSize)
		}
	}
	return hands, nil
}

// addressCards reads cards of two characters each.
func addressCards(text string) ([]piquet.Card, error) {
	if len(text)%2 != 0 || len(text) > 2*piquet.Deck.Len() {
		return nil, violation.New(violation.WrongForm, "has %d characters: expected two for each card, such as KH or TH, and 32 cards at most",
			len(text)).Of(text)
	}
	var cards []piquet.Card
	for i := 0; i < len(text); i += 2 {
		one := text[i : i+2]
		c, ok := piquet.Named(strings.Replace(one, "T", "10", 1))
		if !ok {
			return nil, violation.New(violation.NotACard, "card %d, %q, is not a card: expected a face (7 8 9 T J Q K A) and a suit (C D H S)",
				i/2+1, one).Of(one)
		}
		cards = append(cards, c)
	}
	return cards, nil
}

func addressCursor(text string, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || !service.Decimal(text) {
		return 0, violation.New(violation.WrongForm, "%.20q is not a number: expected 0 to %d, the cards of p", text, most).Of(text)
	}
	if n > most {
		return 0, violation.New(violation.TooLarge, "is %d: expected 0 to %d, the cards of p", n, most).Of(n).Between(0, most)
	}
	return n, nil
}

// addressRules reads the switches that differ from the defaults of the system, such as amsterdam,melds:0,pit:0/100.
func addressRules(text string) (klaverjas.Rules, error) {
	var items []string
	if text != "" {
		items = strings.Split(text, ",")
	}
	system := klaverjas.Rotterdam
	if slices.Contains(items, klaverjas.Amsterdam.String()) {
		system = klaverjas.Amsterdam
	}
	rules := klaverjas.DefaultRules(system)
	for _, item := range items {
		name, value, _ := strings.Cut(item, ":")
		var err error
		switch {
		case item == klaverjas.Amsterdam.String():
		case name == "under":
			rules.UnderRuff, err = klaverjas.ParseUnderRuff(value)
		case name == "nat":
			rules.NatMelds, err = klaverjas.ParseNatMelds(value)
		case name == "melds" && (value == "0" || value == "1"):
			rules.Melds = value == "1"
		case name == "pit":
			declarers, defenders, _ := strings.Cut(value, "/")
			if rules.Pit.Declarers, err = strconv.Atoi(declarers); err == nil {
				rules.Pit.Defenders, err = strconv.Atoi(defenders)
			}
		case strings.HasPrefix(name, "four"):
			var face piquet.Face
			if face, err = piquet.ParseFace(strings.TrimPrefix(name, "four")); err == nil {
				rules.FourOfAKind[face], err = strconv.Atoi(value)
			}
		default:
			err = strconv.ErrSyntax
		}
		if err != nil {
			return rules, violation.New(violation.WrongForm, "%.40q is not a switch of the rules: expected one like  "+
				"amsterdam, under:free, melds:0, nat:all, pit:100/50 or fourJ:200", item).Of(item)
		}
	}
	if err := rules.Validate(); err != nil {
		v := violation.Of("", err)[0]
		return rules, violation.New(v.Code, "a bonus %s", v.Detail).Of(v.Value)
	}
	return rules, nil
}
