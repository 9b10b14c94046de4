package strength

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/service/klaverjas/handstrength"
)

// Options says what Evaluate measures.
type Options struct {
	Hands     int     // random hands
	Precision float64 // of the estimates, as a probability
	Reference float64 // the precision of the long run that they are compared with; 0 for no comparison
	Method    handstrength.Method
	Rules     klaverjas.Rules
	Seed      uint64
}

// Report is what Evaluate measured, over hands and trumps.
type Report struct {
	Hands, Estimates int
	// Microseconds of processor time for all four trumps of a hand: mean, median and 95 % quantile.
	MeanUS, MedianUS, P95US float64
	// The standard error that the estimates state: root mean square, and the largest.
	StatedRMS, StatedMax float64
	Worlds, Searches     float64 // mean of an estimate
	// Against the long run, whose own error is subtracted: the root mean square error and the bias of the win probability.
	RMSE, Bias float64
	// The share of the estimates whose 95 % interval contains the value of the long run. Its errors are part of the interval.
	Coverage float64
	// The mean outcome and the quantiles against the long run, in points.
	OutcomeRMSE  float64
	QuantileMAE  [5]float64
	PitRMSE      float64
	OutcomeCover float64
	// Of the method network: the mean square of the difference that is not explained by sampling, and the mean of the worlds' doubt.
	ModelRMS float64
}

// Evaluate estimates random hands with all four trumps. The seat is the leader in half of them, and declares in three of four.
func Evaluate(ctx context.Context, e *handstrength.Estimator, o Options, progress func(int)) (Report, error) {
	var (
		r     Report
		c     comparison
		times []float64
	)
	rng := index.NewRand(o.Seed)
	solver := search.New(search.Options{})
	for i := range o.Hands {
		deal := index.Random(rng, piquet.Clubs, piquet.North)
		q := handstrength.Question{
			Rules: o.Rules, Hand: deal[0], Seat: piquet.North, Leader: piquet.Seat(i & 1), Declarer: piquet.NorthSouth,
			Precision: o.Precision, Method: o.Method, Seed: rng.Uint64(),
		}
		if i%4 == 3 {
			q.Declarer = piquet.EastWest
		}
		var answers [4]handstrength.Strength
		runtime.GC() // so that the time does not contain the garbage of the reference
		began := time.Now()
		for _, trump := range piquet.Suits() {
			q.Trump = trump
			s, err := e.Estimate(ctx, q, solver, nil)
			if err != nil {
				return r, err
			}
			answers[trump] = s
		}
		times = append(times, float64(time.Since(began).Microseconds()))
		for _, trump := range piquet.Suits() {
			s := &answers[trump]
			r.add(s)
			if o.Reference == 0 {
				continue
			}
			long := q
			long.Trump, long.Precision, long.Method, long.Seed = trump, o.Reference, handstrength.Exact, rng.Uint64()
			truth, err := e.Estimate(ctx, long, solver, nil)
			if err != nil {
				return r, err
			}
			c.add(s, &truth)
		}
		r.Hands++
		progress(i + 1)
	}
	r.finish(times)
	c.finish(&r)
	return r, nil
}

// add adds what an estimate says of itself.
func (r *Report) add(s *handstrength.Strength) {
	r.Estimates++
	r.StatedRMS += s.StandardError * s.StandardError
	r.StatedMax = max(r.StatedMax, s.StandardError)
	r.Worlds += float64(s.Worlds)
	r.Searches += float64(s.Searches)
}

// finish turns the sums of add into means.
func (r *Report) finish(times []float64) {
	slices.Sort(times)
	for _, t := range times {
		r.MeanUS += t / float64(len(times))
	}
	r.MedianUS, r.P95US = times[len(times)/2], times[len(times)*95/100]
	n := float64(r.Estimates)
	r.StatedRMS = math.Sqrt(r.StatedRMS / n)
	r.Worlds /= n
	r.Searches /= n
}

// comparison sums up how far estimates are from long runs.
type comparison struct {
	estimates, squares, bias, outside, excess, outcome, covered, pit float64
	quantiles                                                        [5]float64
}

func (c *comparison) add(s, truth *handstrength.Strength) {
	c.estimates++
	d := s.WinProbability - truth.WinProbability
	own := truth.StandardError * truth.StandardError
	c.squares += d*d - own
	c.bias += d
	if math.Abs(d) > 1.96*math.Sqrt(s.StandardError*s.StandardError+own) {
		c.outside++
	}
	c.excess += d*d - s.StandardError*s.StandardError - own
	m := s.Mean - truth.Mean
	c.outcome += m * m
	if math.Abs(m) <= 1.96*math.Hypot(s.MeanError, truth.MeanError) {
		c.covered++
	}
	for j := range s.Quantiles {
		c.quantiles[j] += math.Abs(float64(s.Quantiles[j] - truth.Quantiles[j]))
	}
	p := s.Pit - truth.Pit
	c.pit += p * p
}

// finish sets the fields of the report that compare.
func (c *comparison) finish(r *Report) {
	n := c.estimates
	if n == 0 {
		return
	}
	r.RMSE = math.Sqrt(max(c.squares/n, 0))
	r.Bias = c.bias / n
	r.Coverage = 1 - c.outside/n
	r.ModelRMS = math.Copysign(math.Sqrt(math.Abs(c.excess/n)), c.excess)
	r.OutcomeRMSE = math.Sqrt(c.outcome / n)
	r.OutcomeCover = c.covered / n
	r.PitRMSE = math.Sqrt(c.pit / n)
	for j := range r.QuantileMAE {
		r.QuantileMAE[j] = c.quantiles[j] / n
	}
}

// String returns the report as text.
func (r Report) String() string {
	return fmt.Sprintf(`hands %d, estimates %d
time for four trumps: mean %.1f ms, median %.1f ms, 95 %% %.1f ms
stated standard error: rms %.3f points, largest %.3f points
worlds %.0f, searches %.1f for an estimate
against the long run: rmse %.3f points, bias %+.3f points, 95 %% intervals contain it in %.1f %%, unexplained rms %+.3f points
outcome: rmse %.1f points, intervals contain it in %.1f %%; pit rmse %.2f points
quantiles 5, 25, 50, 75, 95 %%: mean absolute error %.1f points
`, r.Hands, r.Estimates, r.MeanUS/1000, r.MedianUS/1000, r.P95US/1000, 100*r.StatedRMS, 100*r.StatedMax, r.Worlds, r.Searches,
		100*r.RMSE, 100*r.Bias, 100*r.Coverage, 100*r.ModelRMS, r.OutcomeRMSE, 100*r.OutcomeCover, 100*r.PitRMSE, r.QuantileMAE)
}
