package handnet

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/model/klaverjas/hand"
)

// orders is the number of orders of four hands, and orders/4 the number of orders of the others around one hand in one place.
const orders = 24

// Example is a hand with its labels, for the four places of the leader as in hand.Question.
type Example struct {
	Suits   hand.Suits
	Kind    int  // hand.Kind
	HeldOut bool // it is not trained on
	Labels  [4]Label
}

// Label is what the deal network predicts of a hand over six deals of the other cards.
type Label struct {
	Win    float32 // mean win probability of the declarers
	Mean   float32 // mean outcome, in hundreds of points
	Pit    float32 // mean probability of a pit
	Groups [orders / 4]uint16
}

// Teacher labels the hands of one kind of question.
type Teacher struct {
	Kind     int // hand.Kind
	Rules    klaverjas.Rules
	Declarer piquet.Team // NS is the leader's side, since north leads
	Outcomes *Outcomes
}

// HeldOut reports whether a hand is held out from training: one in 16, the same for all questions about it.
func HeldOut(s hand.Suits) bool {
	x := uint64(binary.LittleEndian.Uint32(s[:])) + 0x9e3779b97f4a7c15 // SplitMix64 (Steele, Lea and Flood 2014)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return (x^x>>31)%16 == 0
}

// allOrders are the orders of four hands: order[place] is the number of a hand.
var allOrders = func() (all [orders][4]int) {
	n := 0
	for a := range 4 {
		for b := range 4 {
			for c := range 4 {
				if d := 6 - a - b - c; a != b && a != c && b != c {
					all[n] = [4]int{a, b, c, d}
					n++
				}
			}
		}
	}
	return all
}()

// labeller labels deals. Only one goroutine may use it.
type labeller struct {
	model   *deal.Model
	deals   [orders]klaverjas.Deal
	out     [orders]deal.Prediction
	covered [orders]bool
}

// label writes the examples of the four hands of a deal.
func (l *labeller) label(t *Teacher, hands [4]piquet.Set, out []Example) {
	for i, order := range &allOrders {
		l.deals[i] = klaverjas.Deal{Trump: piquet.Clubs, Leader: piquet.North, Declarer: t.Declarer}
		for place, h := range order {
			l.deals[i].Hands[place] = hands[h]
		}
	}
	l.model.PredictBatch(t.Rules, l.deals[:], l.out[:], l.covered[:])
	var sums [4][4]struct{ win, mean, pit float64 }
	var n [4][4]int
	for h := range out[:4] {
		suits := hand.SuitsOf(hands[h], piquet.Clubs)
		out[h] = Example{Suits: suits, Kind: t.Kind, HeldOut: HeldOut(suits)}
	}
	for i, order := range &allOrders {
		p := l.out[i]
		group := t.Outcomes.Group(p)
		for place, h := range order {
			leader := (4 - place) % 4 // the leader is at place 0
			s := &sums[h][leader]
			s.win += p.WinProbability
			s.mean += p.Outcome + t.Outcomes.Shifts[group]
			s.pit += t.Outcomes.Pits[group]
			out[h].Labels[leader].Groups[n[h][leader]] = uint16(group)
			n[h][leader]++
		}
	}
	for h := range sums {
		for leader, s := range sums[h] {
			const share = 4.0 / orders
			to := &out[h].Labels[leader]
			to.Win, to.Mean, to.Pit = float32(share*s.win), float32(share*s.mean/100), float32(share*s.pit)
		}
	}
}

// randOf returns a generator for a part of the work: ChaCha8, whose key is the seed, the number of the part and a name.
func randOf(seed, number uint64, name string) *rand.Rand {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	binary.LittleEndian.PutUint64(key[8:], number)
	copy(key[16:], name)
	return rand.New(rand.NewChaCha8(key))
}

// labelBatch draws deals and labels their hands: four examples for each deal, the teachers by turns. A batch depends only on the seed and
// its number.
func labelBatch(m *deal.Model, teachers []Teacher, seed uint64, number, workers int, out []Example) {
	rng := randOf(seed, uint64(number), "hand-train")
	deals := make([][4]piquet.Set, len(out)/4)
	for i := range deals {
		deals[i] = index.Random(rng, piquet.Clubs, piquet.North)
	}
	parallel(workers, func(next func() (int, bool)) {
		l := labeller{model: m}
		for i, ok := next(); ok; i, ok = next() {
			l.label(&teachers[i%len(teachers)], deals[i], out[4*i:][:4])
		}
	}, len(deals))
}

// parallel calls work on the workers. Each call asks next for the numbers 0 to n-1 until there are no more.
func parallel(workers int, work func(next func() (int, bool)), n int) {
	var at atomic.Int64
	var group sync.WaitGroup
	next := func() (int, bool) {
		i := int(at.Add(1)) - 1
		return i, i < n
	}
	for range min(workers, n) {
		group.Go(func() { work(next) })
	}
	group.Wait()
}
