package dataset

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
)

// small returns settings with which a shard takes milliseconds.
func small(sampling Sampling, goal search.Goal) Settings {
	return Settings{
		Sampling: sampling, Goal: goal, Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Seed: 42, Rows: 60, ShardRows: 7,
	}
}

func ignore(error) {}

func dealOf(t *testing.T, s Settings, row uint64) klaverjas.Deal {
	t.Helper()
	d, err := s.Deal(row)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func nothing() {}

// build makes the missing shards of a set.
func build(t *testing.T, dir string, s Settings, from, to, workers int) *Builder {
	t.Helper()
	b, err := NewBuilder(dir, s)
	if err != nil {
		t.Fatal(err)
	}
	missing, err := b.Missing(from, to, func(err error) { t.Errorf("damaged: %v", err) })
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Make(t.Context(), missing, workers, nothing); err != nil {
		t.Fatal(err)
	}
	return b
}

// contents returns the files of a directory by name, without times, which differ in every run.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string][]byte)
	for _, e := range entries {
		if filepath.Ext(e.Name()) != timesExt {
			out[e.Name()] = read(t, dir, e.Name())
		}
	}
	return out
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func rowsOf(t *testing.T, dir string) []Row {
	t.Helper()
	set, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var rows []Row
	for row, err := range set.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

func TestSameFilesForAnyWorkers(t *testing.T) {
	for _, goal := range []search.Goal{search.Win, search.Value} {
		t.Run(goal.String(), func(t *testing.T) {
			s := small(ClassUniform, goal)
			var want map[string][]byte
			for workers := 1; workers <= 3; workers++ {
				dir := t.TempDir()
				build(t, dir, s, 0, s.Shards(), workers)
				got := contents(t, dir)
				if want == nil {
					want = got
					if n := len(got); n != 1+2*9 { // 60 rows are 9 shards of 7 rows, of which the last has 4
						t.Fatalf("%d files: %v", n, slices.Sorted(maps.Keys(got)))
					}
					if got, want := len(got["shard-00008.rows"]), 4*rowBytes(goal); got != want {
						t.Errorf("the last shard has %d bytes, want %d", got, want)
					}
					continue
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%d workers (-one worker +these):\n%s", workers, diff)
				}
			}
			t.Run("in parts and out of order", func(t *testing.T) {
				dir := t.TempDir()
				build(t, dir, s, 5, 9, 2)
				if set, err := Open(dir); err != nil || set.Manifest.Complete || len(set.Manifest.Shards) != 4 {
					t.Fatalf("a part: %+v, %v", set, err)
				}
				build(t, dir, s, 0, 3, 1)
				build(t, dir, s, 0, 9, 1)
				if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
					t.Errorf("(-at once +in parts):\n%s", diff)
				}
			})
			t.Run("on two machines", func(t *testing.T) {
				one, other := t.TempDir(), t.TempDir()
				build(t, one, s, 0, 4, 1)
				build(t, other, s, 4, 9, 1)
				for name, data := range contents(t, other) {
					if name != manifestName {
						write(t, one, name, data)
					}
				}
				build(t, one, s, 0, 9, 1)
				if diff := cmp.Diff(want, contents(t, one)); diff != "" {
					t.Errorf("(-on one +on two):\n%s", diff)
				}
			})
		})
	}
}

// Every label equals the result of a new solver.
func TestLabels(t *testing.T) {
	opponents := small(ClassUniform, search.Value)
	opponents.Declarer = piquet.EastWest
	variant := klaverjas.DefaultRules(klaverjas.Amsterdam)
	variant.Melds, variant.NatMelds = false, klaverjas.NatAll
	for name, s := range map[string]Settings{
		"uniform win":         small(Uniform, search.Win),
		"uniform value":       small(Uniform, search.Value),
		"class-uniform value": small(ClassUniform, search.Value),
		"opponents declare":   opponents,
		"other rules":         {Sampling: Uniform, Goal: search.Value, Rules: variant, Seed: 1, Rows: 20, ShardRows: 20},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			build(t, dir, s, 0, s.Shards(), 1)
			rows := rowsOf(t, dir)
			if uint64(len(rows)) != s.Rows {
				t.Fatalf("%d rows, want %d", len(rows), s.Rows)
			}
			won := 0
			for i, got := range rows {
				deal := dealOf(t, s, uint64(i))
				if deal != got.Deal() {
					t.Fatalf("row %d: %v, want %v", i, got.Deal(), deal)
				}
				start, err := klaverjas.NewPosition(s.Rules, deal)
				if err != nil {
					t.Fatal(err)
				}
				solver := search.New(search.Options{TableBytes: tableBytes})
				want, err := solver.Solve(t.Context(), search.Query{Position: start, Goal: s.Goal})
				if err != nil {
					t.Fatal(err)
				}
				if got.Number != uint64(i) || got.Won != want.Won || got.Outcome != want.Outcome || got.Nodes != want.Nodes {
					t.Errorf("row %d: %+v, want %+v", i, got, want)
				}
				if got.Took <= 0 || got.Took > time.Minute {
					t.Errorf("row %d took %s", i, got.Took)
				}
				if got.Won {
					won++
				}
			}
			if won == 0 || won == len(rows) {
				t.Errorf("%d of %d rows are won: the test needs both values", won, len(rows))
			}
		})
	}
}

