package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/score"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/pages"
)

// The example hands were played by players of the program: pimc, sampling, simple and heuristic. Each is replayed through its engine,
// which refuses what is not legal.
const (
	klaverjasPlayed = "9H 7H 8H 9C JH AH JC 9S QH 10H 8S 7S KS AS JD QS 7D 8D QD KD 7C 9D AC QC 10C KH 8C 10D 10S AD JS KC"
	belotePlayed    = "KS QS 10S 7S KD AD AH KH 9D 10D JS AS 8S 9C 9H JH 10C JC 7H 9S KC QC 7C AC 7D JD 8H QH 10H 8C 8D QD"
	ginPlayed       = "pass pass stock 8H take KC stock 8C stock 9D take 6H stock 8D take 5D"
	tarokPlayed     = "HK T1 H4 DK D1 D4 SK S10 S7 CK C10 C8 T21 T2 T7 T22 T3 T9 CQ CJ C9 S8 SQ T12 DC T6 T11 SC T18 S9 DJ T16 T5 " +
		"C7 T15 T13 H3 HQ T8 T17 H2 T20 T14 T10 HC D3 SJ H1"
	tarokBids = "three two pass pass two"
)

var klaverjasDealt = [4]string{
	piquet.North: "JC 7D 9D 10D 8H 8S JS AS", piquet.East: "9C 10C KC AC 8D JD 7S 9S",
	piquet.South: "QC QD 9H JH QH KH 10S QS", piquet.West: "7C 8C KD AD 7H 10H AH KS",
}

// beloteDealt are the stacks, each with its open card before the card below.
var beloteDealt = [2]string{
	"10S KD KH 8C KC 8H JS QD 8S JD KS 7C 10D 9H JC 9S", "10C 8D AH AS 7H 7D AD 9D 9C QH JH 10H QS 7S QC AC",
}

// The deck of the example of Gin Rummy: the two hands, the first card turned up, and the stock as far as it is drawn.
const (
	ginHands = "2C 5C 3C KC 8C 9H AH 10H 8H JH AS 7S 5D AD 10D 4D JD 7D QD 9D"
	ginStock = "KS 6H 3S 5H 8D"
)

var tarokDealt = [3]string{
	"T7 T9 T12 T13 T14 T18 T20 HQ HK D4 D3 DJ DC S7 C8 C9", "T1 T6 T8 T10 T16 T17 T21 T22 DQ S8 S9 SJ SK C7 CC CK",
	"T2 T3 T5 T11 T15 H4 H3 H2 H1 HC D1 S10 SC SQ C10 CJ",
}

const tarokTalon = "DK CQ T4 HJ D2 T19"

func must[T any](src *pages.Source) func(T, error) T {
	return func(v T, err error) T {
		if err != nil {
			src.Fatal(err)
		}
		return v
	}
}

func cardsOf(src *pages.Source, text string) (list []piquet.Card) {
	for name := range strings.FieldsSeq(text) {
		list = append(list, must[piquet.Card](src)(piquet.ParseCard(name)))
	}
	return list
}

func setOf(src *pages.Source, text string) piquet.Set {
	return piquet.SetOf(cardsOf(src, text)...)
}

func ginSet(src *pages.Source, text string) (s ginrummy.Set) {
	for name := range strings.FieldsSeq(text) {
		s = s.With(must[ginrummy.Card](src)(ginrummy.ParseCard(name)))
	}
	return s
}

func tarokCard(src *pages.Source, name string) tarok.Card {
	return must[tarok.Card](src)(tarok.ParseCard(name))
}

func tarokSet(src *pages.Source, text string) (s tarok.Set) {
	for name := range strings.FieldsSeq(text) {
		s = s.With(tarokCard(src, name))
	}
	return s
}

// held are the cards of a hand as a player holds them: suit by suit, the trumps first, and the strongest first.
func held(s piquet.Set, trump piquet.Suit) string {
	list := s.Slice()
	slices.SortFunc(list, func(a, b piquet.Card) int {
		place := func(c piquet.Card) int { return (int(c.Suit()) - int(trump) + 4) % 4 }
		return cmp.Or(place(a)-place(b), klaverjas.Strength(b, trump)-klaverjas.Strength(a, trump))
	})
	return join(list)
}

func join[T interface{ String() string }](list []T) string {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.String()
	}
	return strings.Join(names, " ")
}

