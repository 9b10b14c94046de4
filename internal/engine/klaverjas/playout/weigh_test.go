package playout_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// someView returns a view of a hand played by a policy, and what is known of it.
func someView(tb testing.TB, rng *rand.Rand, policy playout.Policy, played int) (worlds.View, *worlds.Knowledge, worlds.World) {
	tb.Helper()
	p, line := plays(tb, randomDeal(tb, rng), policy, played)
	v := worlds.ViewOf(p, line, piquet.Seat(rng.IntN(4)))
	k, err := worlds.New(v)
	if err != nil {
		tb.Fatal(err)
	}
	return v, k, worlds.World(heldIn(p))
}

// replayed returns the likelihood of a world by playing its deal from the first card with the engine, and the number of choices of the
// other seats that are not the likeliest cards of the first player.
func replayed(tb testing.TB, players []playout.Policy, v *worlds.View, w worlds.World,
	floor float64,
) (likelihood float64, others int) {
	tb.Helper()
	full := [4]piquet.Set(w)
	table := playout.NewTable(&v.Rules, v.Trump, v.Leader, v.Declarer)
	for _, c := range v.Played {
		full[table.Turn()] = full[table.Turn()].With(c)
		table.Play(c)
	}
	at, err := klaverjas.NewPosition(v.Rules, klaverjas.Deal{Trump: v.Trump, Leader: v.Leader, Declarer: v.Declarer, Hands: full})
	if err != nil {
		tb.Fatal(err)
	}
	likelihood = 1
	for n, c := range v.Played {
		seat, legal := at.Turn(), at.Legal()
		if seat != v.Seat && legal.Len() > 1 {
			before := *v
			before.Played = v.Played[:n]
			table := playout.TableOf(&before)
			mean := 0.0
			for i, player := range players {
				var logits [32]float32
				player.Logits(&table, at.Hand(seat), legal, &logits)
				all := 0.0
				for other := range legal.All() {
					all += math.Exp(float64(logits[other]))
				}
				mean += math.Exp(float64(logits[c])) / all / float64(len(players))
				if i == 0 && playout.Likeliest(&logits, legal) != c {
					others++
				}
			}
			likelihood *= (1-floor)*mean + floor/float64(legal.Len())
		}
		at = play(tb, at, c)
	}
	return likelihood, others
}

// The likelihood agrees with a full replay of the deal.
func TestLogLikelihood(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 32 {
		v, k, _ := someView(t, rng, mixer{uint64(n), 1}, n)
		players := []playout.Policy{mixer{1, 2}, mixer{2, 5}}[:1+n%2]
		for range 10 {
			w := k.Sample(rng)
			for _, floor := range []float64{0.01, 0.5} {
				want, _ := replayed(t, players, &v, w, floor)
				if got := playout.EvidenceOf(&v).LogLikelihood(players, w, floor); math.Abs(got-math.Log(want)) > 1e-9 {
					t.Fatalf("after %v: log likelihood %v, want %v", v.Played, got, math.Log(want))
				}
			}
		}
	}
}

// If the players are known to choose in one way only, the worlds in which they would have played another card have next to no weight, and
// the others have equal weights.
func TestDeterministicPlayersExcludeWorlds(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	excluded, kept := 0, 0
	for i := range 40 {
		policy := mixer{uint64(i), 1e5}
		v, k, truth := someView(t, rng, policy, 16+i%8)
		if k.Worlds() > 400 {
			continue
		}
		worlds := []worlds.World{truth}
		for n := range k.Worlds() {
			worlds = append(worlds, k.World(n))
		}
		weights, effective := playout.Weigh([]playout.Policy{policy}, &v, worlds, playout.Weights{Power: 1, Floor: 1e-9})
		if math.Abs(weights[0]-1) > 1e-6 {
			t.Errorf("the true world has the weight %v", weights[0])
		}
		possible := 0
		for j, w := range worlds {
			_, others := replayed(t, []playout.Policy{policy}, &v, w, 1e-9)
			switch {
			case others > 0 && weights[j] > 1e-6:
				t.Errorf("a world with %d other cards has the weight %v", others, weights[j])
			case others == 0 && math.Abs(weights[j]-1) > 1e-6:
				t.Errorf("a world that explains all cards has the weight %v", weights[j])
			case others == 0:
				possible++
				kept++
			default:
				excluded++
			}
			if weights[j] <= 0 {
				t.Error("the floor keeps every world possible")
			}
		}
		if math.Abs(effective-float64(possible)) > 1e-3 {
			t.Errorf("%v effective worlds, want %d", effective, possible)
		}
	}
	if excluded == 0 || kept == 0 {
		t.Errorf("%d worlds excluded, %d kept", excluded, kept)
	}
}

