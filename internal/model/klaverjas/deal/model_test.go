package deal_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"math"
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
	"roem/internal/model/klaverjas/deal"
	"roem/internal/model/klaverjas/network"
)

var update = flag.Bool("update", false, "write the golden predictions anew")

func shipped(tb testing.TB) *deal.Model {
	tb.Helper()
	m, err := deal.Default()
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func rules() klaverjas.Rules { return klaverjas.DefaultRules(klaverjas.Rotterdam) }

// deals draws deals with all suits as trump, all seats leading and both teams declaring.
func deals(n int, seed uint64) []klaverjas.Deal {
	rng := index.NewRand(seed)
	out := make([]klaverjas.Deal, n)
	for i := range out {
		d := klaverjas.Deal{Trump: piquet.Suit(rng.IntN(4)), Leader: piquet.Seat(rng.IntN(4)), Declarer: piquet.Team(rng.IntN(2))}
		if i%2 == 0 {
			d.Hands = index.Random(rng, d.Trump, d.Leader)
		} else {
			d.Hands = index.RandomClassUniform(rng, d.Trump, d.Leader)
		}
		out[i] = d
	}
	return out
}

// covered returns deals whose declarers the shipped model knows.
func covered(tb testing.TB, n int, seed uint64) []klaverjas.Deal {
	tb.Helper()
	m := shipped(tb)
	out := deals(2*n+50, seed)
	out = slices.DeleteFunc(out, func(d klaverjas.Deal) bool { return !m.Covers(rules(), d) })
	if len(out) < n {
		tb.Fatalf("%d of the deals are covered, fewer than %d", len(out), n)
	}
	return out[:n]
}

// systems returns the rule sets of the shipped model, which are the default rules of both systems.
func systems() []klaverjas.Rules {
	return []klaverjas.Rules{rules(), klaverjas.DefaultRules(klaverjas.Amsterdam)}
}

// Each system has weights for both declaring sides. The version belongs to the weights for the paper's rules.
func TestShipped(t *testing.T) {
	m := shipped(t)
	for _, r := range systems() {
		for _, side := range []bool{true, false} {
			w, ok := m.WeightsFor(r, side)
			if !ok || w.Version == "" || len(w.SHA256) != 64 {
				t.Errorf("%s, the leader's side declares: %t: %+v, %t", r.System, side, w, ok)
			}
		}
	}
	if first, _ := m.WeightsFor(rules(), true); len(m.Trained()) != 4 || m.Version() != first.Version || m.SHA256() != first.SHA256 {
		t.Errorf("%d weights, version %s, checksum %s", len(m.Trained()), m.Version(), m.SHA256())
	}
}

type golden struct {
	System         string  `json:"system"`
	Index          uint64  `json:"index"` // with clubs as trump and north leading
	LeaderDeclares bool    `json:"leader_declares"`
	WinProbability float64 `json:"win_probability"`
	Outcome        float64 `json:"outcome"`
	Log10Nodes     float64 `json:"log10_nodes"`
	Log10Nodes90   float64 `json:"log10_nodes_90"`
}

// The predictions of the embedded weights are the same on every machine and in every version of the code.
func TestGolden(t *testing.T) {
	m := shipped(t)
	var got []golden
	for i, d := range append(covered(t, 64, 2026), covered(t, 64, 2026)...) {
		r := systems()[i/64]
		p, ok := m.Predict(r, d)
		if !ok {
			t.Fatalf("%v is covered and not predicted", d)
		}
		canonical, _ := index.Canonical(d)
		got = append(got, golden{
			r.System.String(), canonical, d.Leader.Team() == d.Declarer, p.WinProbability, p.Outcome, p.Log10Nodes,
			p.Log10Nodes90,
		})
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
	var want []golden
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	// The network gives the same bits everywhere; math.Exp need not.
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("(-golden +predicted):\n%s", diff)
	}
}

func TestPredictionsMakeSense(t *testing.T) {
	m := shipped(t)
	for i, d := range covered(t, 1000, 1) {
		p, _ := m.Predict(systems()[i%2], d)
		if !(p.WinProbability >= 0 && p.WinProbability <= 1) || !(math.Abs(p.Outcome) < 1000) || !(math.Abs(p.Log10Nodes) < 12) ||
			!(p.Log10Nodes90 >= p.Log10Nodes && p.Log10Nodes90 < 12) {
			t.Errorf("%v: %+v", d, p)
		}
		if p.Won() != (p.WinProbability > 0.5) || p.Confidence() < 0.5 {
			t.Errorf("%v: %+v: won %t, confidence %v", d, p, p.Won(), p.Confidence())
		}
	}
}

// Renaming suits and seats changes no bit of a prediction.
func TestTwinsAreOne(t *testing.T) {
	m := shipped(t)
	for i, d := range covered(t, 400, 3) {
		want, _ := m.Predict(systems()[i%2], d)
		_, re := index.Canonical(d)
		twin := re.Deal(d)
		got, ok := m.Predict(systems()[i%2], twin)
		if !ok || got != want {
			t.Fatalf("%v: %+v, its twin %v: %+v", d, want, twin, got)
		}
	}
}

func TestBatchIsTheSame(t *testing.T) {
	m := shipped(t)
	for _, n := range []int{0, 1, 5, 63, 64, 65, 300} {
		all := deals(n, uint64(n))
		got, ok := make([]deal.Prediction, n), make([]bool, n)
		m.PredictBatch(rules(), all, got, ok)
		for i, d := range all {
			want, covered := m.Predict(rules(), d)
			if got[i] != want || ok[i] != covered {
				t.Fatalf("deal %d of %d: %+v, %t, alone %+v, %t", i, n, got[i], ok[i], want, covered)
			}
		}
	}
}

func TestOtherRulesAreNotPredicted(t *testing.T) {
	m := shipped(t)
	d := covered(t, 1, 4)[0]
	other := rules()
	other.Melds = false
	if _, ok := m.Predict(other, d); ok || m.Covers(other, d) {
		t.Error("rules without melds are covered")
	}
	ok := []bool{true}
	if m.PredictBatch(other, []klaverjas.Deal{d}, make([]deal.Prediction, 1), ok); ok[0] {
		t.Error("in a batch rules without melds are covered")
	}
	found := false
	for _, tr := range m.Trained() {
		found = found || klaverjas.Rules(tr.Rules) == rules() && tr.LeaderDeclares
	}
	if !found {
		t.Errorf("Trained() = %+v", m.Trained())
	}
}

func TestPredictDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes pools allocate")
	}
	m := shipped(t)
	d := covered(t, 64, 5)
	out, ok := make([]deal.Prediction, len(d)), make([]bool, len(d))
	i := 0
	if n := testing.AllocsPerRun(1000, func() {
		_, _ = m.Predict(rules(), d[i%len(d)])
		i++
	}); n != 0 {
		t.Errorf("Predict allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { m.PredictBatch(rules(), d, out, ok) }); n != 0 {
		t.Errorf("PredictBatch allocates %v times", n)
	}
}

