package record

import (
	"regexp"
	"strings"
	"testing"

	"roem/internal/engine/record"
	"roem/internal/random"
	"roem/internal/testkit"
)

var handRow = regexp.MustCompile(`(?m)^[ABC]( [THDSC]\w+){16}$`)

// Hands with a bare letter of a suit before its ranks are read as they are, or refused because they have two readings: C is a suit, a rank
// and a player.
func TestBareLetters(t *testing.T) {
	rng := random.New(4)
	kinds := &record.Kinds{Kinds: []*record.Kind{Kind}}
	refused := 0
	n := testkit.Times(50, 200, 2000, 2000)
	for range n {
		want := record.Write(draw(rng, true))
		text := handRow.ReplaceAllStringFunc(want, func(row string) string {
			suit, out := byte(0), row[:1]
			for card := range strings.FieldsSeq(row[1:]) {
				if card[0] != suit {
					suit = card[0]
					out += " " + card[:1]
				}
				out += " " + card[1:]
			}
			return out
		})
		if text == want {
			t.Fatal("no row of a hand")
		}
		hands, err := kinds.Read(text)
		switch {
		case err != nil && strings.Contains(err.Error(), "can be "):
			refused++
		case err != nil:
			t.Fatalf("%v\n%s", err, text)
		case record.Write(hands...) != want:
			t.Fatalf("%s\nis read as\n%s", text, record.Write(hands...))
		}
	}
	if refused > n/3 {
		t.Errorf("%d of %d are refused", refused, n)
	}
}
