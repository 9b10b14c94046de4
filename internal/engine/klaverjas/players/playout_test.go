package players

import (
	"context"
	"errors"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// highestFace is a policy that prefers the cards with the highest faces.
type highestFace struct{}

func (highestFace) Logits(_ *playout.Table, _, legal piquet.Set, logits *[32]float32) {
	for c := range legal.All() {
		logits[c] = float32(c.Face())
	}
}

func withPolicies() *Tools {
	return &Tools{Policies: func() (playout.Models, error) {
		return playout.Models{Play: highestFace{}, Players: []playout.Policy{highestFace{}}}, nil
	}}
}

// Both players play legal cards to the end, under all rules. A card that is not legal would be a fault.
func TestPolicyPlayersPlayLegally(t *testing.T) {
	for name, rules := range someRules() {
		for _, of := range []string{"policy", "playout:3", "mixture:3"} {
			t.Run(name+" "+of, func(t *testing.T) {
				c := between(t, of, "random", 10)
				c.Rules = rules
				c.NewTools = withPolicies
				c.Record = func(r Record) error {
					if len(r.Played) != 32 || piquet.SetOf(r.Played...) != piquet.Deck {
						t.Errorf("%d cards played: %v", len(r.Played), r.Played)
					}
					return nil
				}
				if r := run(t, c); r.Hands != 2*c.Units {
					t.Errorf("%d hands", r.Hands)
				}
			})
		}
	}
}

// The policy player plays the likeliest card, whatever the seed, and the playout player the same for the same seed.
func TestPolicyPlayersRepeat(t *testing.T) {
	c := between(t, "random", "random", 3)
	checked, changed, apart := 0, 0, 0
	c.Record = func(r Record) error {
		p := start(t, r)
		for n, card := range r.Played[:28] {
			v := worlds.ViewOf(p, r.Played[:n], p.Turn())
			choose := func(of string, seed uint64) piquet.Card {
				choice, err := kind(t, of).New(Place{Seat: v.Seat, Rand: randFor(seed, 2, v.Seat), Tools: withPolicies()}).Choose(t.Context(), v)
				if err != nil {
					t.Fatal(err)
				}
				return choice.Card
			}
			want := p.Legal().First()
			for c := range p.Legal().All() {
				if c.Face() > want.Face() {
					want = c
				}
			}
			if got := choose("policy", uint64(n)); got != want {
				t.Errorf("policy plays %s, want %s", got, want)
			}
			one := choose("playout:5", 1)
			if again := choose("playout:5", 1); again != one {
				t.Errorf("playout plays %s, then %s", one, again)
			}
			if of := choose("mixture:5", 1); choose("mixture:5", 1) != of {
				t.Errorf("mixture plays %s, then another card", of)
			} else if of != one {
				apart++
			}
			if choose("playout:5", 2) != one {
				changed++
			}
			checked++
			p = after(t, p, card)
		}
		return nil
	}
	run(t, c)
	if checked == 0 || changed == 0 || apart == 0 {
		t.Errorf("%d choices, %d of them others with another seed, %d of them others of mixture", checked, changed, apart)
	}
}

// A playout player searches the worlds that it says.
func TestPolicyKinds(t *testing.T) {
	for text, worlds := range map[string]int{"policy": 0, "playout": DefaultWorlds, "playout:7": 7, "mixture": DefaultWorlds, "mixture:7": 7} {
		if k := kind(t, text); k.Worlds() != worlds || k.Name() != text {
			t.Errorf("%s: %s with %d worlds, want %d", text, k.Name(), k.Worlds(), worlds)
		}
	}
	for _, text := range []string{"policy:5", "playout:0", "playout:x", "playout:", "mixture:0"} {
		if _, err := ParseKind(text, 0); err == nil {
			t.Errorf("%s is a player", text)
		}
	}
}

// Without a policy, or with an unusable one, the players are at fault with a reason.
func TestPolicyPlayersWithoutPolicy(t *testing.T) {
	damaged := errors.New("damaged")
	for _, of := range []string{"policy", "playout:5"} {
		c := between(t, of, "random", 1)
		_, err := c.Run(context.Background())
		if fault, ok := errors.AsType[*Fault](err); !ok || !errors.Is(fault, errNoPolicy) {
			t.Errorf("%s: error %v", of, err)
		}
		c.NewTools = func() *Tools {
			return &Tools{Policies: func() (playout.Models, error) { return playout.Models{}, damaged }}
		}
		if _, err := c.Run(context.Background()); !errors.Is(err, damaged) {
			t.Errorf("%s: error %v", of, err)
		}
	}
}

// As policies, the players by rules choose the cards that they choose as players.
func TestRuledPlayers(t *testing.T) {
	for name, rules := range someRules() {
		for i, of := range []string{"logical", "simple"} {
			c := between(t, "random", of, 20)
			c.Rules = rules
			choices := 0
			c.Record = func(r Record) error {
				p, err := klaverjas.NewPosition(rules, r.Deal)
				if err != nil {
					return err
				}
				for n, card := range r.Played[:28] {
					v := worlds.ViewOf(p, r.Played[:n], p.Turn())
					if legal := p.Legal(); legal.Len() > 1 {
						want, err := kind(t, of).New(Place{Seat: v.Seat}).Choose(t.Context(), v)
						if err != nil {
							return err
						}
						var logits [32]float32
						table := playout.TableOf(&v)
						ruledPlayers()[i].Logits(&table, p.Hand(v.Seat), legal, &logits)
						if got := playout.Likeliest(&logits, legal); got != want.Card || logits[got] != sure {
							t.Errorf("%s, %s after %v: %s, want %s", name, of, r.Played[:n], got, want.Card)
						}
						choices++
					}
					p = after(t, p, card)
				}
				return nil
			}
			if run(t, c); choices == 0 {
				t.Error("no choice")
			}
		}
	}
}
