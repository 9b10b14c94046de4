package service

import (
	"context"
	"encoding/binary"
	"time"

	"roem/internal/api"
	"roem/internal/cards"
	"roem/internal/engine"
	"roem/internal/engine/search"
	"roem/internal/solvecache"
)

// analysisQuestion stands for the analysis of all cards played in a cache key, beside the goals.
const analysisQuestion = 16

// Analyse finds out what every card played cost the team of its player. Its errors are those of Solve.
func (s *Service) Analyse(ctx context.Context, in AnalysisQuery) (api.Analysis, error) {
	began := time.Now()
	p := in.position
	n := len(p.played)
	twin, err := newCanonical(p)
	if err != nil {
		return api.Analysis{}, err
	}
	answer, err := s.lookUp(ctx, []solvecache.Key{twin.keyFor(analysisQuestion, n)},
		func(value []byte) bool { _, _, ok := readAnalysis(value, n); return ok },
		func(ctx context.Context, searcher Searcher, publish func(progress)) ([]byte, error) {
			return s.analyse(ctx, twin, searcher, publish)
		})
	if err != nil {
		return api.Analysis{}, s.searchError(err)
	}
	effortOf(ctx).noteAnswer(answer)
	nodes, list, ok := readAnalysis(answer.Value, n)
	if !ok {
		return api.Analysis{}, &Error{Detail: "the analysis found what cannot be"}
	}
	source := sourceOf(answer)
	took := stats(nodes, source, began)
	runOf(ctx).tell(progress{Done: n, Of: n, Nodes: uint64(took.Nodes)})
	out := api.Analysis{
		Before: list[0].before, After: list[n-1].after, Finished: p.now.Finished(),
		Cards: make([]api.AnalysedCard, n),
		Exact: true,
		Rules: outRules(p.now.Rules()), Deal: outIdentity(p.now.Deal()),
		Source: source, Stats: took, Version: s.version,
	}
	seats := [4]*api.Tally{&out.Seats.N, &out.Seats.E, &out.Seats.S, &out.Seats.W}
	teams := [2]*api.Tally{&out.Teams.NS, &out.Teams.EW}
	at := p.start
	for i, c := range p.played {
		seat, a := at.Turn(), list[i]
		cost := a.before - a.after
		if seat.Team() != p.start.Deal().Declarer {
			cost = -cost
		}
		out.Cards[i] = api.AnalysedCard{
			Number: i + 1, Trick: i/trickSize + 1, Seat: *outSeat(seat), Card: c.String(),
			Before: a.before, After: a.after, Cost: cost, Best: outCards(twin.back.Set(a.best).Slice()),
		}
		for _, tally := range []*api.Tally{seats[seat], teams[seat.Team()]} {
			tally.Cards++
			tally.Cost += cost
			if cost > 0 {
				tally.Mistakes++
			}
		}
		if at, err = at.Play(c); err != nil {
			return api.Analysis{}, err
		}
	}
	return out, nil
}

// analyse solves the position before every card played, from the end of the hand backwards: the later positions are
// the cheaper ones, and what the searcher learns of them serves the earlier ones. It returns the analysis as bytes.
func (s *Service) analyse(ctx context.Context, twin canonical, searcher Searcher, publish func(progress)) ([]byte, error) {
	n := len(twin.played)
	before := make([]engine.Position, n) // the position before each card
	keys := make([]solvecache.Key, n)
	at := twin.start
	for i, c := range twin.played {
		before[i], keys[i] = at, twin.keyFor(byte(search.Moves), i)
		next, err := at.Play(c)
		if err != nil {
			return nil, err
		}
		at = next
	}
	known := s.cache.Get(ctx, keys)
	list := make([]analysed, n)
	var nodes uint64
	for i := n - 1; i >= 0; i-- {
		publish(progress{Done: n - 1 - i, Of: n, Nodes: nodes})
		legal := before[i].Legal()
		if i < n-1 && legal.Len() == 1 { // forced: it changes nothing
			list[i] = analysed{before: list[i+1].before, after: list[i+1].before, best: legal}
			continue
		}
		f, ok := readFound(known[i].Value, search.Moves, before[i])
		if !ok {
			result, err := searcher.Solve(ctx, search.Query{Position: before[i], Goal: search.Moves})
			if err != nil {
				return nil, err
			}
			f = fromResult(result)
			s.cache.Put(ctx, keys[i], f.appendTo(nil))
			nodes += f.nodes
		}
		list[i] = f.analysed(twin.played[i])
	}
	value := binary.AppendUvarint(nil, nodes)
	for _, a := range list {
		value = appendAnalysed(value, a)
	}
	return value, nil
}

// analysed says what came of playing the card.
func (f found) analysed(played cards.Card) analysed {
	a := analysed{before: f.outcome}
	for _, m := range f.moves {
		if m.Best {
			a.best = a.best.With(m.Card)
		}
		if m.Card == played {
			a.after = m.Outcome
		}
	}
	return a
}
