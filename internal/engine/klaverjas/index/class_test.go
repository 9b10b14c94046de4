package index

import (
	"errors"
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

func TestClassesAltogether(t *testing.T) {
	var (
		count, single, upToOrder int
		largest, sum             uint64
		last                     Class
	)
	for number, c := range allClasses() {
		if int(number) != count {
			t.Fatalf("class %v has number %d, want %d", c, number, count)
		}
		count++
		size := c.Size()
		sum += size
		largest = max(largest, size)
		if size == 1 {
			single++
		}
		if number > 0 && !less(last, c) {
			t.Fatalf("class %v does not come after %v", c, last)
		}
		last = c
		if plainSuitsInOrder(c) {
			upToOrder++
		}
		if number%7 != 0 || testing.Short() && number%70 != 0 {
			continue
		}
		if got, err := ClassNumber(c); err != nil || got != number {
			t.Fatalf("ClassNumber(%v) = %d, %v, want %d", c, got, err, number)
		}
		if got, err := ClassAt(number); err != nil || got != c {
			t.Fatalf("ClassAt(%d) = %v, %v, want %v", number, got, err, c)
		}
	}
	type facts struct {
		Count, Single, UpToOrder int
		Largest, Sum             uint64
	}
	want := facts{Count: Classes, Single: 24, UpToOrder: 165_073, Largest: 40_327_580_160_000, Sum: Deals}
	if diff := cmp.Diff(want, facts{count, single, upToOrder, largest, sum}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	even := Class{{2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 2}}
	if got := even.Size(); got != largest {
		t.Errorf("the even class holds %d deals, want the largest number, %d", got, largest)
	}
}

// less compares classes cell by cell.
func less(a, b Class) bool {
	for i := range a {
		for j := range a[i] {
			if a[i][j] != b[i][j] {
				return a[i][j] < b[i][j]
			}
		}
	}
	return false
}

// plainSuitsInOrder selects one of the classes that differ only in the order of the plain suits: the one whose plain columns are in
// descending order.
func plainSuitsInOrder(c Class) bool {
	for suit := 1; suit < 3; suit++ {
		for hand := range c {
			if c[hand][suit] != c[hand][suit+1] {
				if c[hand][suit] < c[hand][suit+1] {
					return false
				}
				break
			}
		}
	}
	return true
}

func TestAllClassesStops(t *testing.T) {
	n := 0
	for range allClasses() {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d classes before the break, want 3", n)
	}
}

func TestNoClass(t *testing.T) {
	tests := map[string]Class{
		"nothing":     {},
		"rows alone":  {{8, 0, 0, 0}, {8, 0, 0, 0}, {8, 0, 0, 0}, {8, 0, 0, 0}},
		"columns":     {{8, 8, 8, 8}, {}, {}, {}},
		"wraps round": {{8, 0, 0, 0}, {0, 8, 0, 0}, {0, 0, 8, 0}, {128, 128, 0, 8}},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			if c.Valid() {
				t.Error("Valid is true")
			}
			if got := c.Size(); got != 0 {
				t.Errorf("Size() = %d, want 0", got)
			}
			if _, err := ClassNumber(c); !errors.Is(err, ErrNotClass) {
				t.Errorf("ClassNumber error = %v", err)
			}
			if _, err := c.Hands(0, piquet.Clubs, piquet.North); !errors.Is(err, ErrNotClass) {
				t.Errorf("Hands error = %v", err)
			}
			if _, err := RandomOfClass(NewRand(1), c, piquet.Clubs, piquet.North); !errors.Is(err, ErrNotClass) {
				t.Errorf("RandomOfClass error = %v", err)
			}
		})
	}
	var out *Error
	if _, err := ClassAt(Classes); !errors.As(err, &out) || out.Index != Classes || out.Count != Classes {
		t.Errorf("ClassAt(%d) error = %v", Classes, err)
	}
}

