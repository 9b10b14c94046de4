package train

import (
	"bytes"
	"testing"

	model "roem/internal/model/klaverjas/forest"
	"roem/lab/klaverjas/dataset"
)

// A grown model is read again, predicts better than the share of wins, and is the same with one worker and with two.
func TestGrowTrees(t *testing.T) {
	set := makeSet(t, func(s *dataset.Settings) { s.Rows, s.ShardRows = 1500, 750 })
	test := makeSet(t, func(s *dataset.Settings) { s.Rows, s.ShardRows, s.Seed = 300, 300, 7 })
	for _, kind := range []model.Kind{model.Tree, model.Forest} {
		var files [][]byte
		for _, workers := range []int{1, 2} {
			deals, err := ReadDeals(t.Context(), []string{set}, []string{test}, 0)
			if err != nil {
				t.Fatal(err)
			}
			g, err := GrowTrees(t.Context(), deals, TreesOptions{Kind: kind, Trees: 8, Version: "3", Seed: 5, Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, g.File)
			if workers > 1 {
				continue
			}
			m, err := model.Load(g.File, kind)
			if err != nil {
				t.Fatal(err)
			}
			if len(m.Measured) != 2 || m.Measured[0].Network || !m.Measured[1].Network || m.Version != "3" || m.Data[0].Rows != g.Rows {
				t.Errorf("%+v", m.About)
			}
			if own, network := m.Measured[0], m.Measured[1]; own.Accuracy.Value < max(own.ShareWon, 1-own.ShareWon)+0.05 ||
				own.Accuracy.Value > network.Accuracy.Value || own.Rows != 300 {
				t.Errorf("%+v %+v", own.Accuracy, network.Accuracy)
			}
			if want := map[model.Kind]int{model.Tree: 1, model.Forest: 8}[kind]; g.Trees != want || g.Bytes != len(g.File) || g.Nodes < 3 {
				t.Errorf("%+v", g)
			}
		}
		if !bytes.Equal(files[0], files[1]) {
			t.Errorf("%s: another file with two workers", kind)
		}
	}
}
