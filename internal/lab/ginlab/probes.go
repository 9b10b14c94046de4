package ginlab

import (
	"errors"
	"fmt"
	"strings"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/match"
	"roem/internal/random"
)

// Probes are the experiments of the paper's section "What Does the Random Forest Classifier Do?", on situations that can occur: a change of what the opponent
// discarded or took, and how the mean probability of cards changes with it.
type Probes struct {
	Situations int
	// NineForQueen is, by rank, the change of the mean probability of its other cards when the opponent's last discard is a 9 in place of a queen.
	NineForQueen [ginrummy.Ranks]match.Estimate
	// FiveForTen is the change of the mean probability of the fives when it discards a 5 in place of a 10.
	FiveForTen match.Estimate
	// TakesFive is, by what it concerns, the change when the opponent took a 5 in place of a 10: the other fives, and the 6, 7, 8 and 9 of the suit.
	TakesFive [5]match.Estimate
	// Own is the change of the mean probability of a rank for the opponent when the player has one more card of it.
	Own match.Estimate
}

// probe is a round as the player sees it: the first card turned up is taken or refused by the opponent, who then discards.
func probe(own ginrummy.Set, upcard ginrummy.Card, taken bool, discards []ginrummy.Card, stock []ginrummy.Card) (*Row, error) {
	s := ginrummy.Situation{Starter: ginrummy.Opponent, Upcard: upcard, Own: own}
	add := func(seat ginrummy.Seat, kind ginrummy.Kind, c ginrummy.Card) {
		s.Events = append(s.Events, ginrummy.Event{Seat: seat, Kind: kind, Card: c})
	}
	first := 0
	if taken {
		add(ginrummy.Opponent, ginrummy.Take, upcard)
		add(ginrummy.Opponent, ginrummy.Discard, discards[0])
		first = 1
	} else {
		add(ginrummy.Opponent, ginrummy.Pass, ginrummy.NoCard)
		add(ginrummy.Me, ginrummy.Pass, ginrummy.NoCard)
	}
	for i, c := range discards[first:] {
		if taken || i > 0 { // the player draws a card and discards it
			add(ginrummy.Me, ginrummy.Stock, stock[i])
			add(ginrummy.Me, ginrummy.Discard, stock[i])
		}
		add(ginrummy.Opponent, ginrummy.Stock, ginrummy.NoCard)
		add(ginrummy.Opponent, ginrummy.Discard, c)
	}
	v, err := s.View()
	return &Row{View: v}, err
}

// RunProbes makes the probes of an estimator in n situations.
func RunProbes(e Estimator, n int, seed uint64) (Probes, error) {
	rng := random.New(seed, 0x70726f6265)
	var (
		byRank  [ginrummy.Ranks][]float64
		five    []float64
		takes   [5][]float64
		own     []float64
		queen   = ginrummy.Queen
		nine    = ginrummy.Rank(8)
		ten     = ginrummy.Ten
		fives   = ginrummy.Rank(4)
		failed  error
		special = ginrummy.OfRank(queen) | ginrummy.OfRank(nine) | ginrummy.OfRank(ten) | ginrummy.OfRank(fives)
	)
	for len(five) < n {
		suit := ginrummy.Suit(random.Below(rng, 4))
		cards := (ginrummy.Deck &^ special).Slice()
		random.Shuffle(rng, cards)
		hand := ginrummy.SetOf(cards[:10]...)
		upcard, discards, stock := cards[10], cards[11:14], cards[14:20]
		made := func(row *Row, err error) *Row {
			failed = errors.Join(failed, err)
			return row
		}
		last := func(r ginrummy.Rank) *Row {
			return made(probe(hand, upcard, false, append(append([]ginrummy.Card(nil), discards...), ginrummy.Of(suit, r)), stock))
		}
		took := func(r ginrummy.Rank) *Row {
			return made(probe(hand, ginrummy.Of(suit, r), true, discards, stock))
		}
		q9, qq, q5, q10 := e.Of(last(nine)), e.Of(last(queen)), e.Of(last(fives)), e.Of(last(ten))
		for r := range ginrummy.Rank(ginrummy.Ranks) {
			cards := ginrummy.OfRank(r).Without(ginrummy.Of(suit, nine)).Without(ginrummy.Of(suit, queen)) // not those that were discarded
			byRank[r] = append(byRank[r], (sumOf(&q9, cards)-sumOf(&qq, cards))/float64(cards.Len()))
		}
		others := ginrummy.OfRank(fives).Without(ginrummy.Of(suit, fives))
		five = append(five, (sumOf(&q5, others)-sumOf(&q10, others))/3)
		t5, t10 := e.Of(took(fives)), e.Of(took(ten))
		takes[0] = append(takes[0], (sumOf(&t5, others)-sumOf(&t10, others))/3)
		for i := 1; i < 5; i++ {
			c := ginrummy.Of(suit, fives+ginrummy.Rank(i))
			takes[i] = append(takes[i], t5[c]-t10[c])
		}
		to := cards[20:][random.Below(rng, uint64(len(cards)-20))]
		before, after := e.Of(made(probe(hand, upcard, false, discards, stock))), e.Of(made(probe(hand.Without(hand.First()).With(to), upcard, false, discards, stock)))
		same := ginrummy.OfRank(to.Rank()).Without(to)
		own = append(own, (sumOf(&after, same)-sumOf(&before, same))/3)
		if failed != nil {
			return Probes{}, failed
		}
	}
	p := Probes{Situations: n, FiveForTen: match.MeanOf(five), Own: match.MeanOf(own)}
	for r := range byRank {
		p.NineForQueen[r] = match.MeanOf(byRank[r])
	}
	for i := range takes {
		p.TakesFive[i] = match.MeanOf(takes[i])
	}
	return p, nil
}

func sumOf(p *Estimate, cards ginrummy.Set) (sum float64) {
	for c := range cards.All() {
		sum += p[c]
	}
	return sum
}

// Markdown returns the probes, with what the paper has for its forest.
func (p *Probes) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d situations.\n\n| change | of the probability of | here | the paper's forest |\n|---|---|---|---|\n", p.Situations)
	paper := [ginrummy.Ranks]string{"0.02", "0.03", "0.02", "0.02", "0.02", "0.01", "0.01", "-0.01", "-0.06", "-0.02", "-0.02", "0.002", "-0.01"}
	row := func(change, of string, e match.Estimate, paper string) {
		fmt.Fprintf(&b, "| %s | %s | %+.4f ± %.4f | %s |\n", change, of, e.Mean, e.High-e.Mean, paper)
	}
	for r, e := range p.NineForQueen {
		row("the opponent's last discard is a 9, not a queen", "rank "+ginrummy.Rank(r).String(), e, paper[r])
	}
	row("it is a 5, not a 10", "rank 5", p.FiveForTen, "-0.009")
	for i, of := range []string{"the other fives", "the 6 of the suit", "the 7", "the 8", "the 9"} {
		row("the opponent took a 5, not a 10", of, p.TakesFive[i], []string{"0.026", "0.02", "0.006", "-0.07", "-0.1"}[i])
	}
	row("one more own card of a rank", "its other cards", p.Own, "-0.015")
	return b.String()
}
