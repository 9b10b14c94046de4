package record_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roem/internal/engine/piquet"
	"roem/internal/engine/record"
	"roem/internal/random"
	"roem/internal/testkit"
)

// handOf reads a hand as the only one of a record.
func handOf(text string) (string, error) {
	hands, err := all().Read("[Game \"klaverjas\"]\n[Leader \"N\"]\n[Trump \"H\"]\n[Declarer \"NS\"]\n[Deal]\nN " + text + "\n")
	if err != nil {
		return "", err
	}
	_, line, _ := strings.Cut(record.Write(hands...), "[Deal]\nN ")
	line, _, _ = strings.Cut(line, "\n")
	return line, nil
}

// The pages read hands with the same cases.
func TestHandsAsPeopleWriteThem(t *testing.T) {
	root, err := testkit.Root()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(root, "testdata", "records", "hands.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var c struct{ Lang, Text, Cards string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		want, err := handOf(c.Cards)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := handOf(c.Text); err != nil || got != want {
			t.Errorf("%s: %q, want %q: %v", c.Text, got, want, err)
		}
	}
	if n < 10 {
		t.Errorf("%d cases", n)
	}
}

// A hand in any form is read as itself, or refused because it has two readings.
func TestHandsInAnyForm(t *testing.T) {
	rng := random.New(7)
	suits := [2][4][]string{
		{{"C", "♣", "Cl", "clubs"}, {"D", "♦", "Di", "diamonds"}, {"H", "♥", "He", "hearts"}, {"S", "♠", "Sp", "spades"}},
		{{"K", "♣", "Kl", "klaver"}, {"R", "♦", "Ru", "ruiten"}, {"H", "♥", "Ha", "harten"}, {"S", "♠", "Sch", "schoppen"}},
	}
	faces := [2]string{"789TJQKA", "789TBVHA"}
	refused := 0
	n := testkit.Times(1000, 3000, 100_000, 100_000)
	for range n {
		lang, name := rng.IntN(2), rng.IntN(4)
		colon, apart := [2]string{"", ":"}[rng.IntN(2)], [2]string{"", " "}[rng.IntN(2)]
		var hand piquet.Set
		for hand.Len() < 8 {
			hand = hand.With(piquet.Card(rng.IntN(32)))
		}
		var text []string
		for _, s := range rng.Perm(4) {
			var list []string
			for c := range hand.All() {
				if int(c.Suit()) == s {
					face := faces[lang][c.Face() : c.Face()+1]
					if face == "T" && apart != "" {
						face = "10"
					}
					list = append(list, face)
				}
			}
			if len(list) > 0 {
				text = append(text, suits[lang][s][name]+colon+" "+strings.Join(list, apart))
			}
		}
		line := strings.Join(text, [2]string{" ", ", "}[rng.IntN(2)])
		want, err := handOf(hand.String())
		if err != nil {
			t.Fatal(err)
		}
		switch got, err := handOf(line); {
		case err != nil && strings.Contains(err.Error(), "can be "):
			refused++
		case err != nil || got != want:
			t.Errorf("%s: %q, want %q: %v", line, got, want, err)
		}
	}
	if refused > n/10 {
		t.Errorf("%d of %d are refused", refused, n)
	}
	if got, err := handOf(strings.Repeat("H ", 16)); err == nil {
		t.Errorf("sixteen times H: %q", got)
	}
	const two = "S A H H 7 R 8 9 10 K 7 8" // S: A H H: 7, or S: A H: H 7
	if got, err := handOf(two); err == nil || !strings.Contains(fmt.Sprint(err), "can be ") {
		t.Errorf("%s: %q, %v", two, got, err)
	}
}
