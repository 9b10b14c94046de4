package tarok

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/random"
)

// set reads the names of cards.
func set(t *testing.T, names ...string) (s Set) {
	t.Helper()
	for _, name := range names {
		c, err := ParseCard(name)
		if err != nil {
			t.Fatal(err)
		}
		s = s.With(c)
	}
	return s
}

func TestBiddingForehandFirst(t *testing.T) {
	three, two, zero := Bid(Three), Bid(Two), Bid(Zero)
	for name, test := range map[string]struct {
		bids     []Bid
		contract Contract
		declarer Player
	}{
		"all pass":             {[]Bid{Pass, Pass, Pass}, Klop, A},
		"the first alone":      {[]Bid{three, Pass, Pass, three}, Three, A},
		"the winner raises":    {[]Bid{three, Pass, Pass, zero}, Zero, A},
		"the last alone":       {[]Bid{Pass, Pass, two}, Two, C},
		"A holds":              {[]Bid{three, two, Pass, two, Pass, two}, Two, A},
		"B holds against C":    {[]Bid{Pass, three, two, two, Pass, two}, Two, B},
		"C bids higher":        {[]Bid{three, Pass, two, Pass, two}, Two, C},
		"zero held to the end": {[]Bid{three, zero, Pass, zero, Pass, zero}, Zero, A},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBidding(ForehandFirst)
			for i, bid := range test.bids {
				if _, _, ok := b.Result(); ok {
					t.Fatalf("over before bid %d", i)
				}
				var err error
				if b, err = b.Call(bid); err != nil {
					t.Fatal(err)
				}
			}
			contract, declarer, ok := b.Result()
			if !ok || contract != test.contract || declarer != test.declarer {
				t.Errorf("%s of %s, over: %v", contract, declarer, ok)
			}
			if _, err := b.Call(Pass); err == nil || len(b.Legal()) > 0 {
				t.Error("a bid after the end")
			}
		})
	}
	b, err := NewBidding(ForehandFirst).Bids([]Bid{two, Bid(Two)})
	var bad Violations
	if turn, _ := b.Turn(); !errors.As(err, &bad) || bad[0].Pointer != "/calls/1" || turn != B {
		t.Errorf("B holds against A: %v", err)
	}
}

// Every sequence of bids ends, with a contract that is the last bid.
func TestBiddingEnds(t *testing.T) {
	for _, order := range []Order{ForehandFirst, ForehandLast} {
		counts := map[Contract]int{}
		var visit func(b Bidding, last Bid)
		visit = func(b Bidding, last Bid) {
			if c, _, ok := b.Result(); ok {
				if last != Pass && last != Bid(c) || last == Pass && c != Klop {
					t.Fatalf("%s after %s", c, last)
				}
				counts[c]++
				return
			}
			legal := b.Legal()
			if len(legal) == 0 || !slices.IsSorted(legal) {
				t.Fatalf("legal are %v", legal)
			}
			for _, bid := range legal {
				next, err := b.Call(bid)
				if err != nil {
					t.Fatal(err)
				}
				visit(next, max(last, bid))
			}
		}
		visit(NewBidding(order), Pass)
		if counts[Klop] != 1 || len(counts) != 6 {
			t.Errorf("order %d: %v", order, counts)
		}
	}
}

