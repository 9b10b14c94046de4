// Package record has the records of rounds of Gin Rummy: which tags they have, and what these mean (docs/reference/record-format.md).
package record

import (
	"strconv"
	"strings"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/record"
	"roem/internal/engine/violation"
)

// Kind is the records of Gin Rummy.
var Kind = &record.Kind{
	Name: "gin-rummy", Others: []string{"gin rummy", "ginrummy", "gin"},
	Tags: []string{"Starter", "Upcard", "LayOffs", "Deal", "Play", "LaidOff", "Result"},
	Read: read, FromJSON: fromJSON,
}

// Hand is a round: what was dealt, and what was done.
type Hand struct {
	Tags  []record.Tag
	Round ginrummy.Record
}

// deck reads the cards of the deck of 52 in both languages.
var deck = record.French(2, ginrummy.ParseCard)

var seats = [2]ginrummy.Seat{ginrummy.A, ginrummy.B}

// seatOf is ginrummy.ParseSeat for words most of which are no seat.
func seatOf(text string) (ginrummy.Seat, bool) {
	s, err := ginrummy.ParseSeat(text)
	return s, err == nil
}

func read(f *record.Fields) record.Hand {
	h := &Hand{Tags: f.Free()}
	r := &h.Round
	if f.Need("Starter") {
		r.Starter, _ = record.Parse(f, "Starter", ginrummy.ParseSeat)
	}
	cards := record.NewReader(deck, f, "Upcard", "Deal", "Play", "LaidOff")
	if f.Need("Upcard") {
		if w, ok := f.One("Upcard"); ok {
			r.Upcard, _ = cards.Card("Upcard", w)
		}
	}
	if f.Has("LayOffs") {
		r.LayOffs, _ = record.Parse(f, "LayOffs", ginrummy.ParseLayOffs)
	}
	if f.Need("Deal") {
		hands, ok := cards.Hands("Deal", ginrummy.HandSize, func(text string) (int, bool) {
			s, ok := seatOf(text)
			return int(s), ok
		})
		for i, seat := range seats {
			if list, given := hands[i]; given {
				if r.Hands[i] = ginrummy.SetOf(list...); r.Hands[i].Len() < len(list) && ok {
					f.Wrong(f.At("Deal"), "Deal", violation.New(violation.CardTwice, "%s has a card twice", seat))
				}
			} else if ok {
				f.Wrong(f.At("Deal"), "Deal", violation.New(violation.Missing, "has no cards of %s", seat))
			}
		}
	}
	if f.OK() {
		h.readEvents(f, cards)
		h.readLaidOff(f, cards)
	}
	if f.OK() {
		h.check(f)
	}
	return h
}

// readEvents reads what was done. The seats follow from the order: each turn is of the other player. A seat may stand before its turn.
func (h *Hand) readEvents(f *record.Fields, cards *record.Reader[ginrummy.Card]) {
	turn := h.Round.Starter
	for _, w := range f.Words("Play") {
		if s, ok := seatOf(w.Text); ok {
			if s != turn && !h.mayKnock(s) {
				f.Wrong(w.At, "Play", violation.New(violation.NotOnTurn, "it is the turn of %s", turn).Of(w.Text).OneOf(turn.String()))
				return
			}
			continue
		}
		name, card, has := strings.Cut(w.Text, ":")
		kind, err := ginrummy.ParseKind(strings.ToLower(name))
		if err != nil || kind == ginrummy.Continue || kind == ginrummy.Lay {
			f.Refuse(w.At, "Play", violation.Word(name, "pass", "take", "stock", "discard", "knock"))
			return
		}
		e := ginrummy.Event{Seat: turn, Kind: kind, Card: ginrummy.NoCard}
		switch wants := kind != ginrummy.Pass && kind != ginrummy.Knock; {
		case wants && !has:
			f.Wrong(w.At, "Play", violation.New(violation.Needed, "%s has no card: expected it after a colon, such as %s:7C", name, name).Of(w.Text))
			return
		case !wants && has:
			f.Wrong(w.At, "Play", violation.New(violation.NotUsed, "a %s has no card", name).Of(w.Text))
			return
		case wants:
			if e.Card, has = cards.Card("Play", record.Word{Text: card, At: w.At + len(name) + 1}); !has {
				return
			}
		}
		if kind == ginrummy.Knock { // of the player who has just discarded
			e.Seat = turn.Other()
		}
		if kind == ginrummy.Pass || kind == ginrummy.Discard {
			turn = turn.Other()
		}
		h.Round.Events = append(h.Round.Events, e)
	}
}

// noneLaidOff is the word of a record whose player laid off nothing.
const noneLaidOff = "none"

