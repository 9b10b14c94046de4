package players_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/match"
	"roem/internal/engine/match/matchtest"
	"roem/internal/engine/table"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/random"
)

func kind(t *testing.T, name string) players.Kind {
	t.Helper()
	k, err := match.ParseKind(name, players.Kinds())
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestContest plays the two kinds: the heuristic player is far better, whatever the number of workers the result is the same, and a kind
// against itself makes no difference on average over the rotations.
func TestContest(t *testing.T) {
	c := players.Contest{A: kind(t, "heuristic"), B: kind(t, "random"), Deals: 60, Rules: tarok.DefaultRules, Seed: 3}
	one, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c.Workers = 4
	four, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(one, four, cmpopts.IgnoreUnexported(match.Times{})); diff != "" {
		t.Errorf("with four workers (-one, +four):\n%s", diff)
	}
	again := matchtest.Interrupted(t, 7, func(k match.Keeping) (players.Result, error) { c.Keeping = k; return c.Run(t.Context()) })
	if diff := cmp.Diff(one, again, cmpopts.IgnoreUnexported(match.Times{})); diff != "" {
		t.Errorf("after an interruption (-one, +two):\n%s", diff)
	}
	c.Keeping = match.Keeping{}
	if one.Difference.Low < 20 || one.Hands != 360 || one.Tables != 6 {
		t.Errorf("%+v", one)
	}
	c.B = c.A
	self, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if self.Difference != (match.Estimate{}) || self.Tied != 60 {
		t.Errorf("the heuristic player against itself: %+v", self)
	}
}

// TestSessions plays sessions with radli.
func TestSessions(t *testing.T) {
	c := players.Contest{
		A: kind(t, "heuristic"), B: kind(t, "random"), Deals: 5, Hands: 6, Seating: players.OneAgainst,
		Rules: tarok.DefaultRules, Seed: 3,
	}
	r, err := c.Run(t.Context())
	if err != nil || r.Hands != 90 {
		t.Fatalf("%+v, %v", r, err)
	}
	with := r.Difference
	c.NoRadli = true
	if r, err = c.Run(t.Context()); err != nil || r.Difference == with {
		t.Errorf("without radli the same: %+v, %v", r, err)
	}
}

// checker is a random player that checks its views.
type checker struct {
	t      *testing.T
	random players.Player
	seen   map[players.Phase]int
}

func (c checker) Choose(ctx context.Context, v *players.View) (players.Action, error) {
	c.seen[v.Phase]++
	if v.Phase == players.ToPlay || v.Phase == players.ToExchange {
		if _, err := worlds.New(v.View); err != nil {
			c.t.Errorf("%v: %v", v.View, err)
		}
	}
	if v.Phase == players.ToPlay && v.Legal()&^v.Held != 0 {
		c.t.Errorf("%s may play %s of %s", v.Player, v.Legal(), v.Held)
	}
	return c.random.Choose(ctx, v)
}

func TestViews(t *testing.T) {
	rng := random.New(5)
	seen := map[players.Phase]int{}
	s := players.NewSession(tarok.DefaultRules)
	sum := 0
	for range 60 {
		p := checker{t, players.NewRandom(rng), seen}
		_, score, err := s.Play(t.Context(), tarok.Random(rng), [3]players.Player{p, p, p})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range score.Total {
			sum += n
		}
	}
	if got := s.Scores[0] + s.Scores[1] + s.Scores[2]; got != sum || s.Hands != 60 {
		t.Errorf("scores %v of %d hands, want a sum of %d", s.Scores, s.Hands, sum)
	}
	for _, phase := range []players.Phase{players.ToBid, players.ToExchange, players.ToAnnounce, players.ToPlay} {
		if seen[phase] == 0 {
			t.Errorf("nobody had to %s", phase)
		}
	}
}

// cheat plays a card that it does not hold, or passes on.
type cheat struct{ players.Player }

func (c cheat) Choose(ctx context.Context, v *players.View) (players.Action, error) {
	if v.Phase == players.ToPlay {
		return players.Action{Phase: players.ToPlay, Card: (tarok.Deck &^ v.Held).First()}, nil
	}
	return c.Player.Choose(ctx, v)
}

func TestFault(t *testing.T) {
	bad := match.NewKind("cheat", false, func(rng *rand.Rand) players.Player { return cheat{players.NewRandom(rng)} })
	_, err := players.Contest{A: bad, B: kind(t, "random"), Deals: 2, Rules: tarok.DefaultRules}.Run(t.Context())
	var fault *table.Fault
	var illegal *tarok.IllegalCard
	if !errors.As(err, &fault) || !errors.As(err, &illegal) {
		t.Errorf("error %v, want a fault about an illegal card", err)
	}
}

func TestTalk(t *testing.T) {
	kings := players.Words{Bonuses: [4]bool{tarok.AllKings: true}}
	double := players.Words{Double: [4]bool{tarok.AllKings: true}}
	game := players.Words{Kontra: true}
	tests := []struct {
		name     string
		contract tarok.Contract
		words    []players.Words
		bad      int // the words that are refused; -1 for none
		done     bool
		want     tarok.Announcements
	}{
		{"silence", tarok.Two, make([]players.Words, 3), -1, true, tarok.Announcements{}},
		{"kings", tarok.Two, []players.Words{kings, {}, {}}, -1, true, tarok.Announcements{Bonuses: [4]tarok.Announced{{By: tarok.Declarers}}}},
		{
			"kontra of kings", tarok.Two,
			[]players.Words{kings, double, {}, {}},
			-1, true,
			tarok.Announcements{Bonuses: [4]tarok.Announced{{By: tarok.Declarers, Kontra: 1}}},
		},
		{"re", tarok.Zero, []players.Words{{}, game, {}, game, {}, {}}, -1, true, tarok.Announcements{Kontra: 2}},
		{"own game", tarok.Zero, []players.Words{game}, 0, false, tarok.Announcements{}},
		{"no bonuses in zero", tarok.Zero, []players.Words{kings}, 0, false, tarok.Announcements{}},
		{"announced twice", tarok.One, []players.Words{kings, kings}, 1, false, tarok.Announcements{}},
		{"of the partner", tarok.One, []players.Words{{}, kings, double}, 2, false, tarok.Announcements{}},
		{"too late", tarok.One, []players.Words{{}, game, {}, kings}, 3, false, tarok.Announcements{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			talk := players.NewTalk(tt.contract, tarok.B)
			for i, w := range tt.words {
				next, err := talk.Say(w)
				if (err != nil) != (i == tt.bad) {
					t.Fatalf("words %d: %v", i, err)
				}
				talk = next
			}
			if _, more := talk.Turn(); more == tt.done {
				t.Errorf("it goes on: %v", more)
			}
			if diff := cmp.Diff(tt.want, talk.Said()); tt.bad < 0 && diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMargins(t *testing.T) {
	two := tarok.Setup{Contract: tarok.Two, Declarer: tarok.B}
	said := tarok.Announcements{Bonuses: [4]tarok.Announced{tarok.AllKings: {By: tarok.Declarers}}}
	tests := []struct {
		name   string
		seat   tarok.Player
		score  tarok.Score
		points int
		kings  float64
		trula  float64
	}{
		{"declarer won", tarok.B, tarok.Score{Won: true, Bonuses: [4]int{20, 10}}, 0, 0.8, 0.78},
		{"declarer lost", tarok.B, tarok.Score{Bonuses: [4]int{-20}}, 1, 0.82, 0.8},
		{"opponent of one who lost", tarok.A, tarok.Score{Bonuses: [4]int{-20}}, -1, 0.8, 0.8},
		{"opponent of one who won", tarok.C, tarok.Score{Won: true, Bonuses: [4]int{20, -10}}, 0, 0.8, 0.78},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := players.Margins{Announce: [4]float64{0.8, 0.8, 0.8, 0.8}}
			got := start.After(tt.seat, &two, &said, &tt.score)
			want := players.Margins{Points: tt.points, Announce: [4]float64{tt.kings, tt.trula, 0.8, 0.8}}
			if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
