// Package recordtest is for tests of the records of a game.
package recordtest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/record"
)

// RoundTrip writes a hand in the three forms and reads each.
func RoundTrip(t *testing.T, kind *record.Kind, hand record.Hand) {
	t.Helper()
	kinds := &record.Kinds{Kinds: []*record.Kind{kind}}
	object, err := record.JSON(hand)
	if err != nil {
		t.Fatal(err)
	}
	line := record.Line(hand)
	if strings.ContainsAny(line, " \n\t\"") {
		t.Fatalf("the line has a space: %s", line)
	}
	for _, text := range []string{record.Write(hand), line, string(object)} {
		hands, err := kinds.Read(text)
		if err != nil || len(hands) != 1 {
			t.Fatalf("%v, %d hands of\n%s", err, len(hands), text)
		}
		if diff := cmp.Diff(hand, hands[0]); diff != "" {
			t.Fatalf("%s\nof\n%s", diff, text)
		}
	}
}

// Damage damages a text in one of several ways.
func Damage(rng *rand.Rand, text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	at, line := rng.IntN(len(text)), rng.IntN(len(lines))
	switch rng.IntN(8) {
	case 0:
		return text[:at]
	case 1:
		return text[:at] + text[at+1:]
	case 2:
		const letters = "AKQJT9x[]\"{};:/ \n"
		return text[:at] + string(letters[rng.IntN(len(letters))]) + text[at+1:]
	case 3:
		lines = append(lines[:line], lines[line+1:]...)
	case 4:
		lines = append(lines[:line+1], lines[line:]...)
	case 5:
		other := rng.IntN(len(lines))
		lines[line], lines[other] = lines[other], lines[line]
	case 6:
		lines[line] = lines[line][:rng.IntN(len(lines[line])+1)]
	default:
		words := strings.Fields(text)
		i, j := rng.IntN(len(words)), rng.IntN(len(words))
		return strings.Replace(text, words[i], words[j], 1)
	}
	return strings.Join(lines, "\n") + "\n"
}

// Damaged reads damaged texts of finished hands. Each must be an error with its line, or hands that equal the original by the comparison.
// It returns how many were errors.
func Damaged(
	t *testing.T, kind *record.Kind, rng *rand.Rand, n int, draw func() record.Hand, same func(a, b record.Hand) string,
) (wrong int) {
	t.Helper()
	kinds := &record.Kinds{Kinds: []*record.Kind{kind}}
	for range n {
		hand := draw()
		text := Damage(rng, record.Write(hand))
		hands, err := kinds.Read(text)
		if err != nil {
			errs, ok := record.AsErrors(err)
			if !ok || errs[0].Line < 1 || errs[0].Line > 1+strings.Count(text, "\n") || errs[0].Column < 1 || errs[0].Violation.Detail == "" {
				t.Errorf("the error has no place: %v", err)
			}
			wrong++
			continue
		}
		for _, got := range hands {
			if diff := same(hand, got); diff != "" {
				t.Errorf("read without an error as another hand: %s\n%s", diff, text)
			}
		}
	}
	return wrong
}
