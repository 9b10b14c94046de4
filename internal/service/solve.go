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

// Solve finds out as much about a position as its goal says. It returns soon after ctx ends: with
// an *Error of kind TooSlow when its deadline has passed, with ctx.Err() when it was cancelled.
func (s *Service) Solve(ctx context.Context, in SolveQuery) (api.Solution, error) {
	began := time.Now()
	p, goal := in.position, in.goal()
	f, source, err := s.solve(ctx, p, goal)
	if err != nil {
		return api.Solution{}, err
	}
	return s.solution(p, goal, f, source, began)
}

// solution puts what was found of a position, in its seats and suits, into the form of the contract.
func (s *Service) solution(p position, goal search.Goal, f found, source api.Source, began time.Time) (api.Solution, error) {
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
		line, score := outCards(f.line), outScore(f.score)
		out.Outcome, out.Line, out.Score, out.Pit = &f.outcome, &line, &score, &f.pit
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
	if p.now.Finished() {
		return foundAtEnd(p, goal), api.Search, nil
	}
	twin, err := newCanonical(p)
	if err != nil {
		return found{}, "", err
	}
	f, answer, err := s.find(ctx, twin, goal)
	if err != nil {
		return found{}, "", s.searchError(err)
	}
	return twin.returned(f, p), sourceOf(answer), nil
}

// foundAtEnd is what there is to find of a finished hand, without a search.
func foundAtEnd(p position, goal search.Goal) found {
	outcome := p.now.Outcome()
	return found{goal: goal, won: outcome > 0, outcome: outcome, score: p.now.Score(), pit: p.now.Pit()}
}

// find finds out about the twin of a position what its goal says, in canonical seats and suits, from the cache or by a search.
// Its error is that of the cache or the search.
func (s *Service) find(ctx context.Context, twin canonical, goal search.Goal) (found, solvecache.Answer, error) {
	var (
		read found  // what was found in value
		from []byte // nil until something was
	)
	answer, err := s.lookUp(ctx, twin.keysFor(goal),
		func(value []byte) (ok bool) {
			if read, ok = readFound(value, goal, twin.now); ok {
				from = value
			}
			return ok
		},
		func(ctx context.Context, searcher Searcher, publish func(progress)) ([]byte, error) {
			began := time.Now()
			result, err := searcher.Solve(ctx, search.Query{
				Position: twin.now, Goal: goal, Progress: func(p search.Progress) { publish(narrowed(p)) },
			})
			if err != nil && goal == search.Win {
				return appendStood(nil, result, twin.now.Deal().Declarer), err
			}
			if err != nil {
				return nil, err
			}
			s.pace.Note(result.Nodes, time.Since(began))
			return fromResult(result).appendTo(nil), nil
		})
	if err != nil {
		return found{}, answer, err
	}
	effortOf(ctx).noteAnswer(answer)
	f := read
	if len(from) == 0 || &from[0] != &answer.Value[0] { // it is a search's
		var ok bool
		if f, ok = readFound(answer.Value, goal, twin.now); !ok {
			return found{}, answer, &Error{Detail: "the search found what cannot be"}
		}
	}
	runOf(ctx).tell(f.progress(sourceOf(answer)))
	return f, answer, nil
}

// progress is that of a solve which has found it.
func (f found) progress(source api.Source) progress {
	p := progress{Done: 1, Of: 1}
	if source == api.Search {
		p.Nodes = f.nodes
	}
	if f.goal != search.Win {
		p.Lower, p.Upper = &f.outcome, &f.outcome
	}
	return p
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

// tableEntries is how many solutions a table holds: one for each trump and declaring team.
const tableEntries = 8

// Table solves a deal for each trump and each team as declarers. Its errors are those of Solve.
func (s *Service) Table(ctx context.Context, in TableQuery) (api.Table, error) {
	began := time.Now()
	rules, leader, hands := in.rules, in.leader, in.hands
	sum := newParts(runOf(ctx), tableEntries)
	out := api.Table{Leader: *outSeat(leader), Exact: true, Rules: outRules(rules), Source: api.Cache, Version: s.version}
	var nodes uint64
	var starts [4][2]engine.Position
	var keys []solvecache.Key
	for _, trump := range cards.Suits() {
		for _, declarer := range cards.Teams() {
			start, err := engine.NewPosition(rules, engine.Deal{Trump: trump, Leader: leader, Declarer: declarer, Hands: hands})
			if err != nil {
				return api.Table{}, asImpossible(err)
			}
			twin, err := newCanonical(position{now: start, start: start})
			if err != nil {
				return api.Table{}, err
			}
			starts[trump][declarer], keys = start, append(keys, twin.keysFor(search.Value)...)
		}
	}
	ctx = solvecache.Once(ctx)
	s.cache.Get(ctx, keys) // one look for all; what the slower layers have is in the fastest then
	rows := [4]*api.TableRow{&out.Outcomes.C, &out.Outcomes.D, &out.Outcomes.H, &out.Outcomes.S}
	for _, trump := range cards.Suits() {
		entries := [2]*api.TableEntry{&rows[trump].NS, &rows[trump].EW}
		for _, declarer := range cards.Teams() {
			start := starts[trump][declarer]
			f, source, err := s.solve(withRun(ctx, sum.part()), position{now: start, start: start}, search.Value)
			if err != nil {
				return api.Table{}, err
			}
			sum.add(1, 0)
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