// Labelling a deal again gives the same row, although the table already has the answer.
func TestSameDealTwice(t *testing.T) {
	l := newLabeller(small(Uniform, search.Value))
	first, err := l.row(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	again, err := l.row(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("(-first +again):\n%s", diff)
	}
}

func TestClassRowsAreOfTheirClass(t *testing.T) {
	s := Settings{Sampling: Classes, Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Seed: 7, Rows: index.Classes, ShardRows: 250}
	step := uint64(17)
	if testing.Short() {
		step = 1009
	}
	for k := uint64(0); k < s.Rows; k += step {
		number, err := index.ClassNumber(index.ClassOf(dealOf(t, s, k)))
		if err != nil || uint64(number) != k {
			t.Fatalf("row %d is of class %d, %v", k, number, err)
		}
	}
	// The first shard, one in the middle, and the last one, which is shorter.
	dir := t.TempDir()
	build(t, dir, s, 0, 1, 1)
	build(t, dir, s, 2000, 2001, 1)
	build(t, dir, s, 3926, 3927, 1)
	var numbers []uint64
	for _, row := range rowsOf(t, dir) {
		number, err := index.ClassNumber(index.ClassOf(row.Deal()))
		if err != nil || uint64(number) != row.Number {
			t.Fatalf("row %d is of class %d, %v", row.Number, number, err)
		}
		numbers = append(numbers, row.Number)
	}
	want := func() (all []uint64) {
		for _, part := range [][2]uint64{{0, 250}, {500_000, 500_250}, {981_500, 981_541}} {
			for n := part[0]; n < part[1]; n++ {
				all = append(all, n)
			}
		}
		return all
	}()
	if diff := cmp.Diff(want, numbers); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	set, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		from, to int
		want     Verified
	}{{0, 1, Verified{1, 250, 250}}, {2000, 2001, Verified{1, 250, 250}}, {3926, 3927, Verified{1, 41, 41}}} {
		got, err := set.Verify(t.Context(), part.from, part.to, nothing)
		if err != nil || got != part.want {
			t.Errorf("shard %d: %+v, %v, want %+v", part.from, got, err, part.want)
		}
	}
	_, err = set.Verify(t.Context(), 0, 3927, nothing)
	if want := "missing: shards 1 to 1999, shards 2001 to 3925 of 3927"; err == nil || err.Error() != want {
		t.Errorf("the whole set: %v, want %s", err, want)
	}
}

// The deals of a seed must never change: existing data sets were drawn with them.
func TestDealsArePinned(t *testing.T) {
	for _, c := range []struct {
		sampling Sampling
		seed     uint64
		row      uint64
		index    uint64
	}{
		{"classes", 1, 0, 99561092450390999},
		{"classes", 1, 1, 99561092450390950},
		{"classes", math.MaxUint64, 1, 99561092450384559},
		{"classes", 1, 981540, 0},
		{"class-uniform", 1, 0, 26269833878119270},
		{"class-uniform", math.MaxUint64, 0, 92172644306367514},
		{"class-uniform", 1, 1, 10137918206523940},
		{"class-uniform", 1, 981540, 56679011087991390},
		{"uniform", 1, 0, 66211808557339506},
		{"uniform", math.MaxUint64, 0, 30648886995661416},
		{"uniform", 1, 1, 45651125723530689},
		{"uniform", 1, 981540, 20844293766211608},
	} {
		d := dealOf(t, Settings{Sampling: c.sampling, Seed: c.seed}, c.row)
		if d.Trump != piquet.Clubs || d.Leader != piquet.North || d.Declarer != piquet.NorthSouth {
			t.Errorf("%s, seed %d, row %d: %v is not in the canonical frame", c.sampling, c.seed, c.row, d)
		}
		if got := index.Rank(d); got != c.index {
			t.Errorf("%s, seed %d, row %d: deal %d, want %d", c.sampling, c.seed, c.row, got, c.index)
		}
	}
	// The documented key.
	key := [32]byte{0: 0x34, 1: 0x12, 8: 0xcd, 9: 0xab, 16: 'u', 17: 'n', 18: 'i', 19: 'f', 20: 'o', 21: 'r', 22: 'm'}
	want := index.Random(rand.New(rand.NewChaCha8(key)), piquet.Clubs, piquet.North)
	if got := dealOf(t, Settings{Sampling: Uniform, Seed: 0x1234}, 0xabcd).Hands; got != want {
		t.Errorf("deal %v, want %v", got, want)
	}
}

