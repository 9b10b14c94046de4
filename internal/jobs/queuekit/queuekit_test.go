package queuekit_test

import (
	"errors"
	"testing"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

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
