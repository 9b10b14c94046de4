package policy_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/policy"
)

// randomNetwork returns a network with random weights.
func randomNetwork(hidden int, seed uint64) *policy.Network {
	rng := rand.New(rand.NewPCG(seed, 1))
	n := policy.New(hidden)
	for _, list := range n.Params() {
		for i := range list {
			list[i] = float32(rng.NormFloat64() * 0.3)
		}
	}
	return n
}

// scene is a decision in a hand.
type scene struct {
	deal   klaverjas.Deal
	rules  klaverjas.Rules
	played []piquet.Card
	at     klaverjas.Position
}

// randomScene plays n random cards.
func randomScene(tb testing.TB, rng *rand.Rand, n int) scene {
	tb.Helper()
	trump, leader := piquet.Suit(rng.IntN(4)), piquet.Seat(rng.IntN(4))
	s := scene{
		rules: klaverjas.DefaultRules(klaverjas.System(rng.IntN(2))),
		deal: klaverjas.Deal{
			Trump: trump, Leader: leader, Declarer: piquet.Team(rng.IntN(2)), Hands: index.Random(rng, trump, leader),
		},
	}
	s.replay(tb, nil)
	for range n {
		legal := s.at.Legal().Slice()
		s.replay(tb, append(s.played, legal[rng.IntN(len(legal))]))
	}
	return s
}

func (s *scene) replay(tb testing.TB, played []piquet.Card) {
	tb.Helper()
	start, err := klaverjas.NewPosition(s.rules, s.deal)
	if err == nil {
		s.at, err = start.Replay(played)
	}
	if err != nil {
		tb.Fatal(err)
	}
	s.played = played
}

func (s *scene) table() playout.Table {
	t := playout.NewTable(&s.rules, s.deal.Trump, s.deal.Leader, s.deal.Declarer)
	for _, c := range s.played {
		t.Play(c)
	}
	return t
}

// renamed returns the same scene under other names.
func (s *scene) renamed(tb testing.TB, card func(piquet.Card) piquet.Card, suit func(piquet.Suit) piquet.Suit, turn int) scene {
	tb.Helper()
	r := scene{rules: s.rules, deal: klaverjas.Deal{
		Trump: suit(s.deal.Trump), Leader: s.deal.Leader.Plus(turn), Declarer: s.deal.Declarer,
	}}
	if turn%2 == 1 {
		r.deal.Declarer = s.deal.Declarer.Opponents()
	}
	for _, seat := range piquet.Seats() {
		for c := range s.deal.Hands[seat].All() {
			to := seat.Plus(turn)
			r.deal.Hands[to] = r.deal.Hands[to].With(card(c))
		}
	}
	var played []piquet.Card
	for _, c := range s.played {
		played = append(played, card(c))
	}
	r.replay(tb, played)
	return r
}

func (s *scene) logits(p playout.Policy) (logits [32]float32) {
	t := s.table()
	p.Logits(&t, s.at.Hand(s.at.Turn()), s.at.Legal(), &logits)
	return logits
}

// The logits do not change with the names of the seats and of the suits.
func TestNamesDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	net := randomNetwork(16, 1)
	for n := range 320 {
		s := randomScene(t, rng, n%32)
		var suits [4]piquet.Suit
		for i, to := range rng.Perm(4) {
			suits[i] = piquet.Suit(to)
		}
		card := func(c piquet.Card) piquet.Card { return piquet.Of(suits[c.Suit()], c.Face()) }
		other := s.renamed(t, card, func(s piquet.Suit) piquet.Suit { return suits[s] }, rng.IntN(4))
		want, got := s.logits(net.Seat()), other.logits(net.Seat())
		for c := range s.at.Legal().All() {
			// The order of the plain suits may change the order of a sum.
			if math.Abs(float64(got[card(c)]-want[c])) > 1e-4 {
				t.Fatalf("after %d cards %s has the logit %v, under other names %v", n%32, c, want[c], got[card(c)])
			}
		}
	}
}

// The cards that the others hold do not matter: other deals of them give the same logits. Logits of cards that are not legal are not
// changed.
func TestSeesOwnCardsOnly(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	seat := randomNetwork(8, 2).Seat()
	changed := 0
	for n := range 200 {
		s := randomScene(t, rng, n%28)
		turn := s.at.Turn()
		want := s.logits(seat)
		for c := range piquet.Card(32) {
			if !s.at.Legal().Has(c) && want[c] != 0 {
				t.Errorf("%s is not legal and has a logit", c)
			}
		}
		other := s
		a, b := turn.Plus(1), turn.Plus(2)
		for c := range s.at.Hand(a).All() { // exchange two cards of the others if the play stays legal
			for d := range s.at.Hand(b).All() {
				deal := s.deal
				deal.Hands[a] = deal.Hands[a].Without(c).With(d)
				deal.Hands[b] = deal.Hands[b].Without(d).With(c)
				start, err := klaverjas.NewPosition(s.rules, deal)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := start.Replay(s.played); err != nil {
					continue
				}
				other.deal = deal
				other.replay(t, s.played)
				if other.logits(seat) != want {
					t.Fatal("hidden cards change the logits")
				}
				changed++
			}
		}
	}
	if changed == 0 {
		t.Error("no hidden card was exchanged")
	}
}

