// Package record has the records of hands of Belote Découverte: which tags they have, and what these mean
// (docs/reference/record-format.md).
package record

import (
	"strconv"
	"strings"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/bidding"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/record"
	"roem/internal/engine/violation"
)

// Kind is the records of Belote Découverte.
var Kind = &record.Kind{
	Name: "belote", Others: []string{"belote découverte", "belote decouverte"},
	Tags: []string{"Suits", "Leader", "Trump", "Declarer", "Threshold", "Flip", "Deal", "Auction", "Play", "Result"},
	Read: read, FromJSON: fromJSON,
}

// Hand is a hand: what was dealt, called and played.
type Hand struct {
	Tags    []record.Tag
	Deal    belote.Deal
	Flip    worlds.Flip
	Auction []belote.Trump // the calls of A, B, A and B; NoTrump is a pass. Nil if they are not known
	Played  []piquet.Card
}

// deck reads the cards of the deck of 32 in both languages.
var deck = record.French(7, piquet.ParseCard)

func parseSuit(text string) (piquet.Suit, error) {
	switch text {
	case "k", "K":
		return piquet.Clubs, nil
	case "r", "R":
		return piquet.Diamonds, nil
	}
	return piquet.ParseSuit(text)
}

func parseTrump(text string) (belote.Trump, error) {
	switch strings.ToLower(text) {
	case "none", "pass", "geen", "pas":
		return belote.NoTrump, nil
	}
	s, err := parseSuit(text)
	if err != nil {
		return 0, violation.New(violation.NotASuit, "%.24q is not a suit: expected C, D, H, S or none", text).Of(text).
			OneOf("C", "D", "H", "S", "none")
	}
	return belote.TrumpOf(s), nil
}

func read(f *record.Fields) record.Hand {
	h := &Hand{Tags: f.Free()}
	d := &h.Deal
	d.Deck = piquet.Deck
	if f.Has("Suits") {
		d.Deck = 0
		for _, w := range f.Words("Suits") {
			s, err := parseSuit(w.Text)
			if f.Refuse(w.At, "Suits", err) {
				d.Deck |= belote.Deck(s)
			}
		}
	}
	d.Leader, _ = record.Parse(f, "Leader", belote.ParsePlayer)
	d.Declarer = d.Leader
	if f.Need("Trump") {
		d.Trump, _ = record.Parse(f, "Trump", parseTrump)
	}
	if p, ok := record.Parse(f, "Declarer", belote.ParsePlayer); ok {
		d.Declarer = p
	}
	d.Threshold = d.Trump.DefaultThreshold(d.Deck)
	if n, ok := record.Parse(f, "Threshold", record.Number); ok {
		d.Threshold = n
	}
	h.Flip, _ = record.Parse(f, "Flip", worlds.ParseFlip)
	cards := record.NewReader(deck, f, "Deal", "Play")
	h.readStacks(f, cards)
	h.Played, _ = cards.Cards("Play", f.Words("Play"))
	if h.readAuction(f); f.OK() {
		h.check(f)
	}
	return h
}

// readStacks reads the player, and the player's stacks, each as the upper and the lower card with a slash.
func (h *Hand) readStacks(f *record.Fields, cards *record.Reader[piquet.Card]) {
	if !f.Need("Deal") {
		return
	}
	var (
		player belote.Player
		known  bool
		counts [2]int
	)
	for _, w := range f.Words("Deal") {
		if p, err := belote.ParsePlayer(strings.TrimSuffix(w.Text, ":")); err == nil {
			if player, known = p&1, true; counts[p&1] > 0 {
				f.Wrong(w.At, "Deal", violation.New(violation.GivenTwice, "the stacks of %s are given twice", p))
				return
			}
			continue
		}
		top, bottom, two := strings.Cut(w.Text, "/")
		switch {
		case !known:
			f.Wrong(w.At, "Deal", violation.New(violation.NotASeat, "%.24q is not a seat: expected A or B before the stacks", w.Text).Of(w.Text).
				OneOf("A", "B"))
			return
		case !two:
			f.Wrong(w.At, "Deal", violation.New(violation.WrongForm, "%.24q is not a stack: expected the upper and the lower card, such as JH/7S",
				w.Text).Of(w.Text))
			return
		case counts[player&1] >= belote.MaxStacks:
			f.Wrong(w.At, "Deal", violation.New(violation.TooMany, "%s has more than %d stacks", player, belote.MaxStacks))
			return
		}
		s := &h.Deal.Stacks[player&1][counts[player&1]]
		s.Top, _ = cards.Card("Deal", record.Word{Text: top, At: w.At})
		s.Bottom, _ = cards.Card("Deal", record.Word{Text: bottom, At: w.At + len(top) + 1})
		counts[player&1]++
	}
	for _, p := range belote.Players() {
		if want := h.Deal.Count(); counts[p] != want {
			f.Wrong(f.At("Deal"), "Deal", violation.New(violation.WrongCount,
				"%s has %d stacks, expected %d: two for each suit", p, counts[p], want).
				Of(counts[p]).Between(want, want))
		}
	}
}

func (h *Hand) readAuction(f *record.Fields) {
	for i, w := range f.Words("Auction") {
		t, err := parseTrump(w.Text)
		switch {
		case !f.Refuse(w.At, "Auction", err):
			return
		case i >= bidding.Stages, i > 0 && h.Auction[i-1] != belote.NoTrump:
			f.Wrong(w.At, "Auction", violation.New(violation.Over, "%s follows the end of the bidding", w.Text).Of(w.Text))
			return
		case t != belote.NoTrump && (t != h.Deal.Trump || bidding.Speaker(i+1) != h.Deal.Declarer):
			f.Wrong(w.At, "Auction", violation.New(violation.Contradicts, "%s is called by %s, but the tags Trump and Declarer are %s and %s", t,
				bidding.Speaker(i+1), h.Deal.Trump, h.Deal.Declarer).Of(w.Text))
			return
		}
		h.Auction = append(h.Auction, t)
	}
}

