package service

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"sync"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/table"
	"roem/internal/engine/table/decisions"
	"roem/internal/engine/violation"
	"roem/internal/solvecache"
)

// ReviewOf is the query of a review: what the decisions of a hand cost. S is what the game has to know of a decision, A what is asked about
// it, F what is found.
type ReviewOf[S, A, F any] struct {
	Uncached[*Findings[S, A, F]]

	Service   *Service
	Name      Key // the key of the query
	Rule      ReviewRule
	Digits    int // of costs
	Decisions []Decision[S, A]
	FromLast  bool // the last decision comes first: that suits searches, which take longer the more cards are left

	// Judge finds what a decision cost on knowledge, by one of its questions. found has what the questions before have found.
	Judge func(ctx context.Context, p *Pass, d *Decision[S, A], ask A, found *F) (KnownCost, error)
	// Why finds why a decision was a mistake on knowledge, after Judge. It may be nil.
	Why func(ctx context.Context, p *Pass, d *Decision[S, A], found *F) error
	// Open returns what the decision i cost with open cards. It is nil if that is not known.
	Open func(f *Findings[S, A, F], i int) int

	// CostOf returns about how much time of searchers a decision with a choice takes, without further questions. Base is for the rest.
	CostOf func(d *Decision[S, A]) time.Duration
	Base   time.Duration

	// Hand finds what is asked about the hand as a whole. It may run beside the decisions, and be nil.
	Hand func(context.Context, *Pass) (F, error)
	// Keys are keys of values that are needed in any case. They are looked up at once.
	Keys []solvecache.Key
	// InTurn says that the parts are found one after the other, for searches that take several slots themselves. Judge counts the progress in
	// the Parts of the Pass: Worlds at least. Otherwise the progress is how many parts are found.
	InTurn bool
	Worlds int
}

// Decision is a decision that is reviewed.
type Decision[S, A any] struct {
	Seat  int // in the order of the seats
	Legal int // how many acts were allowed
	Of    S
	// Asks are the questions about a decision with a choice. Each is about more worlds than the one before, and asked only if that one leaves
	// open whether the decision was a mistake.
	Asks []A
}

// Decide returns the decisions of a hand that are reviewed. legal returns how many acts were allowed, ask what is asked about a decision
// with a choice. If there is no decision, the error says so at the pointer. act is what a decision is: "card".
func Decide[H table.Hand[H, P, V, T], P ~uint8, V, T, A any](
	whose Whose, pointer, act string, hand iter.Seq2[decisions.Decision[H, P, V, T], error],
	legal func(*decisions.Decision[H, P, V, T]) int, ask func(*decisions.Decision[H, P, V, T]) ([]A, error),
) (list []Decision[decisions.Decision[H, P, V, T], A], err error) {
	for d, err := range hand {
		if err != nil {
			return nil, err
		}
		if !whose.Has(int(d.Seat)) {
			continue
		}
		one := Decision[decisions.Decision[H, P, V, T], A]{Seat: int(d.Seat), Legal: legal(&d), Of: d}
		if one.Legal > 1 {
			if one.Asks, err = ask(&d); err != nil {
				return nil, err
			}
		}
		list = append(list, one)
	}
	if len(list) == 0 {
		return nil, whose.none(pointer, act)
	}
	return list, nil
}

// Findings are what a review has found.
type Findings[S, A, F any] struct {
	Hand   F                  // about the hand as a whole
	List   []Reviewed[F]      // by decision
	Source api.Source         // cache if nothing was computed
	Nodes  uint64             // of the searches
	Seats  [4]*api.SeatReview // the sums of the seats, in the words of the contract. A seat without a decision has none
}

// Reviewed is what is found about a decision.
type Reviewed[F any] struct {
	Of      F
	Cost    *KnownCost // on knowledge; nil without a choice
	Verdict api.Verdict
}

// Verdicts returns the verdicts on the decisions, in order.
func (f *Findings[S, A, F]) Verdicts() []string {
	verdicts := make([]string, len(f.List))
	for i := range f.List {
		verdicts[i] = string(f.List[i].Verdict)
	}
	return verdicts
}

