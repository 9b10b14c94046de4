package ginrummy

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/match"
	"roem/internal/lab/learn/svgplot"
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
func RunProbes(ctx context.Context, e Estimator, n int, seed uint64) (Probes, error) {
	rng := random.New(seed, 0x70726f6265)
	var all probes
	for range n {
		if err := all.add(e, rng); err != nil {
			return Probes{}, err
		}
	}
	p := Probes{Situations: n, FiveForTen: match.MeanOf(all.five), Own: match.MeanOf(all.own), Twos: match.MeanOf(all.twos)}
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

// Markdown returns the probes, with what the paper has for its forest.
func (p *Probes) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d situations.\n\n| change | of the probability of | here | the paper's forest |\n|---|---|---|---|\n", p.Situations)
	paper := [ginrummy.Ranks]string{
		"0.02", "0.03", "0.02", "0.02", "0.02", "0.01", "0.01", "-0.01", "-0.06", "-0.02", "-0.02", "0.002",
		"-0.01",
	}
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
	row("all four twos are discarded, not four other cards", "the twos", p.Twos, "-0.025")
	b.WriteString("\nHow the probabilities of the cards that are not known are spread, by tenths:\n\n| rows |")
	for i := range tenths {
		fmt.Fprintf(&b, " %d to %d %% |", 100*i/tenths, 100*(i+1)/tenths)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", tenths) + "\n")
	for i, stage := range []string{"after the first discard", fmt.Sprintf("endgame, at most %d cards in the stock", endgameStock)} {
		b.WriteString("| " + stage + " |")
		for _, share := range p.Density[i] {
			fmt.Fprintf(&b, " %.1f %% |", 100*share)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Plot draws the density.
func (p *Probes) Plot() []byte {
	const width, height, left, right, top, bottom = 560, 360, 70, 30, 60, 60
	most := 0.0
	for _, shares := range p.Density {
		for _, share := range shares {
			most = max(most, share)
		}
	}
	d := svgplot.New(width, height, "Estimate of the cards that are not known",
		"For each tenth, the share of the cards whose probability is in it: after the first discard, and in the endgame.")
	x := svgplot.Scale{From: 0, To: tenths, Start: left, Stop: width - right}
	y := svgplot.Scale{From: 0, To: most, Start: height - bottom, Stop: top}
	for i := range tenths + 1 {
		d.Text(x.At(float64(i)), height-bottom+20, svgplot.Middle, svgplot.Muted, "", fmt.Sprintf("%d %%", 100*i/tenths))
	}
	for tenth := 0; float64(tenth)/tenths <= most; tenth++ {
		share := float64(tenth) / tenths
		d.Line(left, y.At(share), width-right, y.At(share), svgplot.Grid, 1, false)
		d.Text(left-8, y.At(share)+4, svgplot.End, svgplot.Muted, "", fmt.Sprintf("%d %%", 100*tenth/tenths))
	}
	for i, stage := range []string{"after the first discard", "endgame"} {
		tone := []svgplot.Tone{svgplot.Blue, svgplot.Orange}[i]
		var points []svgplot.Point
		for tenth, share := range p.Density[i] {
			points = append(points, svgplot.Point{X: x.At(float64(tenth) + 0.5), Y: y.At(share)})
		}
		for _, point := range points {
			d.Dot(point, 2.5, tone)
		}
		d.Polyline(points, tone, 1.5)
		at := float64(top + 20 + 20*i)
		d.Line(width-right-190, at-4, width-right-166, at-4, tone, 2, false)
		d.Text(width-right-158, at, svgplot.Start, svgplot.Ink, "", stage)
	}
	d.Text((left+width-right)/2, height-14, svgplot.Middle, svgplot.Ink, "", "probability that the opponent holds the card")
	return d.Bytes()
}
