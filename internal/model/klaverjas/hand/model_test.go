package hand_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/hand"
)

var update = flag.Bool("update", false, "write the golden predictions anew")

func embedded(tb testing.TB) *hand.Model {
	tb.Helper()
	m, err := hand.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// questions draws questions that the embedded model covers.
func questions(tb testing.TB, n int, seed uint64) []hand.Question {
	tb.Helper()
	rules := embedded(tb).Header().Rules
	rng := index.NewRand(seed)
	out := make([]hand.Question, n)
	for i := range out {
		trump := piquet.Suit(rng.IntN(4))
		out[i] = hand.Question{
			Rules: klaverjas.Rules(rules[rng.IntN(len(rules))]), Hand: index.Random(rng, trump, piquet.North)[0], Trump: trump,
			Leader: rng.IntN(4), Declares: rng.IntN(2) == 0,
		}
	}
	return out
}

func strength(tb testing.TB, q hand.Question) hand.Strength {
	tb.Helper()
	s, ok := embedded(tb).Strength(q)
	if !ok {
		tb.Fatalf("%+v is not covered", q)
	}
	return s
}

// The predictions of the embedded weights are the same on every machine and in every version of the code.
func TestGolden(t *testing.T) {
	type golden struct {
		Hand     uint32        `json:"hand"`
		Trump    uint8         `json:"trump"`
		System   string        `json:"system"`
		Leader   int           `json:"leader"`
		Declares bool          `json:"declares"`
		Strength hand.Strength `json:"strength"`
	}
	var got, want []golden
	for _, q := range questions(t, 64, 2026) {
		got = append(got, golden{uint32(q.Hand), uint8(q.Trump), q.Rules.System.String(), q.Leader, q.Declares, strength(t, q)})
	}
	path := filepath.Join("testdata", "golden.json")
	if *update {
		text, err := json.MarshalIndent(got, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(text, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	// The network gives the same bits everywhere; math.Exp need not.
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("(-golden +predicted):\n%s", diff)
	}
}

func TestPredictionsMakeSense(t *testing.T) {
	for _, q := range questions(t, 2000, 1) {
		s := strength(t, q)
		if !(s.WinProbability >= 0 && s.WinProbability <= 1) || !(s.Pit >= 0 && s.Pit <= 1) || !(math.Abs(s.Mean) < 1000) ||
			!slices.IsSorted(s.Quantiles[:]) || !(s.Quantiles[0] > -1000 && s.Quantiles[4] < 1000) {
			t.Errorf("%+v: %+v", q, s)
		}
	}
}

func TestExtremeHands(t *testing.T) {
	parse := func(text string) piquet.Set {
		var s piquet.Set
		for word := range strings.FieldsSeq(text) {
			c, err := piquet.ParseCard(word)
			if err != nil {
				t.Fatal(err)
			}
			s |= 1 << c
		}
		return s
	}
	strong, weak := parse("JH 9H AH 10H AC 10C AS AD"), parse("7H 7C 8C 9C 7S 8S 7D 8D")
	for _, r := range embedded(t).Header().Rules {
		for leader := range 4 {
			q := hand.Question{Rules: klaverjas.Rules(r), Trump: piquet.Hearts, Leader: leader, Declares: true, Hand: strong}
			if s := strength(t, q); s.WinProbability < 0.95 || s.Mean < 100 {
				t.Errorf("%s, leader %d, a strong hand: %+v", r.System, leader, s)
			}
			q.Hand = weak
			if s := strength(t, q); s.WinProbability > 0.25 || s.Mean > 0 {
				t.Errorf("%s, leader %d, a weak hand: %+v", r.System, leader, s)
			}
		}
	}
}

// Renaming suits changes no bit of a prediction.
func TestNamesOfSuitsDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, q := range questions(t, 300, 3) {
		want := strength(t, q)
		names := rng.Perm(4)
		twin := q
		twin.Hand, twin.Trump = 0, piquet.Suit(names[q.Trump])
		for suit, name := range names {
			twin.Hand |= q.Hand >> (8 * suit) & 0xff << (8 * name)
		}
		if got := strength(t, twin); got != want {
			t.Fatalf("%+v: %+v, its twin %+v: %+v", q, want, twin, got)
		}
	}
}

func TestBatchIsTheSame(t *testing.T) {
	all := questions(t, 200, 4)
	all[7].Leader = 4
	out, ok := make([]hand.Strength, len(all)), make([]bool, len(all))
	embedded(t).StrengthBatch(all, out, ok)
	for i, q := range all {
		want, covered := embedded(t).Strength(q)
		if out[i] != want || ok[i] != covered || covered == (i == 7) {
			t.Fatalf("question %d: %+v, %t, alone %+v, %t", i, out[i], ok[i], want, covered)
		}
	}
}

func TestNotCovered(t *testing.T) {
	for name, change := range map[string]func(*hand.Question){
		"other rules": func(q *hand.Question) { q.Rules.Melds = false },
		"no cards":    func(q *hand.Question) { q.Hand = 0 },
		"nine cards":  func(q *hand.Question) { q.Hand |= q.Hand + 1 },
		"no suit":     func(q *hand.Question) { q.Trump = 4 },
		"no leader":   func(q *hand.Question) { q.Leader = -1 },
	} {
		t.Run(name, func(t *testing.T) {
			q := questions(t, 1, 5)[0]
			change(&q)
			if s, ok := embedded(t).Strength(q); ok || s != (hand.Strength{}) {
				t.Errorf("%+v, %t", s, ok)
			}
		})
	}
}

func TestStrengthDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes pools allocate")
	}
	m, all := embedded(t), questions(t, 64, 6)
	i := 0
	if n := testing.AllocsPerRun(1000, func() {
		_, _ = m.Strength(all[i%len(all)])
		i++
	}); n != 0 {
		t.Errorf("Strength allocates %v times", n)
	}
}

