package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/score"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/engine/tarok"
	"roem/internal/pages"
)

// gameFacts is what the page of the rules shows of a game and does not say itself: numbers, the order and points of cards, and a hand.
type gameFacts struct {
	Numbers  map[string]int    `json:"numbers"`  // which the texts name
	Switches map[string]string `json:"switches"` // what the rules are, unless a request says otherwise
	Orders   map[string]order  `json:"orders"`   // cards from the strongest, by what they are
	Shown    map[string]string `json:"shown"`    // cards that the pictures show
	Hand     []moment          `json:"hand"`
}

// order is cards in an order, with what each counts, in thirds of a point in tarok.
type order struct {
	Cards  []string `json:"cards"`
	Points []int    `json:"points"`
}

// moment is a step of the example hand: what was done, and how the table stands after it.
type moment struct {
	Does  string   `json:"does"` // which sentence says it
	By    string   `json:"by,omitempty"`
	Cards string   `json:"cards,omitempty"` // which cards it was done with
	Rows  []string `json:"rows"`            // the cards of each player; + follows a card that lies on another one
	May   string   `json:"may,omitempty"`   // the cards that the next player may play
	Table []laid   `json:"table"`
	Turn  string   `json:"turn,omitempty"` // who is next
	Won   string   `json:"won,omitempty"`  // who has won the trick on the table
	Sums  []int    `json:"sums,omitempty"` // what each side has so far
	Trick int      `json:"trick,omitempty"`
	Melds int      `json:"melds,omitempty"` // of the trick
}

type laid struct {
	By   string `json:"by"`
	Card string `json:"card"`
}

// facts is what the page of the rules takes every number and the example hands from: what the engines say.
func facts(src *pages.Source) string {
	text, err := json.MarshalIndent(map[string]gameFacts{
		"klaverjas": klaverjasFacts(src), "belote": beloteFacts(src), "gin-rummy": ginFacts(src), "tarok": tarokFacts(src),
	}, "", " ")
	if err != nil {
		src.Fatal(err)
	}
	return string(text) + "\n"
}

// facesBy returns the faces of a suit from the strongest, with their points.
func facesBy(s piquet.Suit, strength, points func(piquet.Card) int) (o order) {
	o.Cards, o.Points = make([]string, 8), make([]int, 8)
	for _, f := range piquet.Faces() {
		c := piquet.Of(s, f)
		o.Cards[7-strength(c)], o.Points[7-strength(c)] = c.String(), points(c)
	}
	return o
}

func klaverjasFacts(src *pages.Source) gameFacts {
	r := klaverjas.DefaultRules(klaverjas.Rotterdam)
	const trump = piquet.Hearts
	by := func(s piquet.Suit) order {
		return facesBy(s, func(c piquet.Card) int { return klaverjas.Strength(c, trump) & 7 },
			func(c piquet.Card) int { return klaverjas.Points(c, trump) })
	}
	shown := map[string]string{
		"three": "QC KC AC 7D", "four": "8S 9S 10S JS", "pair": "KH QH 7C 9D", "both": "QH KH AH 7D", "same": "KC KD KH KS",
	}
	numbers := map[string]int{
		"last": klaverjas.LastTrick, "all": klaverjas.AllTricks, "cards": klaverjas.AllTricks - klaverjas.LastTrick, "pit": r.Pit.Declarers,
		"pitDefenders": r.Pit.Defenders, "hand": klaverjas.HandSize, "deck": piquet.Deck.Len(),
		"half": klaverjas.AllTricks / 2, "win": klaverjas.AllTricks/2 + 1,
	}
	for name, cards := range shown {
		numbers[name] = r.Meld(setOf(src, cards), trump)
	}
	return gameFacts{
		Numbers: numbers,
		Switches: map[string]string{
			"system": r.System.String(), "under_ruff": r.UnderRuff.String(), "nat_melds": r.NatMelds.String(), "melds": fmt.Sprint(r.Melds),
			"four_of_a_kind": strconv.Itoa(r.FourOfAKind[piquet.King]), "pit": fmt.Sprintf("%d / %d", r.Pit.Declarers, r.Pit.Defenders),
		},
		Orders: map[string]order{"trump": by(trump), "plain": by(piquet.Clubs)},
		Shown:  shown,
		Hand:   klaverjasHand(src),
	}
}

func beloteFacts(src *pages.Source) gameFacts {
	suits := piquet.Suits()
	deck, trump := belote.Deck(suits[:]...), belote.TrumpOf(piquet.Spades)
	by := func(tr belote.Trump, s piquet.Suit) order {
		return facesBy(s, func(c piquet.Card) int { return tr.Strength(c) & 7 }, tr.Points)
	}
	numbers := map[string]int{
		"last": belote.LastTrick, "all": trump.Total(deck), "allPlain": belote.NoTrump.Total(deck),
		"need": trump.DefaultThreshold(deck), "belote": beloteBonus(src), "stacks": belote.MaxStacks, "deck": deck.Len(),
		"acePlain": belote.NoTrump.Points(piquet.Of(piquet.Clubs, piquet.Ace)),
	}
	return gameFacts{
		Numbers:  numbers,
		Switches: map[string]string{"contract": score.Paper.String(), "trump": "bidding", "threshold": strconv.Itoa(numbers["need"])},
		Orders:   map[string]order{"trump": by(trump, piquet.Spades), "plain": by(trump, piquet.Clubs)},
		Shown:    map[string]string{"belote": "KS QS"},
		Hand:     beloteHand(src),
	}
}

