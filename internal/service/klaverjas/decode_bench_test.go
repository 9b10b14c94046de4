package klaverjas

import (
	"fmt"
	"strings"
	"testing"

	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// BenchmarkDecode measures decoding, including the construction of positions: of one position, and of lists of a thousand.
func BenchmarkDecode(b *testing.B) {
	rng := index.NewRand(4)
	written := func(more string) string {
		hands := index.Random(rng, piquet.Diamonds, piquet.South)
		fields := make([]string, len(hands))
		for i, hand := range hands {
			fields[i] = fmt.Sprintf(`%q: [%s]`, piquet.Seat(i).String(), strings.ReplaceAll(fmt.Sprintf("%q", hand.String()), " ", `", "`))
		}
		return `{"trump": "D", "leader": "S", ` + more + `"hands": {` + strings.Join(fields, ", ") + `}}`
	}
	list := make([]string, service.MostItems)
	for i := range list {
		list[i] = written("")
	}
	all := `"positions": [` + strings.Join(list, ", ") + `]}`
	g := newGame(b, service.Options{}, Options{})
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
				if _, err := request(g, bench.request, body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
