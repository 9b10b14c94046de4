package train

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/model/klaverjas/deal"
	"roem/lab/klaverjas/dataset"
)

// NewCard returns the card of a model without its measurements.
func NewCard(m *deal.Model) *deal.Card {
	c := &deal.Card{Name: m.Name(), Version: m.Version()}
	for _, t := range m.Trained() {
		c.Weights = append(c.Weights, deal.CardWeights(t))
	}
	return c
}

// Keep adds to a card what an earlier card measured of the same weights: the sets whose weights both have, and the baselines and the
// learning curve if both have the first weights.
func Keep(c, earlier *deal.Card) {
	sum := func(c *deal.Card, s deal.SetReport) string {
		for _, w := range c.Weights {
			if klaverjas.Rules(w.Rules) == deal.RulesOr(s.Rules) && w.LeaderDeclares == s.LeaderDeclares {
				return w.SHA256
			}
		}
		return ""
	}
	for _, s := range earlier.Sets {
		if have := sum(c, s); have != "" && have == sum(earlier, s) {
			rules := klaverjas.RulesJSON(deal.RulesOr(s.Rules))
			s.Rules = &rules
			AddSet(c, s)
		}
	}
	if len(c.Weights) > 0 && len(earlier.Weights) > 0 && c.Weights[0].SHA256 == earlier.Weights[0].SHA256 {
		c.Baselines, c.LearningCurve = earlier.Baselines, earlier.LearningCurve
	}
}

// AddSet adds the measurements on a set to a card. They replace those on the same set.
func AddSet(c *deal.Card, report deal.SetReport) {
	at := slices.IndexFunc(c.Sets, func(s deal.SetReport) bool { return setName(s) == setName(report) })
	if at < 0 {
		c.Sets = append(c.Sets, report)
		return
	}
	c.Sets[at] = report
}

// Markdown returns the card as a document: lab/docs/klaverjas/model-card.md.
func Markdown(c *deal.Card) string { //nolint:funlen // one text from top to bottom
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	say(`# Model card: %s, version %s

<!-- Written by roem-lab klaverjas eval. Change lab/klaverjas/train/card.go, then run it again. -->

The model predicts the result of the exact search for a deal with all cards visible and nothing played: whether the declarers win,
the outcome in points, and how many nodes the search takes. It is a neural network, written in Go, trained with floating-point numbers
and served with 16-bit integers. The figures below are for deals that are not in its training data and are not
twins of deals in it. Intervals are 95 %% confidence intervals (bootstrap, %d samples).

## Accuracy and calibration

`, c.Name, c.Version, replicates)
	say("| held-out deals | rows | declarers win | accuracy | log loss | Brier | calibration error (ECE) |\n|---|---|---|---|---|---|---|\n")
	for _, s := range c.Sets {
		say("| %s | %d | %.2f %% | **%.2f %%** (%.2f to %.2f) | %.4f (%.4f to %.4f) | %.4f (%.4f to %.4f) | %.2f points (%.2f to %.2f) |\n",
			setName(s), s.Rows, 100*s.ShareWon, 100*s.Accuracy.Value, 100*s.Accuracy.Low, 100*s.Accuracy.High,
			s.LogLoss.Value, s.LogLoss.Low, s.LogLoss.High, s.Brier.Value, s.Brier.Low, s.Brier.High,
			100*s.ECE.Value, 100*s.ECE.Low, 100*s.ECE.High)
	}
	say(`
Log loss uses the natural logarithm. The calibration error is the mean distance between the predicted probability and the share of deals won, over %d equal
bins of the probability, weighted by the number of deals. Because of sampling it is not 0 even for a perfectly calibrated model.

The paper (Table 3) reports 91.98 %% at best, for a random forest on one deal of each suit distribution, which is close to class-uniform
sampling. Uniform deals are what players receive. They are harder, because one-sided suit distributions are rare among them.

`, eceBins)
	writeBaselines(&b, c)
	writeBins(&b, c)
	writeHardness(&b, c)
	writeMaking(&b, c)
	writeCommands(&b, c)
	say(`## What was tried

The aim was 96 %% on class-uniform deals. Each change was compared with the same network without it after equally many examples, most of them first uses
of a row. The gain is in accuracy, averaged over both kinds of deals:

| change | gain |
|---|---|
| tables of six, six and four cards instead of three of five, 2.5 million examples | +0.35 points |
| a table of four cards in addition to three of five, 2.5 million examples | +0.25 points |
| one of the three tables with six cards, 2.5 million examples | +0.25 points |
| three layers of 80 numbers instead of two of 96, with equal cost, 2.5 million examples | 0.0 points |
| four layers of 64, with equal cost, 2.5 million examples | −0.2 points |
| a third layer of 96, 1.5 times the cost, 5 million examples | 0.0 points |
| codes of 128 numbers, 1.5 times the cost, a million examples | +0.1 points |
| integers instead of floating-point numbers, 8 bits in tables | 0.0 points |

Averaging predictions over relabellings of the plain suits has no effect: the plain suits are input as a set, so that all relabellings of a deal are the same input.

The largest gain came from other training rows. After 180 million examples from 16.6 million random deals, the accuracy was 96.9 %% on the deals of the
training data, and 95.6 and 94.3 %% on others: the network was limited by the number of deals. Most random deals teach it nothing, because it already predicts them correctly with high confidence.
The model then selected 7.7 million deals: those for which a million cards of search avoid at least eight of its mistakes (one deal of six; [datasets.md](datasets.md)). Labelling them
took an hour on two cores. Its accuracy on them was about 80 %%. After 140 million further examples, in which these deals occur twice as often as others, the accuracy was
96.3 and 95.2 %% on the held-out deals, which are not selected.

The weights for Amsterdam continue those for Rotterdam. The systems differ only in when a player must ruff, so that two rounds over some hundred
thousand rows are enough. Thirteen rounds over 118,000 rows gave about the same accuracy, but 99.8 %% on the training rows: the probabilities were far too sure, with twice the
log loss on other deals.

## Limits

- The model predicts only deals of which nothing has been played, under the rules and for the declarers above. For all other requests the service
  reports that it has no prediction, and only the search answers.
- It predicts perfect play with all cards visible. It does not predict the result between players who see only their own hand.
- Its errors are mostly on deals with a close outcome, for which the search is expensive too. A prediction is a probability and not a proof. The
  search is exact.
- All deals in its training data were drawn at random. Composed deals may differ from them, and the probabilities may not be calibrated for
  those.
- More selected rows would improve it further. A third layer gained nothing.
- It is meant to be combined with the search: [hybrid.md](hybrid.md) gives the accuracy and the cost of both together.
- The expected outcome is a mean, and hardly any deal ends with exactly that outcome: wins and losses are far apart.
- The predicted time is the predicted nodes divided by a speed. This is the speed of the machine on which the data were made, unless the server
  has measured its own.
`)
	return b.String()
}

