package ginrummy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/match"
	"roem/internal/model/ginrummy/forest"
	"roem/internal/random"
)

// Probes are the experiments of the paper's section "What Does the Random Forest Classifier Do?", on situations that can occur: a change
// of what the opponent discarded or took, and how the mean probability of cards changes with it.
type Probes struct {
	Situations int
	// NineForQueen is, by rank, the change of the mean probability of its other cards when the opponent's last discard is a 9 in place of a
	// queen.
	NineForQueen [ginrummy.Ranks]match.Estimate
	// FiveForTen is the change of the mean probability of the fives when it discards a 5 in place of a 10.
	FiveForTen match.Estimate
	// TakesFive is, by what it concerns, the change when the opponent took a 5 in place of a 10: the other fives, and the 6, 7, 8 and 9 of
	// the suit.
	TakesFive [5]match.Estimate
	// Fives is the change of the mean probability of all fives when the opponent took a 5 in place of a 10, with the one that it took.
	Fives match.Estimate
	// Swap is the median, over rows of rounds of two simple players, of the correlation between the probabilities and those after an exchange
	// of two suits, with an interval of 95 % of the median (order statistics). A constant estimate has none.
	Swap match.Estimate
	// Own is the change of the mean probability of a rank for the opponent when the player has one more card of it.
	Own match.Estimate
	// Twos is the change of the mean probability of the twos when the opponent and the player have discarded all four of them, in place of
	// four other cards.
	Twos match.Estimate
	// Density is, for rows after the first discard and for rows of the endgame, the share of the cards that are not known whose probability
	// is in each tenth.
	Density [2][tenths]float64
}

const tenths = 10

// endgameStock is the most cards in the stock of a row of the endgame.
const endgameStock = 8

// probe is a round as the player sees it: the first card turned up is taken or refused by the opponent, who then discards.
func probe(own ginrummy.Set, upcard ginrummy.Card, taken bool, discards []ginrummy.Card, stock []ginrummy.Card) (*Row, error) {
	s := ginrummy.Situation{Starter: ginrummy.B, Upcard: upcard, Own: own}
	add := func(seat ginrummy.Seat, kind ginrummy.Kind, c ginrummy.Card) {
		s.Events = append(s.Events, ginrummy.Event{Seat: seat, Kind: kind, Card: c})
	}
	first := 0
	if taken {
		add(ginrummy.B, ginrummy.Take, upcard)
		add(ginrummy.B, ginrummy.Discard, discards[0])
		first = 1
	} else {
		add(ginrummy.B, ginrummy.Pass, ginrummy.NoCard)
		add(ginrummy.A, ginrummy.Pass, ginrummy.NoCard)
	}
	for i, c := range discards[first:] {
		if taken || i > 0 { // the player draws a card and discards it
			add(ginrummy.A, ginrummy.Stock, stock[i])
			add(ginrummy.A, ginrummy.Discard, stock[i])
		}
		add(ginrummy.B, ginrummy.Stock, ginrummy.NoCard)
		add(ginrummy.B, ginrummy.Discard, c)
	}
	v, err := s.View()
	return &Row{View: v}, err
}

// RunProbes makes the probes of an estimator in n situations.
func RunProbes(ctx context.Context, e Estimator, n int, seed uint64) (Probes, error) {
	rng := random.New(seed, 0x70726f6265)
	var all probes
	for range n {
		if err := all.add(e, rng); err != nil {
			return Probes{}, err
		}
	}
	p := Probes{
		Situations: n, FiveForTen: match.MeanOf(all.five), Own: match.MeanOf(all.own), Twos: match.MeanOf(all.twos),
		Fives: match.MeanOf(all.fives),
	}
	var failed error
	if p.Swap, failed = swaps(ctx, e, n, seed); failed != nil {
		return Probes{}, failed
	}
	for i, stage := range []func(*ginrummy.View) bool{
		func(v *ginrummy.View) bool { return v.Turns <= 1 }, func(v *ginrummy.View) bool { return v.Stock <= endgameStock },
	} {
		var err error
		if p.Density[i], err = density(ctx, e, n, seed, stage); err != nil {
			return Probes{}, err
		}
	}
	for r := range all.byRank {
		p.NineForQueen[r] = match.MeanOf(all.byRank[r])
	}
	for i := range all.takes {
		p.TakesFive[i] = match.MeanOf(all.takes[i])
	}
	return p, nil
}

// probes are the changes of probabilities in each situation.
type probes struct {
	byRank          [ginrummy.Ranks][]float64
	takes           [5][]float64
	five, own, twos []float64
	fives           []float64
}

