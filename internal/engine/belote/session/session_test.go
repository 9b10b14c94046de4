package session_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/players"
	"roem/internal/engine/belote/score"
	"roem/internal/engine/belote/session"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/length"
	"roem/internal/engine/piquet"
	table "roem/internal/engine/table/session"
)

func kind(t *testing.T, name string) players.Kind {
	t.Helper()
	k, err := players.ParseKind(name, players.DefaultWorlds)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// once lets the opponent decide at once.
func once(ctx context.Context, m session.Match, turn table.Turn[belote.Player], v players.View) (players.Action, error) {
	return m.Player.New(players.Place{Rand: turn.Rand, Tools: new(players.Tools)}).Choose(ctx, v)
}

// outside draws an act of the player outside.
func outside(rng *rand.Rand, s session.Session) session.Act {
	switch sight := session.See(s); sight.State {
	case session.Bidding:
		if calls := s.Match().LegalCalls(); rng.IntN(3) == 0 {
			return session.Act{Action: players.Action{Calls: true, Call: calls[1+rng.IntN(len(calls)-1)]}}
		}
		return session.Act{Action: players.Action{Calls: true, Call: belote.NoTrump}}
	case session.Playing:
		legal := sight.Legal.Slice()
		return session.Act{Action: players.Action{Card: legal[rng.IntN(len(legal))]}}
	default:
		return session.Act{Next: true}
	}
}

// Sessions of every kind are played to their ends by a random player outside. Stored and read they are the same, an equal session with the
// same acts is the same, the players take turns to deal, and the totals are the sums of what is written down.
func TestSessions(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 1))
	results := map[score.Result]int{}
	for n := range 18 {
		suits := piquet.Suits()
		setup := session.Setup{
			Seat: belote.Player(n & 1), Player: kind(t, []string{"random", "simple", "sampling:2"}[n%3]),
			Terms: session.Terms{Hands: 1 + n%4, Secret: [2]uint64{uint64(n), 5}},
			Deck:  belote.Deck(suits[n%2 : 1+n%2+n%3]...), Way: session.Way(n / 6), Flip: worlds.Flip(n / 3 & 1),
			Score: []score.Rules{
				session.UsualScore(), {Contract: score.Standard, Litige: true, Melds: score.OwnedMelds}, {Threshold: 30, Capot: 90},
			}[n/2%3],
		}
		if n%5 == 0 {
			setup.Hands, setup.Target = length.MaxHands, 90+10*n
		}
		s, err := session.New(setup)
		if err != nil {
			t.Fatal(err)
		}
		var acts []session.Act
		for {
			if s, err = s.Advance(t.Context(), once); err != nil {
				t.Fatal(err)
			}
			sight := session.See(s)
			if want := setup.Seat ^ belote.Player((sight.Hand-1)&1); sight.Seat != want {
				t.Fatalf("the seat is %s in hand %d, expected %s", sight.Seat, sight.Hand, want)
			}
			again := stored(t, s)
			if sight.Acts != len(acts) || !slices.Equal(acts, again.Acts()) {
				t.Fatalf("the acts are %v, made were %v", again.Acts(), acts)
			}
			if sight.State == session.Over {
				break
			}
			acts = append(acts, outside(rng, s))
			if s, err = again.Do(acts[len(acts)-1]); err != nil {
				t.Fatal(err)
			}
		}
		checkResults(t, s, results)
		twin := replayed(t, setup, acts)
		if one, two := encoded(t, s), encoded(t, twin); !bytes.Equal(one, two) {
			t.Errorf("the same acts lead to\n%s\nand to\n%s", one, two)
		}
	}
	for _, r := range []score.Result{score.Made, score.Lost, score.NoContract} {
		if results[r] == 0 {
			t.Errorf("no hand ended with the result %s: %v", r, results)
		}
	}
}

