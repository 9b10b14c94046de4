package features_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/features"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
)

// hands reads four hands, N E S W, one per line.
func hands(t *testing.T, text string) [4]piquet.Set {
	t.Helper()
	in := make(map[piquet.Seat][]string)
	for seat, line := range strings.Split(strings.TrimSpace(text), "\n") {
		in[piquet.Seat(seat)] = strings.Fields(line)
	}
	got, err := klaverjas.ParseHands(in)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// named returns the values of a deal's columns by name.
func named(deal [4]piquet.Set) map[string]float64 {
	var row features.Row
	features.Extract(&row, &deal)
	out := make(map[string]float64)
	for column, name := range features.Names() {
		out[name] = features.Value(column, row[column])
	}
	return out
}

// The values of this test were computed by hand.
func TestExtractByHand(t *testing.T) {
	type groups = map[string]string // the values of a group, by seat or team, then by suit or rank
	tests := []struct {
		name  string
		hands string
		want  groups
	}{
		{
			name: "two of each suit in every hand",
			hands: `
				JC 9C AD 10D 7H 8H KS QS
				AC 10C 7D 8D AH 10H 7S 8S
				KC QC KD QD KH QH AS 10S
				7C 8C JD 9D JH 9H JS 9S`,
			want: groups{
				"suit_count N": "2 2 2 2", "suit_count E": "2 2 2 2", "suit_count S": "2 2 2 2", "suit_count W": "2 2 2 2",
				"rank_count N": "1 1 0 0 1 1 2 2", "rank_count E": "2 2 0 0 1 1 1 1",
				"rank_count S": "0 0 1 1 2 2 1 1", "rank_count W": "1 1 3 3 0 0 0 0",
				"points":     "62 42 42 6",
				"stdev seat": "0 0 0 0", "stdev suit": "0 0 0 0", "stdev game": "0",
				"top_cards N": "2 2 0 2", "top_cards E": "0 0 2 0", "top_cards S": "0 2 0 2", "top_cards W": "0 0 0 0",
				"suit_count NS": "4 4 4 4", "suit_count EW": "4 4 4 4",
				"rank_count NS": "1 1 1 1 3 3 3 3", "rank_count EW": "3 3 3 3 1 1 1 1",
				"points teams": "104 48",
				"top_cards NS": "2 4 0 4", "top_cards EW": "0 0 2 0",
			},
		},
		{
			name: "a suit in every hand",
			hands: `
				7C 8C 9C 10C JC QC KC AC
				7D 8D 9D 10D JD QD KD AD
				7H 8H 9H 10H JH QH KH AH
				7S 8S 9S 10S JS QS KS AS`,
			want: groups{
				"suit_count N": "8 0 0 0", "suit_count E": "0 8 0 0", "suit_count S": "0 0 8 0", "suit_count W": "0 0 0 8",
				"rank_count N": "1 1 1 1 1 1 1 1", "rank_count E": "1 1 1 1 1 1 1 1",
				"rank_count S": "1 1 1 1 1 1 1 1", "rank_count W": "1 1 1 1 1 1 1 1",
				"points": "62 30 30 30",
				// The maximum, 3.46 in the paper: the square root of 64/4 - 2^2.
				"stdev seat": "3.464 3.464 3.464 3.464", "stdev suit": "3.464 3.464 3.464 3.464", "stdev game": "3.464",
				"top_cards N": "8 0 0 0", "top_cards E": "0 8 0 0", "top_cards S": "0 0 8 0", "top_cards W": "0 0 0 8",
				"suit_count NS": "8 0 8 0", "suit_count EW": "0 8 0 8",
				"rank_count NS": "2 2 2 2 2 2 2 2", "rank_count EW": "2 2 2 2 2 2 2 2",
				"points teams": "92 60",
				"top_cards NS": "8 0 8 0", "top_cards EW": "0 8 0 8",
			},
		},
		{
			name: "uneven",
			hands: `
				JC AC 10C 8C 7C AD KD 7D
				9C KC 10D 9D AH KH QH 7H
				QC QD 10H 9H AS KS QS JS
				JD 8D JH 8H 10S 9S 8S 7S`,
			want: groups{
				"suit_count N": "5 3 0 0", "suit_count E": "2 2 4 0", "suit_count S": "1 1 2 4", "suit_count W": "0 2 2 4",
				"rank_count N": "2 1 0 0 1 2 0 2", "rank_count E": "1 0 1 1 1 1 2 1",
				"rank_count S": "0 0 2 1 2 1 1 1", "rank_count W": "1 3 1 2 0 0 1 0",
				"points": "56 46 36 14",
				// The square roots of 34/4-4, 24/4-4, 22/4-4, 24/4-4; of 30/4-4, 18/4-4, 24/4-4, 32/4-4; of 104/16-4.
				"stdev seat": "2.121 1.414 1.225 1.414", "stdev suit": "1.871 0.707 1.414 2", "stdev game": "1.581",
				"top_cards N": "1 1 0 0", "top_cards E": "0 0 1 0", "top_cards S": "0 0 0 1", "top_cards W": "0 0 0 0",
				"suit_count NS": "6 4 2 4", "suit_count EW": "2 4 6 4",
				"rank_count NS": "2 1 2 1 3 3 1 3", "rank_count EW": "2 3 2 3 1 1 3 1",
				"points teams": "92 60",
				"top_cards NS": "1 1 0 1", "top_cards EW": "0 0 1 0",
			},
		},
	}
	suits := []string{"clubs", "diamonds", "hearts", "spades"}
	seats := []string{"N", "E", "S", "W"}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			deal := hands(t, test.hands)
			want := make(map[string]float64)
			for group, text := range test.want {
				for i, field := range strings.Fields(text) {
					var value float64
					if _, err := fmt.Sscan(field, &value); err != nil {
						t.Fatal(err)
					}
					first, second, _ := strings.Cut(group, " ")
					var name string
					switch {
					case first == "rank_count":
						name = fmt.Sprintf("rank_count_%s_%d", second, i+1)
					case first == "suit_count" || first == "top_cards":
						name = first + "_" + second + "_" + suits[i]
					case second == "suit":
						name = first + "_" + suits[i]
					case second == "game":
						name = "stdev_game"
					case second == "teams":
						name = first + "_" + []string{"NS", "EW"}[i]
					default:
						name = first + "_" + seats[i]
					}
					want[name] = value
				}
			}
			for seat, line := range strings.Split(strings.TrimSpace(test.hands), "\n") {
				for card := range strings.FieldsSeq(line) {
					want["owner_"+card] = float64(seat)
				}
			}
			if diff := cmp.Diff(want, named(deal), cmpopts.EquateApprox(0, 0.0005)); diff != "" {
				t.Errorf("columns (-by hand +got)\n%s", diff)
			}
		})
	}
}