// judge finds the verdicts on the decisions, and their sums.
func (r *ReviewOf[S, A, F]) judge(f *Findings[S, A, F]) {
	for i := range f.List {
		d, one := &r.Decisions[i], &f.List[i]
		if f.Seats[d.Seat] == nil {
			f.Seats[d.Seat] = &api.SeatReview{}
		}
		seat := f.Seats[d.Seat]
		open := 0
		if r.Open != nil {
			open = r.Open(f, i)
			seat.OpenCost += open
		}
		switch {
		case one.Cost == nil:
			one.Verdict = api.VerdictForced
		case r.Open != nil:
			one.Verdict = r.Rule.Verdict(open, *one.Cost)
		default:
			one.Verdict = r.Rule.OnKnowledge(*one.Cost)
		}
		if one.Cost != nil {
			seat.KnowledgeCost = Rounded(seat.KnowledgeCost+one.Cost.Cost, r.Digits)
		}
		CountVerdict(&seat.Verdicts, one.Verdict)
	}
}

// Pass is one time that the parts of a review are looked for: in the cache only, or with searches for what it lacks.
type Pass struct {
	*Parts

	service  *Service
	searches bool

	mu          sync.Mutex
	found, made int // parts of the cache, and parts that were computed
	nodes       uint64
}

// errUnknown ends a pass without searches.
var errUnknown = errors.New("the cache lacks a part")

// Search ends a pass without searches.
func (p *Pass) Search() error {
	if p.searches {
		return nil
	}
	return errUnknown
}

// Found counts a part, with its nodes if it was searched now.
func (p *Pass) Found(source api.Source, nodes uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if source == api.SourceCache {
		p.found++
	} else {
		p.made, p.nodes = p.made+1, p.nodes+nodes
	}
}

// LookUp returns a value of the cache, or computes it. progress, which may be nil, is called with its progress.
func (p *Pass) LookUp(ctx context.Context, l Lookup, progress func(computation.Progress)) (Value, error) {
	if p.searches {
		return p.service.LookUp(ctx, l, progress, 0)
	}
	value, ok := p.service.Known(ctx, l)
	if !ok {
		return value, errUnknown
	}
	EffortOf(ctx).NoteValue(value)
	return value, nil
}

// Kept returns a part that the cache keeps as JSON, or computes it. compute takes its slots itself.
func Kept[F any](ctx context.Context, p *Pass, key Key, compute func(context.Context) (F, error)) (out F, source api.Source, err error) {
	read := func(value []byte) (out F, ok bool) {
		text, ok := key.Open(value)
		return out, ok && json.Unmarshal(text, &out) == nil
	}
	value, err := p.LookUp(ctx, Lookup{
		Keys: []solvecache.Key{solvecache.Key(key)}, Valid: func(value []byte) bool { _, ok := read(value); return ok }, InParts: true,
		Compute: func(ctx context.Context, _ *computation.Task) ([]byte, error) {
			made, err := compute(ctx)
			if err != nil {
				return nil, err
			}
			text, err := json.Marshal(made)
			return key.Seal(text), err
		},
	}, nil)
	if err != nil {
		return out, "", err
	}
	out, ok := read(value.Bytes)
	if !ok {
		err = &Error{Detail: "a part of a review does not fit its question"}
	}
	return out, value.Source(), err
}

// Key names the query.
func (r *ReviewOf[S, A, F]) Key() []byte { return r.Name }

// Cost is the cost of the decisions with a choice.
func (r *ReviewOf[S, A, F]) Cost() time.Duration {
	sum := r.Base
	for i := range r.Decisions {
		if d := &r.Decisions[i]; len(d.Asks) > 0 {
			sum += r.CostOf(d)
		}
	}
	return sum
}

