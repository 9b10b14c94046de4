package klaverjas

import (
	"testing"
	"time"

	"roem/internal/engine/klaverjas/players"
)

// Each player that takes worlds has a figure for them, so that its matches are not taken for cheap ones.
func TestWorldTimes(t *testing.T) {
	for _, name := range players.Names() {
		kind, err := players.ParseKind(name, 100)
		if err != nil {
			t.Fatal(err)
		}
		if got := cardTime(kind); kind.Worlds() > 0 && got < time.Millisecond {
			t.Errorf("a card of %s with %d worlds is estimated at %v", name, kind.Worlds(), got)
		}
	}
}

// Estimates grow with what is asked for.
func TestCosts(t *testing.T) {
	g := withModels(t)
	for _, c := range []struct {
		what, body string
		parse      func(body string) (interface{ Cost() time.Duration }, error)
		want       time.Duration
	}{
		{"a match", `{"a": "pimc:20", "b": "random", "deals": 100}`, func(body string) (interface{ Cost() time.Duration }, error) {
			return ParseMatch()(t.Context(), g, []byte(body))
		}, 100 * cardsOfSide * (20*worldTimes["pimc"] + 2*quickCardTime)},
		{
			"exact strengths", `{` + someHand + `, "method": "exact", "precision": 0.5}`,
			func(body string) (interface{ Cost() time.Duration }, error) {
				return ParseHandStrength()(t.Context(), g, []byte(body))
			}, 4 * 4 * exactTime,
		},
		{
			"a list", `{"positions": [{"trump": "D", "leader": "N", "deal": "0"}, {"trump": "D", "leader": "N", "deal": "1"}, {}]}`,
			func(body string) (interface{ Cost() time.Duration }, error) {
				return ParseSolveBatch(t.Context(), g, []byte(body))
			}, 2 * searchTime,
		},
	} {
		q, err := c.parse(c.body)
		if err != nil {
			t.Fatal(err)
		}
		if got := q.Cost(); got < c.want*99/100 || got > c.want*101/100 {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
	if early, late := searchTimeAfter(0), searchTimeAfter(20); late >= early/100 {
		t.Errorf("a search of the last tricks takes %v, one of all tricks %v", late, early)
	}
}
