package handnet

import (
	"fmt"
	"math"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/model/klaverjas/hand"
)

// Report is what hand-eval measures.
type Report struct {
	Model  *hand.Model
	Check  Check
	Errors []Errors
}

// All returns the mean errors over all kinds of question.
func (r *Report) All() Errors {
	var all Errors
	n, variance := float64(len(r.Errors)), 0.0
	for _, e := range r.Errors {
		all.Hands += e.Hands
		all.MAE += e.MAE / n
		all.RMSE += e.RMSE * e.RMSE / n
		all.Bias += e.Bias / n
		all.Reference += e.Reference / n
		all.Max = max(all.Max, e.Max)
		variance += e.Half * e.Half / (n * n)
	}
	all.RMSE, all.Half = math.Sqrt(all.RMSE), math.Sqrt(variance)
	return all
}

// Markdown returns the report as a document: lab/docs/klaverjas/hand-model.md.
func (r *Report) Markdown() string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	h := r.Model.Header()
	say(`# The hand model: %s, version %s

<!-- Written by roem-lab klaverjas hand-eval. Change lab/klaverjas/handnet/report.go, then run it again. -->

It predicts how strong eight cards are for a trump, a place of the leader, a declaring team and rules: the probability that the declarers win and the distribution of the outcome over all
deals of the other 24 cards, all cards visible and best play. It is distilled from the [deal network](model-card.md), and answers in microseconds.

## Against the deal network

%d hands of each kind that are held out from training (one in 16), against the mean probability of the deal network over %d random deals of the other cards, whose standard error is part of
the differences. Points of probability, intervals of 95 %%.

| rules, place of the leader, declaring team | mean absolute error | of a kind | root mean square | bias | largest | standard error of the reference |
|---|---|---|---|---|---|---|
`, h.Name, h.Version, r.Check.Hands, r.Check.Worlds)
	all := r.All()
	least, most := all.MAE, all.MAE
	for _, e := range r.Errors {
		least, most = min(least, e.MAE), max(most, e.MAE)
	}
	say("| all %d | **%.2f** ± %.2f | %.2f to %.2f | %.2f | %+.2f | %.2f | %.2f |\n\n", len(r.Errors), all.MAE, all.Half, least, most, all.RMSE,
		all.Bias, all.Max, all.Reference)
	say("## Weights\n\n%d bytes, SHA-256 `%s`. These commands make the weights, the same with any number of cores, and this page.\n\n```sh\n",
		r.Model.Bytes(), r.Model.SHA256())
	names := make([]string, 0, len(h.Teachers))
	for i, t := range h.Teachers {
		names = append(names, fmt.Sprintf("data/outcomes%d", i+1))
		writeSet(&b, names[i], uint64(t.OutcomeRows), t.OutcomeSeed, true, klaverjas.Rules(h.Rules[t.Rules]), t.LeaderDeclares)
	}
	t := h.Training
	say("roem-lab klaverjas hand-train -out hand.roemhand -version %s -width %d -hidden %s -rows %d -batch %d -rate %g -decay %g -rest-decay %g \\\n"+
		"  -pit-weight %g -mean-weight %g -quantile-weight %g -seed %d %s\n", h.Version, h.Shape.Width,
		strings.Trim(strings.ReplaceAll(fmt.Sprint(h.Shape.Hidden), " ", ","), "[]"), t.Examples, t.Batch, t.Rate, t.Decay, t.RestDecay,
		t.PitWeight, t.MeanWeight, t.QuantileWeight, t.Seed, strings.Join(names, " "))
	say("roem-lab klaverjas hand-eval -n %d -worlds %d -seed %d > lab/docs/klaverjas/hand-model.md\n```\n",
		r.Check.Hands, r.Check.Worlds, r.Check.Seed)
	say(`
## Limits

- It covers the rules above and hands of eight cards before anything is played, and knows nothing of bids.
- All cards are open in the deals that it averages over. At a table hands end differently.
- Between nat and won there are no outcomes, and a quantile that falls there may be anywhere in the gap.
- A pit is counted as an outcome of at least %d points; of 527 such outcomes of random deals all were pits.
`, PitOutcome)
	return b.String()
}

// writeSet writes the command that makes a data set.
func writeSet(b *strings.Builder, name string, rows uint64, seed string, value bool, rules klaverjas.Rules, leaderDeclares bool) {
	fmt.Fprintf(b, "roem-lab klaverjas dataset -out %s -sampling uniform -n %d -seed %s", name, rows, seed)
	if value {
		b.WriteString(" -goal value")
	}
	if rules.System != klaverjas.Rotterdam {
		fmt.Fprintf(b, " -rules '{\"system\":%q}'", rules.System)
	}
	if !leaderDeclares {
		b.WriteString(" -declarer EW")
	}
	b.WriteString("\n")
}
