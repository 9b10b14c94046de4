package advice

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/playout"
	"roem/internal/engine/tarok/worlds"
)

// playsOut reports whether decisions about a contract are made by playouts.
func (a *Advisor) playsOut(v *players.View) bool { return a.s.Playouts > 0 && !v.Contract.Negative() }

// Said returns what was said before the first card, and the radli.
func Said(v *players.View) tarok.Announcements {
	out := v.Talk.Said()
	out.Radli = v.Radli
	return out
}

// playouts values the legal cards by the scores of hands that are played out by rules of thumb, and exactly with Exact tricks left.
func (a *Advisor) playouts(ctx context.Context, v *players.View, w *worlds.Worlds, rng *rand.Rand, out Cards) (Cards, error) {
	setups, pool, effective := a.likely(v, w, rng, a.s.Playouts)
	out.Pool, out.Effective = pool, effective
	out.Samples, out.Depth, out.Measure = len(setups), 0, Leads
	list := v.Legal().Slice()
	values := make([][]float64, len(list))
	said, end := Said(v), (*playout.Table).Run
	if v.Held.Len() <= a.s.Exact {
		end = (*playout.Table).Best
	}
	for k := range setups {
		if k > 0 && same(&setups[k], &setups[k-1]) { // drawn twice
			for i := range values {
				values[i] = append(values[i], values[i][k-1])
			}
			continue
		}
		if err := a.pause(ctx); err != nil {
			return out, err
		}
		t := playout.New(setups[k], said, v.Played)
		start := t.State()
		for i, c := range list {
			s := start
			t.Play(&s, c)
			values[i] = append(values[i], playout.Lead(end(t, &s), v.Player))
		}
	}
	out.List = a.summary(list, values)
	return out, nil
}

// Worlds returns the deals in which Card compares the cards of a view with an equal generator, most of them at most, and with how many
// tricks left their ends are exact.
func (a *Advisor) Worlds(v *players.View, rng *rand.Rand, most int) (setups []tarok.Setup, exact int, err error) {
	w, err := worlds.New(v.View)
	if err != nil {
		return nil, 0, err
	}
	if a.playsOut(v) {
		setups, _, _ = a.likely(v, w, rng, a.s.Playouts)
	} else {
		setups = a.samples(w, rng, a.s.Samples, &Cards{})
	}
	if n := len(setups); n > most { // those that are alike are beside each other
		for i := range most {
			setups[i] = setups[i*n/most]
		}
		setups = setups[:most]
	}
	return setups, a.s.Exact, nil
}