// The score changes the logits in most scenes.
func TestSeesTheScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	seat := randomNetwork(8, 3).Seat()
	differ := 0
	for range 50 {
		s := randomScene(t, rng, 8)
		table, own, legal := s.table(), s.at.Hand(s.at.Turn()), s.at.Legal()
		var before, after [32]float32
		seat.Logits(&table, own, legal, &before)
		table.Score.Tricks[0] += 60
		seat.Logits(&table, own, legal, &after)
		if before != after {
			differ++
		}
	}
	if differ < 40 {
		t.Errorf("the score matters in %d of 50 scenes", differ)
	}
}

// A decision needs no memory after the first.
func TestNoAllocations(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	seat := randomNetwork(32, 4).Seat()
	var logits [32]float32
	var scenes []scene
	var tables []playout.Table
	for n := range 64 {
		s := randomScene(t, rng, n%32)
		scenes, tables = append(scenes, s), append(tables, s.table())
	}
	all := func() {
		for i := range scenes {
			at := &scenes[i].at
			seat.Logits(&tables[i], at.Hand(at.Turn()), at.Legal(), &logits)
		}
	}
	all()
	if got := testing.AllocsPerRun(5, all); got != 0 {
		t.Errorf("%v allocations for %d decisions", got, len(scenes))
	}
}

func TestFile(t *testing.T) {
	file := randomNetwork(8, 5).Encode()
	n, err := policy.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(n.Encode(), file) {
		t.Error("a network read and written is another file")
	}
	// sealed puts the right checksum below a changed file.
	sealed := func(change func(file []byte) []byte) []byte {
		body := change(bytes.Clone(file[:len(file)-sha256.Size]))
		sum := sha256.Sum256(body)
		return append(body, sum[:]...)
	}
	const header = len("roem policy 2\n")
	for name, damaged := range map[string][]byte{
		"empty":        nil,
		"another kind": append([]byte("roem belief 1\n"), file[header:]...),
		"cut":          file[:len(file)-1],
		"only magic":   file[:header],
		"changed":      func() []byte { d := bytes.Clone(file); d[100] ^= 1; return d }(),
		"checksum":     func() []byte { d := bytes.Clone(file); d[len(d)-1] ^= 1; return d }(),
		"no hidden":    sealed(func(b []byte) []byte { binary.LittleEndian.PutUint32(b[header:], 0); return b }),
		"too large":    sealed(func(b []byte) []byte { binary.LittleEndian.PutUint32(b[header:], 1<<31); return b }),
		"more hidden":  sealed(func(b []byte) []byte { binary.LittleEndian.PutUint32(b[header:], 16); return b }),
		"too long":     sealed(func(b []byte) []byte { return append(b, 0, 0, 0, 0) }),
		"no content":   sealed(func(b []byte) []byte { return b[:header] }),
		"not a number": sealed(func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[header+4:], math.Float32bits(float32(math.NaN())))
			return b
		}),
		"infinite": sealed(func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[len(b)-4:], math.Float32bits(float32(math.Inf(-1))))
			return b
		}),
	} {
		t.Run(name, func(t *testing.T) {
			if n, err := policy.Decode(damaged); err == nil || n != nil {
				t.Errorf("a damaged file is read: %v", n)
			}
		})
	}
}

// The embedded networks can be read, and are read once.
func TestEmbedded(t *testing.T) {
	best, err := policy.Default()
	if err != nil {
		t.Fatal(err)
	}
	imitation, err := policy.Imitation()
	if err != nil {
		t.Fatal(err)
	}
	if best.Hidden != 192 || imitation.Hidden != 192 {
		t.Errorf("hidden layers of %d and %d", best.Hidden, imitation.Hidden)
	}
	if len(policy.SHA256()) != 64 {
		t.Errorf("checksum %q", policy.SHA256())
	}
	for range 2 {
		if again, _ := policy.Default(); again != best {
			t.Error("the embedded network is read again")
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(randomNetwork(8, 6).Encode())
	f.Add([]byte("roem policy 2\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if n, err := policy.Decode(file); err == nil && !bytes.Equal(n.Encode(), file) {
			t.Error("a file that is read is written otherwise")
		}
	})
}

// One decision of the embedded policy, mean over the decisions of random hands.
func BenchmarkPolicy(b *testing.B) {
	n, err := policy.Default()
	if err != nil {
		b.Fatal(err)
	}
	seat := n.Seat()
	rng := rand.New(rand.NewPCG(7, 1))
	type decision struct {
		table      playout.Table
		own, legal piquet.Set
	}
	var all []decision
	for i := 0; len(all) < 64; i++ {
		if s := randomScene(b, rng, i%28); s.at.Legal().Len() > 1 {
			all = append(all, decision{s.table(), s.at.Hand(s.at.Turn()), s.at.Legal()})
		}
	}
	var logits [32]float32
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		d := &all[i%len(all)]
		seat.Logits(&d.table, d.own, d.legal, &logits)
		i++
	}
}

// The kernels take eight numbers at a time: a file with another layer is refused.
func TestDecodeRefusesOtherLayers(t *testing.T) {
	for _, hidden := range []int{12, policy.MaxHidden + 8} {
		if _, err := policy.Decode(policy.New(hidden).Encode()); err == nil {
			t.Errorf("a layer of %d numbers is read", hidden)
		}
	}
	if _, err := policy.Decode(policy.New(16).Encode()); err != nil {
		t.Error(err)
	}
}
