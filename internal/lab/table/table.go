// Package table fits the table model of package handstrength to played games, and measures it and the bidding that rests on it.
//
// The model has two parts. The map of deals is fitted to the games: the network's prediction of the deal with all cards open, to what happened. The
// map of hands is fitted to the means of the map of deals over the other players' cards. So it needs no games of its own, and does not
// depend on how the trumps of the games were chosen.
package table

import (
	"errors"
	"fmt"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/handstrength"
	"roem/internal/lab/games"
	"roem/internal/model"
)

// Played is what happened in a game.
type Played struct {
	Rules   klaverjas.Rules
	Deal    klaverjas.Deal
	Outcome int
	Pit     bool // the declarers won all tricks
}

// Won reports whether the declarers won.
func (p *Played) Won() bool { return p.Outcome > 0 }

// Of returns what happened in the games.
func Of(all []games.Game) ([]Played, error) {
	out := make([]Played, len(all))
	for i := range all {
		start, err := klaverjas.NewPosition(all[i].Rules, all[i].Deal)
		if err != nil {
			return nil, err
		}
		end, err := start.Replay(all[i].Played[:])
		if err != nil {
			return nil, err
		}
		out[i] = Played{all[i].Rules, all[i].Deal, end.Outcome(), end.TricksTaken()[all[i].Deal.Declarer.Opponents()] == 0}
	}
	return out, nil
}

// Maps are the maps by system.
type Maps map[klaverjas.System]*handstrength.TableMaps

// fitMap fits one map to rows. Each row has numbers and what happened, or its expectation.
type fitMap struct{ win, mean, pit fit }

func (f *fitMap) addWin(n handstrength.OpenNumbers, won, pit float64) {
	w, p := n.WinVector(), n.PitVector()
	f.win.add(w[:], won)
	f.pit.add(p[:], pit)
}

// solve fits the probabilities first, because the features of the mean contain one.
func (f *fitMap) solve(rows []row) (t handstrength.TableMap, err error) {
	for _, r := range rows {
		f.addWin(r.numbers, r.won, r.pit)
	}
	win, err := f.win.logistic()
	if err != nil {
		return t, err
	}
	copy(t.Win[:], win)
	pit, err := f.pit.logistic()
	if err != nil {
		return t, err
	}
	copy(t.Pit[:], pit)
	for _, r := range rows {
		x := r.numbers.MeanVector(t.At(r.numbers).WinProbability)
		f.mean.add(x[:], r.outcome/100)
	}
	mean, err := f.mean.linear()
	copy(t.Mean[:], mean)
	return t, err
}

type row struct {
	numbers           handstrength.OpenNumbers
	won, outcome, pit float64
}

// FitDeals fits the map of deals. use says which games, by number.
func FitDeals(m *model.Model, all []Played, use func(i int) bool) (Maps, error) {
	rows := map[klaverjas.System]*[2][]row{}
	for i := range all {
		p := &all[i]
		if !use(i) {
			continue
		}
		prediction, ok := m.Predict(p.Rules, p.Deal)
		if !ok {
			return nil, fmt.Errorf("game %d: no model for its rules", i)
		}
		r := row{handstrength.NumbersOfDeal(prediction), share(p.Won()), float64(p.Outcome), share(p.Pit)}
		if rows[p.Rules.System] == nil {
			rows[p.Rules.System] = new([2][]row)
		}
		side := (p.Deal.Declarer ^ p.Deal.Leader.Team()) & 1
		rows[p.Rules.System][side] = append(rows[p.Rules.System][side], r)
	}
	out := Maps{}
	for system, sides := range rows {
		out[system] = new(handstrength.TableMaps)
		for side := range sides {
			var err error
			if out[system].Deal[side], err = new(fitMap).solve(sides[side]); err != nil {
				return nil, fmt.Errorf("%s, side %d: %w", system, side, err)
			}
		}
	}
	return out, nil
}

func share(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// FitHands fits the map of hands to the means of the map of deals: n random hands with a trump for each place of the leader and each declaring
// team, and others drawn for each hand.
func FitHands(m *model.Model, e *handstrength.Estimator, maps Maps, n, others int, seed uint64, progress func(int)) error {
	rng := index.NewRand(seed)
	deals := make([]klaverjas.Deal, others)
	predicted, covered := make([]model.Prediction, others), make([]bool, others)
	done := 0
	for _, system := range []klaverjas.System{klaverjas.Rotterdam, klaverjas.Amsterdam} {
		t := maps[system]
		if t == nil {
			continue
		}
		rules := klaverjas.DefaultRules(system)
		for declarer := range 2 {
			for leader := range 4 {
				rows := make([]row, n)
				for i := range rows {
					q := handstrength.Question{
						Rules: rules, Seat: cards.North, Leader: cards.Seat(leader), Declarer: cards.Team(declarer),
						Hand: index.Random(rng, cards.Clubs, cards.North)[0], Method: handstrength.HandModel,
					}
					q.Trump = cards.Suit(rng.Uint64() & 3)
					if declarer == 0 && rng.Uint64()&1 == 0 { // half of the hands have the trump that a player would choose
						for _, suit := range cards.Suits() {
							if handstrength.Points(q.Hand, suit) > handstrength.Points(q.Hand, q.Trump) {
								q.Trump = suit
							}
						}
					}
					s, ok := e.Distilled.Strength(q)
					if !ok {
						return errors.New("the hand model does not cover the rules")
					}
					for j := range deals {
						deals[j] = klaverjas.Deal{Trump: q.Trump, Leader: q.Leader, Declarer: q.Declarer, Hands: around(q.Hand, rng.Uint64)}
					}
					m.PredictBatch(rules, deals, predicted, covered)
					r := row{numbers: handstrength.NumbersOf(&s)}
					for j := range deals {
						at := t.MapOfDeal(&deals[j]).At(handstrength.NumbersOfDeal(predicted[j]))
						r.won += at.WinProbability / float64(others)
						r.outcome += at.Mean / float64(others)
						r.pit += at.Pit / float64(others)
					}
					rows[i] = r
					done++
					progress(done)
				}
				var err error
				if t.Hand[declarer][leader], err = new(fitMap).solve(rows); err != nil {
					return fmt.Errorf("%s, declarer %d, leader %d: %w", system, declarer, leader, err)
				}
			}
		}
	}
	return nil
}

// around deals the other 24 cards to the seats around north.
func around(hand cards.Set, random func() uint64) (hands [4]cards.Set) {
	rest := (cards.Deck &^ hand).Slice()
	for i := range rest { // Fisher and Yates
		j := i + int(random()%uint64(len(rest)-i))
		rest[i], rest[j] = rest[j], rest[i]
	}
	hands[0] = hand
	for seat := 1; seat < 4; seat++ {
		hands[seat] = cards.SetOf(rest[(seat-1)*klaverjas.HandSize : seat*klaverjas.HandSize]...)
	}
	return hands
}
