// Package record has the records of hands of Klaverjas: which tags they have, and what these mean (docs/reference/record-format.md). It
// also reads hands of two other programs.
package record

import (
	"slices"
	"strconv"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/record"
	"roem/internal/engine/violation"
)

// Kind is the records of Klaverjas.
var Kind = &record.Kind{
	Name: "klaverjas", Others: []string{"klaverjassen"},
	Tags: []string{"Rules", "Dealer", "Leader", "Trump", "Declarer", "Deal", "Auction", "Play", "Result", "Table"},
	Read: read, FromJSON: fromJSON,
}

// Hand is a hand: what was dealt, called and played.
type Hand struct {
	Tags     []record.Tag
	Rules    klaverjas.Rules
	Leader   piquet.Seat // the dealer is the seat before
	Hands    [4]piquet.Set
	View     bool        // only the hand of Seat is known
	Seat     piquet.Seat // of a view
	Decided  bool        // trump and the declarers are known
	Trump    piquet.Suit
	Declarer piquet.Team
	Auction  *Auction
	Played   []piquet.Card
	Table    *Table
}

// Auction is how trump and the declarers were decided.
type Auction struct {
	Flow   bidding.Flow
	Turned []piquet.Suit
	Again  bool
	Calls  []bidding.Call
}

// Table is the outcomes of a deal, by trump and declaring team.
type Table [4][2]int

// Deck reads the cards of the deck of 32 in both languages.
var Deck = record.French(7, piquet.ParseCard)

// Position returns the position after the cards played. It has none without trump, or if only one hand is known.
func (h *Hand) Position() (p klaverjas.Position, ok bool, err error) {
	if h.View || !h.Decided {
		return p, false, nil
	}
	p, err = klaverjas.NewPosition(h.Rules, klaverjas.Deal{Trump: h.Trump, Leader: h.Leader, Declarer: h.Declarer, Hands: h.Hands})
	if err != nil {
		return p, false, err
	}
	p, err = p.Replay(h.Played)
	return p, err == nil, err
}

// read reads a record.
func read(f *record.Fields) record.Hand {
	h := &Hand{Tags: f.Free()}
	h.Rules = readRules(f)
	h.readLeader(f)
	h.readDeal(f)
	h.readAuction(f)
	h.readTrump(f)
	cards := record.NewReader(Deck, f, "Deal", "Play")
	h.Played, _ = cards.Cards("Play", cardWords(f))
	h.Table = readTable(f)
	if f.OK() {
		h.check(f)
	}
	return h
}

// check plays the hand.
func (h *Hand) check(f *record.Fields) {
	var want []string
	switch {
	case h.View:
		h.checkView(f)
	case h.Decided:
		p, err := klaverjas.NewPosition(h.Rules, klaverjas.Deal{Trump: h.Trump, Leader: h.Leader, Declarer: h.Declarer, Hands: h.Hands})
		if !f.Refuse(f.At("Deal"), "Deal", err) {
			return
		}
		for i, c := range h.Played {
			if p, err = p.Play(c); err != nil && h.readColumns(f) {
				h.check(f)
				return
			}
			if !f.Refuse(f.PlayedAt(i, len(h.Played)), "Play", err) {
				return
			}
		}
		want = result(&p)
	case len(h.Played) > 0:
		f.Wrong(f.At("Play"), "Play", violation.New(violation.Needed, "is given without Trump"))
	}
	f.Check(want, h.begun())
}

// begun reports whether there were calls or cards.
func (h *Hand) begun() bool { return h.Auction != nil || len(h.Played) > 0 }

func (h *Hand) checkView(f *record.Fields) {
	if !h.Decided {
		f.Wrong(f.At("Deal"), "Deal", violation.New(violation.Needed, "has one hand; a hand without trump needs all four"))
		return
	}
	_, err := worlds.New(worlds.View{
		Rules: h.Rules, Trump: h.Trump, Leader: h.Leader, Declarer: h.Declarer, Seat: h.Seat, Hand: h.Hands[h.Seat], Played: h.Played,
	})
	f.Refuse(f.At("Play"), "Play", err)
}

// seatLetters are the letters of seats in Dutch that are none in English.
var seatLetters = map[string]piquet.Seat{"o": piquet.East, "z": piquet.South}

func parseSeat(text string) (piquet.Seat, error) {
	if s, ok := seatLetters[strings.ToLower(text)]; ok && len(text) == 1 {
		return s, nil
	}
	return piquet.ParseSeat(text)
}

// teamWords are the Dutch letters of the teams, and the teams in another order.
var teamWords = map[string]piquet.Team{
	"nz": piquet.NorthSouth, "sn": piquet.NorthSouth, "zn": piquet.NorthSouth,
	"ow": piquet.EastWest, "we": piquet.EastWest, "wo": piquet.EastWest,
}

func parseTeam(text string) (piquet.Team, error) {
	if len(text) == 2 {
		if t, ok := teamWords[strings.ToLower(text)]; ok {
			return t, nil
		}
	}
	if s, err := parseSeat(text); err == nil {
		return s.Team(), nil
	}
	return piquet.ParseTeam(text)
}