func TestDiscards(t *testing.T) {
	taroks := OfSuit(Taroks)
	for name, test := range map[string]struct {
		hand, want Set
	}{
		"plain cards":          {set(t, "T1", "T5", "HK", "HQ", "S7"), set(t, "HQ", "S7")},
		"taroks if only these": {set(t, "T1", "T5", "T21", "T22", "HK", "SK"), set(t, "T5")},
		"nothing":              {set(t, "T1", "HK"), 0},
		"all taroks":           {taroks, taroks &^ Trula},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Discards(test.hand); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

func validSetup(t *testing.T) Setup {
	t.Helper()
	s := Setup{Deal: Random(random.New(1)), Rules: DefaultRules, Contract: Two, Declarer: B}
	hand := s.Deal.Hands[B] | s.Taken()
	for range 2 {
		c := Discards(hand).First()
		hand, s.Discards = hand.Without(c), s.Discards.With(c)
	}
	if _, err := NewPosition(s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSetupErrors(t *testing.T) {
	for name, test := range map[string]struct {
		change  func(s *Setup)
		pointer string
	}{
		"short hand":            {func(s *Setup) { s.Deal.Hands[C] = s.Deal.Hands[C].Without(s.Deal.Hands[C].First()) }, "/hands/C"},
		"a card twice":          {func(s *Setup) { s.Deal.Hands[1] = s.Deal.Hands[0] }, "/hands/B/0"},
		"talon and hand":        {func(s *Setup) { s.Deal.Talon[4] = s.Deal.Hands[2].First() }, "/talon/4"},
		"no tarok":              {func(s *Setup) { s.Deal.Hands[0] = OfSuit(Hearts) | OfSuit(Clubs) }, "/hands/A"},
		"group":                 {func(s *Setup) { s.Group = 3 }, "/group"},
		"too few discards":      {func(s *Setup) { s.Discards = 0 }, "/discards"},
		"not held":              {func(s *Setup) { s.Discards = SetOf(s.Deal.Hands[A].Slice()[14:]...) }, "/discards/0"},
		"discards without need": {func(s *Setup) { s.Contract = Zero }, "/discards"},
		"a king": {func(s *Setup) {
			s.Deal.Hands, s.Declarer, s.Discards = [3]Set{OfSuit(Hearts) | 0xFF<<10, OfSuit(Clubs) | 0xFF<<2, 0}, A, set(t, "HK", "H1")
			s.Deal.Hands[C] = OfSuit(Spades) | set(t, "D4", "D3", "D2", "D1", "DJ", "DC", "T19", "T20")
			s.Deal.Talon = [6]Card(set(t, "T1", "T2", "T21", "T22", "DQ", "DK").Slice())
		}, "/discards/1"},
		"a tarok without need": {func(s *Setup) {
			s.Discards = SetOf((s.Deal.Hands[B] &^ Trula).First(), s.Discards.First())
		}, "/discards/0"},
	} {
		t.Run(name, func(t *testing.T) {
			s := validSetup(t)
			test.change(&s)
			_, err := NewPosition(s)
			var bad Violations
			if !errors.As(err, &bad) || bad[0].Pointer != test.pointer {
				t.Errorf("%v, want an error at %s", err, test.pointer)
			}
		})
	}
}

// Each card of a hand that may not be played is refused for the rule that it breaks, and the others are not.
func TestIllegal(t *testing.T) {
	const follow, tarok, beat, last = "must follow diamonds", "must play a tarok", "must beat the trick", "may play tarok 1 only when " +
		"nothing else is left"
	for name, test := range map[string]struct {
		contract Contract
		hand     []string
		trick    []string
		reasons  map[string]string
	}{
		"anything is led":          {Two, []string{"T1", "HK"}, nil, nil},
		"off suit":                 {Two, []string{"D4", "DK", "T1", "HK"}, []string{"DQ"}, map[string]string{"T1": follow, "HK": follow}},
		"a tarok is owed":          {Zero, []string{"T1", "HK", "S7"}, []string{"DQ"}, map[string]string{"HK": tarok, "S7": tarok}},
		"taroks are followed":      {Two, []string{"T1", "HK"}, []string{"T5", "T2"}, map[string]string{"HK": "must follow taroks"}},
		"nothing to follow with":   {Two, []string{"HK", "S7"}, []string{"DQ"}, nil},
		"beat in klop":             {Klop, []string{"D4", "DK", "T2"}, []string{"DQ"}, map[string]string{"D4": beat, "T2": follow}},
		"beat in a beggar":         {Beggar, []string{"T3", "T6", "HK"}, []string{"DQ", "T5"}, map[string]string{"T3": beat, "HK": tarok}},
		"not in two":               {Two, []string{"D4", "DK"}, []string{"DQ"}, nil},
		"pagat led last":           {Klop, []string{"T1", "HK"}, nil, map[string]string{"T1": last}},
		"pagat follows last":       {Beggar, []string{"T1", "T2"}, []string{"T5"}, map[string]string{"T1": last}},
		"pagat wins last":          {Klop, []string{"T1", "T2"}, []string{"DQ"}, map[string]string{"T1": last}},
		"pagat does not beat":      {Klop, []string{"T1", "T7"}, []string{"T5"}, map[string]string{"T1": beat}},
		"pagat in the emperor":     {Klop, []string{"T1", "T7"}, []string{"T21", "T22"}, map[string]string{"T7": beat}},
		"nothing but the pagat":    {Klop, []string{"T1", "HK"}, []string{"T5"}, map[string]string{"HK": "must follow taroks"}},
		"only low cards to a suit": {Klop, []string{"D4", "D3"}, []string{"DQ"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			hand, trick := set(t, test.hand...), set(t, test.trick...)
			var list []Card
			for _, text := range test.trick {
				list = append(list, set(t, text).First())
			}
			if trick.Len() != len(list) {
				t.Fatal("a card twice")
			}
			got := map[string]string{}
			for c := range hand.All() {
				if e := DefaultRules.Illegal(test.contract, B, hand, list, c); e != nil {
					if got[c.String()] = e.Reason; e.Card != c || e.Turn != B || e.Legal.Has(c) ||
						e.Legal != DefaultRules.Legal(test.contract, hand, list) {
						t.Errorf("%+v", e)
					}
				}
			}
			if !maps.Equal(got, test.reasons) {
				t.Errorf("%v, want %v", got, test.reasons)
			}
		})
	}
}

// finished returns a position of a declarer A with tricks as given: who won each card, without the course of the play.
func finished(c Contract, mine Set, tricks int) Position {
	s := &Setup{Contract: c, Rules: DefaultRules}
	s.Deal.Talon = [6]Card{22, 22, 22, 22, 22, 22} // the rest of the talon has no value here
	return Position{
		setup: s, played: 48, mond: -1, won: [3]Set{mine, Deck &^ mine, 0}, tricks: [3]uint8{uint8(tricks), uint8(16 - tricks), 0},
		last: Trick{Cards: [3]Card{30, 31, 32}},
	}
}

func TestScore(t *testing.T) {
	most := Deck &^ set(t, "HK", "HQ", "T2", "T3", "T4", "T5") // 210 - 27 = 183 thirds
	declarer := Announced{By: Declarers}
	for name, test := range map[string]struct {
		contract Contract
		mine     Set
		tricks   int
		said     Announcements
		want     int
	}{
		"difference and trula": {Three, most, 14, Announcements{}, 10 + 26 + 10},
		"announced trula":      {Three, most, 14, Announcements{Bonuses: [4]Announced{AllTrula: declarer}}, 10 + 26 + 20},
		"failed kings":         {Three, most, 14, Announcements{Bonuses: [4]Announced{AllKings: declarer}}, 10 + 26 + 10 - 20},
		"failed kings, kontra": {Three, most, 14, Announcements{Bonuses: [4]Announced{AllKings: {Declarers, 1}}}, 10 + 26 + 10 - 40},
		"the opponents' kings": {Three, most, 14, Announcements{Bonuses: [4]Announced{AllKings: {Opponents, 0}}}, 10 + 26 + 10 + 20},
		"re":                   {Three, most, 14, Announcements{Kontra: 2}, 40 + 104 + 10},
		"radl":                 {Three, most, 14, Announcements{Radli: [3]int{1}}, 2 * (10 + 26 + 10)},
		"another's radl":       {Three, most, 14, Announcements{Radli: [3]int{0, 1}}, 10 + 26 + 10},
		"zero is flat":         {Zero, most, 14, Announcements{}, 80},
		"zero, mort":           {Zero, 0, 1, Announcements{Kontra: MaxKontra}, -80 * 16},
		"beggar":               {Beggar, 0, 0, Announcements{}, 70},
		"beggar lost":          {Beggar, most, 1, Announcements{Kontra: 1}, -140},
		"valat":                {One, Deck, 16, Announcements{}, 250},
		"announced valat":      {One, Deck, 16, Announcements{Bonuses: [4]Announced{Valat: declarer}}, 500},
		"failed valat":         {One, most, 14, Announcements{Bonuses: [4]Announced{Valat: declarer}}, -500},
		"no trick":             {One, 0, 0, Announcements{}, -250},
		"the opponents' valat": {One, most, 14, Announcements{Bonuses: [4]Announced{Valat: {Opponents, 1}}}, 1000},
	} {
		t.Run(name, func(t *testing.T) {
			p := finished(test.contract, test.mine, test.tricks)
			score, err := p.Score(test.said)
			if err != nil || score.Total != [3]int{test.want} {
				t.Errorf("%v %v, want %d", score.Total, err, test.want)
			}
		})
	}
}

// The last trick with tarok 1: only who wins it with this card has made the bonus. Who loses it pays if nobody has announced it.
func TestScorePagat(t *testing.T) {
	for name, test := range map[string]struct {
		owner, winner                Player
		silent, declarers, opponents int
	}{
		"the declarer wins it":        {A, A, 25, 50, 50},
		"the declarer loses it":       {A, B, -25, -50, 50},
		"an opponent wins it":         {B, B, -25, -50, -50},
		"an opponent loses it":        {B, A, 25, -50, 50},
		"an opponent, to the other":   {B, C, 25, -50, 50},
		"it is not in the last trick": {A, A, 0, -50, 50},
	} {
		t.Run(name, func(t *testing.T) {
			p := finished(Three, Deck&^set(t, "T1", "HK"), 14)
			p.last = Trick{Cards: [3]Card{30, 31, 32}, Winner: test.winner}
			if name != "it is not in the last trick" {
				p.last.Cards[test.owner] = Pagat
			}
			for side, want := range map[Side]int{NoSide: test.silent, Declarers: test.declarers, Opponents: test.opponents} {
				score, err := p.Score(Announcements{Bonuses: [4]Announced{LastPagat: {By: side}}})
				if err != nil || score.Bonuses[LastPagat] != want {
					t.Errorf("announced by %d: %d %v, want %d", side, score.Bonuses[LastPagat], err, want)
				}
			}
		})
	}
}

func TestDifference(t *testing.T) {
	exact, rounded, none := Rules{}, Rules{Difference: RoundedDifference}, Rules{Difference: NoDifference}
	for points, want := range map[int][3]int{
		35: {0, 0, 0}, 37: {2, 0, 0}, 38: {3, 5, 0}, 70: {35, 35, 0}, 33: {-2, 0, 0}, 32: {-3, -5, 0},
		0: {-35, -35, 0}, 2: {-33, -35, 0},
	} {
		if got := [3]int{exact.DifferenceOf(points), rounded.DifferenceOf(points), none.DifferenceOf(points)}; got != want {
			t.Errorf("%d points: %v, want %v", points, got, want)
		}
	}
}

func TestScoreKlop(t *testing.T) {
	for name, test := range map[string]struct {
		won    [3]Set
		tricks [3]uint8
		want   [3]int
	}{
		"points":         {[3]Set{OfSuit(Hearts), OfSuit(Spades), OfSuit(Clubs)}, [3]uint8{5, 5, 6}, [3]int{-13, -13, -13}},
		"no trick":       {[3]Set{OfSuit(Hearts), OfSuit(Spades), 0}, [3]uint8{8, 8, 0}, [3]int{0, 0, 70}},
		"too many":       {[3]Set{Deck, 0, 0}, [3]uint8{14, 1, 1}, [3]int{-70, 0, 0}},
		"too many, none": {[3]Set{Deck, 0, 0}, [3]uint8{15, 1, 0}, [3]int{-70, 0, 70}},
	} {
		t.Run(name, func(t *testing.T) {
			p := finished(Klop, 0, 0)
			p.won, p.tricks = test.won, test.tricks
			score, err := p.Score(Announcements{Radli: [3]int{0, 2, 0}})
			if diff := cmp.Diff(test.want, score.Total); diff != "" || err != nil || score.Radli != [3]int{1, 3, 1} {
				t.Error(diff, err, score.Radli)
			}
		})
	}
}

func TestScoreErrors(t *testing.T) {
	for name, test := range map[string]struct {
		contract Contract
		said     Announcements
		pointer  string
	}{
		"kontra":         {Two, Announcements{Kontra: 5}, "/kontra"},
		"kontra in klop": {Klop, Announcements{Kontra: 1}, "/kontra"},
		"bonus in zero":  {Zero, Announcements{Bonuses: [4]Announced{AllKings: {Declarers, 0}}}, "/announcements/kings"},
		"kontra alone":   {Two, Announcements{Bonuses: [4]Announced{Valat: {NoSide, 1}}}, "/announcements/valat"},
		"bonus kontra":   {Two, Announcements{Bonuses: [4]Announced{Valat: {Declarers, 9}}}, "/announcements/valat/kontra"},
		"radli":          {Two, Announcements{Radli: [3]int{0, 0, -1}}, "/radli/C"},
	} {
		t.Run(name, func(t *testing.T) {
			p := finished(test.contract, 0, 1)
			var bad Violations
			if _, err := p.Score(test.said); !errors.As(err, &bad) || bad[0].Pointer != test.pointer {
				t.Errorf("%v, want an error at %s", err, test.pointer)
			}
		})
	}
	start, err := NewPosition(validSetup(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := start.Score(Announcements{}); err == nil {
		t.Error("a hand that is not finished has a score")
	}
}