func (h *Hand) check(f *record.Fields) {
	p, err := belote.NewPosition(h.Deal)
	if !f.Refuse(f.At("Deal"), "Deal", err) {
		return
	}
	if p, ok := record.Follow(f, p, h.Played, belote.Position.Play); ok {
		f.Check(result(&p), h.begun())
	}
}

// result returns the points of a finished hand.
func result(p *belote.Position) (words []string) {
	if !p.Finished() {
		return nil
	}
	for _, player := range belote.Players() {
		words = append(words, player.String(), strconv.Itoa(p.Points(player)))
	}
	return words
}

// position returns the position after the cards played, of a valid hand.
func (h *Hand) position() (belote.Position, error) {
	p, err := belote.NewPosition(h.Deal)
	if err != nil {
		return p, err
	}
	return p.Replay(h.Played)
}

// Fields returns the fields.
func (h *Hand) Fields() []record.Field {
	out := append([]record.Field{record.Text("Game", "belote")}, record.FreeFields(h.Tags)...)
	out = append(out,
		record.Row("Suits", suits(h.Deal.Deck)...), record.Row("Leader", h.Deal.Leader.String()), record.Row("Trump", h.Deal.Trump.String()),
		record.Row("Declarer", h.Deal.Declarer.String()), record.Row("Threshold", strconv.Itoa(h.Deal.Threshold)),
		record.Row("Flip", h.Flip.String()))
	deal := record.Rows("Deal", 40)
	for _, p := range belote.Players() {
		deal.Add(p.String())
		for _, s := range h.Deal.Of(p) {
			deal.Add(s.Top.String() + "/" + s.Bottom.String())
		}
		deal.Add(record.Break)
	}
	out = append(out, deal)
	if len(h.Auction) > 0 {
		out = append(out, record.Row("Auction", h.calls()...))
	}
	out = append(out, record.Tricks(h.Played, 8)...)
	var ended []string
	if p, err := h.position(); err == nil {
		ended = result(&p)
	}
	return append(out, record.ResultField(ended, h.begun())...)
}

// begun reports whether there were calls or cards.
func (h *Hand) begun() bool { return len(h.Auction)+len(h.Played) > 0 }

func (h *Hand) calls() (out []string) {
	for _, t := range h.Auction {
		if t == belote.NoTrump {
			out = append(out, "pass")
		} else {
			out = append(out, t.String())
		}
	}
	return out
}

func suits(set piquet.Set) (out []string) {
	for _, s := range piquet.Suits() {
		if !set.InSuit(s).Empty() {
			out = append(out, s.String())
		}
	}
	return out
}

// object is a hand in JSON. The position is as requests of the API take it.
type object struct {
	Game     string       `json:"game"`
	Tags     []record.Tag `json:"tags,omitempty"`
	Position position     `json:"position"`
	Calls    []string     `json:"calls,omitempty"`
	Result   *points      `json:"result,omitempty"`
}

type position struct {
	Trump     *string                `json:"trump"`
	Suits     []string               `json:"suits,omitempty"`
	Leader    string                 `json:"leader"`
	Declarer  string                 `json:"declarer,omitempty"`
	Threshold int                    `json:"threshold,omitempty"`
	Flip      string                 `json:"flip,omitempty"`
	Stacks    map[string][][2]string `json:"stacks"`
	Played    []string               `json:"played"`
}

type points struct {
	A int `json:"A"`
	B int `json:"B"`
}

// Object returns the hand for JSON.
func (h *Hand) Object() any {
	d := &h.Deal
	out := object{Game: "belote", Tags: h.Tags, Calls: h.calls(), Position: position{
		Suits: suits(d.Deck), Leader: d.Leader.String(), Declarer: d.Declarer.String(), Threshold: d.Threshold, Flip: h.Flip.String(),
		Stacks: map[string][][2]string{}, Played: append([]string{}, record.Names(h.Played)...),
	}}
	if s, ok := d.Trump.Suit(); ok {
		out.Position.Trump = new(s.String())
	}
	for _, p := range belote.Players() {
		for _, s := range d.Of(p) {
			out.Position.Stacks[p.String()] = append(out.Position.Stacks[p.String()], [2]string{s.Top.String(), s.Bottom.String()})
		}
	}
	if p, err := h.position(); err == nil && p.Finished() {
		out.Result = &points{A: p.Points(belote.A), B: p.Points(belote.B)}
	}
	return out
}

// fromJSON returns the fields of a hand in JSON.
func fromJSON(raw []byte) (record.Record, error) {
	var in object
	return record.ReadJSON("belote", raw, &in, &in.Tags, func(add record.Add) error {
		p := &in.Position
		trump := "none"
		if p.Trump != nil {
			trump = *p.Trump
		}
		add("Suits", p.Suits...)
		add("Leader", p.Leader)
		add("Trump", trump)
		add("Declarer", p.Declarer)
		if p.Threshold != 0 {
			add("Threshold", strconv.Itoa(p.Threshold))
		}
		add("Flip", p.Flip)
		deal := []string{}
		for _, player := range belote.Players() {
			deal = append(deal, player.String())
			for _, s := range p.Stacks[player.String()] {
				deal = append(deal, s[0]+"/"+s[1])
			}
		}
		add("Deal", deal...)
		add("Auction", in.Calls...)
		add("Play", p.Played...)
		if in.Result != nil {
			add("Result", "A", strconv.Itoa(in.Result.A), "B", strconv.Itoa(in.Result.B))
		}
		return nil
	})
}
