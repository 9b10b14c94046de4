package advice_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// Equal cards are preferred in an order that depends on the view alone.
func TestTies(t *testing.T) {
	for _, tt := range []struct {
		name   string
		leader piquet.Seat
		hand   []string
		played []string
		want   []string
	}{
		{
			// South is the last to play and North wins the trick with the ace: points, but the king of spades before the ace, which is the
			// highest of its suit.
			name: "the partner wins", leader: piquet.West, hand: []string{"7D", "8D", "9D", "10C", "JC", "KS", "AS", "7S"},
			played: []string{"7H", "AH", "8H"}, want: []string{"10C", "KS", "JC", "7S", "AS", "7D", "8D", "9D"},
		},
		{
			// East wins the trick: no points, and no trumps.
			name: "an opponent wins", leader: piquet.West, hand: []string{"7H", "8H", "10H", "KH", "QH", "KS", "AS", "7S"},
			played: []string{"9H", "JH", "AH"}, want: []string{"7H", "8H", "QH", "KH", "10H"},
		},
		{
			// South must ruff: the weaker trump.
			name: "a ruff", leader: piquet.West, hand: []string{"7C", "8D", "9D", "10C", "JC", "KS", "AS", "7S"},
			played: []string{"AH", "7H", "8H"}, want: []string{"8D", "9D"},
		},
		{
			// South leads: no points, and trumps last. East may hold a heart, or ruff, so no trick is certain.
			name: "a lead", leader: piquet.South, hand: []string{"7D", "JD", "9D", "10C", "AC", "KS", "AS", "7S"},
			want: []string{"7S", "KS", "10C", "AC", "AS", "7D", "9D", "JD"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := worlds.View{
				Rules: klaverjas.DefaultRules(klaverjas.Amsterdam), Trump: piquet.Diamonds, Leader: tt.leader, Declarer: piquet.NorthSouth,
				Seat: piquet.South,
				Hand: set(t, tt.hand...), Played: list(t, tt.played...),
			}
			got := questionOf(t, knowsOf(t, v)).Cards()
			if diff := cmp.Diff(list(t, tt.want...), got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
