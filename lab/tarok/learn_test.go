package tarok

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/search"
	"roem/internal/random"
)

// The table that the search has is text as roem-lab tarok learn prints it, and the same seed gives the same table.
func TestLearn(t *testing.T) {
	learn := func(seed uint64) string {
		l := Learning{Samples: 3, Seed: seed, Price: DefaultPrice}
		table, err := l.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return table.String()
	}
	text := learn(1)
	if again := learn(1); text != again || text == learn(2) {
		t.Errorf("%s, again\n%s", text, again)
	}
	if _, err := search.ParseChoice(text); err != nil {
		t.Error(err)
	}
	learned, err := os.ReadFile("../../internal/engine/tarok/search/learned.txt")
	if err != nil {
		t.Fatal(err)
	}
	if table, err := search.ParseChoice(string(learned)); err != nil || table.String() != string(learned) {
		t.Errorf("%s: %v", table.String(), err)
	}
	for _, wrong := range []string{
		"", text[1:], strings.Replace(text, "lead: declarer", "lead: opponent", 1),
		strings.Replace(text, "0", "2", 1), text + text,
	} {
		if _, err := search.ParseChoice(wrong); err == nil {
			t.Errorf("no error for\n%s", wrong)
		}
	}
}

// The set that is chosen has the least cost of all sets, and with a price of nothing one card is tried where that is possible.
func TestChoose(t *testing.T) {
	for seed := range uint64(50) {
		rng := random.New(seed)
		samples := randomSamples(rng)
		l := Learning{Price: 0.25 * float64(seed%8)}
		total := func(set uint16) (sum float64) {
			for _, x := range samples {
				sum += l.cost(x, set)
			}
			return sum
		}
		best := total(l.choose(samples))
		for set := uint16(1); set < 1<<search.Categories; set++ {
			if total(set) < best-1e-6 {
				t.Errorf("seed %d: set %b costs %v, the chosen one %v", seed, set, total(set), best)
			}
		}
	}
	l := Learning{Price: 2}
	x := sample{{1, 0}, {2, 0.5}, {4, 3}}
	for set, want := range map[uint16]float64{1: 0, 2: 1, 3: math.Ln2, 6: math.Ln2 + 1, 7: math.Log(3), 8: math.Log(3)} {
		if got := l.cost(x, set); math.Abs(got-want) > 1e-9 {
			t.Errorf("set %b costs %v, want %v", set, got, want)
		}
	}
}

func randomSamples(rng *rand.Rand) []sample {
	list := make([]sample, 20)
	for i := range list {
		for range 2 + random.Below(rng, 6) {
			list[i] = append(list[i], struct {
				categories uint16
				loss       float64
			}{1 << random.Below(rng, search.Categories), float64(random.Below(rng, 10))})
		}
		list[i][0].loss = 0
	}
	return list
}

// Every card that is tried belongs to a category, and together the cards of all categories are all cards. Every situation occurs.
func TestCandidates(t *testing.T) {
	var seen [search.Situations]int
	for i := range uint64(4000) {
		rng := random.New(5, i)
		p := ending(rng, tarok.HandSize-int(random.Below(rng, 12)))
		for range random.Below(rng, 3) {
			p, _ = p.Play(tarok.Any(rng, p.Legal()))
		}
		at, cards := search.Candidates(&p, 1+int(i%3))
		seen[at]++
		for _, c := range cards {
			if c.Categories == 0 || c.Categories>>search.Categories != 0 || !p.Legal().Has(c.Card) {
				t.Fatalf("%d: %s has categories %b", i, c.Card, c.Categories)
			}
		}
		if lead := len(p.Trick()) == 0; lead != strings.HasPrefix(search.SituationName(at), "lead") ||
			len(p.Trick()) == 2 != strings.HasPrefix(search.SituationName(at), "third") {
			t.Fatalf("%d: %s", i, search.SituationName(at))
		}
	}
	for i, n := range seen {
		if n == 0 {
			t.Errorf("no position of %s", search.SituationName(i))
		}
	}
}

// A search of every card with the plain table loses nothing, and neither does the provable selection. The learned table makes fewer nodes.
func TestLosses(t *testing.T) {
	x := Losses{Positions: 30, Seed: 3, Depth: 6, Cards: []int{14, 8}}
	run := func() []Loss {
		list, err := x.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	list := run()
	nodes := map[search.Selection]float64{}
	for _, l := range list {
		if l.Table == search.Plain && l.Cards == 14 {
			nodes[l.Selection] = l.Nodes
		}
		exact := l.Table == search.Plain && l.Selection != search.Learned
		if l.Positions != 30 || l.Mean.Mean < 0 || exact && l.Mean.Mean > 1e-9 {
			t.Errorf("%+v", l)
		}
	}
	if nodes[search.Learned] >= nodes[search.Provable] || nodes[search.Provable] >= nodes[search.EveryCard] {
		t.Error(nodes)
	}
	if a, b := LossCSV(list), LossCSV(run()); !bytes.Equal(a, b) || strings.Count(string(a), "\n") != len(list)+1 {
		t.Errorf("%s", a)
	}
	l := Loss{}
	if l.measure([]float64{0, 0, 1, 3}); l.Worse.Mean != 0.5 || l.Mean.Mean != 1 || math.Abs(l.Mean.Error-math.Sqrt(0.5)) > 1e-9 {
		t.Errorf("%+v", l)
	}
}