// readLaidOff reads the cards that were laid off, each with a colon and cards of the meld that it extends.
func (h *Hand) readLaidOff(f *record.Fields, cards *record.Reader[ginrummy.Card]) {
	if !f.Has("LaidOff") {
		return
	}
	h.Round.LaidOff = []ginrummy.LayOff{}
	words := f.Words("LaidOff")
	if len(words) == 1 && strings.EqualFold(words[0].Text, noneLaidOff) {
		return
	}
	for _, w := range words {
		card, meld, _ := strings.Cut(w.Text, ":")
		if meld == "" {
			f.Wrong(w.At, "LaidOff", violation.New(violation.Needed,
				"%.24q has no meld: expected a card of it after a colon, such as 10S:JS, or none", w.Text).Of(w.Text))
			return
		}
		c, ok := cards.Card("LaidOff", record.Word{Text: card, At: w.At})
		l := ginrummy.LayOff{Card: c}
		at := w.At + len(card) + 1
		for text := range strings.SplitSeq(meld, "/") {
			on, good := cards.Card("LaidOff", record.Word{Text: text, At: at})
			if !ok || !good {
				return
			}
			l.On, at = l.On.With(on), at+len(text)+1
		}
		h.Round.LaidOff = append(h.Round.LaidOff, l)
	}
	if len(words) == 0 {
		f.Wrong(f.At("LaidOff"), "LaidOff", violation.New(violation.Needed, "has no cards: expected cards such as 10S:JS, or none"))
	}
}

// mayKnock reports whether a seat has just discarded, so that it may knock.
func (h *Hand) mayKnock(s ginrummy.Seat) bool {
	n := len(h.Round.Events)
	return n > 0 && h.Round.Events[n-1].Kind == ginrummy.Discard && h.Round.Events[n-1].Seat == s
}

func (h *Hand) check(f *record.Fields) {
	if _, _, _, err := h.Round.Acts(); err != nil {
		tag, at := "Play", f.At("Play")
		if list := violation.Of("", err); len(list) > 0 {
			part, rest, _ := strings.Cut(strings.TrimPrefix(list[0].Pointer, "/"), "/")
			number, _, _ := strings.Cut(rest, "/")
			i, bad := strconv.Atoi(number)
			switch {
			case part == "laid_off":
				tag, at = "LaidOff", f.At("LaidOff")
				if bad == nil {
					at = f.Words(tag)[i].At
				}
			case part == "events" && bad == nil:
				at = placeOf(f.Words(tag), i, at)
			default:
				tag, at = "Deal", f.At("Deal")
			}
			list[0].Pointer = ""
			err = list
		}
		f.Refuse(at, tag, err)
		return
	}
	f.Check(h.result(), len(h.Round.Events) > 0)
}

// placeOf returns the place of event i: words that are seats are none.
func placeOf(words []record.Word, i, otherwise int) int {
	for _, w := range words {
		if _, ok := seatOf(w.Text); ok {
			continue
		}
		if i == 0 {
			return w.At
		}
		i--
	}
	return otherwise
}

// result returns how a finished round ended: void, or who scored how many points if both laid down the melds that leave least. It is nil of
// a round that is not finished.
func (h *Hand) result() []string {
	r, ended := h.Round.Result()
	switch {
	case !ended:
		return nil
	case r.Void:
		return []string{"void"}
	}
	how := "knock"
	if r.Gin {
		how = "gin"
	} else if r.Undercut {
		how = "undercut"
	}
	winner := ginrummy.A
	if r.Score[ginrummy.B] > 0 {
		winner = ginrummy.B
	}
	return []string{how, winner.String(), strconv.Itoa(r.Score[winner])}
}

// Fields returns the fields.
func (h *Hand) Fields() []record.Field {
	r := &h.Round
	out := append([]record.Field{record.Text("Game", "gin-rummy")}, record.FreeFields(h.Tags)...)
	out = append(out, record.Row("Starter", r.Starter.String()), record.Row("Upcard", r.Upcard.String()))
	if r.LayOffs != ginrummy.BestLayOffs {
		out = append(out, record.Row("LayOffs", r.LayOffs.String()))
	}
	deal := record.Rows("Deal", 24)
	for i, seat := range seats {
		deal.Add(seat.String())
		for c := range r.Hands[i].All() {
			deal.Add(c.String())
		}
		deal.Add(record.Break)
	}
	out = append(out, deal)
	if len(r.Events) > 0 {
		play, begin := record.Row("Play"), true
		for i, e := range r.Events {
			if begin {
				play.Add(e.Seat.String())
			}
			word := e.Kind.String()
			if e.Card != ginrummy.NoCard {
				word += ":" + e.Card.String()
			}
			play.Add(word)
			knocks := i+1 < len(r.Events) && r.Events[i+1].Kind == ginrummy.Knock
			if begin = (e.Kind == ginrummy.Pass || e.Kind == ginrummy.Discard) && !knocks; begin {
				play.Add(record.Break)
			}
		}
		out = append(out, play)
	}
	if r.LaidOff != nil {
		off := record.Row("LaidOff")
		for _, l := range r.LaidOff {
			off.Add(laidWord(l.Card.String(), names(l.On)))
		}
		if len(r.LaidOff) == 0 {
			off.Add(noneLaidOff)
		}
		out = append(out, off)
	}
	return append(out, record.ResultField(h.result(), len(r.Events) > 0)...)
}