// tiny returns a small file of weights.
func tiny(tb testing.TB, change func(*hand.Header)) []byte {
	tb.Helper()
	shape := hand.Shape{Rules: 1, Width: 16, Hidden: []int{16}}
	params := make([]float32, hand.NewLayout(shape).Size)
	for i := range params {
		params[i] = float32(i%7)/10 - 0.3
	}
	n, err := hand.NewNetwork(shape, params)
	if err != nil {
		tb.Fatal(err)
	}
	rules := klaverjas.RulesJSON(klaverjas.DefaultRules(klaverjas.Rotterdam))
	h := hand.Header{Name: "tiny", Version: "1", Rules: []klaverjas.RulesJSON{rules}}
	change(&h)
	file, err := hand.Encode(h, n)
	if err != nil {
		tb.Fatal(err)
	}
	return file
}

// seal gives a changed file its correct checksum.
func seal(file []byte) []byte {
	body := file[:len(file)-sha256.Size]
	sum := sha256.Sum256(body)
	return append(slices.Clone(body), sum[:]...)
}

func TestDamagedFilesAreRefused(t *testing.T) {
	good := tiny(t, func(*hand.Header) {})
	if _, err := hand.Load(good); err != nil {
		t.Fatal(err)
	}
	with := func(change func([]byte) []byte) []byte { return change(slices.Clone(good)) }
	replaced := func(from, to string) []byte {
		return with(func(f []byte) []byte { return seal([]byte(strings.Replace(string(f), from, to, 1))) })
	}
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"nothing":        {nil, "has 0 bytes"},
		"another file":   {with(func(f []byte) []byte { f[0] = 'x'; return f }), "does not begin with"},
		"a flipped bit":  {with(func(f []byte) []byte { f[len(f)-100] ^= 1; return f }), "damaged or cut short"},
		"cut":            {good[:len(good)-100], "damaged or cut short"},
		"cut and sealed": {seal(good[:len(good)-100]), "bytes of parameters, expected"},
		"long header":    {with(func(f []byte) []byte { f[11] = 0xff; return seal(f) }), "header would have"},
		"no object":      {with(func(f []byte) []byte { f[12] = 'x'; return seal(f) }), "its header: "},
		"unknown field":  {replaced(`"shape"`, `"shapf"`), "unknown field"},
		"width":          {replaced(`"width":16`, `"width":17`), "multiple of 16"},
		"another width":  {replaced(`"width":16`, `"width":32`), "bytes of parameters"},
		"rule sets":      {replaced(`"shape":{"rules":1`, `"shape":{"rules":2`), "1 rule sets, and a network for 2"},
		"no rule set":    {replaced(`"shape":{"rules":1`, `"shape":{"rules":0`), "0 rule sets: expected"},
		"no layer":       {replaced(`"hidden":[16]`, `"hidden":[  ]`), "0 hidden layers"},
		"not a number": {
			with(func(f []byte) []byte { copy(f[len(f)-36:], "\xff\xff\xff\xff"); return seal(f) }),
			"a parameter is not a number",
		},
		"no name":      {tiny(t, func(h *hand.Header) { h.Name = "" }), "no name"},
		"broken rules": {tiny(t, func(h *hand.Header) { h.Rules[0].Pit.Declarers = 5 }), "its "},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := hand.Load(c.file)
			if _, ok := errors.AsType[*hand.FileError](err); !ok || m != nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

// The embedded model knows the default rules of both systems.
func TestEmbedded(t *testing.T) {
	m := embedded(t)
	for _, system := range []klaverjas.System{klaverjas.Rotterdam, klaverjas.Amsterdam} {
		if !m.Covers(klaverjas.DefaultRules(system)) {
			t.Errorf("%s is not covered", system)
		}
	}
	if m.Bytes() > 500_000 || len(m.SHA256()) != 64 {
		t.Errorf("%d bytes, checksum %s", m.Bytes(), m.SHA256())
	}
}

func TestSuits(t *testing.T) {
	h := piquet.SetOf(piquet.Of(piquet.Clubs, piquet.Ace), piquet.Of(piquet.Diamonds, piquet.Seven), piquet.Of(piquet.Hearts, piquet.Jack),
		piquet.Of(piquet.Hearts, piquet.Seven))
	if got, want := hand.SuitsOf(h, piquet.Hearts), (hand.Suits{1<<piquet.Jack | 1, 0, 1, 1 << piquet.Ace}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func BenchmarkStrength(b *testing.B) {
	m, all := embedded(b), questions(b, 1024, 7)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		_, _ = m.Strength(all[i&1023])
		i++
	}
}
