package session_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	table "roem/internal/engine/table/session"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/session"
)

// others lets the players of the program decide by rules of thumb or at random.
func others(ctx context.Context, m session.Match, turn table.Turn[tarok.Player], v *players.View) (players.Action, error) {
	if m.Player(turn) == "random" {
		return players.NewRandom(turn.Rand).Choose(ctx, v)
	}
	return players.NewHeuristic().Choose(ctx, v)
}

// outside draws an act of the player outside.
func outside(t *testing.T, rng *rand.Rand, s session.Session) session.Act {
	t.Helper()
	sight := session.See(s)
	if sight.State == session.HandOver {
		return session.Act{Next: true}
	}
	a, err := players.NewRandom(rng).Choose(t.Context(), &sight.View)
	if err != nil {
		t.Fatal(err)
	}
	if may := sight.May; sight.State == session.Announce && rng.IntN(4) == 0 {
		a.Words.Kontra, a.Words.Bonuses[tarok.AllKings] = may.Kontra, may.Bonuses[tarok.AllKings]
	}
	return session.Act{Action: a}
}

// Sessions played by a random player outside: stored and read they are the same, the same acts lead to the same session, the forehand
// moves on, the totals are the sums of the scores, and radli are kept from hand to hand.
func TestSessions(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 1))
	reasons := map[string]bool{}
	for n := range 12 {
		setup := session.Setup{
			Rules: tarok.DefaultRules, Seat: tarok.Player(n % 3), Players: [2]string{"random", "heuristic"}, NoRadli: n%4 == 0,
			Terms: session.Terms{Hands: 1 + n%7, Secret: [2]uint64{uint64(n), 7}},
		}
		if n%2 == 1 {
			setup.Rules.Order = tarok.ForehandLast
		}
		s, err := session.New(setup)
		if err != nil {
			t.Fatal(err)
		}
		var acts []session.Act
		for {
			if s, err = s.Advance(t.Context(), others); err != nil {
				t.Fatal(err)
			}
			if s.State() == session.Over {
				break
			}
			if want := setup.Seat.After(2 * (session.See(s).Hand - 1)); session.See(s).Seat != want {
				t.Fatalf("the seat is %s in hand %d, expected %s", session.See(s).Seat, session.See(s).Hand, want)
			}
			checkWords(t, session.See(s))
			checkCards(t, s, reasons)
			text, err := s.Encode()
			if err != nil {
				t.Fatal(err)
			}
			again, err := session.Decode(text)
			if err != nil {
				t.Fatal(err)
			}
			if text2, err := again.Encode(); err != nil || !bytes.Equal(text, text2) || !slices.Equal(s.Acts(), again.Acts()) {
				t.Fatalf("the session was\n%s\nand is read as\n%s %v", text, text2, err)
			}
			act := outside(t, rng, again)
			acts = append(acts, act)
			if s, err = again.Do(act); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(acts, s.Acts()); diff != "" {
			t.Fatalf("acts (-made +kept)\n%s", diff)
		}
		checkSums(t, s)
	}
	for _, reason := range []string{
		"must follow hearts", "must play a tarok", "must beat the trick",
		"may play tarok 1 only when nothing else is left",
	} {
		if !reasons[reason] {
			t.Errorf("no card was refused because its player %s", reason)
		}
	}
}

// checkCards plays each held card that may not be played. The session names the rule as a position does.
func checkCards(t *testing.T, s session.Session, reasons map[string]bool) {
	t.Helper()
	sight := session.See(s)
	if sight.State != session.Playing {
		return
	}
	v := &sight.View
	for c := range (v.Held &^ sight.Cards).All() {
		_, err := s.Do(session.Act{Action: players.Action{Phase: players.ToPlay, Card: c}})
		illegal, ok := errors.AsType[*session.Illegal](err)
		if !ok {
			t.Fatalf("%s: error %v", c, err)
		}
		want := v.Rules.Illegal(v.Contract, v.Player, v.Held, v.Trick, c)
		if got := illegal.Violations[0]; got.Pointer != "/card" || got.Detail != want.Error() || want.Turn != sight.Seat {
			t.Fatalf("%s: %v, want %v", c, got, want)
		}
		reasons[want.Reason] = true
	}
}

