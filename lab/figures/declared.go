package figures

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// The pages and results from which figures are read, all written by commands.
const (
	search    = "lab/docs/klaverjas/search.md"
	card      = "lab/docs/klaverjas/model-card.md"
	hybrid    = "lab/docs/klaverjas/hybrid.md"
	bids      = "lab/docs/klaverjas/bidding.md"
	strength  = "lab/docs/klaverjas/hand-strength.md"
	matches   = "lab/docs/klaverjas/matches.md"
	verdicts  = "lab/docs/klaverjas/advice.md"
	paper     = "lab/docs/klaverjas/paper/README.md"
	baselines = "lab/docs/klaverjas/winners.csv"
)

// number matches a number in a pattern.
const number = `([+−-]?\d[\d,.]*)`

// read returns the figures that are read from what other commands write.
func read() []source {
	var all []source
	all = append(all, searchFigures()...)
	all = append(all, modelFigures()...)
	all = append(all, hybridFigures()...)
	all = append(all, tableFigures()...)
	return append(all, matchFigures()...)
}

// searchFigures returns the figures of the table of roem-lab klaverjas bench.
func searchFigures() (all []source) {
	for _, set := range []string{"uniform", "class-uniform", "hard"} {
		for _, goal := range []string{"win", "value", "moves"} {
			deals := "1,000 deals of the set " + set + ", seed 1"
			if set == "hard" {
				deals = "the 20 deals of the set hard"
			}
			row := fmt.Sprintf(`(?m)^\| %s +\| %s +\| +\d+ \| +\d+`, set, goal)
			for i, column := range []string{"mean", "median", "p99", "longest", "nodes.mean", "nodes.median", "nodes.p99", "nodes.most"} {
				unit := "ms"
				if i >= 4 {
					unit = "nodes"
				}
				all = append(all, source{
					name: fmt.Sprintf("klaverjas.search.%s.%s.%s", set, goal, column), unit: unit,
					on: deals + ", each with an empty table, one core", command: "make figures (roem-lab klaverjas bench -n 1000)", file: search,
					pattern: fmt.Sprintf(`%s(?: \| +[\d.]+){%d} \| +%s`, row, i, number),
				})
			}
			all = append(all, source{
				name: fmt.Sprintf("klaverjas.search.%s.%s.rate", set, goal), unit: "deals a second", on: deals + ", one core",
				command: "make figures (roem-lab klaverjas bench -n 1000)", file: search, pattern: row + ` \| +` + number,
				turn: func(ms float64) float64 { return float64(int(1000/ms + 0.5)) },
			})
		}
	}
	return all
}

// modelFigures returns the figures of the model of deals, from its card.
func modelFigures() (all []source) {
	for name, row := range map[string]string{
		"class-uniform": "class-uniform, seed 9001", "uniform": "uniform, seed 9002",
		"amsterdam.class-uniform": "amsterdam, class-uniform, seed 9001", "amsterdam.uniform": "amsterdam, uniform, seed 9002",
	} {
		begin := `(?m)^\| ` + regexp.QuoteMeta(row) + ` \| \d+ \| [\d.]+ % \| \*\*`
		on := "held-out deals: " + row + "; the leader's side declares"
		all = append(all,
			source{
				name: "klaverjas.model." + name + ".accuracy", unit: "%", on: on, command: "roem-lab klaverjas eval", file: card,
				pattern: begin + number + ` %`,
			},
			source{
				name: "klaverjas.model." + name + ".calibration", unit: "points of probability", on: on, command: "roem-lab klaverjas eval",
				file: card, pattern: begin + `.* ` + number + ` points \(`,
			},
		)
	}
	all = append(all, source{
		name: "klaverjas.model.rows", unit: "million deals", on: "the deals that the model was trained on", command: "roem-lab klaverjas train",
		file: card, pattern: `(?m)^\| \*\*this one\*\* \| ` + number + ` `, turn: func(n float64) float64 { return float64(int(n/1e6 + 0.5)) },
	})
	for name, model := range map[string]string{
		"share": `share of wins`, "logistic": `"logistic regression, handcrafted features"`,
		"forest": `"the paper's random forest, all features"`, "boosting": `"gradient boosting, all features"`,
	} {
		for _, set := range []string{"class-uniform", "uniform"} {
			all = append(all, source{
				name: "klaverjas.baselines." + name + "." + set, unit: "%", on: "the held-out deals of the model of deals, " + set,
				command: "roem-lab klaverjas baselines", file: baselines,
				pattern: `(?m)^` + set + `,` + regexp.QuoteMeta(model) + `,([\d.]+)`, turn: percent,
			})
		}
	}
	return append(all,
		source{
			name: "klaverjas.classes.won", unit: "%", on: "one deal of each of the 981,541 suit distributions, seed 1; the leader's team declares",
			command: "roem-lab klaverjas paper", file: paper, pattern: `\*\*` + number + ` %\*\*; in the paper`,
		},
		source{
			name: "klaverjas.classes.won.paper", unit: "%", on: "the deals of the paper", command: "the paper", file: paper,
			pattern: `in the paper they win [\d,]+ of [\d,]+, ` + number + ` %`,
		},
	)
}

