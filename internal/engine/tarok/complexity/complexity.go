// Package complexity counts how large the game of tarok is: deals, bidding sequences, exchanges, announcements and lines of play (source:
// Luštrek, Gams and Bratko, "A Program for Playing Tarok", 2003, section 2.2 and Table 1).
package complexity

import (
	"math"
	"math/big"
	"slices"

	"roem/internal/engine/tarok"
)

// Contracts is the number of contracts.
const Contracts = 6

// Deals returns the number of deals, 54!/(16!³ 6!), and how many of them are void because a hand has no tarok. The order of the talon does
// not count.
func Deals() (all, void *big.Int) {
	const taroks, others, hand = 22, 32, tarok.HandSize
	c := func(n, k int64) *big.Int { return new(big.Int).Binomial(n, k) }
	product := func(factors ...*big.Int) *big.Int {
		out := big.NewInt(1)
		for _, f := range factors {
			out.Mul(out, f)
		}
		return out
	}
	all = product(c(54, hand), c(38, hand), c(22, hand))
	// By inclusion and exclusion: one given hand without a tarok, or two; three are impossible, since 48 cards are not taroks then.
	one := product(c(others, hand), c(38, hand), c(22, hand))
	two := product(c(others, hand), c(others-hand, hand), c(22, hand))
	void = new(big.Int).Mul(big.NewInt(3), one)
	return all, void.Sub(void, two.Mul(big.NewInt(3), two))
}

// Biddings returns how many biddings end with each contract and declarer. In klop the declarer is A.
func Biddings(order tarok.Order) (out [Contracts][3]int) {
	var walk func(b tarok.Bidding)
	walk = func(b tarok.Bidding) {
		if c, declarer, ok := b.Result(); ok {
			out[c][declarer]++
			return
		}
		for _, bid := range b.Legal() {
			next, err := b.Call(bid)
			if err == nil { // always: the bid is legal
				walk(next)
			}
		}
	}
	walk(tarok.NewBidding(order))
	return out
}

// MostExchanges returns the largest number of ways to take a group of the talon and discard that a deal can have. Either the declarer was
// dealt one tarok and may discard any of the 15 other cards and of each group; or 16 taroks that may be discarded, and the three others of
// these are in the first groups of the talon, and only kings and taroks 1, 21 and 22 besides.
func MostExchanges(c tarok.Contract) int {
	n := c.Exchange()
	if n == 0 {
		return 1
	}
	suits, taroks := c.Groups()*binomial(tarok.HandSize-1+n, n), 0
	for group, left := 0, 3; group < c.Groups(); group++ {
		here := min(n, left)
		left -= here
		taroks += binomial(tarok.HandSize+here, n)
	}
	return max(suits, taroks)
}

// Exchanges returns in how many ways the declarer can take a group of the talon and discard.
func Exchanges(d *tarok.Deal, c tarok.Contract, declarer tarok.Player) (ways int) {
	n := c.Exchange()
	if n == 0 {
		return 1
	}
	for group := range c.Groups() {
		free := (d.Hands[declarer] | d.Group(c, group)) &^ tarok.Kings &^ tarok.Trula
		taroks := free.InSuit(tarok.Taroks).Len()
		if plain := free.Len() - taroks; plain >= n {
			ways += binomial(plain, n)
		} else {
			ways += binomial(taroks, n-plain)
		}
	}
	return ways
}

// Announcements returns how many ways there are to announce: in three, two and one each of the four bonuses by nobody, or by one of two
// sides and doubled up to four times, and in all contracts with a declarer the game doubled up to four times.
func Announcements(c tarok.Contract) int {
	const levels = tarok.MaxKontra + 1
	switch {
	case c == tarok.Klop:
		return 1
	case c.Exchange() == 0:
		return levels
	}
	each := 1 + 2*levels
	return levels * each * each * each * each
}

func binomial(n, k int) int {
	return int(new(big.Int).Binomial(int64(n), int64(k)).Int64())
}

// MostPlay returns the logarithm to base 10 of the largest number of lines of play, 16·(15!)³: one player has only taroks, and the others
// one each.
func MostPlay() float64 {
	factorial, _ := math.Lgamma(tarok.HandSize)
	return math.Log10(tarok.HandSize) + 3*factorial/math.Ln10
}

// Play is how many lines of play there are, estimated by random play-outs: the product of the numbers of legal cards over a play-out.
// Logarithms are to base 10.
type Play struct {
	Playouts    int
	LogMean     float64 // the logarithm of the mean product
	MeanLog     float64 // the mean of the logarithms
	Median      float64 // of the logarithms
	Least, Most float64 // the smallest and the largest logarithm
	Branching   float64 // the mean number of legal cards, over all cards played
}

// Sampler adds up play-outs.
type Sampler struct {
	logs         []float64
	cards, moves int
}

// Add plays legal cards from a setup to the end of the hand. next chooses each from the legal ones; a random one of them is usual.
func (s *Sampler) Add(setup tarok.Setup, next func(legal tarok.Set) tarok.Card) error {
	p, err := tarok.NewPosition(setup)
	if err != nil {
		return err
	}
	sum := 0.0
	for !p.Finished() {
		legal := p.Legal()
		n := legal.Len()
		s.cards++
		s.moves += n
		sum += math.Log10(float64(n))
		if p, err = p.Play(next(legal)); err != nil {
			return err
		}
	}
	s.logs = append(s.logs, sum)
	return nil
}

// Result returns what the play-outs say. There is at least one.
func (s *Sampler) Result() (out Play) {
	logs := slices.Sorted(slices.Values(s.logs))
	n := len(logs)
	out = Play{
		Playouts: n, Least: logs[0], Most: logs[n-1], Median: (logs[(n-1)/2] + logs[n/2]) / 2,
		Branching: float64(s.moves) / float64(s.cards),
	}
	sum := 0.0
	for _, x := range logs {
		out.MeanLog += x / float64(n)
		sum += math.Pow(10, x-out.Most)
	}
	out.LogMean = out.Most + math.Log10(sum/float64(n))
	return out
}