func setName(s deal.SetReport) string {
	name := fmt.Sprintf("%s, seed %s", s.Sampling, s.Seed)
	if rules := deal.RulesOr(s.Rules); rules != klaverjas.DefaultRules(klaverjas.Rotterdam) {
		name = rules.System.String() + ", " + name
	}
	if !s.LeaderDeclares {
		name += ", the leader's opponents declare"
	}
	return name
}

func writeBaselines(b *strings.Builder, c *deal.Card) {
	percent := func(x float64) string {
		if x == 0 {
			return ""
		}
		return fmt.Sprintf("%.2f %%", 100*x)
	}
	if len(c.Baselines) > 0 && len(c.Sets) > 0 {
		fmt.Fprintf(b, "## Comparison with baselines\n\nAccuracy on held-out deals; north and south lead and declare.\n\n| model | trained on "+
			"rows | class-uniform | uniform |\n|---|---|---|---|\n")
		for _, r := range c.Baselines {
			fmt.Fprintf(b, "| %s | %d | %s | %s |\n", r.Name, r.Rows, percent(r.ClassUniform), percent(r.Uniform))
		}
		rows, _ := looks(c.Weights[0].Header)
		this := deal.Baseline{Name: "**this one**", Rows: rows}
		for _, s := range slices.Backward(c.Sets) {
			if deal.RulesOr(s.Rules) != klaverjas.Rules(c.Weights[0].Rules) || s.LeaderDeclares != c.Weights[0].LeaderDeclares {
				continue
			}
			if s.Sampling == string(dataset.Uniform) {
				this.Uniform = s.Accuracy.Value
			} else {
				this.ClassUniform = s.Accuracy.Value
			}
		}
		fmt.Fprintf(b, "| %s | %d | %s | %s |\n\nThe other models are the [baselines](baselines/README.md). A server can also answer with a "+
			"[forest or a tree](trees.md).\n\n", this.Name, this.Rows,
			percent(this.ClassUniform), percent(this.Uniform))
	}
	if len(c.LearningCurve) > 0 {
		fmt.Fprintf(b, "## Learning curve\n\nThe same network after less training. Rows are different deals. Examples count repetitions.\n\n| "+
			"rows | examples | class-uniform | uniform |\n|---|---|---|---|\n")
		for _, p := range c.LearningCurve {
			fmt.Fprintf(b, "| %d | %d | %s | %s |\n", p.Rows, p.Examples, percent(p.ClassUniform), percent(p.Uniform))
		}
		b.WriteString("\n")
	}
}