// naive computes the columns as Table 2 defines them.
func naive(deal [4]piquet.Set) map[string]float64 {
	out := make(map[string]float64)
	suitNames := []string{"clubs", "diamonds", "hearts", "spades"}
	rank := func(c piquet.Card) int { return klaverjas.Strength(c, piquet.Clubs) + 1 }
	stdev := func(xs []float64) float64 {
		mean, sum := 0.0, 0.0
		for _, x := range xs {
			mean += x / float64(len(xs))
		}
		for _, x := range xs {
			sum += (x - mean) * (x - mean) / float64(len(xs))
		}
		return math.Sqrt(sum)
	}
	var game []float64
	bySuit := make([][]float64, 4)
	for _, p := range piquet.Seats() {
		var counts []float64
		team := p.Team().String()
		opponents := deal[p.Next()] | deal[p.Next().Partner()]
		for _, s := range piquet.Suits() {
			count, top := 0.0, 0.0
			for _, c := range deal[p].Slice() {
				if c.Suit() != s {
					continue
				}
				count++
				unbeaten := true
				for _, other := range opponents.Slice() {
					unbeaten = unbeaten && (rank(other) < rank(c) || other.Suit() != s)
				}
				if unbeaten {
					top++
				}
			}
			out["suit_count_"+p.String()+"_"+suitNames[s]] = count
			out["suit_count_"+team+"_"+suitNames[s]] += count
			out["top_cards_"+p.String()+"_"+suitNames[s]] = top
			out["top_cards_"+team+"_"+suitNames[s]] += top
			counts, game = append(counts, count), append(game, count)
			bySuit[s] = append(bySuit[s], count)
		}
		out["stdev_"+p.String()] = stdev(counts)
		for r := 1; r <= 8; r++ {
			count := 0.0
			for _, c := range deal[p].Slice() {
				if rank(c) == r {
					count++
				}
			}
			out[fmt.Sprintf("rank_count_%s_%d", p, r)] = count
			out[fmt.Sprintf("rank_count_%s_%d", team, r)] += count
		}
		for _, c := range deal[p].Slice() {
			out["points_"+p.String()] += float64(klaverjas.Points(c, piquet.Clubs))
			out["points_"+team] += float64(klaverjas.Points(c, piquet.Clubs))
			out["owner_"+c.String()] = float64(p)
		}
		if deal[p].Empty() {
			out["points_"+p.String()] = 0
		}
	}
	for s, counts := range bySuit {
		out["stdev_"+suitNames[s]] = stdev(counts)
	}
	out["stdev_game"] = stdev(game)
	return out
}

func randomDeal(seed uint64) [4]piquet.Set {
	rng := index.NewRand(seed)
	if seed%2 == 0 {
		return index.Random(rng, piquet.Clubs, piquet.North)
	}
	return index.RandomClassUniform(rng, piquet.Clubs, piquet.North)
}

func TestExtractByDefinition(t *testing.T) {
	for seed := range uint64(500) {
		deal := randomDeal(seed)
		if diff := cmp.Diff(naive(deal), named(deal), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Fatalf("deal of seed %d (-by definition +got)\n%s", seed, diff)
		}
	}
}

