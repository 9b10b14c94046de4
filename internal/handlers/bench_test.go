package handlers_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
)

// randomPositions returns random deals in the form of requests.
func randomPositions(n int) []string {
	rng := index.NewRand(1)
	out := make([]string, n)
	for i := range out {
		hands := index.Random(rng, piquet.Clubs, piquet.North)
		var b strings.Builder
		b.WriteString(`{"trump":"C","leader":"N","hands":{`)
		for seat, hand := range hands {
			if seat > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"%s":[`, piquet.Seat(seat))
			for j, c := range hand.Slice() {
				if j > 0 {
					b.WriteByte(',')
				}
				fmt.Fprintf(&b, `"%s"`, c)
			}
			b.WriteByte(']')
		}
		b.WriteString("}}")
		out[i] = b.String()
	}
	return out
}

// sink is a response that keeps only its status: a recorder would grow with each part of a large answer.
type sink struct {
	header http.Header
	status int
}

func newSink() *sink { return &sink{header: http.Header{}} }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(status int)      { s.status = status }

// BenchmarkPredict measures one prediction, from the bytes of the request to the bytes of the answer.
func BenchmarkPredict(b *testing.B) {
	s := newServer(b)
	positions := randomPositions(256)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, request(http.MethodPost, "/v1/klaverjas/predict", positions[i%len(positions)]))
		if w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}

// BenchmarkHandStrengthBatch measures a batch of a thousand hands that the hand model answers, for one trump and for all four, from the
// bytes of the request to the bytes of the answer.
func BenchmarkHandStrengthBatch(b *testing.B) {
	const n = 1000
	s := newServer(b)
	rng := index.NewRand(1)
	hands := make([]string, n)
	for i := range hands {
		hand := index.Random(rng, piquet.Clubs, piquet.North)[0]
		hands[i] = `{"hand": [` + strings.ReplaceAll(fmt.Sprintf("%q", hand.String()), " ", `", "`) + `]}`
	}
	all := `"seat": "N", "leader": "N", "hands": [` + strings.Join(hands, ", ") + `]}`
	for name, body := range map[string]string{"one trump": `{"trump": "H", ` + all, "four trumps": `{` + all} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w := newSink()
				s.ServeHTTP(w, request(http.MethodPost, strengthBatchPath, body))
				if w.status != http.StatusOK {
					b.Fatal(w.status)
				}
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "hands/s")
		})
	}
}

// BenchmarkPredictBatch measures a batch of a thousand predictions.
func BenchmarkPredictBatch(b *testing.B) {
	s := newServer(b)
	body := list("", randomPositions(1000)...)
	b.ReportAllocs()
	for b.Loop() {
		w := newSink()
		s.ServeHTTP(w, request(http.MethodPost, "/v1/klaverjas/predict/batch", body))
		if w.status != http.StatusOK {
			b.Fatal(w.status)
		}
	}
}
