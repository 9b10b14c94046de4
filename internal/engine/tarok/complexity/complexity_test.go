package complexity_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/complexity"
	"roem/internal/engine/tarok/enginetest"
	"roem/internal/random"
)

func TestDeals(t *testing.T) {
	all, void := complexity.Deals()
	if got := all.String(); got != "35004730941215778523825494450" { // 54!/(16!³ 6!)
		t.Errorf("%s deals", got)
	}
	f, _ := void.Float64()
	g, _ := all.Float64()
	if math.Abs(f/g-8.548e-5) > 1e-7 {
		t.Errorf("a share of %g void deals", f/g)
	}
}

// TestBiddings compares the biddings of the order of the paper with a count of its own: a level and its holder are enough of a state.
func TestBiddings(t *testing.T) {
	contracts := []int{1, 2, 3, 4, 5} // three to zero
	want := [complexity.Contracts][3]int{}
	// walk counts the ends of a bidding. in says who has not passed, first is who bids next.
	var walk func(in [3]bool, turn, level, holder int)
	walk = func(in [3]bool, turn, level, holder int) {
		left := 0
		for _, x := range in {
			if x {
				left++
			}
		}
		if left == 0 {
			want[0][0]++
			return
		}
		if left == 1 && holder >= 0 { // the winner confirms or raises
			for _, c := range contracts {
				if c >= level {
					want[c][holder]++
				}
			}
			return
		}
		for !in[turn] {
			turn = (turn + 1) % 3
		}
		for _, c := range contracts {
			if c > level || c == level && turn < holder {
				if left == 1 { // two have passed without a bid: the contract of the third stands
					want[c][turn]++
					continue
				}
				walk(in, (turn+1)%3, c, turn)
			}
		}
		in[turn] = false
		walk(in, (turn+1)%3, level, holder)
	}
	walk([3]bool{true, true, true}, 0, 0, -1)
	if diff := cmp.Diff(want, complexity.Biddings(tarok.ForehandFirst)); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
	sum := 0
	for _, row := range want {
		sum += row[0] + row[1] + row[2]
	}
	if sum != 516 {
		t.Errorf("%d sequences, want 516", sum)
	}
}

// TestExchanges counts the ways to discard by trying: of random deals, and of two deals that have the most.
func TestExchanges(t *testing.T) {
	rng := random.New(1)
	for range 50 {
		s := tarok.DrawSetup(rng, tarok.Three, tarok.Two, tarok.One)
		if got, want := complexity.Exchanges(&s.Deal, s.Contract, s.Declarer), tried(s); got != want {
			t.Fatalf("%v: %d exchanges, want %d", s, got, want)
		}
	}
	set := enginetest.SetOf
	oneTarok := tarok.Deal{Hands: [3]tarok.Set{
		tarok.A: set("T5", "H4", "H3", "H2", "H1", "HJ", "HC", "HQ", "D4", "D3", "D2", "D1", "DJ", "DC", "DQ", "S7"),
	}}
	copy(oneTarok.Talon[:], enginetest.Cards("S8", "S9", "S10", "SJ", "SC", "SQ"))
	allTaroks := tarok.Deal{Hands: [3]tarok.Set{tarok.A: tarok.OfSuit(tarok.Taroks) &^ tarok.Trula &^ set("T2", "T3", "T4")}}
	copy(allTaroks.Talon[:], enginetest.Cards("T2", "T3", "T4", "HK", "DK", "SK"))
	for _, tt := range []struct {
		contract tarok.Contract
		deal     *tarok.Deal
		want     int
	}{{tarok.Three, &oneTarok, 1632}, {tarok.Two, &allTaroks, 409}, {tarok.One, &allTaroks, 99}, {tarok.Zero, &oneTarok, 1}} {
		if got := complexity.Exchanges(tt.deal, tt.contract, tarok.A); got != tt.want || complexity.MostExchanges(tt.contract) != tt.want {
			t.Errorf("%s: %d exchanges, most %d, want %d", tt.contract, got, complexity.MostExchanges(tt.contract), tt.want)
		}
		if tt.contract.Exchange() > 0 {
			if got := tried(tarok.Setup{Deal: *tt.deal, Contract: tt.contract}); got != tt.want {
				t.Errorf("%s: %d exchanges by trying, want %d", tt.contract, got, tt.want)
			}
		}
	}
}

// tried counts the sets of discards of each group that the rules accept.
func tried(s tarok.Setup) (ways int) {
	for s.Group = range s.Contract.Groups() {
		hand := s.Deal.Hands[s.Declarer] | s.Taken()
		var choose func(rest, chosen tarok.Set)
		choose = func(rest, chosen tarok.Set) {
			if chosen.Len() == s.Contract.Exchange() {
				if len(tarok.CheckDiscards(hand, chosen, s.Contract.Exchange())) == 0 {
					ways++
				}
				return
			}
			for c := range rest.All() {
				rest = rest.Without(c)
				choose(rest, chosen.With(c))
			}
		}
		choose(hand, 0)
	}
	return ways
}

func TestAnnouncements(t *testing.T) {
	for contract, want := range map[tarok.Contract]int{tarok.Klop: 1, tarok.Three: 5 * 11 * 11 * 11 * 11, tarok.Beggar: 5, tarok.Zero: 5} {
		if got := complexity.Announcements(contract); got != want {
			t.Errorf("%s: %d, want %d", contract, got, want)
		}
	}
}

// TestPlay: the figures of another program are met within the noise of 2,000 play-outs.
func TestPlay(t *testing.T) {
	if got := complexity.MostPlay(); math.Abs(got-math.Log10(3.578e37)) > 1e-3 {
		t.Errorf("10^%g lines at most", got)
	}
	rng := random.New(1)
	var s complexity.Sampler
	for range 2000 {
		if err := s.Add(tarok.DrawSetup(rng, tarok.Three), func(legal tarok.Set) tarok.Card { return tarok.Any(rng, legal) }); err != nil {
			t.Fatal(err)
		}
	}
	got := s.Result()
	if got.Playouts != 2000 || math.Abs(got.MeanLog-25.6) > 0.15 || math.Abs(got.Median-25.5) > 0.2 || math.Abs(got.Branching-4.87) > 0.05 ||
		got.LogMean < 27.5 || got.LogMean > 30.5 || got.Least < 22 || got.Least > 23.5 || got.Most < 30 || got.Most > got.LogMean+
		math.Log10(2000) {
		t.Errorf("%+v", got)
	}
}
