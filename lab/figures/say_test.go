package figures_test

import (
	"testing"

	"roem/lab/figures"
)

func TestSay(t *testing.T) {
	for _, c := range []struct {
		value float64
		how   string
		want  string
	}{
		{95.18, "", "95.18"},
		{23770, "", "23,770"},
		{1234567, "", "1,234,567"},
		{-54.2, "1", "−54.2"},
		{10, "1", "10.0"},
		{0, "0", "0"},
		{0.26, "2g", "0.26"},
		{3.96, "2g", "4.0"},
		{42.2, "2g", "42"},
		{3846, "2g", "3,800"},
		{532, "1g", "500"},
		{0.0123, "time", "12 µs"},
		{0.0041, "time", "4 µs"},
		{0.1, "time", "0.1 ms"},
		{0.0971, "time", "0.1 ms"},
		{9.96, "2g", "10"},
		{1.88, "time", "2 ms"},
		{14.6, "time", "15 ms"},
		{390, "time", "390 ms"},
		{2960, "time", "3 s"},
		{12000, "time", "12 s"},
	} {
		if got, err := figures.Say(c.value, c.how); err != nil || got != c.want {
			t.Errorf("Say(%v, %q) = %q, %v; want %q", c.value, c.how, got, err, c.want)
		}
	}
	for _, how := range []string{"x", "0g", "-", "2s"} {
		if got, err := figures.Say(1, how); err == nil {
			t.Errorf("Say(1, %q) = %q", how, got)
		}
	}
}

func TestFind(t *testing.T) {
	p := figures.Place{Page: "p.md", Text: "It takes {a|1} ms, of {n} deals, {b|time} at most."}
	values := map[string]float64{"a": 1.88, "n": 1000, "b": 42.2}
	said, err := p.Find("# P\n\nIt takes 1.9 ms, of\n900 deals, 42 ms\nat most.\n", values)
	if err != nil || len(said) != 3 {
		t.Fatalf("%v, %v", said, err)
	}
	for i, want := range []figures.Said{
		{Name: "a", Want: "1.9", Is: "1.9", Begin: 14, End: 17},
		{Name: "n", Want: "1,000", Is: "900", Begin: 25, End: 28},
		{Name: "b", Want: "42 ms", Is: "42 ms", Begin: 36, End: 41},
	} {
		if said[i] != want {
			t.Errorf("%+v, want %+v", said[i], want)
		}
	}
	if _, err := p.Find("It takes long.", values); err == nil {
		t.Error("a page without the sentence")
	}
	delete(values, "n")
	if _, err := p.Find("It takes 1.9 ms, of 900 deals, 42 ms at most.", values); err == nil {
		t.Error("a figure that does not exist")
	}
}