func TestRowLayout(t *testing.T) {
	// North has the clubs, east the diamonds, south the hearts, west the spades, except that the 8C and the 7S are exchanged.
	hands := [4]piquet.Set{0x010000ff &^ 2, 0x0000ff00, 0x00ff0000, 0xfe000002}
	r := Row{Owners: OwnersOf(hands), Won: false, Outcome: -182, Nodes: 0x0102030405060708}
	want := []byte{
		0x0c, 0x00, 0x55, 0x55, 0xaa, 0xaa, 0xfc, 0xff, // owners: 2 bits per card
		0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01,
		0,
		0x4a, 0xff, // -182
	}
	if diff := cmp.Diff(want, appendRow(nil, r, search.Value)); diff != "" {
		t.Errorf("value (-want +got):\n%s", diff)
	}
	r.Won = true
	want[wonAt] = 1
	if diff := cmp.Diff(want[:winRow], appendRow(nil, r, search.Win)); diff != "" {
		t.Errorf("win (-want +got):\n%s", diff)
	}
	eight, _ := piquet.ParseCard("8C")
	if got := r.Owners.Of(eight); got != piquet.West {
		t.Errorf("the 8C is %s's, want W's", got)
	}
}

func TestRowRoundTrip(t *testing.T) {
	rng := index.NewRand(5)
	for range 1000 {
		hands := index.Random(rng, piquet.Clubs, piquet.North)
		for _, goal := range []search.Goal{search.Win, search.Value} {
			want := Row{Owners: OwnersOf(hands), Won: rng.Uint64()%2 == 0, Nodes: rng.Uint64()}
			if goal == search.Value {
				if want.Outcome = int(2 + 2*(rng.Uint64()%8000)); !want.Won {
					want.Outcome = -want.Outcome
				}
			}
			b := appendRow(nil, want, goal)
			if len(b) != rowBytes(goal) {
				t.Fatalf("%d bytes, want %d", len(b), rowBytes(goal))
			}
			got, err := readRow(b, goal)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", goal, diff)
			}
			if got.Owners.Hands() != hands {
				t.Fatalf("hands %v, want %v", got.Owners.Hands(), hands)
			}
		}
	}
}

func TestRulesJSON(t *testing.T) {
	full := `{"system":"amsterdam","under_ruff":"free","melds":false,"four_of_a_kind":{"7":0,"8":10,"9":20,"10":30,"J":200,"Q":50,"K":60,` +
		`"A":1000},"pit":{"declarers":70,"defenders":80},"nat_melds":"all"}`
	want := klaverjas.Rules{
		System: klaverjas.Amsterdam, UnderRuff: klaverjas.Free, FourOfAKind: [8]int{0, 10, 20, 30, 200, 50, 60, 1000},
		Pit: klaverjas.Pit{Declarers: 70, Defenders: 80}, NatMelds: klaverjas.NatAll,
	}
	var got klaverjas.RulesJSON
	if err := json.Unmarshal([]byte(full), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, klaverjas.Rules(got)); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(full, string(text)); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
	for name, change := range map[string][2]string{
		"unknown switch":  {`"melds"`, `"meld"`},
		"unknown face":    {`"7"`, `"6"`},
		"unknown value":   {`amsterdam`, `utrecht`},
		"other value":     {`free`, `dear`},
		"another value":   {`"all"`, `"none"`},
		"bonus too large": {`1000`, `1010`},
		"type":            {`false`, `0`},
	} {
		t.Run(name, func(t *testing.T) {
			var r klaverjas.RulesJSON
			if err := json.Unmarshal([]byte(strings.Replace(full, change[0], change[1], 1)), &r); err == nil {
				t.Errorf("parsed as %+v", r)
			}
		})
	}
}

// The manifest of a set whose leader's team declares has no field for that: it is unchanged since before the option existed.
func TestDeclarerInManifest(t *testing.T) {
	for _, team := range piquet.Teams() {
		s, dir := small(Uniform, search.Win), t.TempDir()
		s.Declarer = team
		build(t, dir, s, 0, s.Shards(), 1)
		if got, want := strings.Contains(string(read(t, dir, manifestName)), "declarer\": \"EW"), team == piquet.EastWest; got != want {
			t.Errorf("%v: the manifest has the declarer: %t, want %t", team, got, want)
		}
		set, err := Open(dir)
		if err != nil || set.Settings != s {
			t.Errorf("settings %+v, %v, want %+v", set, err, s)
		}
		if _, err := set.Verify(t.Context(), 0, s.Shards(), nothing); err != nil {
			t.Error(err)
		}
	}
}

