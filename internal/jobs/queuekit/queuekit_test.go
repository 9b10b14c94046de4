package queuekit_test

import (
	"errors"
	"testing"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

func TestDeaths(t *testing.T) {
	for _, test := range []struct {
		name    string
		numbers []uint64 // the deaths during which the task was running
		want    int      // the number of deaths after which the task fails; 0 for never
	}{
		{"every death", []uint64{7, 8, 9, 10}, 3},
		{"every second death", []uint64{1, 3, 5, 7, 9}, 0},
		{"two in a row, twice", []uint64{1, 2, 4, 5}, 0},
		{"every second death, six times", []uint64{1, 3, 5, 7, 9, 11}, 6},
		{"three in a row, later", []uint64{1, 5, 6, 7}, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			var d queuekit.Deaths
			got := 0
			for i, n := range test.numbers {
				if d.Add(n) {
					got = i + 1
					break
				}
			}
			if got != test.want {
				t.Errorf("the task fails after %d deaths, want %d", got, test.want)
			}
		})
	}
}

func TestPageToken(t *testing.T) {
	for _, n := range []uint64{0, 1, 1 << 40, ^uint64(0)} {
		token := queuekit.PageToken("o", n)
		if got, err := queuekit.ParsePageToken("o", token); err != nil || got != n {
			t.Errorf("the token of %d is parsed as %d, %v", n, got, err)
		}
		for _, bad := range []string{"", token[1:], token + "A", "A" + token[1:] + "A", token[:8] + "-" + token[9:]} {
			if _, err := queuekit.ParsePageToken("o", bad); !errors.Is(err, jobs.ErrBadToken) && bad != token {
				t.Errorf("%q: %v", bad, err)
			}
		}
		if _, err := queuekit.ParsePageToken("p", token); !errors.Is(err, jobs.ErrBadToken) {
			t.Errorf("another owner: %v", err)
		}
	}
}

func TestDigest(t *testing.T) {
	seen := map[string][]string{}
	for _, parts := range [][]string{{}, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"", "ab"}, {"ab", ""}, {"a", "b", ""}} {
		d := string(queuekit.Digest(parts...))
		if other, ok := seen[d]; ok {
			t.Errorf("%q and %q have the same digest", parts, other)
		}
		if seen[d] = parts; len(d) != 16 {
			t.Errorf("%q has a digest of %d bytes", parts, len(d))
		}
	}
}
