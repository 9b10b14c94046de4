package players

import (
	"math"

	"roem/internal/engine/tarok"
)

// exchangeTemperature is by how many units of Worth an exchange must be better than another one to be e times as likely.
const exchangeTemperature = 0.7

// sums are for each set of the cards of a suit, as a byte, and each number of discards the sum of exp(worth/exchangeTemperature) over all
// ways to choose them.
var sums = func() (out [256][4]float64) {
	const at = 24 // hearts
	for cards := range out {
		for gone := cards; ; gone = (gone - 1) & cards {
			set := tarok.Set(gone) << at
			if n := set.Len(); n < 4 && set&tarok.Kings == 0 {
				out[cards][n] += math.Exp(suitWorth(tarok.Set(cards&^gone)<<at, set) / exchangeTemperature)
			}
			if gone == 0 {
				break
			}
		}
	}
	return out
}()

// suitWorth returns what the cards of one suit that are kept, and those that are discarded, add to Exchange.Worth.
func suitWorth(kept, gone tarok.Set) float64 {
	return Strength(kept) - Strength(0) + float64(gone.Thirds())/thirdsPerStrength
}

// LikelyExchange returns the logarithm of how likely a declarer with a hand takes a group of the talon and discards some cards, if an
// exchange is the likelier the more it is worth by rules of thumb. It is 0 where taroks were discarded, which is forced but for their
// choice.
func LikelyExchange(hand tarok.Set, talon []tarok.Card, c tarok.Contract, group int, discards tarok.Set) float64 {
	if discards.InSuit(tarok.Taroks) != 0 {
		return 0
	}
	n, all := c.Exchange(), tarok.SetOf(talon...)
	own, total := 0.0, 0.0
	for g := range c.Groups() {
		taken := tarok.SetOf(talon[g*n : (g+1)*n]...)
		have := hand | taken
		rest := (Strength(have.InSuit(tarok.Taroks)) - float64((all&^taken).Thirds())/(2*thirdsPerStrength)) / exchangeTemperature
		ways := [4]float64{1}
		for _, s := range tarok.Suits() {
			row := &sums[uint8(have>>(16+8*uint(s)))]
			var next [4]float64
			for to := range next {
				for k, x := range row[:to+1] {
					next[to] += ways[to-k] * x
				}
			}
			ways = next
		}
		total += ways[n&3] * math.Exp(rest)
		if g == group {
			for _, s := range tarok.Suits() {
				gone := discards.InSuit(s)
				rest += suitWorth(have.InSuit(s)&^gone, gone) / exchangeTemperature
			}
			own = rest
		}
	}
	return own - math.Log(total)
}
