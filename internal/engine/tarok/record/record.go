// Package record has the records of hands of tarok: which tags they have, and what these mean (docs/reference/record-format.md).
package record

import (
	"strconv"
	"strings"

	"roem/internal/engine/record"
	"roem/internal/engine/tarok"
	"roem/internal/engine/violation"
)

// Kind is the records of tarok.
var Kind = &record.Kind{
	Name: "tarok",
	Tags: []string{
		"Rules", "Contract", "Declarer", "Deal", "Talon", "Auction", "Group", "Discards", "Kontra", "Announcements", "Radli", "Play", "Result",
	},
	Read: read, FromJSON: fromJSON,
}

// Hand is a hand: what was dealt, bid, exchanged, announced and played.
type Hand struct {
	Tags  []record.Tag
	Setup tarok.Setup
	// Taken says that the declarer has taken a group of the talon. There may be fewer discards than in a finished exchange.
	Taken  bool
	Bids   []tarok.Bid
	Said   tarok.Announcements
	Played []tarok.Card
}

// deck reads the 54 cards in both languages: T and a number for the taroks, and the ranks jack, cavalier, queen, king, in Dutch boer,
// ruiter, vrouw, koning.
var deck = &record.Deck[tarok.Card]{
	English:   letters(map[string]string{"T": "T", "H": "H", "D": "D", "S": "S", "C": "C"}, [4]string{"J", "C", "Q", "K"}),
	Dutch:     letters(map[string]string{"T": "T", "H": "H", "R": "D", "S": "S", "K": "C"}, [4]string{"B", "R", "V", "K"}),
	Parse:     tarok.ParseCard,
	SuitFirst: true,
}

func letters(suits map[string]string, ranks [4]string) record.Letters {
	faces := map[string]string{}
	for i, name := range [4]string{"J", "C", "Q", "K"} {
		faces[ranks[i]] = name
	}
	for n := 1; n <= 22; n++ {
		faces[strconv.Itoa(n)] = strconv.Itoa(n)
	}
	return record.Letters{Suits: record.WithSymbols(suits), Faces: faces}
}

func read(f *record.Fields) record.Hand {
	h := &Hand{Tags: f.Free()}
	s := &h.Setup
	s.Rules = readRules(f)
	if f.Need("Contract") {
		s.Contract, _ = record.Parse(f, "Contract", tarok.ParseContract)
	}
	h.readDeclarer(f)
	cards := record.NewReader(deck, f, "Deal", "Talon", "Discards", "Play")
	h.readDeal(f, cards)
	h.readBids(f)
	h.readExchange(f, cards)
	h.Said = readSaid(f)
	h.Played, _ = cards.Cards("Play", f.Words("Play"))
	if f.OK() {
		h.check(f)
	}
	return h
}

func (h *Hand) readDeclarer(f *record.Fields) {
	switch p, ok := record.Parse(f, "Declarer", tarok.ParsePlayer); {
	case h.Setup.Contract == tarok.Klop && f.Has("Declarer"):
		f.Wrong(f.At("Declarer"), "Declarer", violation.New(violation.NotUsed, "is given, but klop has no declarer"))
	case h.Setup.Contract != tarok.Klop && f.Has("Contract"):
		if f.Need("Declarer") && ok {
			h.Setup.Declarer = p
		}
	}
}

func (h *Hand) readDeal(f *record.Fields, cards *record.Reader[tarok.Card]) {
	d := &h.Setup.Deal
	if f.Need("Deal") {
		hands, ok := cards.Hands("Deal", tarok.HandSize, func(text string) (int, bool) {
			p, err := tarok.ParsePlayer(text)
			return int(p), err == nil
		})
		for _, p := range tarok.Players() {
			list, given := hands[int(p)]
			if !given && ok {
				f.Wrong(f.At("Deal"), "Deal", violation.New(violation.Missing, "has no cards of %s", p))
			}
			d.Hands[p] = tarok.SetOf(list...)
		}
	}
	if !f.Need("Talon") {
		return
	}
	talon, ok := cards.Cards("Talon", f.Words("Talon"))
	if ok && len(talon) != tarok.TalonSize {
		f.Wrong(f.At("Talon"), "Talon", violation.Count(len(talon), tarok.TalonSize))
	}
	copy(d.Talon[:], talon)
	if f.OK() {
		for _, v := range d.Check() {
			tag := "Deal"
			if strings.HasPrefix(v.Pointer, "/talon") {
				tag = "Talon"
			}
			f.Refuse(f.At(tag), tag, v)
		}
	}
}

func (h *Hand) readBids(f *record.Fields) {
	b := tarok.NewBidding(h.Setup.Rules.Order)
	for _, w := range f.Words("Auction") {
		bid, err := tarok.ParseBid(strings.ToLower(w.Text))
		if err == nil {
			b, err = b.Call(bid)
		}
		if !f.Refuse(w.At, "Auction", err) {
			return
		}
		h.Bids = append(h.Bids, bid)
	}
	if c, who, done := b.Result(); done && f.OK() && (c != h.Setup.Contract || c != tarok.Klop && who != h.Setup.Declarer) {
		f.Wrong(f.At("Auction"), "Auction", violation.New(violation.Contradicts,
			"ends with %s of %s, which are not the tags Contract and Declarer", c, who))
	}
}

