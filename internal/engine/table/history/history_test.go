package history_test

import (
	"strings"
	"testing"

	"roem/internal/engine/record"
	"roem/internal/engine/table/history"
	"roem/internal/engine/table/tabletest"
)

var game = &history.Game[tabletest.Pile, uint8, [2]int, int]{
	Name: "pile", Start: "Board", Least: 1, Most: 20, Form: "NUMBER",
	Begin:  func(n []int) tabletest.Pile { return tabletest.Pile{Left: n[0]} },
	Began:  func(p tabletest.Pile) []int { return []int{p.Left} },
	Act:    func(n []int) int { return n[0] },
	Acted:  func(n int) []int { return []int{n} },
	Result: func(p tabletest.Pile) []string { return history.Words(p.Last()) },
}

// What is written is read again, in each form, and what is wrong is told at its word.
func TestRecords(t *testing.T) {
	t.Parallel()
	end := tabletest.Pile{Acts: 3}
	h := game.Hand([]record.Tag{{Name: "Site", Value: "Club"}}, tabletest.Pile{Left: 5}, end, []int{1, 3, 1})
	object, err := record.JSON(h)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{record.Write(h), record.Line(h), string(object)} {
		start, acts, err := game.Read(text)
		if err != nil || start.Left != 5 || len(acts) != 3 || acts[1] != 3 {
			t.Errorf("%s: %v %v %v", text, start, acts, err)
		}
	}
	for text, want := range map[string]string{
		"roem1:pile;Play=1":                  `line 1, column 1: Board: the record that begins here does not have this tag`,
		"roem1:pile;Board=21":                `column 18: Board: "21" is not a number from 1 to 20`,
		"roem1:pile;Board=":                  `Board: has no numbers`,
		"roem1:pile;Board=5;Play=1.4":        `column 27: Play: may not be taken`,
		"roem1:pile;Board=5;Play=1.x":        `column 27: Play: "x" is not an act: expected NUMBER`,
		"roem1:pile;Board=5;Play=1:1":        `column 25: Play: "1:1" is not an act: expected NUMBER`,
		"roem1:pile;Board=2;Play=2.1":        `column 27: Play: comes after the end of the hand`,
		"roem1:pile;Board=2;Play=2;Result=1": `Result: "1" contradicts the rest of the record: expected "0"`,
		"roem1:pile;Board=2;Play=1":          `the hand is not finished`,
	} {
		if _, _, err := game.Read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
