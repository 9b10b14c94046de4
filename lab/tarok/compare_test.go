package tarok

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"roem/internal/engine/tarok/advice"
)

// few returns settings of a pair with which a decision takes a millisecond.
func few(p Pair) Pair {
	for _, s := range []*advice.Settings{&p.A, &p.B} {
		clustered, table := s.Clustered, s.Table
		*s = advice.QuickPaper
		s.Samples, s.Trials, s.Pool, s.Depth, s.Clustered, s.Table = 2, 2, 6, 3, clustered, table
	}
	p.Depth = 3
	return p
}

// Settings that are the same choose the same worlds and cards apart from their seeds; the result depends on the seed alone, and not on the
// number of workers.
func TestCompare(t *testing.T) {
	c := Comparison{Decisions: 25, Worlds: 20, Deals: 2, Seed: 3}
	pair := few(Clusters()[0])
	one, err := c.Run(context.Background(), pair)
	if err != nil {
		t.Fatal(err)
	}
	if one.Differ == 0 || one.Differ > one.Decisions || one.Gain.Mean == 0 || one.Match.Hands != 6 || one.Nodes[0] == 0 {
		t.Errorf("%+v", one)
	}
	c.Workers = 3
	three, err := c.Run(context.Background(), pair)
	if err != nil || three.Gain != one.Gain || three.Grade != one.Grade || three.Match.Difference != one.Match.Difference {
		t.Errorf("with three workers %+v %v, with one %+v", three, err, one)
	}
	var out bytes.Buffer
	err = c.Compare(context.Background(), &out, []Pair{pair, few(Equivalences()[1])})
	if err != nil || strings.Count(out.String(), "\n") != 9 {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestGrade(t *testing.T) {
	for gain, want := range map[float64]float64{0: 0, 0.2: 0.5, -0.2: -0.5, 1: 1, -30: -1} {
		if got := grade(gain); got != want {
			t.Errorf("a gain of %v has the grade %v, want %v", gain, got, want)
		}
	}
}

// The pairs of the paper differ only in what they compare.
func TestPairs(t *testing.T) {
	for _, p := range Clusters() {
		if p.A.Plain() != p.B || p.A == p.B {
			t.Errorf("%s: %+v", p.Name, p)
		}
	}
	for _, p := range Equivalences() {
		b := p.B
		b.Table, b.Depth, b.Samples = p.A.Table, p.A.Depth, p.A.Samples
		if p.A != b {
			t.Errorf("%s: %+v", p.Name, p)
		}
	}
}

// With nothing cut off, there are as many biddings as the program made, and with all cut off but what it always does one.
func TestMeans(t *testing.T) {
	run := func(rare float64) Means {
		c := Complexity{Deals: 12, Settings: few(Clusters()[0]).B, Rare: rare, Seed: 2}
		m, err := c.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	all, some := run(0), run(0.3)
	if all.Sequences < some.Sequences || some.Sequences < 1 || all.Exchanged < some.Exchanged || all.Announcements <= some.Announcements ||
		all.Play.Playouts != 12 || all.Play != some.Play || all.Together != all.Before+all.Play.LogMean {
		t.Errorf("%+v, with 0.3 %+v", all, some)
	}
	if got := (&Complexity{Rare: 0.1}).ways(&advice.Trials{Games: 10, Won: 0.5, Made: [4]float64{0.5, 1, 0, 0}}); got != 2*3*2 {
		t.Errorf("%v ways to announce, want 12", got)
	}
	var out bytes.Buffer
	c := Complexity{Deals: 2, Settings: few(Clusters()[0]).B, Rare: 0.05, Seed: 2}
	if err := c.Write(context.Background(), &out); err != nil || strings.Count(out.String(), "\n") != 7 {
		t.Errorf("%v\n%s", err, out.String())
	}
}
