package service

import (
	"context"
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

// ReviewOf is the query of a review: what the decisions of a hand cost. A game embeds it in its query, which is the Reviewer. S is what the
// game has to know of a decision, A what is asked about it, F what is found.
type ReviewOf[S, A, F any] struct {
	Service   *Service
	By        Reviewer[S, A, F]
	Name      Key // the key of the query
	Rule      ReviewRule
	Digits    int // of costs
	Decisions []Decision[S, A]
	FromLast  bool // the last decision comes first: that suits searches, which take longer the more cards are left
	// Base is about how much time of searchers the review takes besides its decisions.
	Base time.Duration
	// Hand, if not nil, finds what is asked about the hand as a whole. It may run beside the decisions.
	Hand func(context.Context, *Pass) (F, error)
	// Keys are keys of values that are needed in any case. They are looked up at once.
	Keys []solvecache.Key
	// InTurn says that the parts are found one after the other, for searches that take several slots themselves. The Reviewer counts the
	// progress in the Parts of the Pass: Worlds at least. Otherwise the progress is how many parts are found.
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

// Reviewer is what a game says about its review.
type Reviewer[S, A, F any] interface {
	// Judge finds what a decision cost on knowledge, by one of its questions. found has what the questions before have found.
	Judge(ctx context.Context, p *Pass, d *Decision[S, A], ask A, found *F) (KnownCost, error)
	// Why finds why a decision was a mistake on knowledge. It is called after the question that told so.
	Why(ctx context.Context, p *Pass, d *Decision[S, A], ask A, found *F) error
	// CostOf returns about how much time of searchers a decision with a choice takes. Further questions about it do not count.
	CostOf(d *Decision[S, A]) time.Duration
	// Show returns the answer, a type of the contract.
	Show(f *Findings[S, A, F]) (any, error)
}

// Findings are what a review has found.
type Findings[S, A, F any] struct {
	Hand   F             // about the hand as a whole
	List   []Reviewed[F] // by decision
	Source api.Source    // cache if nothing was computed
	Nodes  uint64        // of the searches
	// Seats are the sums of the seats that Verdict has counted. A seat without a decision has none.
	Seats [4]*api.SeatReview

	review *ReviewOf[S, A, F]
}

// Reviewed is what is found about a decision.
type Reviewed[F any] struct {
	Of   F
	Cost *KnownCost // on knowledge; nil without a choice
}

// Verdict returns the verdict on a decision, and counts it for its seat. open is what it cost with open cards; nil if that is not known.
func (f *Findings[S, A, F]) Verdict(decision int, open *int) api.Verdict {
	d, known := &f.review.Decisions[decision], f.List[decision].Cost
	if f.Seats[d.Seat] == nil {
		f.Seats[d.Seat] = &api.SeatReview{}
	}
	seat := f.Seats[d.Seat]
	verdict := api.VerdictForced
	if known != nil {
		verdict = f.review.Rule.OnKnowledge(*known)
		if open != nil {
			verdict = f.review.Rule.Verdict(*open, *known)
		}
		seat.KnowledgeCost = Rounded(seat.KnowledgeCost+known.Cost, f.review.Digits)
	}
	if open != nil {
		seat.OpenCost += *open
	}
	CountVerdict(&seat.Verdicts, verdict)
	return verdict
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

// Search counts a part that has to be computed, or ends a pass without searches.
func (p *Pass) Search() error {
	if !p.searches {
		return errUnknown
	}
	p.note(api.SourceSearch, 0)
	return nil
}

// note counts a part and its nodes.
func (p *Pass) note(source api.Source, nodes uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if source == api.SourceCache {
		p.found++
		return
	}
	p.made++
	p.nodes += nodes
}

// LookUp returns a value of the cache, or computes it. progress, which may be nil, is called with its progress.
func (p *Pass) LookUp(ctx context.Context, l Lookup, progress func(computation.Progress)) (value Value, err error) {
	if p.searches {
		value, err = p.service.LookUp(ctx, l, progress, 0)
	} else if known, ok := p.service.Known(ctx, l); ok {
		value = known
		EffortOf(ctx).NoteValue(value)
	} else {
		err = errUnknown
	}
	if err == nil {
		p.note(value.Source(), 0)
	}
	return value, err
}

// Took adds the nodes of a value that LookUp returned, if they were searched now.
func (p *Pass) Took(value Value, nodes uint64) {
	if value.Source() == api.SourceSearch {
		p.note(api.SourceSearch, nodes)
	}
}

// FindPart returns a part that known has, or else searches for it. The search returns its nodes too.
func FindPart[F any](p *Pass, known func() (F, bool), search func() (F, uint64, error)) (out F, err error) {
	if found, ok := known(); ok {
		p.note(api.SourceCache, 0)
		return found, nil
	}
	if err := p.Search(); err != nil {
		return out, err
	}
	out, nodes, err := search()
	p.note(api.SourceSearch, nodes)
	return out, err
}

// Key names the query.
func (r *ReviewOf[S, A, F]) Key() []byte { return r.Name }

// Cost is the cost of the decisions with a choice.
func (r *ReviewOf[S, A, F]) Cost() time.Duration {
	sum := r.Base
	for i := range r.Decisions {
		if d := &r.Decisions[i]; len(d.Asks) > 0 {
			sum += r.By.CostOf(d)
		}
	}
	return sum
}

// parts is how many parts a review has: the decisions, and the hand as a whole.
func (r *ReviewOf[S, A, F]) parts() int {
	n := len(r.Decisions)
	if r.Hand != nil {
		n++
	}
	return n
}

// Known returns the answer if the cache has all parts, or if there was no choice.
func (r *ReviewOf[S, A, F]) Known(ctx context.Context) (Answer, bool, error) {
	for _, found := range r.Service.Cache().Get(ctx, r.Keys) {
		if found.Value == nil {
			return Answer{}, false, nil
		}
	}
	p := &Pass{Parts: NewParts(nil, r.Worlds), service: r.Service}
	f := r.findings()
	for i := range r.parts() {
		switch err := r.part(ctx, p, f, i); {
		case errors.Is(err, errUnknown):
			return Answer{}, false, nil
		case err != nil:
			return Answer{}, false, err
		}
	}
	answer, err := r.answer(p, f)
	return answer, err == nil, err
}

// Computation makes the review. It needs no slot; its parts do.
func (r *ReviewOf[S, A, F]) Computation() computation.Spec {
	return Running(computation.Key(r.Name), func(ctx context.Context, task *computation.Task) (Answer, error) {
		p, f := &Pass{service: r.Service, searches: true}, r.findings()
		do := func(i int) error { return r.part(ctx, p, f, i) }
		var err error
		if !r.InTurn {
			err = r.Service.EachPart(ctx, task, r.parts(), do)
		} else {
			p.Parts = NewParts(task, r.Worlds)
			for i := 0; i < r.parts() && err == nil; i++ {
				err = do(i)
			}
		}
		if err != nil {
			return Answer{}, err
		}
		return r.answer(p, f)
	})
}

// Answer returns the answer in the result of the computation.
func (r *ReviewOf[S, A, F]) Answer(result computation.Result) (Answer, error) {
	return Uncached{}.Answer(result)
}

func (r *ReviewOf[S, A, F]) findings() *Findings[S, A, F] {
	return &Findings[S, A, F]{List: make([]Reviewed[F], len(r.Decisions)), review: r}
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
		cost, err := r.By.Judge(ctx, p, d, ask, &one.Of)
		if err != nil {
			return err
		}
		one.Cost = &cost
		if r.Rule.OnKnowledge(cost) == api.VerdictMistake {
			return r.By.Why(ctx, p, d, ask, &one.Of)
		}
		if !r.Rule.IsClose(cost) {
			break
		}
	}
	return nil
}

func (r *ReviewOf[S, A, F]) answer(p *Pass, f *Findings[S, A, F]) (Answer, error) {
	f.Source, f.Nodes = api.SourceSearch, p.nodes
	if p.found > 0 && p.made == 0 {
		f.Source = api.SourceCache
	}
	body, err := r.By.Show(f)
	progress := computation.Progress{Done: r.parts(), Of: r.parts(), Nodes: f.Nodes}
	if r.InTurn {
		progress = p.Sum()
	}
	return Answer{Body: body, Source: f.Source, Nodes: int64(f.Nodes), Progress: progress}, err
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
