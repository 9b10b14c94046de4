package variants

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/knowledge"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/search"
)

// taste is a policy whose logits depend on the card, the seat's hand and the number of cards played, in no sensible way.
type taste struct{}

func (taste) Logits(t *playout.Table, own, legal cards.Set, logits *[32]float32) {
	for c := range legal.All() {
		logits[c] = float32((uint32(own)*2654435761+uint32(c)*40503+uint32(t.Played)*977)>>7%1000) / 300
	}
}

func models() playout.Models {
	return playout.Models{Play: taste{}, Players: []playout.Policy{taste{}}}
}

func newSolver() *search.Solver { return search.New(search.Options{TableBytes: 1 << 20}) }

// question returns the question of the seat to play after that many random cards of a random hand.
func question(t *testing.T, rng *rand.Rand, played int) *advice.Question {
	t.Helper()
	trump, leader := cards.Suit(rng.IntN(4)), cards.Seat(rng.IntN(4))
	p, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.System(rng.IntN(2))), klaverjas.Deal{
		Trump: trump, Leader: leader, Declarer: cards.Team(rng.IntN(2)), Hands: index.Random(rng, trump, leader),
	})
	if err != nil {
		t.Fatal(err)
	}
	l := line{p: p}
	for range played {
		legal := l.p.Legal().Slice()
		if err := l.play(legal[rng.IntN(len(legal))]); err != nil {
			t.Fatal(err)
		}
	}
	k, err := knowledge.New(knowledge.ViewOf(l.p, l.played, l.p.Turn()))
	if err != nil {
		t.Fatal(err)
	}
	q, err := advice.NewQuestion(k)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// sample returns n worlds with whole weights from 1 to 3, or all worlds.
func sample(q *advice.Question, rng *rand.Rand, n int) (worlds []advice.Sampled) {
	for _, number := range q.Draw(rng, n) {
		worlds = append(worlds, advice.Sampled{World: q.Knowledge().World(number), Weight: float64(1 + rng.IntN(3))})
	}
	return worlds
}

func deviation(t *testing.T, text string) *Deviation {
	t.Helper()
	o, err := ParseOptions(text)
	if err != nil {
		t.Fatal(err)
	}
	return &Deviation{Options: o, Models: models(), Solver: newSolver(), Memory: new(Memory)}
}

func values(t *testing.T, d *Deviation, q *advice.Question, worlds []advice.Sampled) []float64 {
	t.Helper()
	v, err := d.values(t.Context(), q, &drawn{worlds: worlds}, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// With one planned choice, alpha-mu has the values of the exact searches, and the best response those of the playouts.
func TestOneChoice(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		q := question(t, rng, 16+rng.IntN(15))
		worlds := sample(q, rng, 20)
		for one, other := range map[string]string{"alphamu,moves=1": "exact", "respond,moves=1": "playout"} {
			want := values(t, deviation(t, other), q, worlds)
			if q.Forced() {
				continue
			}
			got := values(t, deviation(t, one), q, worlds)
			if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
				t.Fatalf("%s and %s (-want +got)\n%s", one, other, diff)
			}
		}
	}
}

// At their limits, the methods have the values of playouts or of exact searches.
func TestLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 20 {
		q := question(t, rng, 14+rng.IntN(14))
		if q.Forced() {
			continue
		}
		worlds := sample(q, rng, 10)
		for one, other := range map[string]string{
			"leaf,last=8": "exact", "leaf,last=0": "playout", "mix,mix=0": "exact", "mix,mix=1": "playout",
			"close,errors=1e9,last=8": "exact", "close,errors=0": "playout", "close,errors=1e9,inner=1,ahead=0": "playout",
		} {
			want := values(t, deviation(t, other), q, worlds)
			got := values(t, deviation(t, one), q, worlds)
			if strings.HasPrefix(one, "close") { // cards that are not close, or equal in every world, are not judged again
				for i := range got {
					if math.IsInf(got[i], -1) {
						got[i] = want[i]
					}
				}
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
				t.Fatalf("%s and %s (-want +got)\n%s", one, other, diff)
			}
		}
		want := values(t, deviation(t, "playout"), q, worlds)
		if got := values(t, deviation(t, "race,errors=1e9"), q, worlds); top(got) != top(want) {
			t.Fatalf("the race without limits chooses card %d, want %d: %v", top(got), top(want), want)
		}
	}
}

// By the reference, a choice that rests on many worlds is better than one that rests on a single one, and a way is not better than itself.
func TestJudge(t *testing.T) {
	kind, err := players.ParseKind("simple", 0)
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{Opponents: kind, Early: kind, From: 16, Deals: 60, Seed: 1, Tools: new(players.Tools)}
	judged, err := Judge(t.Context(), s, []*Deviation{
		deviation(t, "race,tricks=8,worlds=1"), deviation(t, "race,tricks=8,worlds=1"), deviation(t, "race,tricks=8,worlds=60,errors=2.5"),
	}, 100)
	if err != nil {
		t.Fatal(err)
	}
	if same := judged[1]; same.Gain.Mean != 0 || same.Different != 0 || same.Decisions < 30 {
		t.Errorf("a way and itself: %+v", same)
	}
	if more := judged[2]; more.Gain.Low <= 0 || more.Playouts <= judged[0].Playouts {
		t.Errorf("60 worlds in place of one: %+v", more)
	}
}