func TestValidate(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Settings)
		want   string
	}{
		"sampling":     {func(s *Settings) { s.Sampling = "best" }, `sampling "best"`},
		"goal":         {func(s *Settings) { s.Goal = search.Moves }, "goal moves: expected win or value"},
		"no rows":      {func(s *Settings) { s.Rows = 0 }, "expected at least 1"},
		"classes":      {func(s *Settings) { s.Sampling = Classes }, "60 rows: sampling classes has a row for each class, 981541"},
		"shard rows":   {func(s *Settings) { s.ShardRows = 0 }, "0 rows in a shard"},
		"large shards": {func(s *Settings) { s.ShardRows = 1<<20 + 1 }, "rows in a shard"},
		"many shards":  {func(s *Settings) { s.Rows = 7_000_001 }, "more than 1000000 shards"},
		"most rows":    {func(s *Settings) { s.Rows = math.MaxUint64 }, "more than 1000000 shards"},
		"declarer":     {func(s *Settings) { s.Declarer = 2 }, "declarer 2"},
		"rules":        {func(s *Settings) { s.Rules.Pit.Defenders = 5 }, "/rules/pit/defenders"},
		"chooser":      {func(s *Settings) { s.Choice = &Choice{Model: "me", Gain: 8} }, `the model of the choice is "me"`},
		"gain":         {func(s *Settings) { s.Choice = &Choice{Model: someSum} }, "the gain of the choice is 0: expected more than 0"},
		"no gain":      {func(s *Settings) { s.Choice = &Choice{Model: someSum, Gain: math.NaN()} }, "the gain of the choice is NaN"},
		"choice": {func(s *Settings) {
			s.Sampling, s.Rows, s.Choice = Classes, index.Classes, &Choice{Model: someSum, Gain: 8}
		}, "sampling classes has one row for each class"},
	} {
		t.Run(name, func(t *testing.T) {
			s := small(Uniform, search.Win)
			if err := s.Validate(); err != nil {
				t.Fatal(err)
			}
			c.change(&s)
			if err := s.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
			if _, err := NewBuilder(t.TempDir(), s); err == nil {
				t.Error("no error")
			}
		})
	}
}

// Existing shards are not made again, and damaged shards are.
func TestResume(t *testing.T) {
	s := small(Uniform, search.Win)
	whole := t.TempDir()
	build(t, whole, s, 0, s.Shards(), 1)
	want := contents(t, whole)

	flip := func(data []byte) []byte {
		data = slices.Clone(data)
		data[len(data)/2] ^= 4
		return data
	}
	for name, c := range map[string]struct {
		damage func(t *testing.T, dir string)
		again  []int // shards that are made again
		told   string
	}{
		"nothing wrong":      {damage: func(*testing.T, string) {}},
		"no shard":           {damage: func(_ *testing.T, dir string) { os.Remove(filepath.Join(dir, "shard-00003.rows")) }, again: []int{3}},
		"two missing shards": {damage: func(_ *testing.T, dir string) { removeShard(dir, 3); removeShard(dir, 8) }, again: []int{3, 8}},
		"no times":           {damage: func(_ *testing.T, dir string) { os.Remove(filepath.Join(dir, "shard-00003.us")) }},
		"no manifest list": {damage: func(t *testing.T, dir string) {
			t.Helper()
			// The state after a program was killed.
			if err := newManifest(s, nil).write(dir); err != nil {
				t.Fatal(err)
			}
		}},
		"no checksum": {
			damage: func(_ *testing.T, dir string) { os.Remove(filepath.Join(dir, "shard-00003.sha256")) },
			again:  []int{3}, told: "shard-00003.rows: has no .sha256 beside it",
		},
		"other checksum": {
			damage: func(t *testing.T, dir string) {
				t.Helper()
				write(t, dir, "shard-00003.sha256", read(t, dir, "shard-00004.sha256"))
			},
			again: []int{3}, told: "shard-00003.sha256: is not a line of sha256sum's for shard-00003.rows",
		},
		"cut off": {
			damage: func(t *testing.T, dir string) {
				t.Helper()
				write(t, dir, "shard-00003.rows", want["shard-00003.rows"][:50])
			},
			again: []int{3}, told: "shard-00003.rows: has 50 bytes, expected 119",
		},
		"a bit": {
			damage: func(t *testing.T, dir string) {
				t.Helper()
				write(t, dir, "shard-00003.rows", flip(want["shard-00003.rows"]))
			},
			again: []int{3}, told: "shard-00003.rows: its SHA-256 is ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			c.damage(t, dir)
			untouched := make(map[int]os.FileInfo)
			for number := range s.Shards() {
				if !slices.Contains(c.again, number) {
					untouched[number] = stat(t, dir, number)
				}
			}
			b, err := NewBuilder(dir, s)
			if err != nil {
				t.Fatal(err)
			}
			var told []string
			missing, err := b.Missing(0, s.Shards(), func(err error) { told = append(told, err.Error()) })
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.again, missing); diff != "" {
				t.Errorf("missing (-want +got):\n%s", diff)
			}
			if got := strings.Join(told, "\n"); !strings.HasPrefix(got, c.told) || c.told == "" && got != "" {
				t.Errorf("warnings %q, want %q", got, c.told)
			}
			rows := 0
			if err := b.Make(t.Context(), missing, 1, func() { rows++ }); err != nil {
				t.Fatal(err)
			}
			made := 0
			for _, number := range c.again {
				made += s.RowsIn(number)
			}
			if rows != made {
				t.Errorf("%d rows were made, want %d", rows, made)
			}
			if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for number, before := range untouched {
				if !os.SameFile(before, stat(t, dir, number)) {
					t.Errorf("shard %d was written again", number)
				}
			}
		})
	}
}

