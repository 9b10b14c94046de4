package tarok

import (
	"context"
	"fmt"
	"io"
	"math"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/random"
	"roem/lab/learn/logistic"
)

// strengthSteps is into how many steps a unit of the strength is divided for the fit.
const strengthSteps = 8

// Bids lets a player bid first with random hands, and writes for each contract how likely it bids as high as that by the strength of the
// hand (players.Strength): the model of bids of package advice.
func Bids(ctx context.Context, out io.Writer, s advice.Settings, hands int, seed uint64) error {
	rng := random.New(seed)
	a := advice.New(s)
	strength := logistic.Column{Codes: make([]uint8, hands), Values: make([]float64, 256)}
	for code := range strength.Values {
		strength.Values[code] = float64(code) / strengthSteps
	}
	high := make([]tarok.Contract, hands)
	for i := range hands {
		t, err := players.NewTable(tarok.Random(rng), tarok.DefaultRules, [3]int{})
		if err != nil {
			return err
		}
		v := t.View(tarok.A)
		list, err := a.Prospects(ctx, v, rng)
		if err != nil {
			return err
		}
		strength.Codes[i] = uint8(min(255, math.Round(strengthSteps*max(0, players.Strength(v.Hand)))))
		for _, p := range list {
			if p.Viable {
				high[i] = p.Contract
			}
		}
	}
	for _, c := range tarok.Contracts() {
		if c == tarok.Klop {
			continue // nobody bids it
		}
		willing, n := make([]bool, hands), 0
		for i, most := range high {
			if willing[i] = most >= c; willing[i] {
				n++
			}
		}
		m, err := logistic.Train(ctx, []logistic.Column{strength}, willing, logistic.Default())
		if err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
		bias, slopes := m.Slopes()
		if _, err := fmt.Fprintf(out, "%s: %d of %d hands, intercept %.2f, slope %.2f, even at a strength of %.2f\n",
			c, n, hands, bias, slopes[0], -bias/slopes[0]); err != nil {
			return err
		}
	}
	return nil
}