// The likelihood is raised to the power, and 0 gives equal weights.
func TestWeighPower(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	players := []playout.Policy{mixer{1, 3}}
	v, k, _ := someView(t, rng, mixer{9, 1}, 20)
	worlds := make([]worlds.World, 30)
	for i := range worlds {
		worlds[i] = k.Sample(rng)
	}
	full, _ := playout.Weigh(players, &v, worlds, playout.Weights{Power: 1, Floor: 0.1})
	for _, power := range []float64{0, 0.4, 0.7} {
		some, effective := playout.Weigh(players, &v, worlds, playout.Weights{Power: power, Floor: 0.1})
		sum, squares := 0.0, 0.0
		for i := range some {
			if want := math.Pow(full[i], power); math.Abs(some[i]-want) > 1e-9 {
				t.Errorf("power %v: weight %v, want %v", power, some[i], want)
			}
			sum, squares = sum+some[i], squares+some[i]*some[i]
		}
		if want := sum * sum / squares; math.Abs(effective-want) > 1e-9 {
			t.Errorf("%v effective worlds, want %v", effective, want)
		}
	}
	if weights, effective := playout.Weigh(players, &v, nil, playout.Weights{Power: 1, Floor: 0.1}); len(weights) != 0 || effective != 0 {
		t.Errorf("no world: %v, %v", weights, effective)
	}
}

// Each world is drawn the whole number of times next to n times its share, n in all, also at the ends of the interval of the random number.
func TestResample(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	random := make([]float64, 137)
	for i := range random {
		random[i] = math.Pow(rng.Float64(), 8)
	}
	tenths := make([]float64, 10)
	for i := range tenths {
		tenths[i] = 0.1
	}
	for name, weights := range map[string][]float64{
		"random": random, "tenths": tenths, "one": {1}, "zeros": {0, 0, 1, 0}, "last": {0, 1}, "tiny": {1, 1e-300, 1e-300}, "thirds": {1, 1, 1},
	} {
		total := 0.0
		for _, w := range weights {
			total += w
		}
		for _, n := range []int{1, 3, 10, 100, 1000} {
			t.Run(fmt.Sprint(name, " ", n), func(t *testing.T) {
				for _, at := range []float64{0, 1e-17, 0.3, 0.5, 1 - 1.0/(1<<53), rng.Float64()} {
					drawn, times := playout.Resample(weights, n, at)
					sum := 0
					for i, index := range drawn {
						if i > 0 && index <= drawn[i-1] {
							t.Errorf("indices %v are not ascending", drawn)
						}
						share := float64(n) * weights[index] / total
						if weights[index] == 0 || float64(times[i]) < math.Floor(share-1e-6) || float64(times[i]) > math.Ceil(share+1e-6) || times[i] == 0 {
							t.Errorf("at %v: weight %v is drawn %d times, its share is %v", at, weights[index], times[i], share)
						}
						sum += times[i]
					}
					if sum != n {
						t.Errorf("at %v: %d worlds, want %d", at, sum, n)
					}
				}
			})
		}
	}
}

// Over all random numbers, a world is drawn in proportion to its weight.
func TestResampleIsUnbiased(t *testing.T) {
	weights := []float64{0.5, 3, 0, 1.25, 0.01, 2.24}
	const n, steps = 4, 20_000
	var sums [6]float64
	for i := range steps {
		drawn, times := playout.Resample(weights, n, (float64(i)+0.5)/steps)
		for j, index := range drawn {
			sums[index] += float64(times[j]) / steps
		}
	}
	for i, w := range weights {
		if want := n * w / 7; math.Abs(sums[i]-want) > 2.0/steps {
			t.Errorf("weight %v is drawn %v times, want %v", w, sums[i], want)
		}
	}
}

