package table

import (
	"context"
	"fmt"
	"math"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/service/klaverjas/bidadvice"
	"roem/internal/service/klaverjas/handstrength"
)

// Estimates are pairs of a mean that was estimated and what happened, in points.
type Estimates struct{ estimated, happened []float64 }

// Add adds a pair.
func (e *Estimates) Add(estimated, happened float64) {
	e.estimated, e.happened = append(e.estimated, estimated), append(e.happened, happened)
}

// String returns the mean error with its interval, and the slope of what happened on what was estimated: 1 is right.
func (e *Estimates) String() string {
	bias, half := gain(e.estimated, e.happened, nil)
	mx, my := meanOf(e.estimated), meanOf(e.happened)
	var xx, xy float64
	for i, x := range e.estimated {
		xx += (x - mx) * (x - mx)
		xy += (x - mx) * (e.happened[i] - my)
	}
	slope, residual := xy/xx, 0.0
	for i, x := range e.estimated {
		r := e.happened[i] - my - slope*(x-mx)
		residual += r * r
	}
	return fmt.Sprintf("%d estimates of points: mean %+.1f, error of the mean %+.1f ± %.1f, slope %.2f ± %.2f",
		len(e.estimated), mx, bias, half, slope, 1.96*math.Sqrt(residual/float64(len(e.estimated))/xx))
}

// EvaluateDeals measures the map of deals by cross-validation over the deals: each part is predicted with the maps of the other parts.
func EvaluateDeals(m *deal.Model, all []Played, parts int) (string, error) {
	var open, table Score
	var points Estimates
	for part := range parts {
		maps, err := FitDeals(m, all, func(i int) bool { return i%parts != part })
		if err != nil {
			return "", err
		}
		for i := part; i < len(all); i += parts {
			p := &all[i]
			prediction, _ := m.Predict(p.Rules, p.Deal)
			at := maps[p.Rules.System].MapOfDeal(&p.Deal).At(handstrength.NumbersOfDeal(prediction))
			open.AddTo(i, prediction.WinProbability, p.Won())
			table.AddTo(i, at.WinProbability, p.Won())
			points.Add(at.Mean, float64(p.Outcome))
		}
	}
	return fmt.Sprintf("deals, %d parts\nopen cards, %s\ntable, %s\ntable against open cards: %s\n%s\n%s", parts, &open, &table,
		table.Against(&open), &points, table.Reliability()), nil
}

// EvaluateHands measures the map of hands on games that it was not fitted to, on the hands of [Played.Seats].
func EvaluateHands(e *handstrength.Estimator, maps Maps, all []Played) (string, error) {
	var open, table Score
	var points Estimates
	for i := range all {
		p := &all[i]
		for _, seat := range p.Seats() {
			q := p.question(seat)
			s, ok := e.Distilled.Strength(q)
			if !ok {
				return "", fmt.Errorf("game %d: no hand model for its rules", i)
			}
			at := maps[p.Rules.System].MapOf(&q).At(handstrength.NumbersOf(&s))
			open.AddTo(i, s.WinProbability, p.Won())
			table.AddTo(i, at.WinProbability, p.Won())
			points.Add(at.Mean, float64(p.Outcome))
		}
	}
	return fmt.Sprintf("hands\nopen cards, %s\ntable, %s\ntable against open cards: %s\n%s\n%s", &open, &table, table.Against(&open), &points,
		table.Reliability()), nil
}

// EvaluateBids measures the table model of hands, and the advice of bid, on games that were bid: the hand of the player who declared, with
// the trump of the game, before the last call. With passes, the value of each pass is compared with what happened too.
func EvaluateBids(ctx context.Context, advisor *bidadvice.Advisor, all []Auctioned, passes bool, progress func(int)) (string, error) {
	e := bidEvaluation{flows: map[string]*Score{}}
	for i := range all {
		if err := e.add(ctx, advisor, i, &all[i], passes); err != nil {
			return "", err
		}
		progress(i + 1)
	}
	return e.text(passes), nil
}

// bidEvaluation has the scores of games that were bid.
type bidEvaluation struct {
	open, table, bid, pit Score
	points, passed        Estimates
	system                [2]Score
	flows                 map[string]*Score
}

// add adds game i.
func (e *bidEvaluation) add(ctx context.Context, advisor *bidadvice.Advisor, i int, g *Auctioned, passes bool) error {
	by, trump := g.Auction.Result()
	before, err := bidadvice.Before(g.Auction)
	if err != nil {
		return err
	}
	for j, a := range before {
		last := j == len(before)-1
		if !last && !passes {
			continue
		}
		question := bidadvice.Question{Rules: g.Rules, Auction: a, Hand: g.Deal.Hands[a.Turn()], Seed: uint64(i)}
		if last && !passes {
			question.Trumps = []bidding.Call{{Declare: true, Trump: trump}}
		}
		advice, err := advisor.Advise(ctx, question)
		if err != nil {
			return err
		}
		if last {
			for k := range advice.Trumps {
				if advice.Trumps[k].Trump == trump {
					e.declared(i, g, bidadvice.FlowName(a.Setting()), &advice.Trumps[k])
				}
			}
			continue
		}
		outcome := float64(g.Outcome)
		if by.Team() != a.Turn().Team() {
			outcome = -outcome
		}
		e.passed.Add(advice.Pass.Value, outcome)
	}
	return nil
}

// declared adds what was said of the trump of game i.
func (e *bidEvaluation) declared(i int, g *Auctioned, flow string, t *bidadvice.Trump) {
	e.open.AddTo(i, t.Open.WinProbability, g.Won())
	e.table.AddTo(i, t.Table.WinProbability, g.Won())
	e.bid.AddTo(i, t.Now.WinProbability, g.Won())
	e.pit.AddTo(i, t.Now.Pit, g.Pit)
	e.points.Add(t.Now.Mean, float64(g.Outcome))
	e.system[g.Rules.System&1].AddTo(i, t.Now.WinProbability, g.Won())
	if e.flows[flow] == nil {
		e.flows[flow] = new(Score)
	}
	e.flows[flow].AddTo(i, t.Now.WinProbability, g.Won())
}

func (e *bidEvaluation) text(passes bool) string {
	var out strings.Builder
	fmt.Fprintf(&out, "open cards, %s\ntable, without the calls, %s\nbid, %s\n", &e.open, &e.table, &e.bid)
	fmt.Fprintf(&out, "table, without the calls, against open cards: %s\nbid against open cards: %s\nbid against table: %s\n",
		e.table.Against(&e.open), e.bid.Against(&e.open), e.bid.Against(&e.table))
	fmt.Fprintf(&out, "declaring: %s\npit: %s\n", &e.points, &e.pit)
	if passes {
		fmt.Fprintf(&out, "passing: %s\n", &e.passed)
	}
	for _, s := range []klaverjas.System{klaverjas.Rotterdam, klaverjas.Amsterdam} {
		fmt.Fprintf(&out, "%s, %s\n", s, &e.system[s])
	}
	for _, start := range Settings() {
		if s := e.flows[bidadvice.FlowName(start)]; s != nil {
			fmt.Fprintf(&out, "%s, %s\n", bidadvice.FlowName(start), s)
		}
	}
	return out.String() + "\n" + e.bid.Reliability()
}