// suitLetters are the letters of suits in Dutch that are none in English.
var suitLetters = map[string]piquet.Suit{"k": piquet.Clubs, "r": piquet.Diamonds}

func parseSuit(text string) (piquet.Suit, error) {
	if s, ok := suitLetters[strings.ToLower(text)]; ok && len(text) == 1 {
		return s, nil
	}
	return piquet.ParseSuit(text)
}

// readLeader reads the dealer or the leader.
func (h *Hand) readLeader(f *record.Fields) {
	dealer, isDealer := record.Parse(f, "Dealer", parseSeat)
	leader, isLeader := record.Parse(f, "Leader", parseSeat)
	if words := f.Words("Play"); len(words) > 0 && len(words[0].Text) != 2 { // [Play "N"], as in PBN, and no card
		if first, err := parseSeat(words[0].Text); err == nil {
			f.Drop("Play")
			if isLeader && first != leader || isDealer && first != dealer.Next() {
				f.Wrong(words[0].At, "Play", violation.New(violation.Contradicts, "%s leads, but by the tag Leader or Dealer another seat does", first))
				return
			}
			leader, isLeader = first, true
		}
	}
	switch {
	case isDealer && isLeader && leader != dealer.Next():
		f.Wrong(f.At("Leader"), "Leader", violation.New(violation.Contradicts, "is %s, but %s deals, and the seat to the left leads",
			leader, dealer))
	case isDealer:
		leader = dealer.Next()
	case !isLeader && !f.Has("Dealer") && !f.Has("Leader"):
		f.Need("Dealer")
	}
	h.Leader = leader
}

// readDeal reads four hands, three of which the fourth follows, or one.
func (h *Hand) readDeal(f *record.Fields) {
	if !f.Need("Deal") {
		return
	}
	cards := record.NewReader(Deck, f, "Deal", "Play")
	seats := func(text string) (int, bool) {
		s, err := parseSeat(text)
		return int(s), err == nil
	}
	hands, isPBN := cards.PBN("Deal", "SHDC", klaverjas.HandSize, seats)
	if !isPBN {
		var ok bool
		if hands, ok = cards.Hands("Deal", klaverjas.HandSize, seats); !ok {
			return
		}
	}
	if !f.OK() {
		return
	}
	var all piquet.Set
	for seat, list := range hands {
		for _, c := range list {
			if all.Has(c) {
				f.Wrong(f.At("Deal"), "Deal", violation.New(violation.CardTwice, "has %s twice", c).Of(c))
				return
			}
			all = all.With(c)
		}
		h.Hands[seat], h.Seat = piquet.SetOf(list...), piquet.Seat(seat)
	}
	switch len(hands) {
	case 1:
		h.View = true
		return
	case 3:
		for seat := range h.Hands {
			if h.Hands[seat].Empty() {
				h.Hands[seat] = piquet.Deck &^ all
			}
		}
	case 4:
	default:
		f.Wrong(f.At("Deal"), "Deal", violation.New(violation.WrongCount, "has %d hands, expected four, or the hand of one seat", len(hands)).
			Of(len(hands)))
	}
	h.Seat = 0
}

// readTrump reads trump and the declarers, which also follow from the auction.
func (h *Hand) readTrump(f *record.Fields) {
	trump, isTrump := record.Parse(f, "Trump", parseSuit)
	team, isTeam := record.Parse(f, "Declarer", parseTeam)
	if isTrump {
		if h.Decided && trump != h.Trump {
			f.Wrong(f.At("Trump"), "Trump", violation.New(violation.Contradicts, "is %s, but in the auction %s was declared", trump, h.Trump))
		}
		if !h.Decided {
			h.Declarer = h.Leader.Team()
		}
		h.Trump, h.Decided = trump, true
	}
	if !isTeam {
		return
	}
	switch {
	case !h.Decided:
		f.Wrong(f.At("Declarer"), "Declarer", violation.New(violation.Needed, "is given without Trump"))
	case h.Auction != nil && h.Auction.done() && team != h.Declarer:
		f.Wrong(f.At("Declarer"), "Declarer", violation.New(violation.Contradicts, "is %s, but in the auction %s declared", team, h.Declarer))
	}
	h.Declarer = team
}

func (a *Auction) done() bool { return len(a.Calls) > 0 && a.Calls[len(a.Calls)-1].Declare }

