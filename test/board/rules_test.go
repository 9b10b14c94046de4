package board_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// outline is what the page and the engine say of a position.
type outline struct {
	Legal  []string       `json:"legal"`
	Points map[string]int `json:"points"`
	Melds  map[string]int `json:"melds"`
	Roem   []string       `json:"roem"` // of the last trick
}

// The page has the rules of the engine: after each card of random hands, under random rules.
func TestRules(t *testing.T) {
	t.Parallel()
	const hands = 120
	random := rand.New(rand.NewPCG(14, 14))
	var addresses []string
	var want []outline
	for range hands {
		rules, text := randomRules(random)
		deck := random.Perm(32)
		var deal klaverjas.Deal
		holders := make([]byte, 32)
		for i, c := range deck {
			seat := piquet.Seats()[i/8]
			deal.Hands[seat] |= piquet.SetOf(piquet.Card(c))
			holders[c] = seat.String()[0]
		}
		deal.Trump = piquet.Suits()[random.IntN(4)]
		deal.Leader = piquet.Seats()[random.IntN(4)]
		deal.Declarer = piquet.Team(random.IntN(2))
		position, err := klaverjas.NewPosition(rules, deal)
		if err != nil {
			t.Fatal(err)
		}
		played := ""
		var order []piquet.Card
		for {
			addresses = append(addresses, fmt.Sprintf("#v=1&t=%s&l=%s&d=%s&r=%s&h=%s&p=%s", deal.Trump, deal.Leader, deal.Declarer, text, holders,
				played))
			o := outline{Legal: []string{}, Points: map[string]int{}, Melds: map[string]int{}, Roem: []string{}}
			if done := len(order) / 4 * 4; done > 0 {
				for _, m := range rules.MeldsOf(piquet.SetOf(order[done-4:done]...), deal.Trump) {
					o.Roem = append(o.Roem, fmt.Sprintf("%s %d", m.Kind, m.Points))
				}
			}
			for _, team := range []piquet.Team{0, 1} {
				o.Points[team.String()], o.Melds[team.String()] = position.Score().Tricks[team], position.Score().Melds[team]
			}
			var legal []piquet.Card
			if !position.Finished() {
				for c := range position.Legal().All() {
					legal = append(legal, c)
					o.Legal = append(o.Legal, c.String())
				}
			}
			want = append(want, o)
			if position.Finished() {
				break
			}
			c := legal[random.IntN(len(legal))]
			if position, err = position.Play(c); err != nil {
				t.Fatal(err)
			}
			order = append(order, c)
			name := c.String()
			if len(name) == 3 {
				name = "T" + name[2:]
			}
			played += name
		}
	}
	text, err := json.Marshal(addresses)
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, commonSite(t), "/board"+example().fragment(-1))
	got := eval[[]outline](p, fmt.Sprintf(`import(new URL(%q, document.baseURI)).then(m => %s.map(a => m.outline(a)))`,
		strings.TrimPrefix(asset(t, "klaverjas-ondemand.js"), "/"), text))
	for i := range want {
		if diff := cmp.Diff(want[i], got[i]); diff != "" {
			t.Fatalf("%s (-engine +page)\n%s", addresses[i], diff)
		}
	}
}

// randomRules returns rules, and their form in the address.
func randomRules(random *rand.Rand) (klaverjas.Rules, string) {
	rules := klaverjas.DefaultRules(klaverjas.System(random.IntN(2)))
	rules.UnderRuff = klaverjas.UnderRuff(random.IntN(3))
	rules.Melds = random.IntN(4) > 0
	rules.NatMelds = klaverjas.NatMelds(random.IntN(2))
	rules.Pit.Declarers, rules.Pit.Defenders = 10*random.IntN(11), 10*random.IntN(11)
	rules.FourOfAKind[piquet.Jack] = 200
	melds := 0
	if rules.Melds {
		melds = 1
	}
	text := fmt.Sprintf("under:%s,melds:%d,nat:%s,pit:%d/%d,fourJ:200", rules.UnderRuff, melds, rules.NatMelds, rules.Pit.Declarers,
		rules.Pit.Defenders)
	if rules.System == klaverjas.Amsterdam {
		text = "amsterdam," + text
	}
	return rules, text
}