func laidWord(card string, on []string) string { return card + ":" + strings.Join(on, "/") }

// object is a round in JSON. The position is what /v1/gin-rummy/review takes.
type object struct {
	Game     string       `json:"game"`
	Tags     []record.Tag `json:"tags,omitempty"`
	Position round        `json:"position"`
	Result   *ended       `json:"result,omitempty"`
}

type round struct {
	Starter string     `json:"starter"`
	Upcard  string     `json:"upcard"`
	LayOffs string     `json:"lay_offs,omitempty"`
	Hands   bothHands  `json:"hands"`
	Events  []oneEvent `json:"events"`
	LaidOff *[]oneCard `json:"laid_off,omitempty"`
}

// oneCard is a card that was laid off.
type oneCard struct {
	Card string   `json:"card"`
	On   []string `json:"on"`
}

type bothHands struct {
	A []string `json:"A"`
	B []string `json:"B"`
}

type oneEvent struct {
	Seat string `json:"seat"`
	Kind string `json:"kind"`
	Card string `json:"card,omitempty"`
}

type ended struct {
	Kind   string `json:"kind"`
	Winner string `json:"winner,omitempty"`
	Points int    `json:"points"`
}

// Object returns the round for JSON.
func (h *Hand) Object() any {
	r := &h.Round
	out := object{Game: "gin-rummy", Tags: h.Tags, Position: round{
		Starter: r.Starter.String(), Upcard: r.Upcard.String(), Events: []oneEvent{},
		Hands: bothHands{A: names(r.Hands[0]), B: names(r.Hands[1])},
	}}
	for _, e := range r.Events {
		one := oneEvent{Seat: e.Seat.String(), Kind: e.Kind.String()}
		if e.Card != ginrummy.NoCard {
			one.Card = e.Card.String()
		}
		out.Position.Events = append(out.Position.Events, one)
	}
	if r.LayOffs != ginrummy.BestLayOffs {
		out.Position.LayOffs = r.LayOffs.String()
	}
	if r.LaidOff != nil {
		list := make([]oneCard, len(r.LaidOff))
		for i, l := range r.LaidOff {
			list[i] = oneCard{Card: l.Card.String(), On: names(l.On)}
		}
		out.Position.LaidOff = &list
	}
	if words := h.result(); words != nil {
		out.Result = &ended{Kind: words[0]}
		if len(words) == 3 {
			out.Result.Winner = words[1]
			out.Result.Points, _ = strconv.Atoi(words[2]) // as result has written it
		}
	}
	return out
}

func names(s ginrummy.Set) (out []string) {
	for c := range s.All() {
		out = append(out, c.String())
	}
	return out
}

// fromJSON returns the fields of a round in JSON.
func fromJSON(raw []byte) (record.Record, error) {
	var in object
	return record.ReadJSON("gin-rummy", raw, &in, &in.Tags, func(add record.Add) error {
		p := &in.Position
		add("Starter", p.Starter)
		add("Upcard", p.Upcard)
		add("LayOffs", p.LayOffs)
		add("Deal", append(append(append([]string{"A"}, p.Hands.A...), "B"), p.Hands.B...)...)
		play := []string{}
		for _, e := range p.Events {
			word := e.Kind
			if e.Card != "" {
				word += ":" + e.Card
			}
			play = append(play, e.Seat, word)
		}
		add("Play", play...)
		if p.LaidOff != nil {
			off := []string{}
			for _, l := range *p.LaidOff {
				off = append(off, laidWord(l.Card, l.On))
			}
			if len(off) == 0 {
				off = append(off, noneLaidOff)
			}
			add("LaidOff", off...)
		}
		if res := in.Result; res != nil {
			words := []string{res.Kind}
			if res.Winner != "" {
				words = append(words, res.Winner, strconv.Itoa(res.Points))
			}
			add("Result", words...)
		}
		return nil
	})
}
