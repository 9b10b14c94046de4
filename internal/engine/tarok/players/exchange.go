package players

import (
	"math"

	"roem/internal/engine/tarok"
)

// choice is which cards of a suit are discarded, as a byte, and what they and the rest are worth.
type choice struct {
	worth float64
	gone  uint8
}

// choices are for each set of the cards of a suit, as a byte, and each number of discards the best ones. The strength of a hand is a sum
// over its suits, and so is the value of the discards.
var choices = func() (out [256][4]choice) {
	const at = 24 // hearts
	for cards := range out {
		for n := range out[cards] {
			out[cards][n].worth = math.Inf(-1)
		}
		for gone := cards; ; gone = (gone - 1) & cards {
			set := tarok.Set(gone) << at
			if n := set.Len(); n < 4 && set&tarok.Kings == 0 {
				worth := suitWorth(tarok.Set(cards&^gone)<<at, set)
				if worth > out[cards][n].worth {
					out[cards][n] = choice{worth, uint8(gone)}
				}
			}
			if gone == 0 {
				break
			}
		}
	}
	return out
}()

// FastExchange returns an exchange that is worth as much as the exchange of BestExchange, about a hundred times faster.
func FastExchange(hand tarok.Set, talon []tarok.Card, c tarok.Contract) Exchange {
	best, n := Exchange{Worth: math.Inf(-1)}, c.Exchange()
	all := tarok.SetOf(talon...)
	for group := range c.Groups() {
		taken := tarok.SetOf(talon[group*n : (group+1)*n]...)
		have := hand | taken
		if tarok.Discards(have).InSuit(tarok.Taroks) != 0 || tarok.Discards(have).Len() < n {
			return BestExchange(hand, talon, c) // taroks are discarded: rare
		}
		gone, worth := fewest(have, n)
		worth += Strength(have.InSuit(tarok.Taroks)) - float64((all&^taken).Thirds())/(2*thirdsPerStrength)
		if worth > best.Worth {
			best = Exchange{Group: group, Discards: gone, Worth: worth}
		}
	}
	return best
}

// fewest returns the best discards of the suits, and what they and the rest of the suits are worth.
func fewest(have tarok.Set, n int) (best tarok.Set, most float64) {
	var worth [4]float64
	var gone [4]tarok.Set
	for i := range worth[1:] {
		worth[i+1] = math.Inf(-1)
	}
	for _, s := range tarok.Suits() {
		shift := 16 + 8*uint(s)
		rows := &choices[uint8(have>>shift)]
		var nextWorth [4]float64
		var nextGone [4]tarok.Set
		for to := range nextWorth {
			nextWorth[to] = math.Inf(-1)
			for k, row := range rows[:to+1] {
				if w := worth[to-k] + row.worth; w > nextWorth[to] {
					nextWorth[to], nextGone[to] = w, gone[to-k]|tarok.Set(row.gone)<<shift
				}
			}
		}
		worth, gone = nextWorth, nextGone
	}
	return gone[n&3], worth[n&3]
}