func ginFacts(src *pages.Source) gameFacts {
	points := order{}
	for _, c := range []string{"AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "10S", "JS", "QS", "KS"} {
		points.Cards, points.Points = append(points.Cards, c), append(points.Points, ginSet(src, c).Points())
	}
	hand := "5H 6H 7H | KC KD KS | AH 2C 2D 9S"
	var best ginrummy.Arrangement
	for _, m := range []string{"5H 6H 7H", "KC KD KS"} {
		if !isMeld(src, m) {
			src.Errorf("%s is no meld", m)
		}
	}
	best, _ = ginrummy.ArrangementOf([]ginrummy.Set{ginSet(src, "5H 6H 7H"), ginSet(src, "KC KD KS")})
	shown := map[string]string{
		"run": "5H 6H 7H", "set": "KC KD KS", "low": "AC 2C 3C", "none": "QD KD AD", "rest": "AH 2C 2D 9S", "hand": hand,
	}
	if !isMeld(src, shown["low"]) || isMeld(src, shown["none"]) {
		src.Errorf("the ace is not low only")
	}
	if best.Deadwood(ginSet(src, strings.ReplaceAll(hand, "|", ""))) != ginSet(src, shown["rest"]).Points() {
		src.Errorf("the rest of the hand is another one")
	}
	return gameFacts{
		Numbers: map[string]int{
			"hand": ginrummy.HandSize, "knock": ginrummy.MaxDeadwood, "gin": ginrummy.GinBonus, "undercut": ginrummy.UndercutBonus,
			"game": ginrummy.GameScore, "stock": ginrummy.StockSize, "least": ginrummy.LeastStock, "deck": ginrummy.DeckSize,
			"rest": ginSet(src, shown["rest"]).Points(), "face": ginSet(src, "KS").Points(),
		},
		Switches: map[string]string{"lay_offs": ginrummy.BestLayOffs.String()},
		Orders:   map[string]order{"cards": points},
		Shown:    shown,
		Hand:     ginHand(src),
	}
}

func tarokFacts(src *pages.Source) gameFacts {
	of := func(cards ...string) (o order) {
		for _, name := range cards {
			if name == "" { // those between are left out
				o.Cards, o.Points = append(o.Cards, ""), append(o.Points, 0)
				continue
			}
			c := tarokCard(src, name)
			o.Cards, o.Points = append(o.Cards, c.String()), append(o.Points, (c.Thirds()+2)/3)
		}
		return o
	}
	strongest := func(s tarok.Suit) (o order) {
		var cards []string
		for rank := 7; rank >= 0; rank-- {
			cards = append(cards, tarok.Of(s, rank).String())
		}
		return of(cards...)
	}
	r := tarok.DefaultRules
	numbers := map[string]int{
		"hand": tarok.HandSize, "all": tarok.Points(tarok.Total), "thirds": tarok.Total, "mond": r.Mond, "kontra": 1 << tarok.MaxKontra,
		"pagatLost": -r.LostPagat(tarok.Declarers), "deck": 54, "taroks": 22, "half": tarok.Points(tarok.Total) / 2,
	}
	for _, c := range tarok.Contracts() {
		numbers[c.String()] = c.Value()
	}
	for _, b := range tarok.Bonuses() {
		numbers["b_"+b.String()], numbers["a_"+b.String()] = b.Silent(), 2*b.Silent() // an announced one scores twice that
	}
	count := of("HK", "HQ", "T9")
	numbers["c1"], numbers["c2"], numbers["c3"] = count.Points[0], count.Points[1], count.Points[2]
	numbers["example"] = tarok.Points(tarokSet(src, "HK HQ T9").Thirds())
	if r != (tarok.Rules{Mond: r.Mond}) {
		src.Errorf("the switches of tarok have other defaults than the page says")
	}
	if i := r.Winner([]tarok.Card{tarok.Skis, tarok.Mond, tarok.Pagat}); i != 2 {
		src.Errorf("the pagat does not win the trick of the trula")
	}
	return gameFacts{
		Numbers: numbers,
		Switches: map[string]string{
			"bidding": "forehand_first", "lead": "forehand", "emperor": "true", "difference": "exact", "mond": strconv.Itoa(r.Mond),
			"valat_kontra": "true", "defenders_pagat": "true",
		},
		Orders: map[string]order{
			"taroks": of("T22", "T21", "T20", "T19", "", "T3", "T2", "T1"), "red": strongest(tarok.Hearts), "black": strongest(tarok.Spades),
			"points": of("SK", "T22", "T21", "T1", "SQ", "SC", "SJ", "S7", "T9"),
		},
		Shown: map[string]string{"count": "HK HQ T9", "emperor": "T22 T21 T1", "kings": "HK DK SK CK", "trula": "T1 T21 T22"},
		Hand:  tarokHand(src),
	}
}