func writeBins(b *strings.Builder, c *deal.Card) {
	fmt.Fprintf(b, "## Where it is wrong\n\n")
	for _, s := range c.Sets {
		fmt.Fprintf(b, "%s:\n\n| confidence | share of deals | mean confidence | accuracy |\n|---|---|---|---|\n", upper(setName(s)))
		for _, x := range s.ByConfidence {
			fmt.Fprintf(b, "| %g to %g | %.2f %% | %.2f %% | %.2f %% |\n", x.From, x.To, 100*x.Share, 100*x.Expected, 100*x.Accuracy)
		}
		if len(s.ByEffort) > 0 {
			fmt.Fprintf(b, "\n| nodes of the search | share of deals | accuracy |\n|---|---|---|\n")
			for _, x := range s.ByEffort {
				name := fmt.Sprintf("%d to %d", x.From, x.To-1)
				if x.To == 0 {
					name = fmt.Sprintf("%d and more", x.From)
				}
				fmt.Fprintf(b, "| %s | %.2f %% | %.2f %% |\n", name, 100*x.Share, 100*x.Accuracy)
			}
		}
		b.WriteString("\n")
	}
}

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func writeHardness(b *strings.Builder, c *deal.Card) {
	fmt.Fprintf(b, `## Hardness

The model predicts the log10 of the nodes that the search takes for goal `+"`win`"+
		`, and their 90th percentile. The correlation is Spearman's, between
predicted and actual nodes.

| held-out deals | rank correlation, from the hands | from the suit distribution alone | error (RMSE, log10) | deals within the predicted 90th percentile |
|---|---|---|---|---|
`)
	for _, s := range c.Sets {
		h := s.Hardness
		if h.Coverage.Value == 0 {
			continue
		}
		fmt.Fprintf(b, "| %s | %.3f (%.3f to %.3f) | %.3f | %.3f | %.2f %% (%.2f to %.2f) |\n", setName(s), h.RankCorrelation.Value,
			h.RankCorrelation.Low, h.RankCorrelation.High, h.RankCorrelationFromClass, h.RMSE,
			100*h.Coverage.Value, 100*h.Coverage.Low, 100*h.Coverage.High)
	}
	b.WriteString("\n")
	for _, s := range c.Sets {
		if o := s.Outcome; o != nil {
			fmt.Fprintf(b, "The mean absolute error of the predicted outcome is %.1f points (root mean square %.1f) on %s.\n\n", o.MeanAbsoluteError,
				o.RMSE, setName(s))
		}
	}
}

func writeMaking(b *strings.Builder, c *deal.Card) {
	b.WriteString("## Weights and training data\n\n")
	for _, w := range c.Weights {
		side := "the leader's side declares"
		if !w.LeaderDeclares {
			side = "the leader's opponents declare"
		}
		rules := "the rules of the paper, rotterdam"
		switch klaverjas.Rules(w.Rules) {
		case klaverjas.DefaultRules(klaverjas.Rotterdam):
		case klaverjas.DefaultRules(klaverjas.Amsterdam):
			rules = "the default rules of amsterdam"
		default:
			rules = "rules of its own, " + w.Rules.System.String()
		}
		fmt.Fprintf(b, "**%s %s**: %s; %s. %d parameters in %d bytes, SHA-256 `%s`.\n\n", w.Name, w.Version, rules, side, w.Parameters, w.Bytes,
			w.SHA256)
		t := w.Training
		fmt.Fprintf(b, "Suit codes of %d numbers, %d layers in which suits exchange information, dense layers of %d and %d. Trained on %d "+
			"examples, %d per step,\nlearning rate %g falling to a fraction %g of it, seed %d",
			t.Shape.Width, t.Shape.Layers, t.Shape.Head[0], t.Shape.Head[1], t.Examples, t.Batch, t.Rate, t.EndRate, t.Seed)
		for _, p := range w.Before {
			fmt.Fprintf(b, ", after weights %s… (%d examples, rate %g)", p.SHA256[:12], p.Training.Examples, p.Training.Rate)
		}
		fmt.Fprintf(b, ".\nCalibrated on %d other rows. Labelled by search version %s at %.0f nodes per millisecond.\n\n| data set | goal | "+
			"seed | rows |\n|---|---|---|---|\n",
			w.Calibration.Rows, w.Solver, w.NodesPerMillisecond)
		for _, d := range w.Data {
			sampling := d.Sampling
			if d.ChosenBy != "" {
				sampling += fmt.Sprintf(", gain at least %g for %.12s…", d.Gain, d.ChosenBy)
			}
			fmt.Fprintf(b, "| %s | %s | %s | %d |\n", sampling, d.Goal, d.Seed, d.Rows)
		}
		b.WriteString("\n")
	}
}

