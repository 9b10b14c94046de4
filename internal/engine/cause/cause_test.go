package cause_test

import (
	"testing"

	"roem/internal/engine/cause"
)

// worlds returns n worlds in which an action costs this, with these causes.
func worlds(n, cost int, causes ...cause.Cause) (out []cause.World) {
	for range n {
		out = append(out, cause.World{Cost: cost, Causes: causes})
	}
	return out
}

func TestChoose(t *testing.T) {
	near := func(code, points int) cause.Cause { return cause.Cause{Code: code, Points: points} }
	far := func(code, points int) cause.Cause {
		return cause.Cause{Code: code, Nearness: cause.Distant, Points: points}
	}
	for name, c := range map[string]struct {
		worlds []cause.World
		want   cause.Choice
	}{
		"what costs most, not what is true most often": {
			append(worlds(2, 90, far(1, 90)), worlds(10, 2, far(2, 2))...), cause.Choice{Code: 1, Share: 0.9, Holds: 2},
		},
		"a near cause before a distant one that explains more": {
			worlds(4, 40, near(5, 20), far(1, 40)), cause.Choice{Code: 5, Share: 0.5, Holds: 4},
		},
		"but not one that explains next to nothing": {
			worlds(4, 40, near(5, 4), far(1, 40)), cause.Choice{Code: 1, Share: 1, Holds: 4},
		},
		"nor one that is true in few worlds": {
			append(worlds(9, 40, far(1, 40)), worlds(1, 140, near(5, 140))...), cause.Choice{Code: 1, Share: 0.72, Holds: 9},
		},
		"a cause is true where the action costs nothing": {
			append(worlds(1, 100, near(1, 100)), worlds(3, -20, near(1, 20))...), cause.Choice{Code: 1, Share: 1, Holds: 4},
		},
		"of causes that explain nearly as much, the one that is true most often": {
			append(worlds(2, 50, near(1, 50), near(2, 30)), worlds(2, 0, near(2, 0))...), cause.Choice{Code: 2, Share: 0.6, Holds: 4},
		},
		"of equal ones the first": {worlds(2, 10, near(4, 10), near(3, 10)), cause.Choice{Code: 3, Share: 1, Holds: 2}},
		"more points than the cost explain the cost": {
			worlds(1, 10, near(1, 90)), cause.Choice{Code: 1, Share: 1, Holds: 1},
		},
		"without enough, what explains most": {
			worlds(1, 100, far(1, 20), far(2, 30)), cause.Choice{Code: 2, Share: 0.3, Holds: 1},
		},
	} {
		if got, ok := cause.Choose(c.worlds); !ok || got != c.want {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
	}
	for name, none := range map[string][]cause.World{
		"no worlds": nil, "no cost": worlds(3, 0, near(1, 5)), "no causes": worlds(3, 5), "nothing explained": worlds(3, 5, near(1, 0)),
	} {
		if got, ok := cause.Choose(none); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