// Known returns the answer if the cache has all parts, or if there was no choice.
func (r *ReviewOf[S, A, F]) Known(ctx context.Context) (answer Answer[*Findings[S, A, F]], ok bool, err error) {
	for _, found := range r.Service.Cache().Get(ctx, r.Keys) {
		if found.Value == nil {
			return answer, false, nil
		}
	}
	answer, err = r.run(ctx, &Pass{Parts: NewParts(nil, r.Worlds), service: r.Service}, inTurn)
	if errors.Is(err, errUnknown) {
		return answer, false, nil
	}
	return answer, err == nil, err
}

// Computation makes the review. It needs no slot; its parts do.
func (r *ReviewOf[S, A, F]) Computation() computation.Spec {
	return Running(computation.Key(r.Name), func(ctx context.Context, task *computation.Task) (Answer[*Findings[S, A, F]], error) {
		p := &Pass{service: r.Service, searches: true}
		if r.InTurn {
			p.Parts = NewParts(task, r.Worlds)
			return r.run(ctx, p, inTurn)
		}
		return r.run(ctx, p, func(n int, do func(int) error) error { return r.Service.EachPart(ctx, task, n, do) })
	})
}

func inTurn(n int, do func(int) error) (err error) {
	for i := 0; i < n && err == nil; i++ {
		err = do(i)
	}
	return err
}

// run looks for the parts, and builds the answer.
func (r *ReviewOf[S, A, F]) run(
	ctx context.Context, p *Pass, each func(n int, do func(int) error) error,
) (answer Answer[*Findings[S, A, F]], err error) {
	f := &Findings[S, A, F]{List: make([]Reviewed[F], len(r.Decisions)), Source: FromSearch}
	n := len(f.List)
	if r.Hand != nil {
		n++
	}
	if err := each(n, func(i int) error { return r.part(ctx, p, f, i) }); err != nil {
		return answer, err
	}
	if f.Nodes = p.nodes; p.found > 0 && p.made == 0 {
		f.Source = FromCache
	}
	r.judge(f)
	progress := computation.Progress{Done: n, Of: n, Nodes: f.Nodes}
	if r.InTurn {
		progress = p.Sum()
	}
	return Answer[*Findings[S, A, F]]{Result: f, Source: f.Source, Nodes: int64(f.Nodes), Progress: progress}, nil
}

// part finds a part: the hand as a whole is the first.
func (r *ReviewOf[S, A, F]) part(ctx context.Context, p *Pass, f *Findings[S, A, F], i int) (err error) {
	if r.Hand != nil {
		if i == 0 {
			f.Hand, err = r.Hand(ctx, p)
			return err
		}
		i--
	}
	if r.FromLast {
		i = len(f.List) - 1 - i
	}
	d, one := &r.Decisions[i], &f.List[i]
	for _, ask := range d.Asks {
		cost, err := r.Judge(ctx, p, d, ask, &one.Of)
		if err != nil {
			return err
		}
		one.Cost = &cost
		if r.Why != nil && r.Rule.IsMistake(cost) {
			return r.Why(ctx, p, d, &one.Of)
		}
		if !r.Rule.IsClose(cost) {
			break
		}
	}
	return nil
}

// Whose says whose decisions are reviewed: a seat's, or all.
type Whose struct {
	seat *byte
	name string
}

// ReadWhose reads the seat of a request for a review.
func ReadWhose[P ~uint8, S ~string](ps *Problems, text *S, parse func(string) (P, error), name func(P) string) Whose {
	if text == nil {
		return Whose{}
	}
	seat := Read(ps, "/seat", text, parse, 0)
	of := byte(seat)
	return Whose{&of, name(seat)}
}

// Has reports whether the decisions of a seat are reviewed.
func (w Whose) Has(seat int) bool { return w.seat == nil || int(*w.seat) == seat }

// Byte returns the seat for a key, which is all without one.
func (w Whose) Byte(all byte) byte { return Or(w.seat, all) }

// none returns the error of a request for a review without a decision.
func (w Whose) none(pointer, act string) error {
	of := ""
	if w.seat != nil {
		of = " of " + w.name
	}
	return Refused(violation.New(violation.Needed, "has no %s%s: expected at least one", act, of).At(pointer))
}