func removeShard(dir string, number int) {
	for _, ext := range []string{rowsExt, sumExt, timesExt} {
		os.Remove(filepath.Join(dir, shardName(number)+ext))
	}
}

func stat(t *testing.T, dir string, number int) os.FileInfo {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, shardName(number)+rowsExt))
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// Files that another program is writing are kept. Files of a killed program are removed.
func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	s := small(Uniform, search.Win)
	for name, age := range map[string]time.Duration{".new-shard-00003.rows-1": time.Hour, ".new-shard-00004.rows-2": 0, "notes": time.Hour} {
		write(t, dir, name, []byte("half"))
		then := time.Now().Add(-age)
		if err := os.Chtimes(filepath.Join(dir, name), then, then); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := NewBuilder(dir, s); err != nil {
		t.Fatal(err)
	}
	want := []string{".new-shard-00004.rows-2", manifestName, "notes"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(contents(t, dir)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOtherSetRefused(t *testing.T) {
	dir := t.TempDir()
	s := small(Uniform, search.Win)
	build(t, dir, s, 0, 1, 1)
	for _, c := range []struct {
		field, have, want string
		change            func(*Settings)
	}{
		{"sampling", `"uniform"`, `"class-uniform"`, func(s *Settings) { s.Sampling = ClassUniform }},
		{"goal", `"win"`, `"value"`, func(s *Settings) { s.Goal = search.Value }},
		{"declarer", `""`, `"EW"`, func(s *Settings) { s.Declarer = piquet.EastWest }},
		{"seed", `"42"`, `"43"`, func(s *Settings) { s.Seed = 43 }},
		{"rows", "60", "61", func(s *Settings) { s.Rows = 61 }},
		{"shard_rows", "7", "8", func(s *Settings) { s.ShardRows = 8 }},
		{"choice", "null", `{"gain":8,"model":"` + someSum + `"}`, func(s *Settings) { s.Choice = &Choice{Model: someSum, Gain: 8} }},
		{
			"rules", marshal(t, klaverjas.RulesJSON(s.Rules)), marshal(t, klaverjas.RulesJSON(klaverjas.DefaultRules(klaverjas.Amsterdam))),
			func(s *Settings) { s.Rules = klaverjas.DefaultRules(klaverjas.Amsterdam) },
		},
	} {
		t.Run(c.field, func(t *testing.T) {
			other := s
			c.change(&other)
			_, err := NewBuilder(dir, other)
			got, ok := errors.AsType[*MismatchError](err)
			if !ok {
				t.Fatalf("error %v", err)
			}
			want := &MismatchError{Dir: dir, Field: c.field, Have: c.have, Want: c.want}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if text := err.Error(); !strings.Contains(text, `"`+c.field+`" is `+c.have) || !strings.HasSuffix(text, "asked for is "+c.want) {
				t.Errorf("the error is %q", text)
			}
		})
	}
	t.Run("solver", func(t *testing.T) {
		dir := t.TempDir()
		m := newManifest(s, nil)
		m.Solver = "0"
		if err := m.write(dir); err != nil {
			t.Fatal(err)
		}
		_, err := NewBuilder(dir, s)
		if got, ok := errors.AsType[*MismatchError](err); !ok || got.Field != "solver" || got.Have != `"0"` {
			t.Errorf("error %v", err)
		}
	})
	t.Run("shards alone", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "a[b]*")
		build(t, dir, s, 0, 1, 1)
		if err := os.Remove(filepath.Join(dir, manifestName)); err != nil {
			t.Fatal(err)
		}
		if _, err := NewBuilder(dir, s); err == nil || !strings.Contains(err.Error(), "has shards but no manifest.json") {
			t.Errorf("error %v", err)
		}
	})
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const someSum = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

// The model accepts deals in which south holds the jack of trumps. Each row is the first accepted deal among those drawn for it. A set
// whose weights are missing can be read and verified, but not made.
func TestChoice(t *testing.T) {
	jack := func(d klaverjas.Deal) bool { return d.Hands[piquet.South]&(1<<piquet.Of(trump, piquet.Jack)) != 0 }
	s, all, dir := small(Uniform, search.Win), small(Uniform, search.Win), t.TempDir()
	s.Choice = &Choice{Model: someSum, Gain: 8, Takes: jack}
	build(t, dir, s, 0, s.Shards(), 2)
	drawnFirst := 0
	for i, row := range rowsOf(t, dir) {
		if !jack(row.Deal()) {
			t.Errorf("row %d is not accepted by the model", i)
		}
		if first := dealOf(t, all, uint64(i)); jack(first) {
			drawnFirst++
			if row.Deal() != first {
				t.Errorf("row %d is not the first accepted deal", i)
			}
		}
	}
	if drawnFirst == 0 || drawnFirst == int(s.Rows) {
		t.Fatalf("of %d rows, %d accept the first deal: the test has no effect", s.Rows, drawnFirst)
	}
	set, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if c := set.Settings.Choice; c == nil || c.Model != someSum || c.Gain != 8 || c.Takes != nil {
		t.Errorf("the choice is parsed as %+v", c)
	}
	if _, err := set.Verify(t.Context(), 0, s.Shards(), nothing); err != nil {
		t.Error(err)
	}
	if _, err := set.Settings.Deal(0); err == nil || !strings.Contains(err.Error(), "weights 001122334455… of the choice are not available") {
		t.Errorf("without weights: %v", err)
	}
	if err := set.verifyRows([]Row{{Number: 3, Owners: OwnersOf(dealOf(t, all, 4).Hands)}}, make([]bool, index.Classes),
		new(Verified)); err == nil {
		t.Error("the deal of another row is not detected")
	}
	none := s
	none.Choice = &Choice{Model: someSum, Gain: 8, Takes: func(klaverjas.Deal) bool { return false }}
	b, err := NewBuilder(t.TempDir(), none)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Make(t.Context(), []int{0}, 1, nothing); err == nil || !strings.Contains(err.Error(), "none of 10000 deals has a gain of") {
		t.Errorf("a model that accepts nothing: %v", err)
	}
}

func TestBadManifest(t *testing.T) {
	whole := t.TempDir()
	build(t, whole, small(Uniform, search.Value), 0, 3, 1)
	text := string(read(t, whole, manifestName))
	for name, c := range map[string]struct{ from, to, want string }{
		"cut off":        {text[len(text)/2:], "", "unexpected EOF"},
		"empty":          {text, "", "EOF"},
		"no JSON":        {text, "hello", "invalid character"},
		"more after":     {text, text + "{}", "after top-level value"},
		"unknown field":  {`"seed"`, `"sead"`, `unknown field "sead"`},
		"missing field":  {`"solver": "` + search.Version + `",`, ``, "a field is missing"},
		"twice":          {`"seed": "42",`, `"seed": "42", "seed": "42",`, "repeated or out of order"},
		"missing switch": {`"melds": true,`, ``, "a field is missing"},
		"other format":   {`"format": 1`, `"format": 2`, `"format" is 2: this version of roem-lab reads 1`},
		"sampling":       {`"uniform"`, `"best"`, `sampling "best"`},
		"goal":           {`"value"`, `"best"`, `"goal": "best" is not one of`},
		"goal moves":     {`"value"`, `"moves"`, "goal moves: expected win or value"},
		"other goal":     {`"value"`, `"win"`, `"row_bytes" is 19: expected 17 with goal win`},
		"seed":           {`"42"`, `"forty-two"`, `"seed" is "forty-two": expected a whole number`},
		"declarer NS":    {`"solver"`, `"declarer": "NS", "solver"`, `"declarer" is "NS": expected "EW", or none for NS`},
		"declarer":       {`"solver"`, `"declarer": "N", "solver"`, `"declarer" is "N"`},
		"rules":          {`"forced"`, `"soft"`, `"soft" is not one of`},
		"no rows":        {`"rows": 60`, `"rows": 0`, "0 rows: expected at least 1"},
		"fewer rows":     {`"rows": 60`, `"rows": 20`, `shard 2 has "rows" 7: expected 6`},
		"far fewer rows": {`"rows": 60`, `"rows": 14`, `"shards" has number 2 at place 2: expected them in order, 0 to 1`},
		"shard rows":     {`"rows": 7`, `"rows": 8`, `shard 0 has "rows" 8: expected 7`},
		"order":          {`"number": 1`, `"number": 2`, `shard 2 has "file" "shard-00001.rows": expected "shard-00002.rows"`},
		"number twice":   {`"number": 1`, `"number": 0`, `"shards" has number 0 at place 1`},
		"file":           {`"shard-00001.rows"`, `"../secret"`, `shard 1 has "file" "../secret"`},
		"sum":            {`"sha256": "`, `"sha256": "x`, `expected 64 hexadecimal digits`},
		"complete":       {`"complete": false`, `"complete": true`, `"complete" is true, but 3 of 9 shards are listed`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			changed := strings.Replace(text, c.from, c.to, 1)
			if changed == text {
				t.Fatalf("the manifest does not contain %q", c.from)
			}
			write(t, dir, manifestName, []byte(changed))
			_, err := Open(dir)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), filepath.Join(dir, manifestName)) {
				t.Errorf("Open: %v, want %s", err, c.want)
			}
			if _, err := NewBuilder(dir, small(Uniform, search.Value)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("NewBuilder: %v, want %s", err, c.want)
			}
		})
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "is no data set") {
		t.Errorf("an empty directory: %v", err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(text)); err != nil {
		t.Fatal(err)
	}
	write(t, whole, manifestName, compact.Bytes())
	if _, err := Open(whole); err != nil {
		t.Errorf("without white space: %v", err)
	}
}