func TestClassOf(t *testing.T) {
	// West leads and hearts are trump, so the rows are W N E S and the columns H C D S.
	d := klaverjas.Deal{Trump: piquet.Hearts, Leader: piquet.West, Hands: [4]piquet.Set{
		piquet.North: 0x0000007f | 0x00000100, // 7 clubs, 1 diamond
		piquet.East:  0x00000080 | 0x0000fe00, // 1 club, 7 diamonds
		piquet.South: 0xff000000,              // 8 spades
		piquet.West:  0x00ff0000,              // 8 hearts
	}}
	want := Class{{8, 0, 0, 0}, {0, 7, 1, 0}, {0, 1, 7, 0}, {0, 0, 0, 8}}
	if diff := cmp.Diff(want, ClassOf(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := want.Size(); got != 64 { // 8 ways for the clubs, 8 for the diamonds
		t.Errorf("Size() = %d, want 64", got)
	}
}

// The deals of a small class all belong to the class, and no deal occurs twice.
func TestHandsOfAClassAreAllItsDeals(t *testing.T) {
	for _, c := range []Class{
		{{8, 0, 0, 0}, {0, 8, 0, 0}, {0, 0, 8, 0}, {0, 0, 0, 8}},
		{{8, 0, 0, 0}, {0, 7, 1, 0}, {0, 1, 7, 0}, {0, 0, 0, 8}},
		{{0, 1, 7, 0}, {0, 6, 1, 1}, {1, 1, 0, 6}, {7, 0, 0, 1}},
	} {
		trump, leader := piquet.Spades, piquet.East
		seen := map[uint64]bool{}
		for k := range c.Size() {
			hands, err := c.Hands(k, trump, leader)
			if err != nil {
				t.Fatal(err)
			}
			checkHands(t, hands)
			d := klaverjas.Deal{Trump: trump, Leader: leader, Hands: hands}
			if got := ClassOf(d); got != c {
				t.Fatalf("deal %d of class %v is of class %v", k, c, got)
			}
			seen[Rank(d)] = true
		}
		if uint64(len(seen)) != c.Size() {
			t.Errorf("class %v: %d different deals, want %d", c, len(seen), c.Size())
		}
		var out *Error
		if _, err := c.Hands(c.Size(), trump, leader); !errors.As(err, &out) {
			t.Errorf("class %v: deal number %d: error = %v", c, c.Size(), err)
		}
	}
}

func BenchmarkClassAt(b *testing.B) {
	rng := NewRand(5)
	for b.Loop() {
		_, _ = ClassAt(uint32(random.Below(rng, Classes)))
	}
}

func BenchmarkClassNumber(b *testing.B) {
	deals := benchmarkDeals()
	for i := 0; b.Loop(); i++ {
		_, _ = ClassNumber(ClassOf(deals[i&255]))
	}
}

func BenchmarkAllClasses(b *testing.B) {
	for b.Loop() {
		for range allClasses() {
		}
	}
}

func BenchmarkRandomClassUniform(b *testing.B) {
	rng := NewRand(6)
	b.ReportAllocs()
	for b.Loop() {
		RandomClassUniform(rng, piquet.Clubs, piquet.North)
	}
}

// allClasses yields every class with its number, in order.
func allClasses() iter.Seq2[uint32, Class] {
	return func(yield func(uint32, Class) bool) {
		t := classCounts()
		number := uint32(0)
		for _, r0 := range t.rows {
			left0, _ := under(r0, row{8, 8, 8, 8})
			for _, r1 := range t.rows {
				left1, ok := under(r1, left0)
				if !ok {
					continue
				}
				for _, r2 := range t.rows {
					r3, ok := under(r2, left1)
					if !ok {
						continue
					}
					if !yield(number, Class{r0, r1, r2, r3}) {
						return
					}
					number++
				}
			}
		}
	}
}

// The spread goes from 0 to the square root of 12, and mirrors have the spread and the size of their class.
func TestMirrors(t *testing.T) {
	even := Class{{2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 2}}
	one := Class{{8, 0, 0, 0}, {0, 8, 0, 0}, {0, 0, 8, 0}, {0, 0, 0, 8}}
	if s := even.Spread(); s != 0 || len(even.Mirrors()) != 0 {
		t.Errorf("even: spread %v, mirrors %v", s, even.Mirrors())
	}
	if s := one.Spread(); math.Abs(s-math.Sqrt(12)) > 1e-12 || len(one.Mirrors()) != 5 {
		t.Errorf("one suit each: spread %v, mirrors %v", s, one.Mirrors())
	}
	rng := NewRand(3)
	for range 300 {
		c, err := ClassAt(uint32(random.Below(rng, Classes)))
		if err != nil {
			t.Fatal(err)
		}
		last := -1
		for _, m := range c.Mirrors() {
			number, err := ClassNumber(m)
			if err != nil || m == c || m.Size() != c.Size() || m.Spread() != c.Spread() || int(number) <= last {
				t.Errorf("%v has the mirror %v, number %d after %d, %v", c, m, number, last, err)
			}
			if back := m.Mirrors(); len(back) != len(c.Mirrors()) || !slices.Contains(back, c) {
				t.Errorf("%v is no mirror of its mirror %v", c, m)
			}
			last = int(number)
		}
	}
}

// Deals that differ only in the names of plain suits have classes that are equal or mirrors.
func TestDealsOfMirrors(t *testing.T) {
	rng := NewRand(4)
	for range 300 {
		d := klaverjas.Deal{Trump: piquet.Hearts, Leader: piquet.East, Hands: Random(rng, piquet.Hearts, piquet.East)}
		_, re := Canonical(d)
		there := ClassOf(re.Deal(d))
		if c := ClassOf(d); c != there && !slices.Contains(c.Mirrors(), there) {
			t.Errorf("%v is no mirror of %v", there, c)
		}
	}
}