func klaverjasHand(src *pages.Source) (hand []moment) {
	d := klaverjas.Deal{Trump: piquet.Hearts, Leader: piquet.South, Declarer: piquet.NorthSouth}
	for seat, cards := range klaverjasDealt {
		d.Hands[seat] = setOf(src, cards)
	}
	p := must[klaverjas.Position](src)(klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Rotterdam), d))
	see := func(does string) *moment {
		m := moment{Does: does, Sums: []int{p.Score().Sum(piquet.NorthSouth), p.Score().Sum(piquet.EastWest)}, Table: []laid{}}
		for _, seat := range piquet.Seats() {
			m.Rows = append(m.Rows, held(p.Hand(seat), d.Trump))
		}
		if !p.Finished() {
			m.Turn, m.May = p.Turn().String(), held(p.Legal(), d.Trump)
		}
		hand = append(hand, m)
		return &hand[len(hand)-1]
	}
	see("deal")
	var table []laid
	for _, c := range cardsOf(src, klaverjasPlayed) {
		before := p
		table = append(table, laid{p.Turn().String(), c.String()})
		p = must[klaverjas.Position](src)(p.Play(c))
		m := see("play")
		m.By, m.Cards, m.Table = table[len(table)-1].By, c.String(), slices.Clone(table)
		if len(table) == 4 {
			trick := before.Trick().With(c, d.Trump)
			m.Won, m.Melds = trick.Winner.String(), p.Rules().Meld(trick.Set(), d.Trump)
			m.Trick = p.Score().Tricks[0] + p.Score().Tricks[1] - before.Score().Tricks[0] - before.Score().Tricks[1]
			table = nil
		}
	}
	if !p.Finished() || p.Outcome() <= 0 {
		src.Errorf("the example of Klaverjas is not a hand that is made")
	}
	see("end")
	return hand
}

// beloteBonus returns the points of belote-rebelote, which the engine gives to the holder of king and queen of trump.
func beloteBonus(src *pages.Source) int {
	d := beloteDeal(src)
	d.Trump = belote.TrumpOf(piquet.Diamonds) // of which one player has king and queen
	p := must[belote.Position](src)(belote.NewPosition(d))
	var played []piquet.Card
	for now := p; !now.Finished(); {
		c := now.Legal().First()
		played = append(played, c)
		now = must[belote.Position](src)(now.Play(c))
	}
	for _, part := range must[[]score.Part](src)(score.Hand(score.Rules{Belote: true}, p, played)) {
		if part.Kind == score.Belote {
			return part.Points
		}
	}
	src.Fatal(errors.New("nobody has belote-rebelote"))
	return 0
}

func beloteDeal(src *pages.Source) belote.Deal {
	suits := piquet.Suits()
	d := belote.Deal{Deck: belote.Deck(suits[:]...), Trump: belote.TrumpOf(piquet.Spades), Leader: belote.A, Declarer: belote.A}
	d.Threshold = d.Trump.DefaultThreshold(d.Deck)
	for player, cards := range beloteDealt {
		list := cardsOf(src, cards)
		for i := range belote.MaxStacks {
			d.Stacks[player][i] = belote.Stack{Top: list[2*i], Bottom: list[2*i+1]}
		}
	}
	return d
}

func beloteHand(src *pages.Source) (hand []moment) {
	d := beloteDeal(src)
	p := must[belote.Position](src)(belote.NewPosition(d))
	var table []laid
	see := func(does string) *moment {
		m := moment{Does: does, Sums: []int{p.Points(belote.A), p.Points(belote.B)}, Table: slices.Clone(table)}
		for _, player := range belote.Players() {
			m.Rows = append(m.Rows, stacks(&d, &p, player, table))
		}
		if !p.Finished() {
			m.Turn, m.May = p.Turn().String(), held(p.Legal(), piquet.Spades)
		}
		hand = append(hand, m)
		return &hand[len(hand)-1]
	}
	see("deal").Table = []laid{}
	for _, c := range cardsOf(src, belotePlayed) {
		by := p.Turn().String()
		next, trick, err := p.Completes(c)
		if err != nil {
			src.Fatal(err)
		}
		p, table = next, append(table, laid{by, c.String()})
		m := see("play")
		m.By, m.Cards = by, c.String()
		if trick != nil {
			m.Won, m.Trick = trick.Winner.String(), trick.Points
			table = nil
		}
	}
	if !p.Finished() || !p.Won() {
		src.Errorf("the example of Belote is not a hand that is made")
	}
	see("end").Table = []laid{}
	return hand
}

