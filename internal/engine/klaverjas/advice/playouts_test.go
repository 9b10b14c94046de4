package advice_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/policy"
)

// mixer is a policy that depends on all that it may see. It calls each, if not nil, at every choice.
type mixer struct{ each func() }

func (m mixer) Logits(t *playout.Table, own, legal piquet.Set, logits *[32]float32) {
	if m.each != nil {
		m.each()
	}
	for c := range legal.All() {
		logits[c] = 3 * rand.New(rand.NewPCG(uint64(own), uint64(t.Gone)<<8|uint64(c))).Float32()
	}
}

func mixers() playout.Models {
	return playout.Models{Play: mixer{}, Players: []playout.Policy{mixer{}}}
}

// someQuestion returns the question of a random hand with several legal cards.
func someQuestion(tb testing.TB, rng *rand.Rand, played int) (hand, *advice.Question) {
	tb.Helper()
	for {
		h := randomHand(tb, rng, played)
		if q := questionOf(tb, h.knows(tb)); !q.Forced() {
			return h, q
		}
	}
}

// The advice agrees with the weighted mean over the worlds of Weigh, each card played out from the world with the engine's rules.
func TestPlayouts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for n := range 28 {
		h, q := someQuestion(t, rng, n)
		o := advice.PlayoutOptions{Candidates: 60, Worlds: 20, Weights: playout.Weights{Power: 0.7, Floor: 0.03}}
		got, err := q.AdvisePlayouts(t.Context(), rand.New(rand.NewPCG(7, 7)), mixers(), o)
		if err != nil {
			t.Fatal(err)
		}
		drawn := q.Weigh(rand.New(rand.NewPCG(7, 7)), mixers().Players, o)
		if all := uint64(len(drawn.Worlds)) == q.Knowledge().Worlds(); got.Used != len(drawn.Worlds) || got.All != all {
			t.Errorf("%d worlds used, all: %v; want %d, %v", got.Used, got.All, len(drawn.Worlds), all)
		}
		var mean [32]float64
		total := 0.0
		for _, w := range drawn.Worlds {
			total += w.Weight
			view := q.Knowledge().View()
			for i, c := range q.Cards() {
				outcome := float64(q.PlayOut(mixer{}, playout.TableOf(&view), w.World)[i])
				if want := float64(playout.Outcome(mixer{}, playout.TableOf(&view), w.World, c)); outcome != want {
					t.Errorf("%s earns %v, want %v", c, outcome, want)
				}
				mean[c] += w.Weight * outcome
			}
		}
		sign := 1.0
		if h.at.Turn().Team() != h.at.Deal().Declarer {
			sign = -1
		}
		for _, v := range got.Cards {
			if math.Abs(v.Outcome.Mean-mean[v.Card]/total) > 1e-9 {
				t.Errorf("%s has the mean %v, want %v", v.Card, v.Outcome.Mean, mean[v.Card]/total)
			}
			if sign*mean[v.Card] > sign*mean[got.Card] {
				t.Errorf("%s is better than %s", v.Card, got.Card)
			}
		}
	}
}

// The same seed gives the same advice, and the cards of the others do not matter: only the view does.
func TestPlayoutsDependOnTheViewOnly(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	o := advice.PlayoutOptions{Candidates: 40, Worlds: 15, Weights: playout.Weights{Power: 1, Floor: 0.1}}
	seeds := map[piquet.Card]bool{}
	for n := range 20 {
		h, q := someQuestion(t, rng, n)
		ask := func(q *advice.Question, seed uint64) advice.Advice {
			a, err := q.AdvisePlayouts(t.Context(), rand.New(rand.NewPCG(seed, 1)), mixers(), o)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		first := ask(q, 1)
		for range 3 {
			other := q.Knowledge().Position(q.Knowledge().Sample(rng))
			again := questionOf(t, knowsOf(t, worlds.ViewOf(other, h.played, h.at.Turn())))
			if diff := cmp.Diff(first, ask(again, 1)); diff != "" {
				t.Errorf("other hidden cards change the advice (-before +after):\n%s", diff)
			}
		}
		if cmp.Equal(first, ask(q, 2)) {
			continue
		}
		seeds[first.Card] = true
	}
	if len(seeds) == 0 {
		t.Error("another seed never changes the advice")
	}
}

// The weights are whole numbers that sum to the worlds asked for; all worlds have weights up to 1e6 if there are no more.
func TestWeigh(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	all := 0
	for n := range 28 {
		_, q := someQuestion(t, rng, n)
		k := q.Knowledge()
		w := q.Weigh(rng, mixers().Players, advice.PlayoutOptions{Candidates: 50, Worlds: 30, Weights: playout.Weights{Power: 1, Floor: 0.05}})
		sum, most := 0.0, 0.0
		seen := map[worlds.World]bool{}
		for _, one := range w.Worlds {
			if one.Weight != math.Trunc(one.Weight) || one.Weight < 1 {
				t.Errorf("weight %v is not a whole number from 1", one.Weight)
			}
			if _, ok := k.Rank(one.World); !ok || seen[one.World] {
				t.Errorf("%v is not a world, or is there twice", one.World)
			}
			seen[one.World] = true
			sum, most = sum+one.Weight, max(most, one.Weight)
		}
		candidates := min(k.Worlds(), 50)
		if w.Effective < 1-1e-9 || w.Effective > float64(candidates)+1e-9 {
			t.Errorf("%v effective of %d", w.Effective, candidates)
		}
		if k.Worlds() <= 30 {
			all++
			if most != 1e6 || uint64(len(w.Worlds)) > k.Worlds() {
				t.Errorf("%d of %d worlds, the likeliest with the weight %v", len(w.Worlds), k.Worlds(), most)
			}
		} else if sum != 30 {
			t.Errorf("weights sum to %v, want 30", sum)
		}
	}
	if all == 0 {
		t.Error("no question had few worlds")
	}
}

// With a power of 0, and as many candidates as worlds, the worlds are a uniform sample: each has the same weight.
func TestWeighUniform(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 3))
	_, q := someQuestion(t, rng, 8)
	w := q.Weigh(rng, mixers().Players, advice.PlayoutOptions{Candidates: 40, Worlds: 40, Weights: playout.Weights{Floor: 0.05}})
	if len(w.Worlds) != 40 || math.Abs(w.Effective-40) > 1e-9 {
		t.Fatalf("%d worlds, %v effective", len(w.Worlds), w.Effective)
	}
	for _, one := range w.Worlds {
		if one.Weight != w.Worlds[0].Weight {
			t.Errorf("weights %v and %v", one.Weight, w.Worlds[0].Weight)
		}
	}
}

