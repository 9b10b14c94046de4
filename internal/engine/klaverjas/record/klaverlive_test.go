package record

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/engine/record"
	"roem/internal/random"
	"roem/internal/testkit"
)

func readLive(t *testing.T, text string) (*Hand, error) {
	t.Helper()
	hands, err := (&record.Kinds{Kinds: []*record.Kind{Kind}, Foreign: Foreign}).Read(text)
	if err != nil {
		return nil, err
	}
	h, ok := hands[0].(*Hand)
	if !ok || len(hands) != 1 {
		t.Fatalf("%d hands", len(hands))
	}
	return h, nil
}

// States of the site, in which the cards of a trick stand in the order of play.
func TestKlaverLiveInOrderOfPlay(t *testing.T) {
	text, err := os.ReadFile("testdata/klaverlive-order-of-play.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var one struct {
			State  json.RawMessage
			Expect struct {
				Leader, Seat string
				Hand, Played []string
			}
		}
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		h, err := readLive(t, string(one.State))
		if err != nil {
			t.Error(err)
			continue
		}
		var played []string
		for _, c := range h.Played {
			played = append(played, c.String())
		}
		want := one.Expect
		if diff := cmp.Diff(want.Played, played); diff != "" || h.Leader.String() != want.Leader || h.Seat.String() != want.Seat ||
			!cmp.Equal(h.Hands[h.Seat].Names(), want.Hand) {
			t.Errorf("%s leads, %s has %s: %s", h.Leader, h.Seat, h.Hands[h.Seat], diff)
		}
	}
}

// liveState returns a position as a state of KlaverLive, seen by south.
func liveState(p *klaverjas.Position, hands [4]piquet.Set, plays []livePlay, order string, named string) string {
	trump := map[piquet.Suit]string{piquet.Clubs: "klaveren", piquet.Diamonds: "ruiten", piquet.Hearts: "harten", piquet.Spades: "schoppen"}
	names := map[piquet.Seat]string{piquet.South: "Zuid", piquet.West: "West", piquet.North: "Noord", piquet.East: "Oost"}
	card := func(c piquet.Card) string {
		return string("krhs"[c.Suit()]) + []string{"7", "8", "9", "10", "11", "12", "13", "14"}[c.Face()]
	}
	in := map[string]any{"TroefKleur": trump[p.Deal().Trump], "TeamGaat": 0, "Center": []seatCard{}}
	if named != "" {
		in["Order"] = named
	}
	history := []map[string]any{}
	for len(plays) >= 4 {
		trick := plays[:4]
		plays = plays[4:]
		cards := make([]seatCard, 4)
		for i, play := range trick {
			at := play.seat.Minus(piquet.South)
			if order == orderFirst {
				at = i
			}
			cards[at] = seatCard{names[liveSeats[at]], card(play.card)}
		}
		history = append(history, map[string]any{"First": trick[0].seat.Minus(piquet.South), "Cards": cards})
	}
	center := []seatCard{}
	for _, play := range plays {
		center = append(center, seatCard{names[play.seat], card(play.card)})
	}
	mine := []string{}
	for c := range hands[piquet.South].All() {
		if p.Hand(piquet.South).Has(c) {
			mine = append(mine, card(c))
		} else {
			mine = append(mine, ".")
		}
	}
	in["History"], in["Center"], in["MyCards"] = history, center, strings.Join(mine, " ")
	text, _ := json.Marshal(in)
	return string(text)
}

// Hands at all their cards, in both orders: each is read as it was played, or the reader asks, and then Order decides.
func TestKlaverLiveReadings(t *testing.T) {
	rng := random.New(38)
	asked, read := 0, 0
	for range testkit.Times(100, 300, 3000, 10_000) {
		p, hands, plays := playedLive(rng, 1+rng.IntN(31))
		order := []string{orderFirst, orderCompas}[rng.IntN(2)]
		h, err := readLive(t, liveState(&p, hands, plays, order, ""))
		if err != nil && strings.Contains(err.Error(), "has two readings") {
			asked++
			h, err = readLive(t, liveState(&p, hands, plays, order, order))
		} else {
			read++
		}
		if err != nil {
			t.Fatalf("%v: %s", err, liveState(&p, hands, plays, order, ""))
		}
		var want []piquet.Card
		for _, play := range plays {
			want = append(want, play.card)
		}
		if !cmp.Equal(h.Played, want) || h.Leader != plays[0].seat {
			t.Errorf("%s leads and %v is played, want %v: %s", h.Leader, h.Played, want, liveState(&p, hands, plays, order, ""))
		}
	}
	t.Logf("read %d, asked %d times", read, asked)
	if asked == 0 || read < 4*asked {
		t.Errorf("read %d, asked %d times", read, asked)
	}
}

// playedLive plays n random cards of a random deal.
func playedLive(rng *rand.Rand, n int) (p klaverjas.Position, hands [4]piquet.Set, plays []livePlay) {
	h := draw(rng, true)
	h.Rules = klaverjas.DefaultRules(klaverjas.Rotterdam)
	p, err := klaverjas.NewPosition(h.Rules, klaverjas.Deal{Trump: h.Trump, Leader: h.Leader, Declarer: h.Declarer, Hands: h.Hands})
	if err != nil {
		panic(err)
	}
	for range n {
		legal := p.Legal().Slice()
		c := legal[rng.IntN(len(legal))]
		plays = append(plays, livePlay{p.Turn(), c})
		p, _ = p.Play(c)
	}
	return p, h.Hands, plays
}

// Before the first card the state says who leads. Without it, and without tricks that were played, the reader says what is missing.
func TestKlaverLiveAtTheBegin(t *testing.T) {
	const rest = `"Center":[],"TroefKleur":"harten","TeamGaat":0,`
	const all = `"MyCards":"k7 k8 k9 k10 k11 k12 k13 k14"}`
	const trick = `{"First":0,"Title":"5e slag","Cards":[{"Compas":"Zuid","Card":"r7"},{"Compas":"West","Card":"r9"},` +
		`{"Compas":"Noord","Card":"r12"},{"Compas":"Oost","Card":"r13"}]}`
	for _, tt := range []struct{ text, want string }{
		{`{"PlayersTurnCompas":"Noord","PlayersTurn":2,"DealerNr":1,"History":[],` + rest + all, "N"},
		{`{"PlayersTurn":3,"DealerNr":1,"History":[],` + rest + all, "E"},
		{`{"DealerNr":0,"History":[],` + rest + all, "W"},
		{`{"History":[],` + rest + all, "nothing says who leads"},
		{`{"PlayersTurnCompas":"Nord","History":[],` + rest + all, `"Nord" is not a Compas`},
		{`{"History":[` + trick + `],` + rest + `"MyCards":". . . . . k12 k13 k14"}`, "tricks 1 to 4 are missing"},
		{`{"History":[` + strings.Replace(trick, "5e", "2e", 1) + `],` + rest + `"MyCards":". . k9 k10 k11 k12 k13 k14"}`, "trick 1 is missing"},
		{
			`{"History":[` + strings.Replace(trick, "5e slag", "", 1) + `],` + rest + `"MyCards":". . . . k11 k12 k13 k14"}`,
			"tricks 1 to 3 are missing",
		},
		{`{"History":[],` + rest + `"MyCards":". k8 k9 k10 k11 k12 k13 k14"}`, "trick 1 is missing"},
	} {
		text, want := tt.text, tt.want
		h, err := readLive(t, text)
		switch {
		case err != nil && !strings.Contains(err.Error(), want), err == nil && h.Leader.String() != want:
			t.Errorf("%v, want %s: %s", err, want, text)
		}
	}
}
