package bidding

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
)

// dealing returns a dealing of hearts and spades with the given number of open cards of A and B.
func dealing(a, b int) Dealing {
	d := Dealing{Deck: belote.Deck(piquet.Hearts, piquet.Spades), Threshold: 50}
	list := d.Deck.Slice()
	d.Open[belote.A], d.Open[belote.B] = list[:a], list[8:8+b]
	return d
}

func TestStages(t *testing.T) {
	for stage, open := range map[int][2]int{1: {2, 0}, 2: {2, 2}, 3: {4, 2}, 4: {4, 4}} {
		d := dealing(open[0], open[1])
		if bad := d.Check(); bad != nil || d.Stage() != stage || Speaker(stage) != belote.Player((stage+1)%2) {
			t.Errorf("%v: %v, stage %d", open, bad, d.Stage())
		}
	}
	for _, open := range [][2]int{{0, 0}, {1, 0}, {2, 1}, {4, 0}, {4, 3}, {6, 4}, {2, 4}} {
		if d := dealing(open[0], open[1]); d.Check() == nil {
			t.Errorf("%v is accepted", open)
		}
	}
}

// The worlds of a group have the same next open cards, and each world has the open cards.
func TestDraw(t *testing.T) {
	d := dealing(2, 0)
	seen := map[belote.Deal]bool{}
	worlds, _, err := d.Search(t.Context(), watched(func(p belote.Position) {
		deal := p.Deal()
		if deal.Stacks[belote.A][0].Top != d.Open[belote.A][0] || deal.Stacks[belote.A][1].Top != d.Open[belote.A][1] || deal.Leader != belote.A {
			t.Errorf("the open cards are %v", deal.Stacks)
		}
		deal.Trump, deal.Threshold = 0, 0
		seen[deal] = true
	}), 10, 1, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	tops := map[[2]piquet.Card]int{}
	for deal := range seen {
		tops[[2]piquet.Card{deal.Stacks[belote.B][0].Top, deal.Stacks[belote.B][1].Top}]++
	}
	if len(worlds) != 9 || len(seen) != 9 || len(tops) != 3 {
		t.Errorf("%d worlds, %d deals, %d sets of the next open cards", len(worlds), len(seen), len(tops))
	}
}

// watched is a solver that looks at the positions.
type watched func(belote.Position)

func (w watched) Solve(_ context.Context, q search.Query) (search.Result, error) {
	w(q.Position)
	return search.Result{Points: 10}, nil
}

// A difference that the answer does not show does not decide: here a pass is better by 0.001 points.
func TestValuesDecideByWhatIsShown(t *testing.T) {
	worlds := slices.Repeat([]World{{40, 60, 32}}, 2000)
	worlds[7] = World{40, 60, 31}
	d := dealing(4, 4)
	v := d.Values(worlds)
	if v.Pass.Mean <= v.Choices[0].Score.Mean || v.Pass.Mean > v.Choices[0].Score.Mean+0.002 {
		t.Fatalf("call %v, pass %v: want a pass that is better by 0.001", v.Choices[0].Score, v.Pass)
	}
	if !v.Chooses {
		t.Errorf("call %.2f, pass %.2f: advises a pass", v.Choices[0].Score.Mean, v.Pass.Mean)
	}
}

// The trumps are hearts, spades and none; a hand has 102 points with trump and 86 without; A's points are given. The threshold is 50.
func TestValues(t *testing.T) {
	near := cmpopts.EquateApprox(0, 1e-9)
	for name, tt := range map[string]struct {
		dealing Dealing
		worlds  []World
		call    float64 // the score of the best choice
		pass    float64
		chooses bool
		next    []End
	}{
		// B, at the last stage, makes 62 with hearts, and loses the contract of spades. Without trump it makes 46.
		"last": {dealing(4, 4), []World{{40, 60, 40}, {40, 60, 40}}, 22, 6, true, []End{{Trump: belote.NoTrump, Share: 1}}},
		// Without trump B would have more than with a lost contract.
		"nobody": {dealing(4, 4), []World{{60, 60, 50}}, -102, -14, false, []End{{Trump: belote.NoTrump, Share: 1}}},
		// A would make 60 with spades. After a pass B takes hearts, in which A makes 40.
		"third": {
			dealing(4, 2),
			[]World{{40, 60, 43}, {40, 60, 43}, {40, 60, 43}, {40, 60, 43}},
			18, -22, true,
			[]End{{Chosen: true, Player: belote.B, Trump: belote.TrumpOf(piquet.Hearts), Share: 1}},
		},
		// In one group B makes spades; in the other it can make nothing, and passes: A then makes 46 of 86.
		"groups": {
			dealing(4, 2),
			[]World{{70, 52, 46}, {70, 52, 46}, {70, 70, 46}, {70, 70, 46}},
			38, (2 + 6) / 2.0, true,
			[]End{{Trump: belote.NoTrump, Share: 0.5}, {Chosen: true, Player: belote.B, Trump: belote.TrumpOf(piquet.Spades), Share: 0.5}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := tt.dealing.Values(tt.worlds)
			if math.Abs(v.Choices[0].Score.Mean-tt.call) > 1e-9 || math.Abs(v.Pass.Mean-tt.pass) > 1e-9 || v.Chooses != tt.chooses {
				t.Errorf("call %v, pass %v, chooses %v, want %v, %v, %v", v.Choices[0], v.Pass, v.Chooses, tt.call, tt.pass, tt.chooses)
			}
			if diff := cmp.Diff(tt.next, v.Next, near); diff != "" {
				t.Error(diff)
			}
		})
	}
}
