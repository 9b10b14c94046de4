package session_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/ginrummy/session"
	"roem/internal/engine/length"
	"roem/internal/engine/match"
	table "roem/internal/engine/table/session"
	"roem/internal/random"
)

// at lets the opponent decide.
func at(ctx context.Context, m session.Match, turn table.Turn[ginrummy.Seat], v ginrummy.View) (ginrummy.Action, error) {
	kind, err := match.ParseKind(m.Player, players.Kinds())
	if err != nil {
		return ginrummy.Action{}, err
	}
	return kind.New(turn.Rand).Choose(ctx, v)
}

// begun returns a new session.
func begun(t *testing.T, setup session.Setup) session.Session {
	t.Helper()
	s, err := session.New(setup)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// act returns what a client that is one of the program's players does.
func act(t *testing.T, s session.Session, p players.Player, rng *rand.Rand) session.Act {
	t.Helper()
	sight := session.See(s)
	if sight.State == session.HandOver {
		return session.Act{Next: true}
	}
	view := sight.View
	if sight.Knock != nil {
		view.Events = append(view.Events, ginrummy.Event{Seat: *sight.By, Kind: ginrummy.Knock, Melds: sight.Knock.Melds})
	}
	a, err := p.Choose(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	if (a.Kind == ginrummy.Knock || a.Kind == ginrummy.Lay) && rng.IntN(2) == 0 {
		a = ginrummy.Action{Kind: a.Kind, Best: true}
	}
	return session.Act{Action: a}
}

// Games are played to their ends. Each session can be read from its bytes, its scores are the sums of its results, the starter follows
// the rule, and an equal session with the same acts is the same.
func TestGames(t *testing.T) {
	results := map[string]int{}
	for i, name := range []string{"simple", "random", "simple", "simple"} {
		rng := random.New(uint64(i), 7)
		setup := session.Setup{Player: name, Terms: session.Terms{Hands: 1, Secret: [2]uint64{uint64(i), 5}}}
		if i != 2 {
			setup.Hands, setup.Target = length.MaxHands, ginrummy.GameScore
		}
		p := []players.Player{players.NewSimple(rng), players.NewRandom(rng)}[i%2]
		s, err := begun(t, setup).Advance(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		for s.State() != session.Over {
			one := act(t, s, p, rng)
			next, err := s.Do(one)
			if err != nil {
				t.Fatal(err)
			}
			if next, err = next.Advance(t.Context(), at); err != nil {
				t.Fatal(err)
			}
			if acts := next.Acts(); len(acts) != len(s.Acts())+1 || acts[len(acts)-1] != one {
				t.Fatalf("the last of %d acts is %v, want %v", len(acts), acts[len(acts)-1], one)
			}
			s = next
		}
		text, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := session.Decode(text, players.Kinds())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(session.See(s), session.See(again)); diff != "" {
			t.Errorf("restored (-want +got)\n%s", diff)
		}
		sight, sum := session.See(s), [2]int{}
		for j, r := range sight.Results {
			sum[0] += r.Score[0]
			sum[1] += r.Score[1]
			if j > 0 {
				last := sight.Results[j-1]
				if want := ginrummy.NextStarter(last.Starter, last.Result); r.Starter != want {
					t.Errorf("round %d is started by %d, want %d", j+1, r.Starter, want)
				}
			}
			results[resultOf(r)]++
		}
		if sum != sight.Scores || setup.Target > 0 && max(sum[0], sum[1]) < setup.Target && len(sight.Results) < setup.Hands {
			t.Errorf("the game ends with %v after %d rounds, the sums are %v", sight.Scores, len(sight.Results), sum)
		}
		t.Logf("%s: %d bytes, %d rounds, %d acts", name, len(text), len(sight.Results), sight.Acts)
	}
	if results["knock"] < 5 || results["void"] == 0 {
		t.Errorf("results %v", results)
	}
}

func resultOf(r session.Result) string {
	switch {
	case r.Void:
		return "void"
	case r.Gin:
		return "gin"
	case r.Undercut:
		return "undercut"
	}
	return "knock"
}

// What the client may see before the end of a round does not depend on the cards that it has not seen: it is the same if the opponent
// holds other cards and has done the same.
func TestSightIsSealed(t *testing.T) {
	s := begun(t, session.Setup{Player: "simple", Terms: session.Terms{Hands: 1, Secret: [2]uint64{3, 3}}})
	sight := session.See(s)
	if sight.Revealed != nil || sight.Knock != nil || sight.State != session.Draw {
		t.Errorf("%+v", sight)
	}
	other := session.WithOthersExchanged(s)
	if diff := cmp.Diff(sight, session.See(other)); diff != "" {
		t.Errorf("the sight depends on hidden cards (-one +other)\n%s", diff)
	}
}

// Acts that do not fit are refused and change nothing.
func TestWrongActs(t *testing.T) {
	me := ginrummy.A
	s := begun(t, session.Setup{Player: "simple", Starter: &me, Terms: session.Terms{Hands: 1, Secret: [2]uint64{1, 1}}})
	for _, tt := range []struct {
		name  string
		act   session.Act
		state bool // the error is a *table.WrongState
		says  string
	}{
		{"next", session.Act{Next: true}, true, "the next hand cannot be dealt: the session waits for a draw"},
		{
			"discard",
			session.Act{Action: ginrummy.Action{Kind: ginrummy.Discard}},
			true,
			"a card cannot be discarded: the session waits for a draw",
		},
		{
			"knock",
			session.Act{Action: ginrummy.Action{Kind: ginrummy.Knock, Best: true}},
			true,
			"the decision whether to knock cannot be made: the session waits for a draw",
		},
		{
			"melds",
			session.Act{Action: ginrummy.Action{Kind: ginrummy.Lay, Best: true}},
			true,
			"melds cannot be laid down: the session waits for a draw",
		},
		{
			"stock",
			session.Act{Action: ginrummy.Action{Kind: ginrummy.Stock}},
			false,
			"in the first two turns a player takes " + session.See(s).View.Upcard.String() + " or passes",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			after, err := s.Do(tt.act)
			_, state := errors.AsType[*table.WrongState](err)
			if err == nil || state != tt.state || err.Error() != tt.says {
				t.Errorf("error %v, want %s", err, tt.says)
			}
			if diff := cmp.Diff(session.See(s), session.See(after)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Damaged bytes are refused.
func TestDamage(t *testing.T) {
	for _, text := range []string{
		``, `{}`, `{"v": 2}`, `{"v": 1, "player": "best"}`, `{"v": 1, "player": "simple", "history": ["!"]}`,
		`{"v": 1, "player": "simple", "history": ["2"]}`,
		`{"v": 1, "player": "simple", "history": ["4"]}`, `{"v": 1, "player": "simple", "history": ["4x/."]}`,
		`{"v": 1, "player": "simple", "history": ["44/."]}`,
		`{"v": 1, "player": "simple", "history": ["", ""]}`,
	} {
		if _, err := session.Decode([]byte(text), players.Kinds()); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}