// tinyFixed returns a small network.
func tinyFixed(tb testing.TB) *network.Fixed {
	tb.Helper()
	shape := network.Shape{Width: 16, Layers: 1, Head: [2]int{16, 16}}
	params := network.NewIntegers(shape)
	for i := range params.Tables {
		params.Tables[i] = int8(i%7) - 3
	}
	for i := range params.Shifts {
		params.Shifts[i] = 6
	}
	for i := range params.Narrow {
		params.Narrow[i] = int16(i%7) - 3
	}
	for i := range params.Wide {
		params.Wide[i] = int32(i%7) - 3
	}
	scales := network.Scales{Trump: []int{0, 0}, Plain: []int{0, 0}, TrumpSums: []int{0}, PlainSums: []int{0}}
	f, err := network.NewFixed(shape, scales, params)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// tiny returns a small file of weights.
func tiny(tb testing.TB, change func(*deal.Header)) (file []byte) {
	tb.Helper()
	n := tinyFixed(tb)
	h := deal.Header{
		Name: "tiny", Version: "1", Rules: klaverjas.RulesJSON(rules()), LeaderDeclares: true, NodesPerMillisecond: 1,
		Calibration: deal.Calibration{Scale: 1},
	}
	change(&h)
	file, err := deal.Encode(h, n)
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
	good := tiny(t, func(*deal.Header) {})
	if _, err := deal.Load(good); err != nil {
		t.Fatal(err)
	}
	header := int(binary.LittleEndian.Uint32(good[8:]))
	first := 12 + header + 4 // of the parameters
	with := func(change func(file []byte) []byte) []byte { return change(slices.Clone(good)) }
	put := func(at int, x uint32) []byte {
		return with(func(file []byte) []byte {
			binary.LittleEndian.PutUint32(file[at:], x)
			return seal(file)
		})
	}
	params := network.NewIntegers(network.Shape{Width: 16, Layers: 1, Head: [2]int{16, 16}})
	shifts := first + len(params.Tables)
	biases := shifts + len(params.Shifts) + 2*len(params.Narrow)
	table := func(x, shift byte) []byte { // in the first column of the first one
		return with(func(file []byte) []byte {
			file[first], file[shifts] = x, shift
			return seal(file)
		})
	}
	scaled := func(change func(*network.Scales)) []byte {
		var h deal.Header
		if err := json.Unmarshal(good[12:][:header], &h); err != nil {
			t.Fatal(err)
		}
		change(&h.Scales)
		head, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		file := binary.LittleEndian.AppendUint32(good[:8:8], uint32(len(head)))
		return seal(slices.Concat(file, head, good[12+header:]))
	}
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"nothing":          {nil, "has 0 bytes"},
		"short":            {good[:20], "has 20 bytes"},
		"another file":     {with(func(f []byte) []byte { f[0] = 'x'; return f }), "does not begin with"},
		"a flipped bit":    {with(func(f []byte) []byte { f[first+100] ^= 1; return f }), "damaged or cut short"},
		"cut":              {good[:len(good)-100], "damaged or cut short"},
		"longer":           {append(slices.Clone(good), 0), "damaged or cut short"},
		"cut and sealed":   {with(func(f []byte) []byte { return seal(slices.Delete(f, first, first+8)) }), "of parameters, expected"},
		"long header":      {with(func(f []byte) []byte { f[11] = 0xff; return seal(f) }), "header would have"},
		"header no object": {with(func(f []byte) []byte { f[12] = 'x'; return seal(f) }), "its header: "},
		"large table":      {table(0x7f, 8), "codes of suits could overflow"},
		"least table":      {table(0x80, 8), "codes of suits could overflow"},
		"shifted table":    {table(0, 9), "a table is shifted by 9 bits: expected 0 to 8"},
		"large bias":       {put(biases+8, math.MaxInt32), "sums could overflow: layer 0, trump"},
		"least bias":       {put(biases+8, 1<<31), "sums could overflow: layer 0, trump"},
		"large last bias":  {put(biases+4*(len(params.Wide)-1), math.MaxInt32), "sums could overflow: the outputs"},
		"another shape": {with(func(f []byte) []byte {
			return seal(bytes.Replace(f, []byte(`"width":16`), []byte(`"width":32`), 1))
		}), "parameters: a network of this shape has"},
		"impossible shape": {with(func(f []byte) []byte {
			return seal(bytes.Replace(f, []byte(`"width":16`), []byte(`"width":17`), 1))
		}), "width is 17: expected a multiple of 16"},
		"no scales": {scaled(func(s *network.Scales) { *s = network.Scales{} }), "scales: expected the scales of 1 layers"},
		"scales of 2 layers": {scaled(func(s *network.Scales) {
			s.PlainSums = append(s.PlainSums, 20)
		}), "scales: expected the scales of 1 layers"},
		"places of tables": {scaled(func(s *network.Scales) { s.Plain[0] = 16 }), "and 16 places: expected 0 to 15"},
		"negative places":  {scaled(func(s *network.Scales) { s.Trump[0] = -1 }), "the first codes have -1 and"},
		"places of codes":  {scaled(func(s *network.Scales) { s.Plain[1] = 30 }), "scales: plain codes have 30 places"},
		"fewer of sums":    {scaled(func(s *network.Scales) { s.TrumpSums[0] = s.Trump[1] - 1 }), "scales: trump codes have"},
		"more of sums":     {scaled(func(s *network.Scales) { s.DenseSums[1] = 31 }), "of sums with 31"},
		"of outputs":       {scaled(func(s *network.Scales) { s.DenseSums[2] = -1 }), "scales: outputs have"},
		"unknown field": {with(func(f []byte) []byte {
			return seal(bytes.Replace(f, []byte(`"width":16`), []byte(`"tdith":16`), 1))
		}), "unknown field"},
		"no name":      {tiny(t, func(h *deal.Header) { h.Name = "" }), "no name"},
		"no scale":     {tiny(t, func(h *deal.Header) { h.Calibration.Scale = 0 }), "scale is 0"},
		"large shift":  {tiny(t, func(h *deal.Header) { h.Calibration.Shift = 1e10 }), "shift is 1e+10"},
		"no speed":     {tiny(t, func(h *deal.Header) { h.NodesPerMillisecond = 0 }), "nodes_per_millisecond 0"},
		"broken rules": {tiny(t, func(h *deal.Header) { h.Rules.Pit.Declarers = 5 }), "its "},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := deal.Load(c.file)
			if _, ok := errors.AsType[*deal.FileError](err); !ok || m != nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

// Every file is rejected or gives predictions. The kernels do not check bounds, so the decoder must.
func FuzzLoad(f *testing.F) {
	good := tiny(f, func(*deal.Header) {})
	f.Add(good[:len(good)-sha256.Size], uint32(0), uint32(0))
	f.Add(good[:100], uint32(1<<20), uint32(1<<31))
	all := deals(3, 11)
	f.Fuzz(func(t *testing.T, body []byte, at, x uint32) {
		if int(at)+4 <= len(body) {
			body = slices.Clone(body)
			binary.LittleEndian.PutUint32(body[at:], x)
		}
		sum := sha256.Sum256(body)
		m, err := deal.Load(slices.Concat(body, sum[:]))
		if err != nil {
			if _, ok := errors.AsType[*deal.FileError](err); !ok {
				t.Fatalf("error %v", err)
			}
			return
		}
		for _, d := range all {
			if p, ok := m.Predict(rules(), d); ok && !(p.WinProbability >= 0 && p.WinProbability <= 1) {
				t.Errorf("%+v", p)
			}
		}
	})
}

func TestLoadSeveral(t *testing.T) {
	one := tiny(t, func(*deal.Header) {})
	other := tiny(t, func(h *deal.Header) { h.LeaderDeclares = false })
	if _, err := deal.Load(); err == nil {
		t.Error("a model of no file")
	}
	if _, err := deal.Load(one, one); err == nil || !strings.Contains(err.Error(), "same rules and declarers") {
		t.Errorf("twice the same: %v", err)
	}
	m, err := deal.Load(one, other)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range deals(20, 6) {
		if _, ok := m.Predict(rules(), d); !ok {
			t.Errorf("%v is not covered", d)
		}
	}
}

func BenchmarkPredict(b *testing.B) {
	m := shipped(b)
	d := covered(b, 1024, 7)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		_, _ = m.Predict(rules(), d[i&1023])
		i++
	}
}

func BenchmarkPredictBatch(b *testing.B) {
	m := shipped(b)
	d := covered(b, 1024, 8)
	out, ok := make([]deal.Prediction, len(d)), make([]bool, len(d))
	b.ReportAllocs()
	for b.Loop() {
		m.PredictBatch(rules(), d, out, ok)
	}
	b.ReportMetric(float64(b.N*len(d))/b.Elapsed().Seconds(), "deals/s")
}