// The weight of a world with a kind of opponents is its prior times the likelihood of the partner's cards and of the opponents' cards, each
// computed here from the views of all seats.
func TestWeighKinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	const power, floor = 0.7, 0.03
	counted, dropped := 0, 0
	for n := range 30 {
		v, k, truth := someView(t, rng, mixer{uint64(n), 30}, n)
		m := playout.Models{Players: []playout.Policy{mixer{1, 2}, mixer{2, 5}}, Rules: []playout.Policy{mixer{uint64(n), 30}, mixer{4, 50}}}
		worlds := []worlds.World{truth}
		for range 20 {
			worlds = append(worlds, k.Sample(rng))
		}
		got, kinds := playout.WeighKinds(&m, &v, worlds, playout.Weights{Power: power, Floor: floor})
		if kinds != 3 || len(got) != 3*len(worlds) {
			t.Fatalf("%d weights of %d kinds", len(got), kinds)
		}
		want := make([]float64, len(got))
		most := 0.0
		for i, w := range worlds {
			for kind := range kinds {
				players, prior, of := m.Players, 1-playout.RulesPrior, power
				if kind > 0 {
					players, prior, of = m.Rules[kind-1:kind], playout.RulesPrior/2, playout.RulesPower
				}
				weight := prior
				for seat, x := range likelihoods(t, m.Players, &v, w, floor) {
					if piquet.Seat(seat) == v.Seat.Partner() {
						weight *= math.Pow(x, power)
					}
				}
				for seat, x := range likelihoods(t, players, &v, w, floor) {
					if piquet.Seat(seat).Team() != v.Seat.Team() {
						weight *= math.Pow(x, of)
					}
				}
				want[i*kinds+kind] = weight
				most = max(most, weight)
			}
		}
		for i := range want {
			switch x := want[i] / most; {
			case got[i] == 0 && x < 1e-5 && i%kinds > 0:
				dropped++
			case math.Abs(got[i]-x) > 1e-9*x+1e-12:
				t.Fatalf("after %v: world %d, kind %d has the weight %v, want %v", v.Played, i/kinds, i%kinds, got[i], x)
			default:
				counted++
			}
		}
	}
	if counted == 0 || dropped == 0 {
		t.Errorf("%d weights, %d that count 0", counted, dropped)
	}
}

// likelihoods returns the likelihood of what each other seat has played.
func likelihoods(tb testing.TB, players []playout.Policy, v *worlds.View, w worlds.World, floor float64) (by [4]float64) {
	tb.Helper()
	for seat := range by {
		by[seat] = 1
	}
	full := [4]piquet.Set(w)
	table := playout.NewTable(&v.Rules, v.Trump, v.Leader, v.Declarer)
	for _, c := range v.Played {
		full[table.Turn()] = full[table.Turn()].With(c)
		table.Play(c)
	}
	at, err := klaverjas.NewPosition(v.Rules, klaverjas.Deal{Trump: v.Trump, Leader: v.Leader, Declarer: v.Declarer, Hands: full})
	if err != nil {
		tb.Fatal(err)
	}
	table = playout.NewTable(&v.Rules, v.Trump, v.Leader, v.Declarer)
	for _, c := range v.Played {
		if legal := at.Legal(); legal.Len() > 1 {
			mean := 0.0
			for _, player := range players {
				var logits [32]float32
				player.Logits(&table, at.Hand(at.Turn()), legal, &logits)
				all := 0.0
				for other := range legal.All() {
					all += math.Exp(float64(logits[other]) - float64(logits[c]))
				}
				mean += 1 / all / float64(len(players))
			}
			by[at.Turn()] *= (1-floor)*mean + floor/float64(legal.Len())
		}
		table.Play(c)
		at = play(tb, at, c)
	}
	return by
}