// readAuction reads the flow, the suits turned, and the calls.
func (h *Hand) readAuction(f *record.Fields) {
	words := f.Words("Auction")
	if len(words) == 0 {
		return
	}
	a := &Auction{}
	var err error
	if a.Flow, err = bidding.ParseFlow(strings.ToLower(words[0].Text)); !f.Refuse(words[0].At, "Auction", err) {
		return
	}
	at := []int{}
	for _, w := range words[1:] {
		low := strings.ToLower(w.Text)
		if suits, ok := strings.CutPrefix(low, "turned="); ok {
			for _, letter := range suits {
				suit, err := parseSuit(string(letter))
				if !f.Refuse(w.At, "Auction", err) {
					return
				}
				a.Turned = append(a.Turned, suit)
			}
			continue
		}
		if low == "again" {
			a.Again = true
			continue
		}
		call := bidding.Pass
		if low != "pass" && low != "pas" {
			suit, err := parseSuit(w.Text)
			if err != nil {
				f.Wrong(w.At, "Auction", violation.New(violation.NotOneOf, "%.24q is not a call: expected pass or a suit", w.Text).Of(w.Text).
					OneOf("pass", "C", "D", "H", "S"))
				return
			}
			call = bidding.Call{Declare: true, Trump: suit}
		}
		a.Calls, at = append(a.Calls, call), append(at, w.At)
	}
	auction, err := bidding.Start(bidding.Setting{Flow: a.Flow, Dealer: h.Leader.Plus(3), Turned: a.Turned, Again: a.Again})
	if !f.Refuse(words[0].At, "Auction", err) {
		return
	}
	for i, call := range a.Calls {
		if auction, err = auction.Call(call); !f.Refuse(at[i], "Auction", err) {
			return
		}
	}
	h.Auction = a
	if auction.Done() {
		by, trump := auction.Result()
		h.Decided, h.Trump, h.Declarer = true, trump, by.Team()
	}
}

// readTable reads the outcomes: of each trump the suit, and each team with its outcome.
func readTable(f *record.Fields) *Table {
	words := f.Words("Table")
	if len(words) == 0 {
		return nil
	}
	if len(words) != 20 {
		f.Wrong(f.At("Table"), "Table", violation.New(violation.WrongCount,
			"has %d words, expected 20: each suit, and each team with its outcome", len(words)).Of(len(words)).Between(20, 20))
		return nil
	}
	var t Table
	for row := range slices.Chunk(words, 5) {
		suit, err := parseSuit(row[0].Text)
		if !f.Refuse(row[0].At, "Table", err) {
			return nil
		}
		for i := 1; i < 5; i += 2 {
			team, err := parseTeam(row[i].Text)
			if !f.Refuse(row[i].At, "Table", err) {
				return nil
			}
			n, err := strconv.Atoi(row[i+1].Text)
			if err != nil || n < -10_000 || n > 10_000 {
				f.Wrong(row[i+1].At, "Table", violation.New(violation.WrongForm, "%.24q is not an outcome", row[i+1].Text).Of(row[i+1].Text))
				return nil
			}
			t[suit][team] = n
		}
	}
	return &t
}

// Fields returns the fields.
func (h *Hand) Fields() []record.Field {
	out := append([]record.Field{record.Text("Game", "klaverjas")}, record.FreeFields(h.Tags)...)
	out = append(out, record.Row("Rules", rulesWords(h.Rules)...), record.Row("Dealer", h.Leader.Plus(3).String()))
	if h.Decided {
		out = append(out, record.Row("Trump", h.Trump.String()), record.Row("Declarer", h.Declarer.String()))
	}
	deal := record.Rows("Deal", 40)
	for _, s := range piquet.Seats() {
		if !h.View || s == h.Seat {
			deal.Add(s.String())
			for c := range h.Hands[s].All() {
				deal.Add(c.String())
			}
			deal.Add(record.Break)
		}
	}
	out = append(out, deal)
	if h.Auction != nil {
		out = append(out, record.Row("Auction", h.Auction.words()...))
	}
	out = append(out, record.Tricks(h.Played, 4)...)
	var ended []string
	if p, ok, _ := h.Position(); ok {
		ended = result(&p)
	}
	out = append(out, record.ResultField(ended, h.begun())...)
	if h.Table != nil {
		t := record.Row("Table")
		for _, s := range piquet.Suits() {
			t.Add(s.String())
			for _, team := range piquet.Teams() {
				t.Add(team.String(), strconv.Itoa(h.Table[s][team]))
			}
			t.Add(record.Break)
		}
		out = append(out, t)
	}
	return out
}

func (a *Auction) words() []string {
	out := []string{a.Flow.String()}
	if len(a.Turned) > 0 {
		out = append(out, turnedWord(a.Turned))
	}
	if a.Again {
		out = append(out, "again")
	}
	return append(out, bidding.Names(a.Calls)...)
}

// turnedWord returns the word with the suits that were turned.
func turnedWord(suits []piquet.Suit) string {
	var b strings.Builder
	b.WriteString("turned=")
	for _, s := range suits {
		b.WriteString(s.String())
	}
	return b.String()
}

// result returns the points of a finished hand, of the tricks and of the melds; nil for an unfinished hand.
func result(p *klaverjas.Position) (words []string) {
	if !p.Finished() {
		return nil
	}
	for _, t := range piquet.Teams() {
		words = append(words, t.String(), strconv.Itoa(p.Score().Tricks[t])+"+"+strconv.Itoa(p.Score().Melds[t]))
	}
	return words
}
