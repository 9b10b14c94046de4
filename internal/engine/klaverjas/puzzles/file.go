package puzzles

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/reason"
	"roem/internal/engine/piquet"
)

// A line of the file has the fields of fieldNames, separated by spaces. Cards are of two characters, with T for the ten. The values are
// separated by commas, the best card first. In an open puzzle each is CARD=OUTCOME=LINE. In a hidden one it is CARD=OUTCOME=WIN=COST=ERROR,
// and =REASON=APPLIES=DECIDES=EXAMPLE=LINE=BEST follow for a card that has lines; the example 0 is the deal that was played. The lines are
// without their first cards, and have a letter for each card. The later decisions are separated by semicolons, each with the cards played
// after the position of the puzzle and, after a colon, the values; - is none.
var fieldNames = [...]string{
	"kind", "system", "trump", "leader", "declarer", "holders", "played", "worlds", "seed", "values", "grades", "later",
}

// noLater is the text of no later decisions.
const noLater = "-"

// kinds are the names of the kinds of puzzles.
var kinds = [2]string{"open", "hidden"}

// Kinds returns the names of the kinds.
func Kinds() []string { return kinds[:] }

// Kind returns open or hidden.
func (p *Puzzle) Kind() string {
	if p.Hidden {
		return kinds[1]
	}
	return kinds[0]
}

// position returns the fields that say what the position is.
func (p *Puzzle) position() []string {
	var holders strings.Builder
	for c := range piquet.Deck.All() {
		for _, seat := range piquet.Seats() {
			if p.Deal.Hands[seat].Has(c) {
				holders.WriteString(seat.String())
			}
		}
	}
	return []string{
		p.Kind(), p.Rules.System.String(), p.Deal.Trump.String(), p.Deal.Leader.String(), p.Deal.Declarer.String(), holders.String(),
		cardsText(p.Played),
	}
}

// Line returns the puzzle as a line of the file, without its end.
func (p *Puzzle) Line() string {
	grades := make([]string, len(p.Grades))
	for i, g := range p.Grades {
		grades[i] = fmt.Sprintf("%d/%d", g.Found, g.Players)
	}
	return strings.Join(append(
		p.position(), strconv.Itoa(p.Worlds), strconv.FormatUint(p.Seed, 10), p.valuesText(), strings.Join(grades, ","),
		p.laterText(),
	), " ")
}

func (p *Puzzle) laterText() string {
	if len(p.Later) == 0 {
		return noLater
	}
	later := make([]string, len(p.Later))
	for i, d := range p.Later {
		later[i] = lineText(d.Played[len(p.Played):]) + ":" + d.valuesText()
	}
	return strings.Join(later, ";")
}

func (p *Puzzle) valuesText() string {
	values := make([]string, len(p.Values))
	for i, v := range p.Values {
		fields := []string{cardsText([]piquet.Card{v.Card}), number(v.Outcome)}
		if p.Hidden {
			fields = append(fields, number(v.Win), number(v.Cost), number(v.Error))
		} else {
			fields = append(fields, lineText(v.Line))
		}
		if w := v.Why; w != nil {
			fields = append(fields, w.Code.String(), strconv.Itoa(w.Applies), strconv.Itoa(w.Decides), strconv.Itoa(w.Example+1),
				lineText(w.Lines.Played[1:]), lineText(w.Lines.Best[1:]))
		}
		values[i] = strings.Join(fields, "=")
	}
	return strings.Join(values, ",")
}

// letters are the letters of the cards in lines, in the order of the deck.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"

func lineText(cards []piquet.Card) string {
	text := make([]byte, len(cards))
	for i, c := range cards {
		text[i] = letters[c]
	}
	return string(text)
}

func parseLine(text string) (cards []piquet.Card, err error) {
	for i := range len(text) {
		c := strings.IndexByte(letters, text[i])
		if c < 0 {
			return nil, errForm
		}
		cards = append(cards, piquet.Card(c))
	}
	return cards, nil
}

// digits is how many digits after the point the numbers of a hidden puzzle have.
const digits = 4

