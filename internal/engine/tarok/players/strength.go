package players

import (
	"roem/internal/engine/tarok"
)

// Strength estimates how good a hand is for its declarer before the exchange, in tarok-like units: a tarok counts 1, a high one up to 2.
// The numbers are rules of thumb.
func Strength(hand tarok.Set) (sum float64) {
	taroks := hand.InSuit(tarok.Taroks)
	sum = float64(taroks.Len())
	for c := range (taroks &^ tarok.Trula).All() {
		sum += max(0, float64(c)-10) * 0.07
	}
	if hand.Has(tarok.Skis) {
		sum += 1.5
	}
	if hand.Has(tarok.Mond) {
		sum += 1.2
	}
	if hand.Has(tarok.Pagat) && taroks.Len() < 6 {
		sum -= 0.5
	}
	for _, s := range tarok.Suits() {
		cards := hand.InSuit(s)
		king, queen := cards.Has(tarok.Of(s, 7)), cards.Has(tarok.Of(s, 6))
		switch n := cards.Len(); {
		case n == 0:
			sum += 0.8
		case n == 1 && !king:
			sum += 0.3
		case n > 4:
			sum -= 0.3 * float64(n-4)
		}
		if king {
			sum += 1.1
		}
		if queen && king {
			sum += 0.5
		}
	}
	return sum
}

// Exchange is a group of the talon and discards.
type Exchange struct {
	Group    int
	Discards tarok.Set
	Worth    float64 // by rules of thumb: the strength of the hand afterwards, and the value of the discards
}

// thirdsPerStrength is how many thirds of a point in the discards count as much as one unit of strength.
const thirdsPerStrength = 9

// BestExchange returns the best exchange by rules of thumb, for a hand before it.
func BestExchange(hand tarok.Set, talon []tarok.Card, c tarok.Contract) Exchange {
	best := Exchange{Worth: -1000}
	Exchanges(hand, talon, c, func(e Exchange) {
		if e.Worth > best.Worth {
			best = e
		}
	})
	return best
}

// Exchanges calls yield with every way to take a group of the talon and to discard.
func Exchanges(hand tarok.Set, talon []tarok.Card, c tarok.Contract, yield func(Exchange)) {
	n := c.Exchange()
	for group := range c.Groups() {
		taken := tarok.SetOf(talon[group*n : (group+1)*n]...)
		// What is left in the talon counts for the opponents.
		left := float64((tarok.SetOf(talon...) &^ taken).Thirds()) / (2 * thirdsPerStrength)
		discards(hand|taken, n, func(e Exchange) {
			e.Group = group
			e.Worth -= left
			yield(e)
		})
	}
}

// discards calls yield with every set of n cards of the hand that may be discarded.
func discards(hand tarok.Set, n int, yield func(Exchange)) {
	plain := tarok.Discards(hand)
	if plain.InSuit(tarok.Taroks) != 0 { // no card of a suit may be discarded
		plain = 0
	}
	if plain.Len() >= n {
		choose(plain, n, 0, func(gone tarok.Set) { yield(exchangeOf(hand, gone)) })
		return
	}
	choose(tarok.Discards(hand&^plain), n-plain.Len(), plain, func(gone tarok.Set) { yield(exchangeOf(hand, gone)) })
}

// choose calls yield with each choice of n cards of a set, together with the cards chosen before.
func choose(from tarok.Set, n int, with tarok.Set, yield func(tarok.Set)) {
	if n == 0 {
		yield(with)
		return
	}
	for rest := from; rest.Len() >= n; {
		c := rest.First()
		rest = rest.Without(c)
		choose(rest, n-1, with.With(c), yield)
	}
}

func exchangeOf(hand, gone tarok.Set) Exchange {
	return Exchange{Discards: gone, Worth: Strength(hand&^gone) + float64(gone.Thirds())/thirdsPerStrength}
}