func TestVerify(t *testing.T) {
	s := small(Uniform, search.Value)
	whole := t.TempDir()
	build(t, whole, s, 0, s.Shards(), 1)
	// relabel changes a shard and lists its new checksum, as if the damage had happened before the checksum was computed.
	relabel := func(t *testing.T, dir string, change func(rows []byte)) {
		t.Helper()
		data := read(t, dir, "shard-00002.rows")
		old := checksum(data)
		change(data)
		write(t, dir, "shard-00002.rows", data)
		text := strings.ReplaceAll(string(read(t, dir, manifestName)), old, checksum(data))
		write(t, dir, manifestName, []byte(text))
	}
	const second = valueRow // the start of the second row of the shard, number 15
	for name, c := range map[string]struct {
		damage func(t *testing.T, dir string)
		want   string
	}{
		"in order": {func(*testing.T, string) {}, ""},
		"a bit": {func(t *testing.T, dir string) {
			t.Helper()
			data := read(t, dir, "shard-00002.rows")
			data[40] ^= 1
			write(t, dir, "shard-00002.rows", data)
		}, "shard-00002.rows: its SHA-256 is "},
		"cut off": {func(t *testing.T, dir string) {
			t.Helper()
			write(t, dir, "shard-00002.rows", read(t, dir, "shard-00002.rows")[:100])
		}, "shard-00002.rows: has 100 bytes, expected 133"},
		"one gone": {func(_ *testing.T, dir string) { removeShard(dir, 2) }, "shard-00002.rows is not there, but manifest.json lists it"},
		"one more": {func(t *testing.T, dir string) {
			t.Helper()
			if err := newManifest(s, nil).write(dir); err != nil {
				t.Fatal(err)
			}
		}, "shard-00000.rows is there, but manifest.json does not list it"},
		"times": {func(t *testing.T, dir string) {
			t.Helper()
			write(t, dir, "shard-00002.us", []byte{1, 2, 3})
		}, "shard-00002.us: has 3 bytes, expected 28"},
		"no deal": {func(t *testing.T, dir string) {
			t.Helper()
			relabel(t, dir, func(rows []byte) { clear(rows[second : second+8]) })
		}, "shard-00002.rows: row 15: N holds 32 cards, expected 8"},
		"another deal": {func(t *testing.T, dir string) {
			t.Helper()
			relabel(t, dir, func(rows []byte) {
				o := OwnersOf(dealOf(t, s, 3).Hands)
				binary.LittleEndian.PutUint64(rows[second:], uint64(o))
			})
		}, "row 15 is not the deal that its number and the seed 42 give"},
		"won": {func(t *testing.T, dir string) {
			t.Helper()
			relabel(t, dir, func(rows []byte) { rows[second+wonAt] = 2 })
		}, "shard-00002.rows: row 15: won is 2, expected 0 or 1"},
		"outcome": {func(t *testing.T, dir string) {
			t.Helper()
			relabel(t, dir, func(rows []byte) { rows[second+outcomeAt], rows[second+outcomeAt+1] = 0, 0 })
		}, "shard-00002.rows: row 15: the outcome is 0, which no deal has"},
		"won and outcome": {func(t *testing.T, dir string) {
			t.Helper()
			relabel(t, dir, func(rows []byte) { rows[second+wonAt] ^= 1 })
		}, "shard-00002.rows: row 15: won is "},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			c.damage(t, dir)
			set, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			done := 0
			got, err := set.Verify(t.Context(), 0, s.Shards(), func() { done++ })
			if done != s.Shards() {
				t.Errorf("%d shards done, want all %d", done, s.Shards())
			}
			if c.want == "" {
				if err != nil || got.Shards != 9 || got.Rows != 60 {
					t.Errorf("%+v, %v", got, err)
				}
				return
			}
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
			if name != "one more" && got.Shards != 8 {
				t.Errorf("%d valid shards, want the other 8", got.Shards)
			}
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		set, err := Open(whole)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := set.Verify(ctx, 0, s.Shards(), nothing); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

// A repeated class is detected in any row.
func TestVerifyClasses(t *testing.T) {
	s := Settings{Sampling: Classes, Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Rows: index.Classes, ShardRows: 10}
	set := &Set{Settings: s}
	row := func(number, deal uint64) Row { return Row{Number: number, Owners: OwnersOf(dealOf(t, s, deal).Hands)} }
	var v Verified
	if err := set.verifyRows([]Row{row(5, 5), row(6, 6)}, make([]bool, index.Classes), &v); err != nil || v.Classes != 2 {
		t.Errorf("%d classes, %v", v.Classes, err)
	}
	err := set.verifyRows([]Row{row(5, 5), row(6, 5)}, make([]bool, index.Classes), &v)
	if want := "row 6 is of class 5"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	err = set.verifyRows([]Row{row(5, 5), row(5, 5)}, make([]bool, index.Classes), &v)
	if want := "row 5: class 5 comes a second time"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestCancelled(t *testing.T) {
	s := small(Uniform, search.Value)
	dir := t.TempDir()
	b, err := NewBuilder(dir, s)
	if err != nil {
		t.Fatal(err)
	}
	missing, err := b.Missing(0, s.Shards(), ignore)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	rows := 0
	err = b.Make(ctx, missing, 1, func() {
		if rows++; rows == 25 { // in the fourth shard
			cancel(stop)
		}
	})
	if !errors.Is(err, stop) {
		t.Errorf("error %v, want %v", err, stop)
	}
	set, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Manifest.Shards) != 3 || set.Manifest.Complete || rows > 26 {
		t.Errorf("%d shards after %d rows, want 3", len(set.Manifest.Shards), rows)
	}
	if got, err := set.Verify(t.Context(), 0, 3, nothing); err != nil || got.Rows != 21 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestCannotWrite(t *testing.T) {
	s := small(Uniform, search.Win)
	dir := t.TempDir()
	write(t, dir, "file", nil)
	if _, err := NewBuilder(filepath.Join(dir, "file", "set"), s); err == nil {
		t.Error("a set below a file: no error")
	}
	b, err := NewBuilder(dir, s)
	if err != nil {
		t.Fatal(err)
	}
	// A shard cannot replace a directory.
	if err := os.MkdirAll(filepath.Join(dir, "shard-00001.us", "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	err = b.Make(t.Context(), []int{0, 1, 2}, 1, nothing)
	if err == nil || !strings.Contains(err.Error(), "shard-00001.us") {
		t.Errorf("error %v", err)
	}
	for name := range contents(t, dir) {
		if strings.HasPrefix(name, temporaryPrefix) {
			t.Errorf("%s was not removed", name)
		}
	}
	if set, err := Open(dir); err != nil || len(set.Manifest.Shards) != 1 {
		t.Errorf("the first shard is not listed: %v", err)
	}
}

func TestSummarise(t *testing.T) {
	s := small(Uniform, search.Win)
	dir := t.TempDir()
	b, err := NewBuilder(dir, s)
	if err != nil {
		t.Fatal(err)
	}
	// 60 rows with known values. Row i takes i nodes, except row 17, which takes 100. It takes i+1 milliseconds. Every third row is
	// won. For shard 1, rows 7 to 13, the times are unknown.
	for number := range s.Shards() {
		shard := Shard{Number: number}
		for i := range uint64(s.RowsIn(number)) {
			n := s.FirstRow(number) + i
			row := Row{Owners: OwnersOf(dealOf(t, s, n).Hands), Nodes: n, Won: n%3 == 0}
			if n == 17 {
				row.Nodes = 100
			}
			shard.Rows = appendRow(shard.Rows, row, s.Goal)
			shard.Times = appendTime(shard.Times, time.Duration(n+1)*time.Millisecond)
		}
		if err := b.add(shard); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.writeManifest(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "shard-00001.us")); err != nil {
		t.Fatal(err)
	}
	set, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := set.Summarise()
	if err != nil {
		t.Fatal(err)
	}
	want := Summary{
		Rows: 60, Won: 20, ShareWon: 1.0 / 3,
		// The numbers 0 to 59 sum to 1770, and row 17 adds 83. In order the 30th is 30, since row 17 is the last, and the 60th is 100.
		Nodes: Spread{Mean: 1853.0 / 60, P50: 30, P99: 100, Max: 100, MaxRow: 17},
		// The numbers 1 to 60 sum to 1830, minus 77 for 8 to 14. Of the remaining 53 the 27th is 34.
		Milliseconds: &Spread{Mean: 1753.0 / 53, P50: 34, P99: 60, Max: 60, MaxRow: 59},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	t.Run("nothing", func(t *testing.T) {
		dir := t.TempDir()
		if err := newManifest(s, nil).write(dir); err != nil {
			t.Fatal(err)
		}
		set, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		got, err := set.Summarise()
		if diff := cmp.Diff(Summary{}, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
}

func TestShardNotListed(t *testing.T) {
	dir := t.TempDir()
	s := small(Uniform, search.Win)
	build(t, dir, s, 2, 4, 1)
	set, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, number := range []int{-1, 0, 1, 4, 8, 100} {
		if _, err := set.Shard(number); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("shard %d: error %v", number, err)
		}
	}
	rows, err := set.Shard(3)
	if err != nil || len(rows) != 7 || rows[0].Number != 21 {
		t.Errorf("shard 3: %v, %v", rows, err)
	}
	// After a break there are no more rows.
	n := 0
	for range set.Rows() {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d rows before the break", n)
	}
}
