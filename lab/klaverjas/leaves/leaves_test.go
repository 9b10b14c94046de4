package leaves

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest"
	"roem/internal/engine/klaverjas/enginetest/naive"
	"roem/internal/engine/klaverjas/features"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	model "roem/internal/model/klaverjas/forest"
	"roem/internal/model/trees"
	"roem/lab/klaverjas/dataset"
	"roem/lab/klaverjas/dataset/datasettest"
)

// Against the rules and the minimax that share no code with the engine: the outcome of a win, and who wins.
func TestPlainAgainstMinimax(t *testing.T) {
	for count, repetitions := range map[int]int{1: 200, 2: 1_000, 3: 1_000, 4: 40} {
		for i := range repetitions {
			rng := rand.New(rand.NewPCG(61, uint64(count<<32+i)))
			s := naive.RandomEndgame(rng, naive.Default("rotterdam"), naive.Kind(i%int(naive.Kinds)), count)
			if len(s.Trick) > 0 {
				continue
			}
			want, _, positions := naive.Minimax(s)
			if want < 0 {
				want = loss
			}
			position, err := enginetest.Endgame(s)
			if err != nil {
				t.Fatal(err)
			}
			p, err := newPlain(position, 1<<40)
			if err != nil {
				t.Fatal(err)
			}
			got, leaves, err := p.solve()
			if err != nil || got != want {
				t.Fatalf("%v: outcome %d, error %v, want %d", s, got, err, want)
			}
			if leaves == 0 || leaves > uint64(positions) {
				t.Fatalf("%v: %d leaves of %d positions", s, leaves, positions)
			}
		}
	}
}

func TestLimit(t *testing.T) {
	rules := klaverjas.DefaultRules(klaverjas.Rotterdam)
	hands := index.Random(index.NewRand(1), piquet.Clubs, piquet.North)
	start, err := klaverjas.NewPosition(rules, klaverjas.Deal{Hands: hands})
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlain(start, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if _, leaves, err := p.solve(); !errors.Is(err, errTooLong) || leaves != 1001 {
		t.Errorf("stopped after %d leaves: %v", leaves, err)
	}
	other, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Amsterdam), klaverjas.Deal{Hands: hands})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newPlain(other, 1); err == nil {
		t.Error("a deal of amsterdam was taken")
	}
}

// Every deal is counted, and the report divides them into the four groups.
func TestRun(t *testing.T) {
	rules := klaverjas.DefaultRules(klaverjas.Rotterdam)
	set := datasettest.Make(t, dataset.Settings{
		Sampling: dataset.ClassUniform, Goal: search.Win, Rules: rules, Seed: 4, Rows: 40, ShardRows: 20,
	}, 0)
	about, err := json.Marshal(model.About{
		Kind: model.Forest, Name: "stump", Version: "1", Rules: klaverjas.RulesJSON(rules), LeaderDeclares: true,
		Calibration: model.Calibration{Scale: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	b := trees.NewBuilder(trees.Shape{Inputs: model.Inputs, Columns: features.Columns, Outputs: 1, Levels: 1, Training: about})
	b.Split(features.TeamSuit, 4)
	b.Leaf([]float32{0})
	b.Leaf([]float32{1})
	stump, err := b.Forest()
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(stump)
	if err != nil {
		t.Fatal(err)
	}
	deals, err := Run(t.Context(), set, m, Options{Deals: 30, Most: 20_000, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	ended, groups := 0, map[[2]bool]int{}
	for _, d := range deals {
		groups[[2]bool{d.Won, d.Right}]++
		if d.Ended {
			ended++
		} else if d.Leaves != 20_001 {
			t.Errorf("given up after %d leaves", d.Leaves)
		}
	}
	if len(deals) != 30 || ended == 30 || len(groups) != 4 {
		t.Errorf("%d deals, %d ended, groups %v", len(deals), ended, groups)
	}
	if text := Report(deals, 20_000); !strings.Contains(text, "within 20,000 leaves") || !strings.Contains(text, "| lose | wrong |") {
		t.Errorf("%s", text)
	}
}
