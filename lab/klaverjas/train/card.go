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
func Markdown(c *deal.Card) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Model card: %s, version %s

<!-- Written by roem-lab klaverjas eval. Change lab/klaverjas/train/card.go, then run it again. -->

The model predicts the result of the exact search for a deal with all cards visible and nothing played: whether the declarers win, the outcome in points, and the nodes of the
search. It is a network, trained with floating-point numbers and served with 16-bit integers. `+"`GET /v1/klaverjas/models`"+` has all measurements, by confidence and by effort.

## Accuracy and calibration

On deals that are not in its training data, nor twins of deals in it. Intervals of 95 %% (bootstrap, %d samples). ECE: the mean distance between probability and share won over %d equal bins.

| held-out deals | rows | declarers win | accuracy | log loss | Brier | ECE | rank correlation with the nodes | within the 90th percentile |
|---|---|---|---|---|---|---|---|---|
`, c.Name, c.Version, replicates, eceBins)
	for _, s := range c.Sets {
		fmt.Fprintf(&b, "| %s | %d | %.2f %% | **%.2f %%** (%.2f to %.2f) | %.4f | %.4f | %.2f points (%.2f to %.2f) |", setName(s), s.Rows,
			100*s.ShareWon, 100*s.Accuracy.Value, 100*s.Accuracy.Low, 100*s.Accuracy.High, s.LogLoss.Value, s.Brier.Value,
			100*s.ECE.Value, 100*s.ECE.Low, 100*s.ECE.High)
		if h := s.Hardness; h.Coverage.Value > 0 {
			fmt.Fprintf(&b, " %.3f | %.2f %% |\n", h.RankCorrelation.Value, 100*h.Coverage.Value)
		} else {
			b.WriteString(" | |\n")
		}
	}
	b.WriteString("\n")
	for _, s := range c.Sets {
		if o := s.Outcome; o != nil {
			fmt.Fprintf(&b, "The mean absolute error of the outcome is %.1f points (root mean square %.1f) on %s.\n", o.MeanAbsoluteError, o.RMSE, setName(s))
		}
	}
	b.WriteString("The paper's best is 91.98 % (Table 3), for a random forest on one deal of each suit distribution. Simpler models are in " +
		"[tried.md](tried.md), the paper's forest in [trees.md](trees.md).\n\n")
	writeWeights(&b, c)
	b.WriteString("`lab/scripts/deal-model.sh` repeats the training: the same parameters, to the last bit, on any number of cores.\n\n")
	b.WriteString(`## Limits

- Only deals of which nothing has been played, under the rules and for the declarers above.
- It predicts perfect play with all cards visible, not the result between players who see their own hand.
- Its errors are mostly on deals with a close outcome, which are also expensive to search: [hybrid.md](hybrid.md) combines both.
- Its deals were drawn at random. The probabilities may not be calibrated for composed ones.
- The expected outcome is a mean, which hardly any deal ends with. The predicted time is of the machine that made the data, unless the server has measured its own.
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

// writeWeights writes a line for each file of weights.
func writeWeights(b *strings.Builder, c *deal.Card) {
	b.WriteString("## Weights\n\n")
	for _, w := range c.Weights {
		fmt.Fprintf(b, "- `%s`, version %s: %d parameters, %d bytes, SHA-256 `%s`; calibrated on %d other rows, labelled by search version %s.\n",
			fileOf(w.Header), w.Version, w.Parameters, w.Bytes, w.SHA256, w.Calibration.Rows, w.Solver)
	}
	b.WriteString("\n")
}

// Commands returns the script that reproduces the weights byte for byte, except for the speed of the search, which is measured:
// lab/scripts/deal-model.sh.
func Commands(c *deal.Card) string { //nolint:funlen // one text from top to bottom
	b := new(strings.Builder)
	b.WriteString("#!/usr/bin/env bash\n# Makes the weights of the deal network again. Written by roem-lab klaverjas eval -script.\nset -euo pipefail\n")
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
	return b.String()
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
