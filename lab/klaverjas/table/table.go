// Package table fits the table model of package handstrength to played games, and measures it and the bidding that rests on it.
//
// The model has two parts, both fitted to games. The map of deals maps the network's prediction of the deal with all cards open to what
// happened. The map of hands does so from the estimate for a hand alone. It uses only seats for which the cards of the others are a random
// deal, so that it does not depend on how the trumps of the games were chosen.
package table

import (
	"fmt"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/service/klaverjas/handstrength"
	"roem/lab/klaverjas/games"
)

// Played is what happened in a game.
type Played struct {
	Rules   klaverjas.Rules
	Deal    klaverjas.Deal
	Drawn   games.Drawn
	Outcome int
	Pit     bool // the declarers won all tricks
}

// Won reports whether the declarers won.
func (p *Played) Won() bool { return p.Outcome > 0 }

// Seats returns the seats for which the cards of the others are a random deal, given their own hands and the trump: the declarer, and if
// the trump was random all of them.
func (p *Played) Seats() []piquet.Seat {
	if p.Drawn.Named {
		return []piquet.Seat{p.Drawn.Declarer}
	}
	all := piquet.Seats()
	return all[:]
}

// question asks how strong the hand of a seat is.
func (p *Played) question(seat piquet.Seat) handstrength.Question {
	return handstrength.Question{
		Rules: p.Rules, Hand: p.Deal.Hands[seat], Seat: seat, Leader: p.Deal.Leader, Declarer: p.Deal.Declarer, Trump: p.Deal.Trump,
		Method: handstrength.HandModel,
	}
}

// Of returns what happened in the games that games.Make made with a seed.
func Of(all []games.Game, seed uint64) ([]Played, error) {
	out := make([]Played, len(all))
	for i := range all {
		g := &all[i]
		drawn, ok := games.DrawnOf(g, seed, i)
		if !ok {
			return nil, fmt.Errorf("game %d was not made with seed %d", i, seed)
		}
		start, err := klaverjas.NewPosition(g.Rules, g.Deal)
		if err != nil {
			return nil, err
		}
		end, err := start.Replay(g.Played[:])
		if err != nil {
			return nil, err
		}
		out[i] = Played{g.Rules, g.Deal, drawn, end.Outcome(), end.TricksTaken()[g.Deal.Declarer.Opponents()] == 0}
	}
	return out, nil
}

// Maps are the maps by system.
type Maps map[klaverjas.System]*handstrength.TableMaps

// fitMap fits one map to rows. Each row has numbers and what happened.
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
func FitDeals(m *deal.Model, all []Played, use func(i int) bool) (Maps, error) {
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

// FitHands fits the maps of hands, and puts them into maps. A game counts for each seat that sees a random deal of the other cards
// ([Played.Seats]).
func FitHands(e *handstrength.Estimator, all []Played, maps Maps) error {
	type kind struct {
		system           klaverjas.System
		declarer, leader int
	}
	rows := map[kind][]row{}
	for i := range all {
		p := &all[i]
		for _, seat := range p.Seats() {
			q := p.question(seat)
			s, ok := e.Distilled.Strength(q)
			if !ok {
				return fmt.Errorf("game %d: no hand model for its rules", i)
			}
			k := kind{p.Rules.System, int(q.Declarer^seat.Team()) & 1, q.Leader.Minus(seat) & 3}
			rows[k] = append(rows[k], row{handstrength.NumbersOf(&s), share(p.Won()), float64(p.Outcome), share(p.Pit)})
		}
	}
	for system, t := range maps {
		for declarer := range t.Hand {
			for leader := range t.Hand[declarer] {
				var err error
				if t.Hand[declarer][leader], err = new(fitMap).solve(rows[kind{system, declarer, leader}]); err != nil {
					return fmt.Errorf("%s, declarer %d, leader %d: %w", system, declarer, leader, err)
				}
			}
		}
	}
	return nil
}