// percent turns a share into percent, with two decimals, as fmt rounds it for the pages.
func percent(share float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(100*share, 'f', 2, 64), 64)
	if err != nil {
		return 100 * share
	}
	return rounded
}

// hybridFigures returns the figures of the hybrid, from the tables of roem-lab klaverjas tradeoff.
func hybridFigures() (all []source) {
	for set, title := range map[string]struct{ name, seed string }{
		"class-uniform": {"Class-uniform", "9001"}, "uniform": {"Uniform", "9002"},
	} {
		of := func(name, unit, row string, column int, turn func(float64) float64) {
			all = append(all, source{
				name: "klaverjas.hybrid." + set + "." + name, unit: unit,
				on:      "the first 20,000 of the 200,000 held-out deals, " + set + ", seed " + title.seed,
				command: "make -C lab klaverjas-hybrid", file: hybrid, turn: turn,
				pattern: fmt.Sprintf(`(?s)### %s deals\n.*?\n\| %s \|(?: [^|]* \|){%d} %s`, title.name, row, column, number),
			})
		}
		of("model.accuracy", "%", "model alone", 0, nil)
		of("model.time", "ms", "model alone", 3, nil)
		of("search.time", "ms", "search alone", 3, nil)
		of("default.accuracy", "%", "default", 0, nil)
		of("default.mistakes", "mistakes in 1,000 deals", "default", 0, inThousand)
		of("default.searched", "% of the cards that searches of all deals play", "default", 2, nil)
		of("budget-1.mistakes", "mistakes in 1,000 deals", "budget_ms 1", 0, inThousand)
		of("list-1.mistakes", "mistakes in 1,000 deals", "a list, budget_ms 1 a deal", 0, inThousand)
	}
	return all
}

// inThousand turns an accuracy in percent into mistakes in 1,000 deals, with one decimal.
func inThousand(accuracy float64) float64 { return math.Round(100*(100-accuracy)) / 10 }