// stacks are the stacks of a player: + follows an open card with one below, ? is a card that has not been turned yet, - an empty place.
func stacks(d *belote.Deal, p *belote.Position, player belote.Player, table []laid) string {
	onTable := func(c piquet.Card) bool {
		return len(table) == 1 && slices.ContainsFunc(table, func(l laid) bool { return l.Card == c.String() })
	}
	var names []string
	for _, s := range d.Of(player) {
		switch has := p.Held(player); {
		case has.Has(s.Top):
			names = append(names, s.Top.String()+"+")
		case has.Has(s.Bottom) && onTable(s.Top):
			names = append(names, "?")
		case has.Has(s.Bottom):
			names = append(names, s.Bottom.String())
		default:
			names = append(names, "-")
		}
	}
	return strings.Join(names, " ")
}

func ginHand(src *pages.Source) (hand []moment) { //nolint:funlen // one hand from begin to end
	var deck [ginrummy.DeckSize]ginrummy.Card
	first := strings.Fields(ginHands + " " + ginStock)
	rest := ginrummy.Deck
	for i, name := range first {
		deck[i] = ginSet(src, name).First()
		rest = rest.Without(deck[i])
	}
	copy(deck[len(first):], rest.Slice())
	d := ginrummy.NewDeal(deck, ginrummy.A)
	r := ginrummy.NewRound(&d)
	see := func(does string, by ginrummy.Seat, cards string) *moment {
		m := moment{Does: does, Cards: cards, Table: []laid{{"stock", "?"}}, Trick: r.StockLeft()}
		if does != "deal" {
			m.By = ginSeats[by]
		}
		if top, ok := r.Top(); ok {
			m.Table = append(m.Table, laid{"discards", top.String()})
		}
		for _, seat := range []ginrummy.Seat{1, 0} {
			m.Rows = append(m.Rows, arranged(r.Hand(seat)))
			left, _ := r.Hand(seat).AfterDiscard()
			if r.Hand(seat).Len() == ginrummy.HandSize {
				left = r.Hand(seat).Deadwood()
			}
			m.Sums = append(m.Sums, left)
		}
		hand = append(hand, m)
		return &hand[len(hand)-1]
	}
	act := func(a ginrummy.Action) {
		if r.Phase() == ginrummy.ToKnock && a.Kind != ginrummy.Knock {
			r = must[ginrummy.Round](src)(r.Play(ginrummy.Action{Kind: ginrummy.Continue}))
		}
		by := r.Seat()
		r = must[ginrummy.Round](src)(r.Play(a))
		cards := ""
		switch drawn, _ := r.Drawn(); a.Kind {
		case ginrummy.Take, ginrummy.Stock:
			cards = drawn.String()
		case ginrummy.Discard:
			cards = a.Card.String()
		default:
		}
		see(a.Kind.String(), by, cards)
	}
	see("deal", 0, "")
	for word := range strings.FieldsSeq(ginPlayed) {
		if kind, err := ginrummy.ParseKind(word); err == nil {
			act(ginrummy.Action{Kind: kind})
		} else {
			act(ginrummy.Action{Kind: ginrummy.Discard, Card: ginSet(src, word).First()})
		}
	}
	knocked := r.Hand(0).Best()[0]
	act(ginrummy.Action{Kind: ginrummy.Knock, Melds: knocked})
	act(ginrummy.Action{Kind: ginrummy.Lay, Melds: r.Hand(1).BestAgainst(knocked, ginrummy.BestLayOffs)})
	result, over := r.Result()
	if !over || len(result.LaidOff) != 1 || result.Score[0] <= 0 {
		src.Fatal(fmt.Errorf("the example of Gin Rummy ends with %+v", result))
	}
	last := &hand[len(hand)-1]
	last.Cards = result.LaidOff[0].Card.String()
	own := r.Hand(0) &^ result.LaidOff[0].On
	last.Rows = []string{
		arranged(r.Hand(1).Without(result.LaidOff[0].Card)),
		join(result.LaidOff[0].On.With(result.LaidOff[0].Card).Slice()) + " | " + arranged(own),
	}
	last.Sums = []int{result.Deadwood[1], result.Deadwood[0]}
	end := *last
	end.Does, end.By, end.Cards, end.Melds = "end", ginSeats[0], "", result.Score[0]
	return append(hand, end)
}

var ginSeats = [2]string{"A", "B"}