// replayed returns the session of a setup after acts.
func replayed(t *testing.T, setup session.Setup, acts []session.Act) session.Session {
	t.Helper()
	s, err := session.New(setup)
	for i := 0; err == nil; i++ {
		if s, err = s.Advance(t.Context(), once); err != nil || i == len(acts) {
			break
		}
		s, err = s.Do(acts[i])
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func encoded(t *testing.T, s session.Session) []byte {
	t.Helper()
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// stored returns the session after it was stored and read.
func stored(t *testing.T, s session.Session) session.Session {
	t.Helper()
	text := encoded(t, s)
	again, err := session.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	if text2 := encoded(t, again); !bytes.Equal(text, text2) {
		t.Fatalf("the session was\n%s\nand is read as\n%s", text, text2)
	}
	return again
}

func checkResults(t *testing.T, s session.Session, seen map[score.Result]int) {
	t.Helper()
	sight, sums := session.See(s), [2]int{}
	for _, r := range sight.Results {
		seen[r.Score.Result]++
		sums[0] += r.Written(r.Seat)
		sums[1] += r.Written(r.Seat.Other())
		if none := r.Trump == belote.NoTrump; none != (r.Rules.Contract == score.None) {
			t.Errorf("the trump is %s and the contract %s", r.Trump, r.Rules.Contract)
		}
	}
	u := s.Match()
	if reached := u.Target > 0 && max(sums[0], sums[1]) >= u.Target; sums != sight.Totals || !reached && len(sight.Results) != u.Hands {
		t.Errorf("after %d of %d hands the totals are %v, the sums %v", len(sight.Results), s.Match().Hands, sight.Totals, sums)
	}
}

// What the player outside may see, and what the opponent does, do not depend on the cards that have not been turned: they are the same if
// the cards lie there in another order.
func TestSightIsSealed(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 2))
	moved := 0
	for n := range 8 {
		s, err := session.New(session.Setup{
			Player: kind(t, []string{"simple", "sampling:2"}[n&1]), Deck: belote.Deck(piquet.Hearts, piquet.Spades),
			Way: session.Way(n % 3), Terms: session.Terms{Hands: 1, Secret: [2]uint64{uint64(n), 9}},
		})
		for err == nil && s.State() != session.Over {
			other, exchanged := session.WithHiddenExchanged(s)
			if exchanged != nil {
				t.Fatal(exchanged)
			}
			if !slices.Equal(session.Dealt(s.Hand()), session.Dealt(other.Hand())) {
				moved++
			}
			if one, two := seen(t, s), seen(t, other); one != two {
				t.Fatalf("the sight depends on cards face down (-one +other)\n%s", cmp.Diff(one, two))
			}
			if !s.Waits() {
				if one, two := firstOf(t, s), firstOf(t, other); one != two {
					t.Fatalf("the opponent does %v, and with other cards face down %v", one, two)
				}
				if s, err = s.Advance(t.Context(), once); err != nil {
					t.Fatal(err)
				}
				continue
			}
			s, err = s.Do(outside(rng, s))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if moved < 60 {
		t.Errorf("only %d times cards were exchanged", moved)
	}
}

// seen returns all that a sight tells, as text.
func seen(t *testing.T, s session.Session) string {
	t.Helper()
	sight := session.See(s)
	var b strings.Builder
	b.WriteString(strings.Join(append(sight.Legal.Names(), string(sight.State)), " "))
	for _, c := range sight.Calls {
		b.WriteString(" " + session.CallName(c))
	}
	if d := sight.Dealing; d != nil {
		for _, open := range d.Open {
			b.WriteString(" " + piquet.SetOf(open...).String())
		}
	}
	if v := sight.View; v != nil {
		d, covers := v.Deal(), v.Covers()
		for _, p := range belote.Players() {
			for _, stack := range d.Of(p) {
				b.WriteString(" " + stack.Top.String())
				if !covers.Has(stack.Top) {
					b.WriteString("/" + stack.Bottom.String())
				}
			}
		}
	}
	if sight.Revealed != nil {
		t.Error("a hand that is not over is revealed")
	}
	return b.String()
}

// firstOf returns the next act of the opponent.
func firstOf(t *testing.T, s session.Session) players.Action {
	t.Helper()
	before := len(s.Hands()[0])
	next, err := s.Advance(t.Context(), once)
	if err != nil {
		t.Fatal(err)
	}
	return next.Hands()[0][before]
}

// Acts that the session does not wait for, and those that are not allowed, are refused and change nothing. No error tells which card is
// face down.
func TestRefusals(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 3))
	s, err := session.New(session.Setup{
		Player: kind(t, "simple"), Deck: belote.Deck(piquet.Hearts, piquet.Spades), Terms: session.Terms{Hands: 2, Secret: [2]uint64{4}},
	})
	for err == nil {
		if s, err = s.Advance(t.Context(), once); err != nil {
			break
		}
		state := s.State()
		for of, act := range map[session.State]session.Act{
			session.Bidding: {Action: players.Action{Calls: true}}, session.Playing: {}, session.HandOver: {Next: true},
		} {
			if of != state {
				refused[*table.WrongState](t, s, act)
			}
		}
		if state == session.Bidding {
			refused[*session.IllegalCall](t, s, session.Act{Action: players.Action{Calls: true, Call: belote.TrumpOf(piquet.Clubs)}})
		}
		if state == session.Playing {
			checkCards(t, s)
		}
		if state == session.Over {
			return
		}
		s, err = s.Do(outside(rng, s))
	}
	t.Fatal(err)
}

func refused[E error](t *testing.T, s session.Session, a session.Act) (e E) {
	t.Helper()
	after, err := s.Do(a)
	e, ok := errors.AsType[E](err)
	if !ok {
		t.Fatalf("in the state %s the act %v: error %v", s.State(), a, err)
	}
	if diff := cmp.Diff(s.Acts(), after.Acts()); diff != "" {
		t.Fatal(diff)
	}
	return e
}

// checkCards plays every card that may not be played. Each that is not an open card of the player has the same reason, wherever it is.
func checkCards(t *testing.T, s session.Session) {
	t.Helper()
	sight := session.See(s)
	now := sight.View.Now()
	for c := range (piquet.Deck &^ sight.Legal).All() {
		got := refused[*belote.IllegalCard](t, s, session.Act{Action: players.Action{Card: c}}).Reason
		want := "is to play, and it is not one of the open cards"
		switch {
		case now.Up(sight.Seat).Has(c):
			_, err := now.Play(c)
			by, ok := errors.AsType[*belote.IllegalCard](err)
			if !ok {
				t.Fatal(err)
			}
			want = by.Reason
		case slices.Contains(sight.View.Played(), c):
			want = "is to play, and it has been played"
		}
		if got != want {
			t.Fatalf("%s: %s, want: %s", c, got, want)
		}
	}
}

// Bytes that are no session are refused.
func TestDecode(t *testing.T) {
	whole := `{"v": 1, "seat": "A", "player": "simple", "hands": 1, "suits": "HS", "trump": "bidding", "flip": "immediate", "history": [""]}`
	if _, err := session.Decode([]byte(whole)); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"v": 1`, `"v": 2`},
		{`"A"`, `"C"`},
		{"simple", "best"},
		{"HS", "HX"},
		{"HS", ""},
		{"bidding", "called"},
		{"immediate", "never"},
		{`[""]`, `["C"]`},
		{`[""]`, `["X"]`},
		{`[""]`, `["pass KH"]`},
		{`[""]`, `["1H"]`},
		{`[""]`, `["pass pass pass pass pass"]`},
		{`[""]`, `["", ""]`},
		{`]}`, ``},
	} {
		if text := strings.Replace(whole, change[0], change[1], 1); text == whole {
			t.Errorf("%s is not there", change[0])
		} else if _, err := session.Decode([]byte(text)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}