func number(x float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(x, 'f', digits, 64), "0"), ".")
}

func cardsText(cards []piquet.Card) string {
	var b strings.Builder
	for _, c := range cards {
		b.WriteString(strings.Replace(c.String(), "10", "T", 1))
	}
	return b.String()
}

var (
	errForm  = errors.New("does not have the expected form")
	errPlace = errors.New("is not legal there")
)

// reader reads fields. It keeps the first error.
type reader struct{ err error }

func read[T any](r *reader, name, text string, parse func(string) (T, error)) (value T) {
	if r.err != nil {
		return value
	}
	value, err := parse(text)
	if err != nil {
		r.err = fmt.Errorf("%s %q: %w", name, text, err)
	}
	return value
}

// Parse reads a line of the file. Its error names the field.
func Parse(line string) (*Puzzle, error) {
	fields := strings.Split(line, " ")
	if len(fields) != len(fieldNames) {
		return nil, fmt.Errorf("%d fields: expected %d: %s", len(fields), len(fieldNames), strings.Join(fieldNames[:], ", "))
	}
	p, r := new(Puzzle), new(reader)
	p.Hidden = read(r, "kind", fields[0], func(text string) (bool, error) {
		if text != kinds[0] && text != kinds[1] {
			return false, errForm
		}
		return text == kinds[1], nil
	})
	p.Rules = klaverjas.DefaultRules(read(r, "system", fields[1], klaverjas.ParseSystem))
	p.Deal = klaverjas.Deal{
		Trump: read(r, "trump", fields[2], piquet.ParseSuit), Leader: read(r, "leader", fields[3], piquet.ParseSeat),
		Declarer: read(r, "declarer", fields[4], piquet.ParseTeam), Hands: read(r, "holders", fields[5], parseHolders),
	}
	p.Played = read(r, "played", fields[6], parseCards)
	p.Worlds = read(r, "worlds", fields[7], strconv.Atoi)
	p.Seed = read(r, "seed", fields[8], func(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) })
	p.Values = read(r, "values", fields[9], p.parseValues)
	p.Grades = read(r, "grades", fields[10], parseGrades)
	p.Later = read(r, "later", fields[11], p.parseLater)
	if r.err != nil {
		return nil, r.err
	}
	p.ID = p.id()
	before := (*Puzzle)(nil)
	for _, d := range p.Decisions() {
		d.ID = p.ID
		if err := d.complete(); err != nil {
			return nil, err
		}
		if before != nil && !d.follows(before) {
			return nil, fmt.Errorf("the decision after %s: %w", cardsText(d.Played), errPlace)
		}
		before = d
	}
	return p, nil
}

// follows reports whether the best card of another decision is among the cards played before this one.
func (p *Puzzle) follows(before *Puzzle) bool {
	n := len(before.Played)
	return len(p.Played) > n && slices.Equal(p.Played[:n], before.Played) && p.Played[n] == before.Values[0].Card
}

// parseLater reads the later decisions of a puzzle whose other fields have been read.
func (p *Puzzle) parseLater(text string) (later []*Puzzle, err error) {
	if text == noLater {
		return nil, nil
	}
	for item := range strings.SplitSeq(text, ";") {
		line, values, _ := strings.Cut(item, ":")
		cards, err := parseLine(line)
		if err != nil {
			return nil, err
		}
		d := p.decision(slices.Concat(p.Played, cards))
		if d.Values, err = d.parseValues(values); err != nil {
			return nil, err
		}
		later = append(later, d)
	}
	return later, nil
}

// complete checks a decision that was read, and derives what the line does not have.
func (p *Puzzle) complete() error {
	at, err := p.Position()
	if err != nil {
		return err
	}
	var cards piquet.Set
	for i := range p.Values {
		v := &p.Values[i]
		cards = cards.With(v.Card)
		if p.Hidden {
			continue
		}
		v.Cost = max((p.Values[0].Outcome-v.Outcome)*sign(at), 0) // not -0
		if end, err := at.Replay(append([]piquet.Card{v.Card}, v.Line...)); err != nil || !end.Finished() {
			return fmt.Errorf("the line of %s: %w", v.Card, errPlace)
		}
	}
	if cards != at.Legal() || len(p.Values) != cards.Len() || len(p.Values) < 2 {
		return fmt.Errorf("the values are of %s: expected %s", cards, at.Legal())
	}
	p.Themes = ThemesOf(p, at)
	return nil
}