// add draws a situation and changes what the opponent did in it.
func (p *probes) add(e Estimator, rng *rand.Rand) (failed error) {
	const queen, nine, ten, fives = ginrummy.Queen, ginrummy.Rank(8), ginrummy.Ten, ginrummy.Rank(4)
	two := ginrummy.OfRank(1)
	special := two | ginrummy.OfRank(queen) | ginrummy.OfRank(nine) | ginrummy.OfRank(ten) | ginrummy.OfRank(fives)
	suit := ginrummy.Suit(random.Below(rng, 4))
	cards := (ginrummy.Deck &^ special).Slice()
	random.Shuffle(rng, cards)
	hand := ginrummy.SetOf(cards[:10]...)
	upcard, discards, stock := cards[10], cards[11:14], cards[14:20]
	of := func(hand ginrummy.Set, upcard ginrummy.Card, took bool, discards []ginrummy.Card) Estimate {
		row, err := probe(hand, upcard, took, discards, stock)
		failed = errors.Join(failed, err)
		return e.Of(row)
	}
	last := func(r ginrummy.Rank) Estimate {
		return of(hand, upcard, false, append(append([]ginrummy.Card(nil), discards...), ginrummy.Of(suit, r)))
	}
	q9, qq, q5, q10 := last(nine), last(queen), last(fives), last(ten)
	for r := range ginrummy.Rank(ginrummy.Ranks) {
		cards := ginrummy.OfRank(r).Without(ginrummy.Of(suit, nine)).Without(ginrummy.Of(suit, queen)) // not those that were discarded
		p.byRank[r] = append(p.byRank[r], (sumOf(&q9, cards)-sumOf(&qq, cards))/float64(cards.Len()))
	}
	others := ginrummy.OfRank(fives).Without(ginrummy.Of(suit, fives))
	p.five = append(p.five, (sumOf(&q5, others)-sumOf(&q10, others))/3)
	t5, t10 := of(hand, ginrummy.Of(suit, fives), true, discards), of(hand, ginrummy.Of(suit, ten), true, discards)
	p.takes[0] = append(p.takes[0], (sumOf(&t5, others)-sumOf(&t10, others))/3)
	all5 := others.With(ginrummy.Of(suit, fives))
	p.fives = append(p.fives, (sumOf(&t5, all5)-sumOf(&t10, all5))/4)
	for i := 1; i < 5; i++ {
		c := ginrummy.Of(suit, fives+ginrummy.Rank(i))
		p.takes[i] = append(p.takes[i], t5[c]-t10[c])
	}
	to := cards[20:][random.Below(rng, uint64(len(cards)-20))]
	before, after := of(hand, upcard, false, discards), of(hand.Without(hand.First()).With(to), upcard, false, discards)
	same := ginrummy.OfRank(to.Rank()).Without(to)
	p.own = append(p.own, (sumOf(&after, same)-sumOf(&before, same))/3)
	discarded, instead := of(hand, upcard, false, two.Slice()), of(hand, upcard, false, cards[20:24])
	p.twos = append(p.twos, (sumOf(&discarded, two)-sumOf(&instead, two))/4)
	return failed
}

// density returns how the probabilities of cards that are not known are spread, over n rows of rounds of two simple players at a stage. It
// is the share in each tenth.
func density(ctx context.Context, e Estimator, n int, seed uint64, stage func(*ginrummy.View) bool) (shares [tenths]float64, err error) {
	rows, of := 0, 0.0
	for deal := uint64(0); rows < n; deal++ {
		if err := EachRow(ctx, seed, deal, deal+1, func(r *Row) {
			if r.Moment != AfterDiscard || rows == n || !stage(&r.View) {
				return
			}
			rows++
			p, seen := e.Of(r), r.View.Seen()
			for c := range seen.Unknown().All() {
				shares[min(int(tenths*p[c]), tenths-1)]++
				of++
			}
		}); err != nil {
			return shares, err
		}
	}
	for i := range shares {
		shares[i] /= of
	}
	return shares, nil
}

func sumOf(p *Estimate, cards ginrummy.Set) (sum float64) {
	for c := range cards.All() {
		sum += p[c]
	}
	return sum
}

// probeRow is a line of the table of probes.
type probeRow struct {
	change, of, paper string
	at                func(p *Probes) match.Estimate
}

// probeRows are the hypotheses of the paper's section, with what it found for its forest.
func probeRows() (rows []probeRow) {
	paper := [ginrummy.Ranks]string{
		"0.02", "0.03", "0.02", "0.02", "0.02", "0.01", "0.01", "-0.01", "-0.06", "-0.02", "-0.02", "0.002",
		"-0.01",
	}
	for r := range ginrummy.Rank(ginrummy.Ranks) {
		rows = append(rows, probeRow{
			"the opponent's last discard is a 9, not a queen", "rank " + r.String(), paper[r],
			func(p *Probes) match.Estimate { return p.NineForQueen[r] },
		})
	}
	rows = append(rows, probeRow{"it is a 5, not a 10", "rank 5", "-0.009", func(p *Probes) match.Estimate { return p.FiveForTen }},
		probeRow{"the opponent took a 5, not a 10", "the fives, with this one", "0.03", func(p *Probes) match.Estimate { return p.Fives }})
	for i, of := range []string{"the other fives", "the 6 of the suit", "the 7", "the 8", "the 9"} {
		rows = append(rows, probeRow{
			"the opponent took a 5, not a 10", of, []string{"0.026", "0.02", "0.006", "-0.07", "-0.1"}[i],
			func(p *Probes) match.Estimate { return p.TakesFive[i] },
		})
	}
	return append(rows,
		probeRow{"one more own card of a rank", "its other cards", "-0.015", func(p *Probes) match.Estimate { return p.Own }},
		probeRow{"all four twos are discarded, not four other cards", "the twos", "-0.025", func(p *Probes) match.Estimate { return p.Twos }})
}