// arranged is a hand with its melds first, each before a bar.
func arranged(s ginrummy.Set) string {
	var parts []string
	list := s.Best()
	if s.Len() > ginrummy.HandSize { // before the discard
		_, cards := s.AfterDiscard()
		list = s.Without(cards.First()).Best()
	}
	var best ginrummy.Arrangement
	if len(list) > 0 {
		best = list[0]
	}
	for _, meld := range best.Melds() {
		parts = append(parts, join(meld.Slice()))
		s &^= meld
	}
	rest := s.Slice()
	slices.SortStableFunc(rest, func(a, b ginrummy.Card) int { return int(a%ginrummy.Ranks) - int(b%ginrummy.Ranks) })
	return strings.Join(append(parts, join(rest)), " | ")
}

func isMeld(src *pages.Source, text string) bool { return ginSet(src, text).IsMeld() }

func tarokHand(src *pages.Source) (hand []moment) { //nolint:funlen // one hand from begin to end
	var d tarok.Deal
	for i, cards := range tarokDealt {
		d.Hands[i] = tarokSet(src, cards)
	}
	for i, name := range strings.Fields(tarokTalon) {
		d.Talon[i] = tarokCard(src, name)
	}
	table := must[players.Table](src)(players.NewTable(d, tarok.DefaultRules, [3]int{}))
	var trick []laid
	see := func(does, cards string) *moment {
		m := moment{Does: does, Cards: cards, Table: append([]laid{}, trick...)}
		p := table.Position()
		for _, player := range tarok.Players() {
			cards := d.Hands[player]
			if table.Phase() >= players.ToAnnounce {
				cards = p.Hand(player)
			}
			m.Rows = append(m.Rows, join(tarokHeld(cards)))
		}
		if table.Phase() == players.ToPlay || table.Phase() == players.Finished {
			m.Sums = []int{tarok.Points(p.Thirds())}
		}
		if table.Phase() == players.ToPlay {
			m.Turn, m.May = p.Turn().String(), join(tarokHeld(p.Legal()))
		}
		hand = append(hand, m)
		return &hand[len(hand)-1]
	}
	act := func(does, cards string, a players.Action) *moment {
		by, _ := table.Turn()
		a.Phase = table.Phase()
		table = must[players.Table](src)(table.Act(a))
		m := see(does, cards)
		m.By = by.String()
		return m
	}
	see("deal", "")
	for word := range strings.FieldsSeq(tarokBids) {
		act("bid", word, players.Action{Bid: must[tarok.Bid](src)(tarok.ParseBid(word))})
	}
	for _, c := range d.Talon {
		trick = append(trick, laid{"", c.String()})
	}
	see("talon", "").By = "B"
	trick = trick[2:]
	act("exchange", "DQ CC", players.Action{Discards: tarokSet(src, "DQ CC")})
	trick = nil
	act("announce", "trula", players.Action{Words: players.Words{Bonuses: [4]bool{tarok.AllTrula: true}}})
	for table.Phase() == players.ToAnnounce {
		table = must[players.Table](src)(table.Act(players.Action{Phase: players.ToAnnounce}))
	}
	hand[len(hand)-1] = *see("announce", "trula")
	hand = hand[:len(hand)-1]
	hand[len(hand)-1].By = "B"
	for name := range strings.FieldsSeq(tarokPlayed) {
		by, _ := table.Turn()
		before := table.Position()
		trick = append(trick, laid{by.String(), name})
		m := act("play", name, players.Action{Card: tarokCard(src, name)})
		if p := table.Position(); len(trick) == 3 {
			last, _ := p.Last()
			m.Won, trick = last.Winner.String(), nil
			m.Trick = tarok.Points((p.Won(last.Winner) &^ before.Won(last.Winner)).Thirds())
		}
	}
	s := must[tarok.Score](src)(table.Score())
	if !s.Won {
		src.Errorf("the example of tarok is not a hand that is made")
	}
	end := see("end", "")
	end.Melds = s.Total[tarok.B]
	end.Sums = []int{s.Points[tarok.B], s.Game, s.Difference, s.Bonuses[tarok.AllKings], s.Bonuses[tarok.AllTrula]}
	return hand
}

// tarokHeld are cards as a player holds them: taroks first, then the suits; the highest first.
func tarokHeld(s tarok.Set) []tarok.Card {
	list := s.Slice()
	slices.SortFunc(list, func(a, b tarok.Card) int { return cmp.Or(cmp.Compare(a.Suit(), b.Suit()), cmp.Compare(b, a)) })
	return list
}
