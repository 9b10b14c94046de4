package table

import (
	"fmt"
	"math"
	"strings"

	"roem/internal/engine/match"
)

// bins is the number of bins of a reliability table, each a tenth of the probabilities.
const bins = 10

// Score is how good probabilities are. There may be several for a game; the intervals are over the games.
type Score struct {
	n          int
	predicted  [bins]float64
	won        [bins]float64
	count      [bins]float64
	games      []int     // the game of each probability
	log, brier []float64 // of each probability
}

// AddTo adds a probability about a game and whether it came true.
func (s *Score) AddTo(game int, p float64, won bool) {
	s.games = append(s.games, game)
	y := share(won)
	b := min(int(p*bins), bins-1)
	s.n++
	s.predicted[b] += p
	s.won[b] += y
	s.count[b]++
	cut := min(max(p, 1e-4), 1-1e-4)
	s.log = append(s.log, -(y*math.Log(cut) + (1-y)*math.Log(1-cut)))
	s.brier = append(s.brier, (p-y)*(p-y))
}

// ECE returns the expected calibration error: the mean over the games of the distance between the mean probability of the bin and the share
// that came true, as a probability.
func (s *Score) ECE() (e float64) {
	for b := range s.count {
		e += math.Abs(s.predicted[b]-s.won[b]) / float64(s.n)
	}
	return e
}

// Noise returns the ECE that perfect probabilities would be expected to have with the given number of games.
func (s *Score) Noise() (e float64) {
	for b, n := range s.count {
		if n > 0 {
			p := s.predicted[b] / n
			e += math.Sqrt(2/math.Pi*p*(1-p)*n) / float64(s.n)
		}
	}
	return e
}

// Bias returns the mean probability minus the share that came true.
func (s *Score) Bias() (e float64) {
	for b := range s.count {
		e += (s.predicted[b] - s.won[b]) / float64(s.n)
	}
	return e
}

// Log returns the mean negative natural logarithm of the probability of what happened.
func (s *Score) Log() float64 { return meanOf(s.log) }

// Brier returns the mean square error.
func (s *Score) Brier() float64 { return meanOf(s.brier) }

func meanOf(x []float64) (m float64) {
	for _, v := range x {
		m += v / float64(len(x))
	}
	return m
}

// gain returns the mean of a - b and the half width of its 95 % interval over the games. games are the games of the values, in order; nil
// if each has its own.
func gain(a, b []float64, games []int) (mean, half float64) {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	mean = meanOf(d)
	sum := 0.0 // of a game
	for i, v := range d {
		if i > 0 && (len(games) == 0 || games[i] != games[i-1]) {
			half += sum * sum
			sum = 0
		}
		sum += v - mean
	}
	half += sum * sum
	return mean, 1.96 * math.Sqrt(half) / float64(max(len(d), 1))
}

// Against returns a line that compares the score with another over the same games.
func (s *Score) Against(other *Score) string {
	l, lh := gain(other.log, s.log, s.games)
	b, bh := gain(other.brier, s.brier, s.games)
	return fmt.Sprintf("log score better by %.4f ± %.4f, Brier score by %.4f ± %.4f", l, lh, b, bh)
}

// String returns a line of figures.
func (s *Score) String() string {
	return fmt.Sprintf("%d probabilities: log score %.4f, Brier score %.4f, ECE %.2f points (%.2f expected of "+
		"perfect probabilities), bias %+.2f points",
		s.n, s.Log(), s.Brier(), 100*s.ECE(), 100*s.Noise(), 100*s.Bias())
}

// Reliability returns a table in Markdown.
func (s *Score) Reliability() string {
	var out strings.Builder
	out.WriteString("| probability | games | mean probability | won |\n|---|---|---|---|\n")
	for b, n := range s.count {
		if n > 0 {
			low, high := match.Wilson(s.won[b]/n, n)
			fmt.Fprintf(&out, "| %d–%d %% | %.0f | %.1f %% | %.1f %% (%.1f to %.1f) |\n", 100*b/bins, 100*(b+1)/bins, n,
				100*s.predicted[b]/n, 100*s.won[b]/n, 100*low, 100*high)
		}
	}
	return out.String()
}
