package service

import (
	"context"
	"sort"
	"time"

	"roem/internal/api"
	"roem/internal/cards"
	"roem/internal/engine"
	"roem/internal/engine/search"
	"roem/internal/solvecache"
)

// Solve finds out as much about a position as its goal says; a nil goal is value. It returns soon after ctx ends: with
// an *Error of kind TooSlow when its deadline has passed, with ctx.Err() when it was cancelled.
func (s *Service) Solve(ctx context.Context, in api.SolveRequest) (api.Solution, error) {
	began := time.Now()
	goal := search.Value
	if in.Goal != nil {
		var err error
		if goal, err = search.ParseGoal(string(*in.Goal)); err != nil {
			return api.Solution{}, malformed(Violation{Pointer: "/goal", Detail: err.Error()})
		}
	}
	p, err := newPosition(api.Position{
		Rules: in.Rules, Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer,
		Hands: in.Hands, Deal: in.Deal, Played: in.Played,
	})
	if err != nil {
		return api.Solution{}, err
	}
	f, source, err := s.solve(ctx, p, goal)
	if err != nil {
		return api.Solution{}, err
	}
	out := api.Solution{
		Goal:    api.Goal(goal.String()),
		Won:     f.won,
		Exact:   true,
		Rules:   outRules(p.now.Rules()),
		Deal:    outIdentity(p.now.Deal()),
		Source:  source,
		Version: s.version,
	}
	if !p.now.Finished() {
		out.Turn = outSeat(p.now.Turn())
	}
	if goal != search.Win {
		end, err := p.now.Replay(f.line)
		if err != nil {
			return api.Solution{}, err
		}
		line, score, pit := outCards(f.line), outScore(end.Score()), end.Pit()
		out.Outcome, out.Line, out.Score, out.Pit = &f.outcome, &line, &score, &pit
	}
	if goal == search.Moves {
		moves := make([]api.Move, len(f.moves))
		for i, m := range f.moves {
			moves[i] = api.Move{Card: m.Card.String(), Outcome: m.Outcome, Won: m.Won, Best: m.Best}
		}
		out.Moves = &moves
	}
	out.Stats = stats(f.nodes, source, began)
	return out, nil
}

func stats(nodes uint64, source api.Source, began time.Time) api.Stats {
	if source == api.Cache {
		nodes = 0
	}
	return api.Stats{Nodes: int64(nodes), ElapsedUs: time.Since(began).Microseconds()}
}

// solve answers from the cache or by a search, in the seats and suits of p.
func (s *Service) solve(ctx context.Context, p position, goal search.Goal) (found, api.Source, error) {
	if p.now.Finished() { // there is nothing to search
		outcome := p.now.Outcome()
		return found{goal: goal, won: outcome > 0, outcome: outcome}, api.Search, nil
	}
	twin, err := newCanonical(p)
	if err != nil {
		return found{}, "", err
	}
	f, answer, err := s.find(ctx, twin, goal)
	if err != nil {
		return found{}, "", s.searchError(err)
	}
	f = twin.relabel(f)
	sortMoves(f, p.now)
	return f, sourceOf(answer), nil
}

// find finds out about the twin of a position what its goal says, in canonical seats and suits, from the cache or by a search.
// Its error is that of the cache or the search.
func (s *Service) find(ctx context.Context, twin canonical, goal search.Goal) (found, solvecache.Answer, error) {
	answer, err := s.cache.GetOrCompute(ctx, solvecache.Request{
		Keys:  twin.keysFor(goal),
		Valid: func(value []byte) bool { _, ok := readFound(value, goal, twin.now); return ok },
		Compute: func(ctx context.Context) (value []byte, err error) {
			err = s.pool.with(ctx, func(searcher Searcher) error {
				began := time.Now()
				result, err := searcher.Solve(ctx, search.Query{Position: twin.now, Goal: goal})
				if err == nil {
					s.pace.Note(result.Nodes, time.Since(began))
					value = fromResult(result).appendTo(nil)
				}
				return err
			})
			return value, err
		},
	})
	if err != nil {
		return found{}, answer, err
	}
	effortOf(ctx).noteAnswer(answer)
	f, ok := readFound(answer.Value, goal, twin.now)
	if !ok {
		return found{}, answer, &Error{Detail: "the search found what cannot be"}
	}
	return f, answer, nil
}

func sourceOf(a solvecache.Answer) api.Source {
	if a.Layer != "" {
		return api.Cache
	}
	return api.Search
}

// sortMoves puts the moves in the order of the contract, whatever the names of suits in which they were found: best
// first, of equals the one that the line plays, then the order of the deck.
func sortMoves(f found, p engine.Position) {
	declarers := p.Turn().Team() == p.Deal().Declarer
	rank := func(m search.MoveValue) (value, card int) {
		value, card = m.Outcome, int(m.Card)
		if declarers {
			value = -value
		}
		if len(f.line) > 0 && m.Card == f.line[0] {
			card = -1
		}
		return value, card
	}
	sort.Slice(f.moves, func(i, j int) bool {
		vi, ci := rank(f.moves[i])
		vj, cj := rank(f.moves[j])
		return vi < vj || vi == vj && ci < cj
	})
}

// Table solves a deal for each trump and each team as declarers. Its errors are those of Solve.
func (s *Service) Table(ctx context.Context, in api.TableRequest) (api.Table, error) {
	began := time.Now()
	var vs violations
	rules := newRules(in.Rules, &vs)
	leader, err := cards.ParseSeat(in.Leader)
	vs.add("/leader", err)
	hands, err := newHands(in.Hands)
	vs.add("/hands", err)
	if len(vs) > 0 {
		return api.Table{}, impossible(vs...)
	}
	out := api.Table{Leader: *outSeat(leader), Exact: true, Rules: outRules(rules), Source: api.Cache, Version: s.version}
	var nodes uint64
	rows := [4]*api.TableRow{&out.Outcomes.C, &out.Outcomes.D, &out.Outcomes.H, &out.Outcomes.S}
	for _, trump := range cards.Suits() {
		entries := [2]*api.TableEntry{&rows[trump].NS, &rows[trump].EW}
		for _, declarer := range cards.Teams() {
			start, err := engine.NewPosition(rules, engine.Deal{Trump: trump, Leader: leader, Declarer: declarer, Hands: hands})
			if err != nil {
				return api.Table{}, asImpossible(err)
			}
			f, source, err := s.solve(ctx, position{now: start, start: start}, search.Value)
			if err != nil {
				return api.Table{}, err
			}
			*entries[declarer] = api.TableEntry{Outcome: f.outcome, Won: f.won}
			if source == api.Search {
				out.Source = api.Search
				nodes += f.nodes
			}
		}
	}
	out.Stats = stats(nodes, out.Source, began)
	return out, nil
}