// ProbesMarkdown returns the probes of some estimators as a table, with what the paper has for its forest, and the densities as another.
func ProbesMarkdown(names []string, all []Probes) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d situations.\n\n| change | of the probability of | the paper's forest |", all[0].Situations)
	for _, name := range names {
		fmt.Fprintf(&b, " %s |", name)
	}
	b.WriteString("\n|---|---|---|" + strings.Repeat("---|", len(names)) + "\n")
	for _, row := range probeRows() {
		fmt.Fprintf(&b, "| %s | %s | %s |", row.change, row.of, row.paper)
		for i := range all {
			e := row.at(&all[i])
			fmt.Fprintf(&b, " %+.4f ± %.4f |", e.Mean, e.High-e.Mean)
		}
		b.WriteByte('\n')
	}
	b.WriteString("| two suits are exchanged | correlation with the exchanged answer, median | 0.84 |")
	for i := range all {
		e := all[i].Swap
		fmt.Fprintf(&b, " %.3f (%.3f to %.3f) |", e.Mean, e.Low, e.High)
	}
	b.WriteString("\n\nHow the probabilities of the cards that are not known are spread, by tenths:\n\n| rows | estimate |")
	for i := range tenths {
		fmt.Fprintf(&b, " %d to %d %% |", 100*i/tenths, 100*(i+1)/tenths)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", tenths) + "\n")
	for i, stage := range []string{"after the first discard", fmt.Sprintf("endgame, at most %d cards in the stock", endgameStock)} {
		for k := range all {
			b.WriteString("| " + stage + " | " + names[k] + " |")
			for _, share := range all[k].Density[i] {
				fmt.Fprintf(&b, " %.1f %% |", 100*share)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// swaps returns the median correlation of the estimates of n rows with the estimates of the rows in which two suits are exchanged, back in
// the first order.
func swaps(ctx context.Context, e Estimator, n int, seed uint64) (match.Estimate, error) {
	rng := random.New(seed, 0x73776170)
	var list []float64
	for deal := uint64(0); len(list) < n; deal++ {
		if err := EachRow(ctx, seed, deal, deal+1, func(r *Row) {
			if r.Moment != AfterDiscard || len(list) == n || random.Below(rng, 8) > 0 {
				return
			}
			a := ginrummy.Suit(random.Below(rng, 4))
			b := (a + 1 + ginrummy.Suit(random.Below(rng, 3))) % 4
			order := forest.Order{0, 1, 2, 3}
			order[a], order[b] = b, a
			other := *r
			other.View = exchangeView(r.View, order)
			p, q := e.Of(r), e.Of(&other)
			var back Estimate
			for c := range ginrummy.Deck.All() {
				back[c] = q[ginrummy.Of(order[c.Suit()], c.Rank())]
			}
			list = append(list, correlation(&p, &back))
		}); err != nil {
			return match.Estimate{}, err
		}
	}
	slices.Sort(list)
	half := match.Z * math.Sqrt(float64(n)) / 2
	at := func(k float64) float64 { return list[min(max(int(k), 0), n-1)] }
	return match.Estimate{Mean: at(float64(n) / 2), Low: at(float64(n)/2 - half), High: at(float64(n)/2 + half)}, nil
}

// exchangeView returns what a player would have seen with other names of the suits.
func exchangeView(v ginrummy.View, order forest.Order) ginrummy.View {
	card := func(c ginrummy.Card) ginrummy.Card {
		if c == ginrummy.NoCard {
			return c
		}
		return ginrummy.Of(order[c.Suit()], c.Rank())
	}
	v.Own, v.Upcard, v.Top, v.Drawn = forest.Exchange(v.Own, order), card(v.Upcard), card(v.Top), card(v.Drawn)
	events := make([]ginrummy.Event, len(v.Events))
	for i, e := range v.Events {
		e.Card = card(e.Card)
		events[i] = e
	}
	v.Events = events
	return v
}

// correlation returns the correlation of two lists of probabilities; 1 if neither varies.
func correlation(p, q *Estimate) float64 {
	var x, y, xx, yy, xy float64
	n := float64(len(p))
	for i := range p {
		x, y, xx, yy, xy = x+p[i], y+q[i], xx+p[i]*p[i], yy+q[i]*q[i], xy+p[i]*q[i]
	}
	if spread := (xx - x*x/n) * (yy - y*y/n); spread > 0 {
		return (xy - x*y/n) / math.Sqrt(spread)
	}
	return 1
}