func weightOf(worlds []advice.Sampled) (sum float64) {
	for _, w := range worlds {
		sum += w.Weight
	}
	return sum
}

// plans are all plans of a seat, tried one after the other. A plan says which card it plays after the cards that everybody has seen.
type plans struct {
	seat   cards.Seat
	worlds []advice.Sampled
	starts []klaverjas.Position
	reply  func(p klaverjas.Position, t playout.Table, w int) (cards.Card, bool) // of another seat; false means that it sees all cards
	sign   int
	plan   []step
}

// step is a choice of a plan.
type step struct {
	seen         string // the cards since the root
	cards, which int    // of so many legal cards it plays this one
}

// choose returns which of n legal cards the plan plays. A new choice begins with the first.
func (s *plans) choose(seen string, n int) int {
	if n == 1 {
		return 0
	}
	for _, one := range s.plan {
		if one.seen == seen {
			return one.which
		}
	}
	s.plan = append(s.plan, step{seen, n, 0})
	return 0
}

// worth is the value of a world under the plan.
func (s *plans) worth(p klaverjas.Position, t playout.Table, w int, seen string) int {
	if p.Finished() {
		return s.sign * p.Outcome()
	}
	after := func(c cards.Card) int {
		next, err := p.Play(c)
		if err != nil {
			panic(err)
		}
		t := t
		t.Play(c)
		return s.worth(next, t, w, seen+c.String())
	}
	legal := p.Legal().Slice()
	if p.Turn() == s.seat {
		return after(legal[s.choose(seen, len(legal))])
	}
	if c, ok := s.reply(p, t, w); ok {
		return after(c)
	}
	best := after(legal[0])
	for _, c := range legal[1:] {
		if x := after(c); (x > best) == (p.Turn().Team() == s.seat.Team()) {
			best = x
		}
	}
	return best
}

// best returns the best mean of all plans that begin with each card of the question, and false if there are too many plans.
func (s *plans) best(q *advice.Question) (values []float64, ok bool) {
	v := q.Knowledge().View()
	table := playout.TableOf(&v)
	for _, c := range q.Cards() {
		s.plan = nil
		tried, top := 0, math.Inf(-1)
		for {
			sum := 0.0
			for w := range s.worlds {
				next, err := s.starts[w].Play(c)
				if err != nil {
					panic(err)
				}
				after := table
				after.Play(c)
				sum += s.worlds[w].Weight * float64(s.worth(next, after, w, ""))
			}
			top = max(top, sum/weightOf(s.worlds))
			if tried++; tried > 300 {
				return nil, false
			}
			for len(s.plan) > 0 && s.plan[len(s.plan)-1].which == s.plan[len(s.plan)-1].cards-1 {
				s.plan = s.plan[:len(s.plan)-1]
			}
			if len(s.plan) == 0 {
				break
			}
			s.plan[len(s.plan)-1].which++
		}
		values = append(values, top)
	}
	return values, true
}

func plansOf(q *advice.Question, worlds []advice.Sampled) *plans {
	v := q.Knowledge().View()
	s := &plans{seat: v.Seat, worlds: worlds, sign: int(sign(&v))}
	for _, w := range worlds {
		s.starts = append(s.starts, q.Knowledge().Position(w.World))
	}
	return s
}

// In the last three tricks, two planned choices are all that the seat has. Alpha-mu finds the value of the best plan against seats that see all
// cards. The exact searches of the worlds suppose that the seat sees them too: their values are never lower, and some of their cards are worse.
func TestAlphaMuIsTheBestPlan(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	tried, fused, wrong := 0, 0, 0
	for range 150 {
		q := question(t, rng, 20+rng.IntN(5))
		if q.Forced() {
			continue
		}
		worlds := sample(q, rng, 2+rng.IntN(3))
		s := plansOf(q, worlds)
		s.reply = func(klaverjas.Position, playout.Table, int) (cards.Card, bool) { return 0, false }
		want, ok := s.best(q)
		if !ok {
			continue
		}
		tried++
		got := values(t, deviation(t, "alphamu,moves=3,front=0"), q, worlds)
		if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Fatalf("%v (-want +got)\n%s", q.Knowledge().View(), diff)
		}
		open := values(t, deviation(t, "exact"), q, worlds)
		for i := range open {
			if open[i] < want[i]-1e-9 {
				t.Fatalf("%v: %v with open cards, %v without", q.Knowledge().View(), open, want)
			}
			if open[i] > want[i]+1e-9 {
				fused++
			}
		}
		if want[top(open)] < want[top(got)]-1e-9 {
			wrong++
		}
		for i, capped := range values(t, deviation(t, "alphamu,moves=3,front=2"), q, worlds) {
			if capped > want[i]+1e-9 {
				t.Fatalf("%v: a front of 2 vectors has the value %v, more than the best plan's %v", q.Knowledge().View(), capped, want[i])
			}
		}
	}
	t.Logf("%d positions; %d cards too high with open cards; %d wrong cards", tried, fused, wrong)
	if tried < 20 || fused == 0 || wrong == 0 {
		t.Errorf("%d positions, in which open cards make %d cards look too good and %d choices wrong: expected at least 20, 1, 1", tried, fused, wrong)
	}
}

