package advice

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/worlds"
)

// Exchange is a group of the talon and discards, and what the trial games say about them.
type Exchange struct {
	Group    int
	Discards tarok.Set
	Trials
}

// Exchange tries for each group of the talon the discards that look best, and returns them with the best first. After a third of the trials
// the better half goes on.
func (a *Advisor) Exchange(ctx context.Context, v *players.View, rng *rand.Rand) ([]Exchange, error) {
	list, _, err := a.exchanges(ctx, v, rng)
	return list, err
}

// exchanges returns the exchanges that are tried, the best first, and the deals of the trials.
func (a *Advisor) exchanges(ctx context.Context, v *players.View, rng *rand.Rand) ([]Exchange, []tarok.Setup, error) {
	w, err := worlds.New(v.View)
	if err != nil {
		return nil, nil, err
	}
	list := a.candidates(v)
	deals := a.trialDeals(w, rng)
	first := (len(deals) + 2) / 3
	for i := range list {
		if err := a.exchange(ctx, v, deals[:first], &list[i]); err != nil {
			return nil, nil, err
		}
	}
	byScore(list)
	for i := range list[:(len(list)+1)/2] {
		if err := a.exchange(ctx, v, deals[first:], &list[i]); err != nil {
			return nil, nil, err
		}
	}
	byScore(list[:(len(list)+1)/2])
	return list, deals, nil
}

// Judged is what an exchange is worth beside the best one.
type Judged struct {
	Best  Exchange
	Cost  float64 // how much less the exchange scores than Best; 0 if it is the best
	Error float64 // the standard error of Cost
}

// JudgeExchange compares the exchange of a group and discards with those that Exchange tries with an equal generator. The exchange is tried
// in all deals of the trials, even if Exchange leaves it out or stops early. So it can be better than the one that Exchange advises.
func (a *Advisor) JudgeExchange(ctx context.Context, v *players.View, group int, discards tarok.Set, rng *rand.Rand) (Judged, error) {
	list, deals, err := a.exchanges(ctx, v, rng)
	if err != nil {
		return Judged{}, err
	}
	i := slices.IndexFunc(list, func(e Exchange) bool { return e.Group == group && e.Discards == discards })
	if i < 0 {
		i, list = len(list), append(list, Exchange{Group: group, Discards: discards})
	}
	made := &list[i]
	if err := a.exchange(ctx, v, deals[made.Games:], made); err != nil {
		return Judged{}, err
	}
	best := &list[0]
	if made.Score > best.Score {
		best = made
	}
	return Judged{*best, best.Score - made.Score, errorOf(best.scores, made.scores)}, nil
}

func byScore(list []Exchange) {
	slices.SortStableFunc(list, func(a, b Exchange) int { return cmp.Compare(b.Score, a.Score) })
}

// candidates returns the exchanges that are tried: for each group those that are best by rules of thumb.
func (a *Advisor) candidates(v *players.View) (list []Exchange) {
	groups := make([][]players.Exchange, v.Contract.Groups())
	players.Exchanges(v.Hand, v.Talon, v.Contract, func(e players.Exchange) {
		best := groups[e.Group]
		best = append(best, e)
		for i := len(best) - 1; i > 0 && best[i].Worth > best[i-1].Worth; i-- {
			best[i], best[i-1] = best[i-1], best[i]
		}
		groups[e.Group] = best[:min(len(best), a.s.Discards)]
	})
	for _, best := range groups {
		for _, e := range best {
			list = append(list, Exchange{Group: e.Group, Discards: e.Discards})
		}
	}
	return list
}

func (a *Advisor) exchange(ctx context.Context, v *players.View, deals []tarok.Setup, e *Exchange) error {
	for i := range deals {
		s := deals[i]
		s.Contract, s.Declarer, s.Group, s.Discards = v.Contract, v.Player, e.Group, e.Discards
		if err := a.tryOut(ctx, s, &e.Trials); err != nil {
			return err
		}
	}
	return nil
}

// announced returns the deals of the trial games before announcements.
func (a *Advisor) announced(v *players.View, w *worlds.Worlds, rng *rand.Rand) []tarok.Setup {
	if a.s.Clustered {
		return a.trialDeals(w, rng)
	}
	deals, _, _ := a.likely(v, w, rng, a.s.Trials)
	return deals
}

// kontraShare is the share of trial games that the own side must win to double the game. With 0.9 the program lost by it: a declarer has
// bid, and the deals do not know that.
const kontraShare = 1

// Announce returns what a player says, and the trial games that decide it: a bonus is announced if the player's side made it in the share
// of the games that the margins of the view ask for, and one of the other side is doubled if that failed in this share. The program doubles
// once and never again: two programs that are both sure would go on to mort.
func (a *Advisor) Announce(ctx context.Context, v *players.View, rng *rand.Rand) (say players.Words, t Trials, err error) {
	may := v.Talk.May()
	if may.Silent() {
		return say, t, nil
	}
	known := v.View
	known.Stage = worlds.Play
	w, err := worlds.New(known)
	if err != nil {
		return say, t, err
	}
	for _, s := range a.announced(v, w, rng) {
		if err := a.tryOut(ctx, s, &t); err != nil {
			return say, t, err
		}
	}
	own, other, won := t.Made, t.Lost, t.Won
	if v.Player != v.Declarer {
		own, other, won = t.Lost, t.Made, 1-t.Won
	}
	said := v.Talk.Said()
	for i, share := range v.Margins.Announce {
		say.Bonuses[i] = may.Bonuses[i] && own[i] >= share
		say.Double[i] = may.Double[i] && said.Bonuses[i].Kontra == 0 && 1-other[i] >= share
	}
	say.Kontra = may.Kontra && said.Kontra == 0 && won >= kontraShare
	return say, t, nil
}
