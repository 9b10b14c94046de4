package logical

import (
	"context"
	"fmt"
	"io"
	"math"
)

// referenceHands is the number of hands of the reference figures.
const referenceHands = 3000

// Row is a pairing of players with the figures of the authors' program. A figure that is not known is NaN.
type Row struct {
	NS, EW        string
	Points, Nat   float64
	Pit, Melds    float64
	Announcements float64
	Possibles     []float64
}

// Reference returns the pairings that the authors' program was measured with, by players that play as it does.
func Reference() []Row {
	none := math.NaN()
	const agent, random = "logical:compat", "random"
	return []Row{
		{agent, agent, 92.8, 0.529, 0.022, 27.3, 13.9, []float64{61.8, 51.8, 41.9, 32.2, 22.7, 14.0, 6.2, 0}},
		{agent, random, 110.2, 0.386, none, none, none, nil},
		{random, agent, 80.5, 0.651, none, none, none, nil},
		{random, random, 97.1, 0.522, none, 36.3, none, nil},
	}
}

// Figure is a figure beside its reference.
type Figure struct {
	Players, Name   string
	Got, Want       float64
	Tolerance       float64 // the difference that is allowed in any case
	Error           float64 // the standard error of the difference, from the numbers of hands of both
	WithinTolerance bool    // within the tolerance
	WithinSampling  bool    // within three standard errors
}

// Close reports whether the difference is within the tolerance, or within what drawing other deals explains.
func (f Figure) Close() bool { return f.WithinTolerance || f.WithinSampling }

// Compare plays the pairings of the reference and returns each figure. The tolerances are 2 points, 0.02 of the share of nat, 0.01 of the
// share of pit, 2 points of melds, 0.3 announcements and 0.1 possible pairs.
func Compare(ctx context.Context, hands int, seed uint64) ([]Figure, error) {
	var out []Figure
	for _, row := range Reference() {
		s, err := Measure(ctx, hands, seed, row.NS, row.EW)
		if err != nil {
			return nil, err
		}
		both := math.Sqrt(1.0/referenceHands + 1/float64(hands)) // of the difference of the means of a quantity with standard deviation 1
		share := func(p float64) float64 { return math.Sqrt(p * (1 - p)) }
		add := func(name string, got, want, tolerance, sd float64) {
			if math.IsNaN(want) {
				return
			}
			f := Figure{Players: row.NS + " against " + row.EW, Name: name, Got: got, Want: want, Tolerance: tolerance, Error: sd * both}
			difference := math.Abs(got - want)
			f.WithinTolerance, f.WithinSampling = difference <= tolerance, difference <= 3*f.Error
			out = append(out, f)
		}
		add("points of NS", s.Points, row.Points, 2, s.PointsSD)
		add("nat", s.Nat, row.Nat, 0.02, share(s.Nat))
		add("pit", s.Pit, row.Pit, 0.01, share(s.Pit))
		add("melds", s.Melds, row.Melds, 2, s.MeldsSD)
		add("announcements", s.Announcements, row.Announcements, 0.3, s.AnnouncementsSD)
		for i, want := range row.Possibles {
			add(fmt.Sprintf("possible pairs after trick %d", i+1), s.Possibles[i], want, 0.1, s.PossiblesSD[i])
		}
	}
	return out, nil
}

// WriteTable writes the figures as a Markdown table.
func WriteTable(w io.Writer, figures []Figure) error {
	if _, err := fmt.Fprintln(w, "| NS against EW | figure | Roem | the authors' program | difference | its standard error "+
		"|\n|---|---|---|---|---|---|"); err != nil {
		return err
	}
	for _, f := range figures {
		sampling := "–"
		if f.Error > 0 {
			sampling = fmt.Sprintf("%.3f", f.Error)
		}
		if _, err := fmt.Fprintf(w, "| %s | %s | %.3f | %.3f | %+.3f | %s |\n", f.Players, f.Name, f.Got, f.Want, f.Got-f.Want,
			sampling); err != nil {
			return err
		}
	}
	return nil
}