func (h *Hand) readExchange(f *record.Fields, cards *record.Reader[tarok.Card]) {
	s := &h.Setup
	discards, _ := cards.Cards("Discards", f.Words("Discards"))
	s.Discards = tarok.SetOf(discards...)
	n, given := record.Parse(f, "Group", record.Number)
	switch {
	case !f.OK():
	case !given && (len(discards) > 0 || s.Contract.Exchange() > 0 && f.Has("Play")):
		f.Wrong(f.At("Discards"), "Group", violation.New(violation.Needed, "is missing: the declarer takes a group of the talon first"))
	case given && s.Contract.Exchange() == 0:
		f.Wrong(f.At("Group"), "Group", violation.New(violation.NotUsed, "%s has no exchange", s.Contract))
	case given && (n < 1 || n > s.Contract.Groups()):
		f.Wrong(f.At("Group"), "Group", violation.Number(n, 1, s.Contract.Groups()))
	case given:
		s.Group, h.Taken = n-1, true
		if want := s.Contract.Exchange(); len(discards) > want || len(discards) < want && f.Has("Play") || s.Discards.Len() < len(discards) {
			f.Wrong(f.At("Discards"), "Discards", violation.Count(s.Discards.Len(), want))
		}
		held := s.Deal.Hands[s.Declarer] | s.Taken()
		for _, c := range discards {
			if reason := tarok.Kept(held, c); reason != "" {
				f.Wrong(f.At("Discards"), "Discards", violation.New(violation.NotLegal, "%s may not be discarded: %s", c, reason).Of(c))
				return
			}
			held = held.Without(c)
		}
	}
}

// begun reports whether the exchange is finished, so that cards can be played.
func (h *Hand) begun() bool {
	return h.Setup.Contract.Exchange() == 0 || h.Taken && h.Setup.Discards.Len() == h.Setup.Contract.Exchange()
}

func (h *Hand) check(f *record.Fields) {
	if bad := h.Said.Check(h.Setup.Contract); len(bad) > 0 {
		f.Refuse(f.At("Announcements"), "Announcements", bad)
		return
	}
	if !h.begun() {
		f.Check(nil, h.started())
		return
	}
	p, err := tarok.NewPosition(h.Setup)
	if !f.Refuse(f.At("Discards"), "Discards", err) {
		return
	}
	if _, ok := record.Follow(f, p, h.Played, tarok.Position.Play); ok {
		f.Check(h.result(), h.started())
	}
}

// result returns what each player scores in a finished hand.
func (h *Hand) result() (words []string) {
	score, ok := h.score()
	if !ok {
		return nil
	}
	for _, p := range tarok.Players() {
		words = append(words, p.String(), strconv.Itoa(score.Total[p]))
	}
	return words
}

func (h *Hand) score() (score tarok.Score, ok bool) {
	if !h.begun() {
		return score, false
	}
	p, err := tarok.NewPosition(h.Setup)
	if err != nil {
		return score, false
	}
	if p, err = p.Replay(h.Played); err != nil || !p.Finished() {
		return score, false
	}
	score, err = p.Score(h.Said)
	return score, err == nil
}

// Fields returns the fields.
func (h *Hand) Fields() []record.Field {
	s := &h.Setup
	out := append([]record.Field{record.Text("Game", "tarok")}, record.FreeFields(h.Tags)...)
	if words := rulesWords(s.Rules); len(words) > 0 {
		out = append(out, record.Row("Rules", words...))
	}
	out = append(out, record.Row("Contract", s.Contract.String()))
	if s.Contract != tarok.Klop {
		out = append(out, record.Row("Declarer", s.Declarer.String()))
	}
	deal := record.Rows("Deal", 54)
	for _, p := range tarok.Players() {
		deal.Add(p.String())
		deal.Add(s.Deal.Hands[p].Names()...)
		deal.Add(record.Break)
	}
	out = append(out, deal, record.Row("Talon", record.Names(s.Deal.Talon[:])...))
	if len(h.Bids) > 0 {
		out = append(out, record.Row("Auction", record.Names(h.Bids)...))
	}
	if h.Taken {
		out = append(out, record.Row("Group", strconv.Itoa(s.Group+1)))
		if !s.Discards.Empty() {
			out = append(out, record.Row("Discards", s.Discards.Names()...))
		}
	}
	out = append(out, saidFields(&h.Said)...)
	out = append(out, record.Tricks(h.Played, 3)...)
	return append(out, record.ResultField(h.result(), h.started())...)
}

// started reports whether there were bids, an exchange or cards.
func (h *Hand) started() bool { return h.Taken || len(h.Bids)+len(h.Played) > 0 }