// writeCommands writes the commands that reproduce the weights byte for byte, except for the speed of the search, which is measured.
func writeCommands(b *strings.Builder, c *deal.Card) { //nolint:funlen // one text from top to bottom
	b.WriteString("## Reproduction\n\nTraining gives the same parameters, to the last bit, on any number of cores.\n\n```sh\n")
	named := map[string]string{}
	stages := map[string]string{} // files by checksum
	set := func(d deal.Data, leader bool, rules klaverjas.Rules) string {
		flags := fmt.Sprintf("-sampling %s", d.Sampling)
		if d.Sampling != string(dataset.Classes) {
			flags += fmt.Sprintf(" -n %d", d.SetRows)
		}
		flags += " -seed " + d.Seed
		if d.Goal != search.Win.String() {
			flags += " -goal " + d.Goal
		}
		flags += rulesFlag(rules)
		if !leader {
			flags += " -declarer EW"
		}
		if d.ChosenBy != "" {
			flags += fmt.Sprintf(" -gain %g -model %s", d.Gain, stages[d.ChosenBy])
		}
		if all := int((d.SetRows + shardRows - 1) / shardRows); d.Shards < all {
			flags += fmt.Sprintf(" -to %d", d.Shards)
		}
		name, ok := named[flags]
		if !ok {
			name = fmt.Sprintf("data/%d", len(named)+1)
			named[flags] = name
			fmt.Fprintf(b, "roem-lab klaverjas dataset -out %s %s\n", name, flags)
		}
		return name
	}
	for _, w := range c.Weights {
		all := append(slices.Clone(w.Before), deal.Stage{
			SHA256: w.SHA256, Version: w.Version, Training: w.Training, Data: w.Data, HeldOut: w.HeldOut, LeaderDeclares: w.LeaderDeclares,
			Rules: &w.Rules,
		})
		start := ""
		for i, s := range all {
			file, ok := stages[s.SHA256]
			if !ok {
				file = fmt.Sprintf("%d.roemnet", len(stages)+1)
				if i == len(all)-1 {
					file = fileOf(w.Header)
				}
				stages[s.SHA256] = file
				var data, held []string
				for _, d := range s.HeldOut {
					held = append(held, set(d, s.LeaderDeclares, deal.RulesOr(s.Rules)))
				}
				for _, d := range s.Data {
					data = append(data, set(d, s.LeaderDeclares, deal.RulesOr(s.Rules)))
				}
				t := s.Training
				fmt.Fprintf(b, "roem-lab klaverjas train -out %s -version %s", file, s.Version)
				if start != "" {
					fmt.Fprintf(b, " -start %s", start)
				} else {
					fmt.Fprintf(b, " -width %d -layers %d -head %d", t.Shape.Width, t.Shape.Layers, t.Shape.Head[0])
				}
				fmt.Fprintf(b, " -rows %d -batch %d -rate %g -end-rate %g -decay %g \\\n  -outcome-weight %g -effort-weight %g -seed %d", t.Examples,
					t.Batch,
					t.Rate, t.EndRate, t.Decay, t.OutcomeWeight, t.EffortWeight, t.Seed)
				if len(s.Data) > 0 && s.Data[0].Limit > 0 {
					fmt.Fprintf(b, " -limit %d", s.Data[0].Limit)
				}
				if len(held) > 0 {
					fmt.Fprintf(b, " -held-out %s", strings.Join(held, ","))
				}
				fmt.Fprintf(b, " %s\n", strings.Join(data, " "))
			}
			start = file
		}
	}
	b.WriteString("```\n\n")
}

// rulesFlag returns the flag of roem-lab klaverjas dataset for rules, or nothing for those that it uses without the flag.
func rulesFlag(rules klaverjas.Rules) string {
	switch rules {
	case klaverjas.DefaultRules(klaverjas.Rotterdam):
		return ""
	case klaverjas.DefaultRules(rules.System):
		return fmt.Sprintf(` -rules '{"system":%q}'`, rules.System)
	}
	text, err := json.Marshal(klaverjas.RulesJSON(rules))
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" -rules '%s'", text)
}

// fileOf returns the name of a finished file of weights, as in internal/model/klaverjas/deal/weights.
func fileOf(h deal.Header) string {
	name := "opponents.roemnet"
	if h.LeaderDeclares {
		name = "leader.roemnet"
	}
	if klaverjas.Rules(h.Rules) != klaverjas.DefaultRules(klaverjas.Rotterdam) {
		name = h.Rules.System.String() + "-" + name
	}
	return name
}

// shardRows is the number of rows of a shard of roem-lab klaverjas dataset.
const shardRows = 16384
