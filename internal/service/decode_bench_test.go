package service

import (
	"fmt"
	"strings"
	"testing"

	"roem/internal/cards"
	"roem/internal/dealindex"
)

// BenchmarkDecode measures decoding with the building of positions: one, and lists of a thousand.
func BenchmarkDecode(b *testing.B) {
	rng := dealindex.NewRand(4)
	written := func(more string) string {
		hands := dealindex.Random(rng, cards.Diamonds, cards.South)
		fields := make([]string, len(hands))
		for i, hand := range hands {
			fields[i] = fmt.Sprintf(`%q: [%s]`, cards.Seat(i).String(), strings.ReplaceAll(fmt.Sprintf("%q", hand.String()), " ", `", "`))
		}
		return `{"trump": "D", "leader": "S", ` + more + `"hands": {` + strings.Join(fields, ", ") + `}}`
	}
	list := make([]string, maxPositions)
	for i := range list {
		list[i] = written("")
	}
	all := `"positions": [` + strings.Join(list, ", ") + `]}`
	d := NewDecoder()
	for _, bench := range []struct{ request, body string }{
		{"Position", list[0]},
		{"Solve", written(`"goal": "win", "rules": {"system": "amsterdam"}, "played": [], `)},
		{"PredictBatch", `{` + all},
		{"HybridBatch", `{"budget_ms": 5, ` + all},
	} {
		b.Run(bench.request, func(b *testing.B) {
			body := []byte(bench.body)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := request(d, bench.request, body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