// sign is 1 if the seat to play is of the declarers, and -1 otherwise.
func sign(at klaverjas.Position) float64 {
	if at.Turn().Team() == at.Deal().Declarer {
		return 1
	}
	return -1
}

func parseHolders(text string) (hands [4]piquet.Set, err error) {
	if len(text) != piquet.Deck.Len() {
		return hands, errForm
	}
	for c := range piquet.Deck.All() {
		seat, err := piquet.ParseSeat(text[c : c+1])
		if err != nil {
			return hands, err
		}
		hands[seat] = hands[seat].With(c)
	}
	return hands, nil
}

func parseCards(text string) (cards []piquet.Card, err error) {
	if len(text)%2 != 0 {
		return nil, errForm
	}
	for i := 0; i < len(text); i += 2 {
		c, err := piquet.ParseCard(strings.Replace(text[i:i+2], "T", "10", 1))
		if err != nil {
			return nil, err
		}
		cards = append(cards, c)
	}
	return cards, nil
}

// The number of fields of a value, by kind, and of those that follow if the card of a hidden puzzle has lines.
const (
	openFields, hiddenFields = 3, 5
	whyFields                = 6
)

func (p *Puzzle) parseValues(text string) (values []Value, err error) {
	for item := range strings.SplitSeq(text, ",") {
		fields := strings.Split(item, "=")
		why := p.Hidden && len(fields) == hiddenFields+whyFields && len(values) > 0
		if p.Hidden && len(fields) != hiddenFields && !why || !p.Hidden && len(fields) != openFields {
			return nil, errForm
		}
		r := new(reader)
		cards := read(r, "card", fields[0], parseCards)
		v := Value{Outcome: read(r, "outcome", fields[1], parseNumber)}
		if p.Hidden {
			v.Win, v.Cost = read(r, "win", fields[2], parseNumber), read(r, "cost", fields[3], parseNumber)
			v.Error = read(r, "error", fields[4], parseNumber)
		} else {
			v.Line = read(r, "line", fields[2], parseLine)
		}
		if r.err == nil && len(cards) != 1 {
			r.err = errForm
		}
		if r.err == nil {
			v.Card = cards[0]
			if why {
				v.Why = readWhy(r, v.Card, values[0].Card, fields[hiddenFields:])
			}
		}
		if r.err != nil {
			return nil, r.err
		}
		values = append(values, v)
	}
	return values, nil
}

// readWhy reads the fields of a card that has lines.
func readWhy(r *reader, card, best piquet.Card, fields []string) *Why {
	w := &Why{
		Code: read(r, "reason", fields[0], reason.ParseCode), Applies: read(r, "applies", fields[1], strconv.Atoi),
		Decides: read(r, "decides", fields[2], strconv.Atoi), Example: read(r, "example", fields[3], strconv.Atoi) - 1,
	}
	w.Lines.Played = withFirst(card, read(r, "played line", fields[4], parseLine))
	w.Lines.Best = withFirst(best, read(r, "best line", fields[5], parseLine))
	if r.err == nil && (w.Applies < 0 || w.Decides < 0 || w.Example < reason.WasPlayed) {
		r.err = errForm
	}
	return w
}

func parseNumber(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

func parseGrades(text string) (grades []Grade, err error) {
	for item := range strings.SplitSeq(text, ",") {
		found, players, ok := strings.Cut(item, "/")
		g := Grade{}
		if g.Found, err = strconv.Atoi(found); err == nil && ok {
			g.Players, err = strconv.Atoi(players)
		}
		if err != nil || !ok || g.Found < 0 || g.Found > g.Players || g.Players == 0 {
			return nil, errForm
		}
		grades = append(grades, g)
	}
	if len(grades) < graded {
		return nil, errForm
	}
	return grades, nil
}