// The end of the context is an error, also in the midst of the worlds.
func TestPlayoutsEnd(t *testing.T) {
	_, q := someQuestion(t, rand.New(rand.NewPCG(5, 3)), 4)
	o := advice.PlayoutOptions{Candidates: 100, Worlds: 100, Weights: playout.Weights{Floor: 0.05}}
	ctx, cancel := context.WithCancel(t.Context())
	m := mixers()
	m.Play = mixer{cancel}
	if _, err := q.AdvisePlayouts(ctx, rand.New(rand.NewPCG(1, 1)), m, o); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	late, stop := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer stop()
	if _, err := q.AdvisePlayouts(late, rand.New(rand.NewPCG(1, 1)), mixers(), o); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

// A forced card needs no policy.
func TestPlayoutsForced(t *testing.T) {
	for i := range 100 {
		h := randomHand(t, rand.New(rand.NewPCG(6, uint64(i))), 22)
		q := questionOf(t, h.knows(t))
		if !q.Forced() {
			continue
		}
		a, err := q.AdvisePlayouts(t.Context(), rand.New(rand.NewPCG(1, 1)), playout.Models{}, advice.DefaultPlayouts(100))
		if err != nil || a.Card != q.Cards()[0] || a.Used != 0 {
			t.Errorf("%s on %d worlds, %v", a.Card, a.Used, err)
		}
		return
	}
	t.Error("no card was forced")
}

// firstLead is the first decision of a deal, with the embedded policies.
func firstLead(b *testing.B) (*advice.Question, playout.Models, klaverjas.Position) {
	b.Helper()
	p, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Rotterdam), klaverjas.Deal{
		Trump: piquet.Clubs, Leader: piquet.North, Declarer: piquet.NorthSouth, Hands: index.Random(index.NewRand(1), piquet.Clubs, piquet.North),
	})
	if err != nil {
		b.Fatal(err)
	}
	play, err := policy.Default()
	if err != nil {
		b.Fatal(err)
	}
	imitation, err := policy.Imitation()
	if err != nil {
		b.Fatal(err)
	}
	m := playout.Models{Play: play.Seat(), Players: []playout.Policy{play.Seat(), imitation.Seat()}}
	return questionOf(b, knowsOf(b, worlds.ViewOf(p, nil, piquet.North))), m, p
}

// One card played out from the first lead.
func BenchmarkPlayout(b *testing.B) {
	q, m, p := firstLead(b)
	view := q.Knowledge().View()
	table := playout.TableOf(&view)
	var held [4]piquet.Set
	for _, s := range piquet.Seats() {
		held[s] = p.Hand(s)
	}
	b.ReportAllocs()
	for b.Loop() {
		playout.Outcome(m.Play, table, held, q.Cards()[0])
	}
}

// The likelihood of one world after 16 cards, for both embedded policies as the other seats.
func BenchmarkLikelihood(b *testing.B) {
	_, m, p := firstLead(b)
	var played []piquet.Card
	for range 16 {
		c := p.Legal().First()
		next, err := p.Play(c)
		if err != nil {
			b.Fatal(err)
		}
		p, played = next, append(played, c)
	}
	k := knowsOf(b, worlds.ViewOf(p, played, p.Turn()))
	view, world := k.View(), k.World(0)
	e := playout.EvidenceOf(&view)
	b.ReportAllocs()
	for b.Loop() {
		e.LogLikelihood(m.Players, world, 0.03)
	}
}
