package players

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// authorsLegal are the cards that may be played in the authors' simulation ("Rules_config.py" in the paper). trick is in the order of play.
func authorsLegal(hand, trick []piquet.Card, trump piquet.Suit) (legal []piquet.Card) {
	of := func(keep func(piquet.Card) bool) (out []piquet.Card) {
		for _, c := range hand {
			if keep(c) {
				out = append(out, c)
			}
		}
		return out
	}
	first := func(lists ...[]piquet.Card) []piquet.Card {
		for _, list := range lists {
			if len(list) > 0 {
				return list
			}
		}
		return hand
	}
	if len(trick) == 0 {
		return hand
	}
	high, winner := trick[0], 0
	for i, c := range trick {
		same := c.Suit() == high.Suit() && klaverjas.Strength(c, trump) > klaverjas.Strength(high, trump)
		if same || c.Suit() == trump && high.Suit() != trump {
			high, winner = c, i
		}
	}
	led := trick[0].Suit()
	trumps := of(func(c piquet.Card) bool { return c.Suit() == trump })
	higher := of(func(c piquet.Card) bool {
		return c.Suit() == trump && high.Suit() == trump && klaverjas.Strength(c, trump) > klaverjas.Strength(high, trump)
	})
	suit := of(func(c piquet.Card) bool { return c.Suit() == led })
	switch {
	case led == trump:
		return first(higher, trumps)
	case len(suit) > 0:
		return suit
	case winner%2 == len(trick)%2: // the partner is winning
		return hand
	case high.Suit() == trump:
		return first(higher)
	default:
		return first(trumps)
	}
}

// authorsSettlement returns the points of the declarers minus the points of the defenders, from their points and tricks ("Main.py").
func authorsSettlement(declarers, defenders, declarersTricks int) int {
	total := declarers + defenders
	switch {
	case declarersTricks == 0:
		return -(total + 100)
	case declarersTricks == 8:
		return total + 100
	case 2*declarers <= total:
		return -total
	}
	return declarers - defenders
}

// The preset has the rules of the authors' simulation: the same legal cards in every position of random hands, and the same settlement.
func TestLogicalRules(t *testing.T) {
	rng := index.NewRand(4)
	rules, pits := LogicalRules(), 0
	for _, deal := range draw(3, 3000, OneHand, LeaderDeclares) {
		p, err := klaverjas.NewPosition(rules, deal)
		if err != nil {
			t.Fatal(err)
		}
		for !p.Finished() {
			table := p.Trick()
			want := authorsLegal(p.Hand(p.Turn()).Slice(), table.Cards[:table.Len], deal.Trump)
			if got := p.Legal(); got != piquet.SetOf(want...) {
				t.Fatalf("%s may play %v, want %v, trick %v, trump %s", p.Turn(), got, want, table.Cards[:table.Len], deal.Trump)
			}
			// High cards of one team and low ones of the other make some pits.
			legal := p.Legal().Slice()
			card := legal[below(rng, len(legal))]
			if deal.Hands[0].Has(piquet.Of(deal.Trump, piquet.Jack)) {
				slices.SortFunc(legal, func(a, b piquet.Card) int { return worth(a, deal.Trump) - worth(b, deal.Trump) })
				card = legal[0]
				if p.Turn().Team() == piquet.NorthSouth {
					card = legal[len(legal)-1]
				}
			}
			if p, err = p.Play(card); err != nil {
				t.Fatal(err)
			}
		}
		d := deal.Declarer
		score, taken := p.Score(), p.TricksTaken()
		var points [2]int
		for _, team := range piquet.Teams() {
			points[team] = score.Sum(team)
			if taken[team] == 8 {
				points[team] -= 100
				pits++
			}
		}
		if got, want := p.Outcome(), authorsSettlement(points[d], points[d.Opponents()], taken[d]); got != want {
			t.Errorf("the outcome is %d, want %d: %v points, %v tricks, %s declares", got, want, points, taken, d)
		}
	}
	if pits < 10 {
		t.Errorf("only %d pits", pits)
	}
}

// At the start there are 72 possible pairs. They never grow in number, no card is both possible and known, and none are left at the end.
func TestBeliefs(t *testing.T) {
	c := between(t, "logical", "logical:rules", 50)
	c.Record = func(r Record) error {
		for _, seat := range piquet.Seats() {
			b := newBeliefs(seat, r.Deal.Hands[seat], [4]piquet.Set{}, r.Deal.Trump)
			pairs := b.pairs()
			if pairs != 72 {
				t.Errorf("%d pairs at the start, want 72", pairs)
			}
			trick := klaverjas.Trick{Leader: r.Deal.Leader, Winner: r.Deal.Leader}
			for _, card := range r.Played {
				turn := trick.Turn()
				trick = trick.With(card, r.Deal.Trump)
				b.hear(play{card, turn, trick})
				if trick.Len == 4 {
					trick = klaverjas.Trick{Leader: trick.Winner, Winner: trick.Winner}
				}
				if n := b.pairs(); n > pairs {
					t.Errorf("%d pairs after %d", n, pairs)
				}
				pairs = b.pairs()
				var known piquet.Set
				for s := range b.known {
					known |= b.known[s]
				}
				for s := range b.possible {
					if twice := b.possible[s] & known; twice != 0 {
						t.Errorf("%v is both possible and known", twice)
					}
				}
			}
			if pairs != 0 || b.known != [4]piquet.Set{} {
				t.Errorf("at the end: %+v", b)
			}
		}
		return nil
	}
	run(t, c)
}