// Codes are below their limit and increase with the value. Limits that a known deal reaches are reached.
func TestCodes(t *testing.T) {
	for column, name := range features.Names() {
		for code := 1; code < features.Codes(column); code++ {
			below, above := features.Value(column, uint8(code-1)), features.Value(column, uint8(code))
			if !(below < above) {
				t.Fatalf("%s: code %d is %g, code %d is %g", name, code-1, below, code, above)
			}
		}
	}
	check := func(deal [4]piquet.Set) features.Row {
		var row features.Row
		features.Extract(&row, &deal)
		for column, code := range row {
			if int(code) >= features.Codes(column) {
				t.Fatalf("column %d has code %d, expected below %d", column, code, features.Codes(column))
			}
		}
		return row
	}
	for seed := range uint64(2000) {
		check(randomDeal(seed))
	}
	most := check(hands(t, `
		JC 9C AC 10C AD AH AS 10D
		7C 8C 7D 8D 7H 8H 7S 8S
		KC QC KD KH KS 10H 10S QD
		9D JD 9H JH QH 9S JS QS`))
	if got, want := int(most[features.Points]), features.Codes(features.Points)-1; got != want {
		t.Errorf("points of the hand with the most points: %d, expected %d", got, want)
	}
	whole := check(hands(t, `
		7C 8C 9C 10C JC QC KC AC
		7D 8D 9D 10D JD QD KD AD
		7H 8H 9H 10H JH QH KH AH
		7S 8S 9S 10S JS QS KS AS`))
	for _, column := range []int{features.StdevSeat, features.StdevSuit, features.StdevGame, features.SuitCount, features.TopCards} {
		if got, want := int(whole[column]), features.Codes(column)-1; got != want {
			t.Errorf("column %d: %d, expected %d", column, got, want)
		}
	}
}

// A threshold halfway between two values separates the codes as it separates the values.
func TestBetween(t *testing.T) {
	for column, name := range features.Names() {
		for below := range features.Codes(column) {
			for above := below + 1; above < features.Codes(column); above++ {
				split := features.Between(column, uint8(below), uint8(above))
				half := (features.Value(column, uint8(below)) + features.Value(column, uint8(above))) / 2
				for code := range features.Codes(column) {
					if got, want := code <= int(split), features.Value(column, uint8(code)) <= half; got != want {
						t.Fatalf("%s: between %d and %d the split is %d, but value %g of code %d against %g",
							name, below, above, split, features.Value(column, uint8(code)), code, half)
					}
				}
			}
		}
	}
}

// Renaming the plain suits permutes the columns as lab/docs/klaverjas/features.md says, and changes nothing else: the column of a suit
// moves to the column of the new name, the column of a card to the column of the renamed card, and all other columns stay.
func TestRelabelling(t *testing.T) {
	orders := [][4]piquet.Suit{
		{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 3, 2, 1},
	}
	names := features.Names()
	words := []string{"clubs", "diamonds", "hearts", "spades"}
	for seed := range uint64(50) {
		deal := randomDeal(seed)
		before := named(deal)
		for _, order := range orders {
			var renamed [4]piquet.Set
			for seat, hand := range deal {
				for c := range hand.All() {
					renamed[seat] = renamed[seat].With(piquet.Of(order[c.Suit()], c.Face()))
				}
			}
			want := make(map[string]float64)
			for column, name := range names {
				to := name
				if card, ok := strings.CutPrefix(name, "owner_"); ok {
					c := piquet.Card(column)
					if c.String() != card {
						t.Fatalf("column %d is %s, expected the column of %s", column, name, c)
					}
					to = "owner_" + piquet.Of(order[c.Suit()], c.Face()).String()
				}
				for suit, word := range words {
					if rest, ok := strings.CutSuffix(name, "_"+word); ok {
						to = rest + "_" + words[order[suit]]
					}
				}
				want[to] = before[name]
			}
			if diff := cmp.Diff(want, named(renamed)); diff != "" {
				t.Fatalf("deal of seed %d, suits become %v (-want +got)\n%s", seed, order, diff)
			}
		}
	}
}

func TestExtractAllocatesNothing(t *testing.T) {
	deal := randomDeal(1)
	var row features.Row
	if n := testing.AllocsPerRun(100, func() { features.Extract(&row, &deal) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkExtract(b *testing.B) {
	deals := make([][4]piquet.Set, 1024)
	for i := range deals {
		deals[i] = randomDeal(uint64(i))
	}
	var row features.Row
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		features.Extract(&row, &deals[i%len(deals)])
	}
}

// Every column has a set of the paper's size, and a meaning of its own.
func TestDescribe(t *testing.T) {
	sizes, meanings := map[features.Set]int{}, map[string]string{}
	for _, d := range features.Describe() {
		sizes[d.Set]++
		if other, ok := meanings[d.Meaning]; ok {
			t.Errorf("%s and %s mean the same: %s", other, d.Name, d.Meaning)
		}
		meanings[d.Meaning] = d.Name
	}
	want := map[features.Set]int{
		features.OwnershipSet: features.Ownership, features.HandcraftedSet: features.TableTwo - features.Ownership,
		features.TeamsSet: features.Columns - features.TableTwo,
	}
	if diff := cmp.Diff(want, sizes); diff != "" {
		t.Errorf("the sets (-want +got)\n%s", diff)
	}
}
