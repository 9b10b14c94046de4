package holders

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"roem/lab/klaverjas/beliefnet"
)

// Result is what an estimator reaches, by the trick.
type Result struct {
	Name   string
	Scores [beliefnet.Tricks]beliefnet.Score
}

// Markdown returns the tables of results on the same views: the log score of a card by the trick, with the gains of the last result over
// the first one and over the others; how often the most likely holder is the true one, the Brier score and the calibration error by the
// trick; and the classification of cards by seat, over all tricks.
func Markdown(results []Result) string {
	var b strings.Builder
	b.WriteString("Negative log score of a card, with its interval:\n\n")
	last := &results[len(results)-1]
	header(&b, results)
	eachTrick(&b, results, func(s *beliefnet.Score) string { return fmt.Sprintf("%.4f ± %.4f", s.Log, 1.96*s.Deviation()) })
	fmt.Fprintf(&b, "\nGain of each over %s, paired:\n\n", results[0].Name)
	header(&b, results[1:])
	pairs(&b, results[1:], func(t int, r *Result) (float64, float64) { return r.Scores[t].Gain(&results[0].Scores[t]) })
	fmt.Fprintf(&b, "\nGain of %s over each, paired:\n\n", last.Name)
	header(&b, results[:len(results)-1])
	pairs(&b, results[:len(results)-1], func(t int, r *Result) (float64, float64) { return last.Scores[t].Gain(&r.Scores[t]) })
	b.WriteString("\nThe most likely holder is the true one, Brier score, calibration error in points " +
		"(and the error of a calibrated estimate):\n\n")
	header(&b, results)
	eachTrick(&b, results, func(s *beliefnet.Score) string {
		c := &s.Calibration
		return fmt.Sprintf("%.1f %%, %.3f, %.2f (%.2f)", 100*s.Right, s.Brier, 100*c.ECE(), 100*c.Expected)
	})
	b.WriteString("\nAll tricks, cards classified as held by a seat; accuracy, precision, recall and F1 in percent:\n\n")
	b.WriteString("| | classified as held | left | partner | right |\n|---|---|---|---|---|\n")
	for i := range results {
		for j, rule := range []string{"most likely holder", "probability above 0.5"} {
			fmt.Fprintf(&b, "| %s | %s |", results[i].Name, rule)
			for o := range 3 {
				var all beliefnet.Classes
				for t := range results[i].Scores {
					all.Add(byRule(&results[i].Scores[t], j)[o])
				}
				a, p, r, f1 := all.Rates()
				fmt.Fprintf(&b, " %.1f, %.1f, %.1f, %.1f |", 100*a, 100*p, 100*r, 100*f1)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func byRule(s *beliefnet.Score, rule int) [3]beliefnet.Classes {
	if rule == 0 {
		return s.ByArgmax
	}
	return s.ByHalf
}

func header(b *strings.Builder, results []Result) {
	b.WriteString("| trick |")
	for i := range results {
		b.WriteString(" " + results[i].Name + " |")
	}
	b.WriteString("\n|" + strings.Repeat("---|", 1+len(results)) + "\n")
}

func eachTrick(b *strings.Builder, results []Result, cell func(*beliefnet.Score) string) {
	for t := range beliefnet.Tricks {
		fmt.Fprintf(b, "| %d |", t+1)
		for i := range results {
			b.WriteString(" " + cell(&results[i].Scores[t]) + " |")
		}
		b.WriteByte('\n')
	}
}

func pairs(b *strings.Builder, results []Result, gain func(t int, r *Result) (float64, float64)) {
	for t := range beliefnet.Tricks {
		fmt.Fprintf(b, "| %d |", t+1)
		for i := range results {
			mean, deviation := gain(t, &results[i])
			fmt.Fprintf(b, " %+.4f ± %.4f |", mean, 1.96*deviation)
		}
		b.WriteByte('\n')
	}
}

// CSV returns all figures, a row for each result, trick and seat.
func CSV(results []Result) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	write := func(fields ...string) { _ = w.Write(fields) } // writing to memory does not fail
	write("estimator", "trick", "seat", "views", "cards", "log", "brier", "right", "ece", "ece_calibrated", "ece_limit",
		"accuracy_likely", "precision_likely", "recall_likely", "f1_likely", "accuracy_half", "precision_half", "recall_half", "f1_half")
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	for i := range results {
		for t := range results[i].Scores {
			s := &results[i].Scores[t]
			c := &s.Calibration
			for o, seat := range []string{"left", "partner", "right"} {
				row := []string{results[i].Name, strconv.Itoa(t + 1), seat, strconv.Itoa(s.Views), strconv.Itoa(s.Cards)}
				for _, x := range []float64{s.Log, s.Brier, s.Right, c.ECE(), c.Expected, c.Limit} {
					row = append(row, number(x))
				}
				for rule := range 2 {
					classes := byRule(s, rule)[o]
					a, p, r, f1 := classes.Rates()
					row = append(row, number(a), number(p), number(r), number(f1))
				}
				write(row...)
			}
		}
	}
	w.Flush()
	return b.Bytes()
}