// checkWords says the words of a sight again: then the same may be said as in the session.
func checkWords(t *testing.T, sight session.Sight) {
	t.Helper()
	if sight.State != session.Announce {
		return
	}
	talk := players.NewTalk(sight.View.Contract, sight.View.Declarer)
	for _, w := range sight.Words {
		var err error
		if talk, err = talk.Say(w); err != nil {
			t.Fatalf("the words %v cannot be said again: %v", sight.Words, err)
		}
	}
	said := talk.Said()
	said.Radli = sight.Said.Radli
	if turn, ok := talk.Turn(); !ok || turn != sight.Seat || talk.May() != sight.May || said != sight.Said {
		t.Fatalf("after the words %v it is %s to speak, who may say %v; in the session %s may say %v", sight.Words, turn, talk.May(), sight.Seat,
			sight.May)
	}
}

func checkSums(t *testing.T, s session.Session) {
	t.Helper()
	sight, setup := session.See(s), s.Match()
	var sums [3]int
	for i, r := range sight.Results {
		for j := range sums {
			sums[j] += r.Score.Total[r.Seat.After(j)]
		}
		if i == 0 {
			continue
		}
		// Who is A in one hand is C in the next.
		for j := range 3 {
			before, after := sight.Results[i-1].Score.Radli[sight.Results[i-1].Seat.After(j)], r.Said.Radli[r.Seat.After(j)]
			if before != after {
				t.Fatalf("player %d has %d radli after hand %d, and %d before the next", j, before, i, after)
			}
		}
	}
	if diff := cmp.Diff(sums, sight.Totals); diff != "" || len(sight.Results) != setup.Hands {
		t.Fatalf("%d of %d hands, totals (-sums +totals)\n%s", len(sight.Results), setup.Hands, diff)
	}
	if setup.NoRadli && sight.Radli != [3]int{} {
		t.Fatalf("radli %v", sight.Radli)
	}
}

// Acts that the session does not wait for, and those that are not allowed, are refused and change nothing.
func TestRefusals(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 2))
	s, err := session.New(session.Setup{
		Rules: tarok.DefaultRules, Players: [2]string{"heuristic", "heuristic"},
		Terms: session.Terms{Hands: 1, Secret: [2]uint64{5}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for s.State() != session.Over {
		if s, err = s.Advance(t.Context(), others); err != nil {
			t.Fatal(err)
		}
		before := s.Acts()
		for phase := range players.Finished {
			a := session.Act{Action: players.Action{
				Phase: phase, Bid: tarok.Bid(tarok.Klop), Group: 6,
				Words: players.Words{Double: [4]bool{true, true, true, true}}, Card: 22,
			}}
			after, err := s.Do(a)
			_, wrong := errors.AsType[*table.WrongState](err)
			_, illegal := errors.AsType[*session.Illegal](err)
			if wrong == (session.StateOf(phase) == s.State()) || illegal == wrong {
				t.Fatalf("in the state %s, an action of the phase %s: %v", s.State(), phase, err)
			}
			if diff := cmp.Diff(before, after.Acts()); diff != "" {
				t.Fatal(diff)
			}
		}
		if _, err := s.Do(session.Act{Next: true}); err == nil {
			t.Fatalf("the next hand was dealt in the state %s", s.State())
		}
		if s.State() == session.Over {
			break
		}
		if s, err = s.Do(outside(t, rng, s)); err != nil {
			t.Fatal(err)
		}
	}
}

// Bytes that are no session are refused.
func TestDecode(t *testing.T) {
	for _, text := range []string{
		"", "{}", `{"v": 2}`, `{"v": 1, "seat": "D"}`, `{"v": 1, "seat": "A", "history": ["z:1"]}`, `{"v": 1, "seat": "A", "history": ["c:T1"]}`,
		`{"v": 1, "seat": "A", "history": ["b:four"]}`, `{"v": 1, "seat": "A", "history": ["x:0:Z1"]}`,
		`{"v": 1, "seat": "A", "history": ["w:x"]}`,
		`{"v": 1, "seat": "A", "hands": 1, "history": ["", ""]}`,
	} {
		if _, err := session.Decode([]byte(text)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}