func top(values []float64) (best int) {
	for i, x := range values {
		if x > values[best] {
			best = i
		}
	}
	return best
}

// The best response finds the value of the best plan against seats that play by the policy.
func TestRespondIsTheBestPlan(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	tried := 0
	for range 60 {
		q := question(t, rng, 18+rng.IntN(7))
		if q.Forced() {
			continue
		}
		worlds := sample(q, rng, 1+rng.IntN(6))
		s := plansOf(q, worlds)
		s.reply = func(p klaverjas.Position, t playout.Table, _ int) (cards.Card, bool) {
			var logits [32]float32
			legal := p.Legal()
			taste{}.Logits(&t, p.Hand(p.Turn()), legal, &logits)
			return playout.Likeliest(&logits, legal), true
		}
		want, ok := s.best(q)
		if !ok {
			continue
		}
		tried++
		got := values(t, deviation(t, "respond,moves=4"), q, worlds)
		if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Fatalf("%v (-want +got)\n%s", q.Knowledge().View(), diff)
		}
	}
	if tried < 15 {
		t.Errorf("only %d positions", tried)
	}
}

// exact is what the player playout does in the last four tricks.
func TestExactIsThePlayer(t *testing.T) {
	kind, err := players.ParseKind("playout:20", 0)
	if err != nil {
		t.Fatal(err)
	}
	tools := &players.Tools{TableBytes: 1 << 20, Policies: func() (playout.Models, error) { return models(), nil }}
	rng := rand.New(rand.NewPCG(7, 8))
	for seed := range uint64(40) {
		v := question(t, rng, 16+rng.IntN(12)).Knowledge().View()
		want, err := Kind{kind, tools}.Choose(t.Context(), v, seed)
		if err != nil {
			t.Fatal(err)
		}
		got, err := deviation(t, "exact,worlds=20").Choose(t.Context(), v, seed)
		if err != nil || got != want {
			t.Fatalf("%v: %v, %v, want %v", v, got, err, want)
		}
	}
}

// lowest and highest play the first and the last of their legal cards.
type lowest struct{}

func (lowest) Choose(_ context.Context, v knowledge.View, _ uint64) (cards.Card, error) {
	return legal(v)[0], nil
}

type highest struct{}

func (highest) Choose(_ context.Context, v knowledge.View, _ uint64) (cards.Card, error) {
	list := legal(v)
	return list[len(list)-1], nil
}

func legal(v knowledge.View) []cards.Card {
	k, err := knowledge.New(v)
	if err != nil {
		panic(err)
	}
	return k.Legal().Slice()
}

// A comparison counts what each of two ways scores above the other if it plays the hands alone, and nothing for a way and itself.
func TestCompare(t *testing.T) {
	kind, err := players.ParseKind("simple", 0)
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{Opponents: kind, Early: kind, From: 8, Deals: 30, Seed: 1, Tools: new(players.Tools)}
	run := func(base Way, variants ...Way) []Result {
		s.Base, s.Variants = base, variants
		r, err := Compare(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	forward, back := run(lowest{}, lowest{}, highest{}), run(highest{}, lowest{})
	if same := forward[0]; same.Gain.Mean != 0 || same.Gain.Error != 0 || same.Different != 0 || same.Hands != 60 || same.Deals != 30 {
		t.Errorf("a way and itself: %+v", same)
	}
	if a, b := forward[1], back[0]; a.Gain.Mean == 0 || math.Abs(a.Gain.Mean+b.Gain.Mean) > 1e-9 || a.Different != b.Different {
		t.Errorf("%+v one way, %+v the other", a, b)
	}
}

func TestParseOptions(t *testing.T) {
	got, err := ParseOptions("respond,moves=3,heat=0.5,tricks=2")
	want := Options{Method: "respond", Tricks: 2, Worlds: 500, Moves: 3, Front: 8, Last: 4, Heat: 0.5, Mix: 0.5, Errors: 1, Ahead: 4, Each: 3}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	for _, text := range []string{"", "best", "exact,moves", "exact,moves=x", "exact,speed=1", "exact,worlds=0", "exact,tricks=9"} {
		if o, err := ParseOptions(text); err == nil {
			t.Errorf("%q is %+v, want an error", text, o)
		}
	}
}