// parse reads cards separated by spaces.
func parse(t *testing.T, text string) (out []piquet.Card) {
	t.Helper()
	for word := range strings.FieldsSeq(text) {
		c, err := piquet.ParseCard(word)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// The announcements of the paper's examples and of each of its rules. Hearts are trump.
func TestAnnouncements(t *testing.T) {
	for _, tt := range []struct {
		name, trick string // a trick led by north; the announcements are about its last card
		want        []string
	}{
		{"following", "7C 8C", nil},
		{"void and no trump", "7C 8D", []string{"E has no clubs left.", "E has no trump."}},
		{"void and a trump", "7C 7H", []string{"E has no clubs left."}},
		{"void behind a trump", "7C 9H 8S", []string{"S has no clubs left.", "S has no trump above 9H."}},
		{"void behind the partner", "AC 7C 8S", []string{"S has no clubs left."}},
		{"no trump when trump is led", "7H 8S", []string{"E has no hearts left.", "E has no trump above 7H."}},
		{"a high card that loses", "AS 10S", []string{"E has no spades below 10S, if nobody plays a high card that loses."}},
		{"a card that loses, not the next", "AS KS", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBeliefs(piquet.West, piquet.SetOf(parse(t, "9C JC 9D JD KD 9S JS QH")...), [4]piquet.Set{}, piquet.Hearts)
			trick := klaverjas.Trick{Leader: piquet.North, Winner: piquet.North}
			var got []string
			for _, c := range parse(t, tt.trick) {
				turn := trick.Turn()
				trick = trick.With(c, piquet.Hearts)
				got = b.hear(play{c, turn, trick})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// The tactics, place by place. Hearts are trump, and north leads to the first trick.
func TestTactics(t *testing.T) {
	for _, tt := range []struct {
		name, player       string
		seat               piquet.Seat
		hand, played, want string
	}{
		{"the only card", "logical", piquet.East, "AC 7D 8D 9D JD QD KD 10D", "7C", "AC"},
		{"leads the highest trump", "logical", piquet.North, "JH 7H AC 10C 7D 8D 7S 8S", "", "JH"},
		{"leads low without a winner", "logical", piquet.North, "10H 7H KC 10C 7D 8D 10S 8S", "", "7D"},
		{"leads an ace", "logical", piquet.North, "10H 7H AC 10C 7D 8D 10S 8S", "", "AC"},
		{"second, a winner", "logical", piquet.East, "AC KC 7H 8H 7D 8D 7S 8S", "7C", "AC"},
		{"second, no winner", "logical", piquet.East, "10C KC 7H 8H 7D 8D 7S 8S", "7C", "KC"},
		{"second, has to ruff", "logical", piquet.East, "JH 9H 7H 8H 7D 8D 7S 8S", "7C", "7H"},
		{"third, the partner is higher", "logical", piquet.South, "10C KC 7C 8H 7D 8D 7S 8S", "AC 8C", "7C"},
		{"fourth, beats the winner", "logical", piquet.West, "10C 9C 7C 8H 7D 8D 7S 8S", "JC 8C QC", "10C"},
		{"fourth, the partner wins", "logical", piquet.West, "10C 9C 7C 8H 7D 8D 7S 8S", "JC AC QC", "7C"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := worlds.View{
				Rules: LogicalRules(), Trump: piquet.Hearts, Leader: piquet.North, Seat: tt.seat,
				Hand: piquet.SetOf(parse(t, tt.hand)...), Played: parse(t, tt.played),
			}
			choice, err := kind(t, tt.player).New(Place{Seat: tt.seat, Rand: randFor(1, 1, tt.seat)}).Choose(t.Context(), v)
			if err != nil || choice.Card.String() != tt.want || len(choice.Thoughts) == 0 {
				t.Errorf("%s, %q, %v; want %s", choice.Card, choice.Thoughts, err, tt.want)
			}
		})
	}
}

// With the highest trump left, which is worth less than a plain card of the hand, the text and the authors' program differ.
func TestCompat(t *testing.T) {
	own, out := parse(t, "QH AC"), piquet.SetOf(parse(t, "QH 8H")...)
	for player, want := range map[string]string{"logical": "QH", "logical:compat": "AC"} {
		l, ok := kind(t, player).New(Place{Rand: randFor(1, 1, 0)}).(*Logical)
		if !ok {
			t.Fatal("not an agent")
		}
		s := sight{
			view: &worlds.View{Trump: piquet.Hearts, Seat: piquet.North}, own: piquet.SetOf(own...), legal: piquet.SetOf(own...),
			played: piquet.Deck.InSuit(piquet.Hearts) &^ out,
		}
		b := beliefs{trump: piquet.Hearts}
		b.possible[piquet.East], b.possible[piquet.South] = piquet.SetOf(parse(t, "8H")...), piquet.SetOf(parse(t, "8H")...)
		if got, thoughts := l.choose(&s, &b); got.String() != want {
			t.Errorf("%s leads %s, %q; want %s", player, got, thoughts, want)
		}
	}
}

// pairs returns the number of possible pairs.
func (b *beliefs) pairs() (n int) {
	for _, s := range b.possible {
		n += s.Len()
	}
	return n
}