// tableFigures say how right the estimates of hands, bids and reviews are.
func tableFigures() []source {
	return []source{
		{
			name: "klaverjas.bid.calibration", unit: "points of probability", on: "20,000 hands that policy players bid and played, seed 131",
			command: "make -C lab klaverjas-bidding", file: bids,
			pattern: "(?s)20,000 decisions.*?\n\\| `bid` \\| [\\d.]+ \\| [\\d.]+ \\| " + number,
		},
		{
			name: "klaverjas.hands.open.calibration", unit: "points of probability", on: "56,733 hands, all cards open, seed 2",
			command: "make -C lab klaverjas-bidding FIT=1", file: bids, pattern: `(?m)^\| all cards open \| [\d.]+ \| [\d.]+ \| ` + number,
		},
		{
			name: "klaverjas.hands.table.calibration", unit: "points of probability", on: "56,733 hands, at the table, seed 2",
			command: "make -C lab klaverjas-bidding FIT=1", file: bids, pattern: `(?m)^\| at the table \| [\d.]+ \| [\d.]+ \| ` + number,
		},
		{
			name: "klaverjas.table.games", unit: "hands", on: "hands of four policy players, seed 1, to which the table model is fitted",
			command: "make -C lab klaverjas-bidding FIT=1", file: strength, pattern: `(?m)^\| ` + number + ` deals \| log score`,
		},
		{
			name: "klaverjas.deals.open.calibration", unit: "points of probability", on: "400,000 deals, all cards open",
			command: "roem-lab klaverjas table-eval", file: strength,
			pattern: `(?m)^\| network, all cards open \| [\d.]+ \| [\d.]+ \| ` + number,
		},
		{
			name: "klaverjas.deals.table.calibration", unit: "points of probability", on: "400,000 deals, at the table",
			command: "roem-lab klaverjas table-eval", file: strength, pattern: `(?m)^\| map of deals \| [\d.]+ \| [\d.]+ \| ` + number,
		},
		{
			name: "klaverjas.hands.rmse", unit: "points of probability", on: "160 estimates of 40 hands, Rotterdam, seed 4",
			command: "make -C lab klaverjas-strength", file: strength, pattern: `(?m)^\| root mean square error \| ` + number + ` points \| 0\.94`,
		},
		{
			name: "klaverjas.strength.exact.time", unit: "ms", on: "100 hands with four trumps, precision 1, seed 1",
			command: "make -C lab klaverjas-strength", file: strength, pattern: `(?m)^\| time for four trumps, mean \| [\d.]+ ms \| ` + number,
		},
		{
			name: "klaverjas.verdicts.same", unit: "choices", on: "32 hands between simple players with four seeds, against 1,500 worlds",
			command: "make -C lab klaverjas-verdicts", file: verdicts, pattern: number + ` of all [\d,]+ choices`,
		},
		{
			name: "klaverjas.verdicts.all", unit: "choices", on: "32 hands between simple players with four seeds",
			command: "make -C lab klaverjas-verdicts", file: verdicts, pattern: `[\d,]+ of all ` + number + ` choices`,
		},
	}
}

// matchFigures returns the results of duplicate matches that other pages state again.
func matchFigures() (all []source) {
	for _, m := range []struct {
		name, a, b, run string
		timed           bool
	}{
		{"belief-20.pimc-20", "belief:20", "pimc:20", "2000", false},
		{"mixture-200.logical", "mixture:200", "logical", "2000, 101", true},
		{"playout-500.logical", "playout:500", "logical", "2000, 101", false},
	} {
		row := fmt.Sprintf(`(?m)^\| %s \| %s \| %s \| `, regexp.QuoteMeta(m.a), regexp.QuoteMeta(m.b), m.run)
		if m.timed {
			all = append(all, source{
				name: "klaverjas.match." + m.name + ".time", unit: "ms a card", on: "duplicate deals, seed: " + m.run,
				command: "roem match", file: matches, pattern: row + `[^|]+\| ` + number + ` ms`,
			})
		}
		for part, pattern := range map[string]string{
			"points": number, "low": `\S+ \(` + number, "high": `\S+ \(\S+ to ` + number + `\)`,
		} {
			all = append(all, source{
				name: "klaverjas.match." + m.name + "." + part, unit: "points a hand", on: "duplicate deals, seed: " + m.run,
				command: "make -C lab klaverjas-matches, or roem match", file: matches, pattern: row + pattern,
			})
		}
	}
	return all
}

// own returns the figures that roem-lab figures measures.
func own() (all []source) {
	for _, q := range Questions() {
		all = append(all, source{
			name: "klaverjas.time." + q.Name, unit: "ms", on: q.On + "; one core, without HTTP", command: "make figures",
		})
	}
	for _, of := range []string{"same", "other"} {
		on := "solves of one position, " + map[string]string{
			"same": "in the same bytes each time", "other": "in other bytes each time",
		}[of] + "; 16 clients, the medians of 9 rounds"
		for part, unit := range map[string]string{
			"rate": "answers a second", "bare": "answers a second of a bare handler", "ratio": "of a bare handler",
		} {
			all = append(all, source{
				name: "service.cached." + of + "." + part, unit: unit, on: on, command: "make figures (make proof NAME=cached)",
			})
		}
	}
	return all
}
