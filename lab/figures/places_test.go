package figures_test

import "roem/lab/figures"

// The folders and pages of the places.
const (
	readme      = "README.md"
	explanation = "docs/explanation/"
	howTo       = "docs/how-to/"
	reference   = "docs/reference/"
	tutorials   = "docs/tutorials/"
	lab         = "lab/docs/"
	contract    = "api/src/"
	project     = "docs/project/operations.md"
)

// places are the sentences with figures and limits.
var places = []figures.Place{
	// The README: three rows of speed, and the times of ten questions.
	{Page: readme, Text: "| who wins | {klaverjas.search.uniform.win.mean|2g} ms | {klaverjas.search.uniform.win.longest|2g} ms |"},
	{Page: readme, Text: "| the outcome | {klaverjas.search.uniform.value.mean|2g} ms | {klaverjas.search.uniform.value.longest|2g} ms |"},
	{Page: readme, Text: "| every card | {klaverjas.search.uniform.moves.mean|2g} ms | {klaverjas.search.uniform.moves.longest|2g} ms |"},
	{Page: readme, Text: "| `legal-moves` | exact | {klaverjas.time.legal-moves|time} |"},
	{Page: readme, Text: "| `solve` | exact | {klaverjas.time.solve|time} |"},
	{Page: readme, Text: "| `table` | exact | {klaverjas.time.table|time} |"},
	{Page: readme, Text: "| `analyse` | exact | {klaverjas.time.analyse|time} |"},
	{Page: readme, Text: "| `predict` | estimated | {klaverjas.time.predict|time} |"},
	{Page: readme, Text: "| `hybrid` | says which | {klaverjas.time.hybrid|time} |"},
	{Page: readme, Text: "| `knowledge` | exact | {klaverjas.time.knowledge|time} |"},
	{Page: readme, Text: "| `advise` | estimated | {klaverjas.time.advise|time} |"},
	{Page: readme, Text: "| `hand-strength`, `bid` | estimated | {klaverjas.time.bid|time} |"},
	{Page: readme, Text: "| `review` | both | {klaverjas.time.review|time} |"},

	// Times of the search.
	{
		Page: explanation + "search.md",
		Text: "takes {klaverjas.search.uniform.value.mean|1} ms on average, and {klaverjas.search.uniform.value.longest|0} " +
			"ms for the slowest of 1,000",
	},
	{
		Page: howTo + "solve-predict-or-hybrid.md",
		Text: "{klaverjas.search.uniform.win.mean|1g} ms for `win`, {klaverjas.search.uniform.value.mean|1g} ms for `value`, " +
			"{klaverjas.search.uniform.moves.mean|1g} ms for `moves`",
	},
	{
		Page: contract + "klaverjas.yaml",
		Text: "takes {klaverjas.search.uniform.win.mean|1g} ms for `win` and {klaverjas.search.uniform.value.mean|1g} ms for " +
			"`value` on average",
	},
	{
		Page: howTo + "size-a-deployment.md",
		Text: "solves some {klaverjas.search.uniform.value.rate|1g} random deals a second, and finds who wins for some " +
			"{klaverjas.search.uniform.win.rate|2g} ([speed]",
	},
	{
		Page: howTo + "size-a-deployment.md",
		Text: "takes some {klaverjas.time.advise.first|time} of one core at the first trick and a few hundredths of a second later, " +
			"a review of a hand some {klaverjas.time.review|time}",
	},
	{Page: howTo + "show-mistakes.md", Text: "| what each card cost with all cards open: exact | {klaverjas.time.analyse|time} |"},
	{Page: howTo + "show-mistakes.md", Text: "with a verdict | {klaverjas.time.review|time} for a hand |"},

	// How right the models are.
	{
		Page: explanation + "models.md",
		Text: "| {klaverjas.model.rows} million solved deals | {klaverjas.model.uniform.accuracy|2} % of random deals right; " +
			"calibration error {klaverjas.model.uniform.calibration|2} points |",
	},
	{Page: explanation + "models.md", Text: "| {klaverjas.hands.rmse|2} points of probability off"},
	{
		Page: explanation + "models.md",
		Text: "| {klaverjas.table.games} hands of the program's players | calibration error {klaverjas.hands.table.calibration|1} points |",
	},
	{Page: explanation + "hybrid.md", Text: "right about {klaverjas.model.uniform.accuracy|0} of 100 random deals"},
	{Page: howTo + "solve-predict-or-hybrid.md", Text: "| {klaverjas.model.uniform.accuracy|0} % of random deals right"},
	{
		Page: reference + "outcome-and-signs.md",
		Text: "the probabilities of `bid` are off by {klaverjas.bid.calibration|1} points, and the probabilities of `predict` by " +
			"{klaverjas.model.uniform.calibration|2},",
	},
	{
		Page: explanation + "open-cards-and-the-table.md",
		Text: "off by {klaverjas.deals.open.calibration|0} points on average for a given deal. After a correction that was learned from " +
			"{klaverjas.table.games} played hands, they are off by {klaverjas.deals.table.calibration|1} points. For eight " +
			"cards the difference is " +
			"smaller, {klaverjas.hands.open.calibration|1} points against {klaverjas.hands.table.calibration|1},",
	},
	{
		Page: lab + "klaverjas/hybrid.md",
		Text: "it has {klaverjas.model.class-uniform.accuracy|2} % on the class-uniform deals, and " +
			"{klaverjas.model.uniform.accuracy|2} % on the uniform ones",
	},
	{
		Page: lab + "klaverjas/baselines/README.md",
		Text: "**class-uniform** deals, of which the declarers win {klaverjas.baselines.share.class-uniform|2} %",
	},
	{
		Page: lab + "klaverjas/baselines/README.md",
		Text: "**uniform** deals, of which the declarers win {klaverjas.baselines.share.uniform|2} %",
	},
	{
		Page: lab + "klaverjas/model-card.md",
		Text: "| share of wins | 399998 | {klaverjas.baselines.share.class-uniform|2} % | {klaverjas.baselines.share.uniform|2} % |",
	},
	{
		Page: lab + "klaverjas/model-card.md",
		Text: "| logistic regression, handcrafted features | 399998 | {klaverjas.baselines.logistic.class-uniform|2} % | " +
			"{klaverjas.baselines.logistic.uniform|2} % |",
	},
	{
		Page: lab + "klaverjas/model-card.md",
		Text: "| the paper's random forest, all features | 399998 | {klaverjas.baselines.forest.class-uniform|2} % | " +
			"{klaverjas.baselines.forest.uniform|2} % |",
	},
	{
		Page: lab + "klaverjas/model-card.md",
		Text: "| gradient boosting, all features | 399998 | {klaverjas.baselines.boosting.class-uniform|2} % | " +
			"{klaverjas.baselines.boosting.uniform|2} % |",
	},
	{
		Page: lab + "klaverjas/search.md",
		Text: "which is {klaverjas.classes.won|2} %. (The paper, with other deals of the same classes: 528,339, " +
			"{klaverjas.classes.won.paper|2} %.)",
	},

	// The hybrid.
	{
		Page: explanation + "hybrid.md",
		Text: "By default some {klaverjas.hybrid.class-uniform.default.searched|0} to " +
			"{klaverjas.hybrid.uniform.default.searched|0} % of the search " +
			"effort is spent, and {klaverjas.hybrid.class-uniform.default.mistakes|0} to " +
			"{klaverjas.hybrid.uniform.default.mistakes|0} mistakes in 1,000",
	},
	{
		Page: explanation + "hybrid.md",
		Text: "together leaves {klaverjas.hybrid.uniform.list-1.mistakes|0} mistakes; 1 ms for each deal alone leaves " +
			"{klaverjas.hybrid.class-uniform.budget-1.mistakes|0} to {klaverjas.hybrid.uniform.budget-1.mistakes|0} in 1,000",
	},
	{
		Page: howTo + "solve-predict-or-hybrid.md",
		Text: "{klaverjas.hybrid.class-uniform.default.searched|0} to {klaverjas.hybrid.uniform.default.searched|0} % of the work, with " +
			"{klaverjas.hybrid.class-uniform.default.mistakes|0} to {klaverjas.hybrid.uniform.default.mistakes|0} mistakes in 1,000 |",
	},
	{
		Page: howTo + "solve-predict-or-hybrid.md",
		Text: "{klaverjas.hybrid.uniform.list-1.mistakes|0} mistakes in 1,000 deals were left in the " +
			"[measurements](../lab/klaverjas/hybrid.md#results); " +
			"with 1 ms for each single deal, {klaverjas.hybrid.class-uniform.budget-1.mistakes|0} to " +
			"{klaverjas.hybrid.uniform.budget-1.mistakes|0}.",
	},

	{
		Page: lab + "klaverjas/hybrid.md",
		Text: "of 1 ms for each single deal leaves {klaverjas.hybrid.class-uniform.budget-1.mistakes|0} to " +
			"{klaverjas.hybrid.uniform.budget-1.mistakes|0} mistakes in 1,000 deals",
	},
	{
		Page: lab + "klaverjas/model-card.md",
		Text: "the accuracy was {klaverjas.model.class-uniform.accuracy|1} and {klaverjas.model.uniform.accuracy|1} % on the held-out deals",
	},

	// Reviews.
	{Page: howTo + "show-mistakes.md", Text: "in {klaverjas.verdicts.same} of {klaverjas.verdicts.all} choices"},
	{
		Page: reference + "klaverjas-reasons.md",
		Text: "Of [{klaverjas.reasons.mistakes} mistakes](../lab/klaverjas/reasons.md) of hands that the program played, " +
			"{klaverjas.reasons.none|0} % have no reason.",
	},

	// Matches, and other figures that pages of the lab state again.
	{
		Page: lab + "klaverjas/advice.md",
		Text: "`belief:20` scores {klaverjas.match.belief-20.pimc-20.points|1} points a hand ({klaverjas.match.belief-20.pimc-20.low|1} to " +
			"{klaverjas.match.belief-20.pimc-20.high|1}) more than `pimc:20`",
	},
	{
		Page: lab + "klaverjas/hidden-cards.md",
		Text: "`mixture:200` beats `logical` by {klaverjas.match.mixture-200.logical.points|1} " +
			"({klaverjas.match.mixture-200.logical.low|1} to " +
			"{klaverjas.match.mixture-200.logical.high|1}) over 2,000 deals of seed 101, in {klaverjas.match.mixture-200.logical.time|1} ms a card,",
	},
	{
		Page: lab + "klaverjas/hidden-cards.md",
		Text: "`playout:500` has {klaverjas.match.playout-500.logical.points|1} ({klaverjas.match.playout-500.logical.low|1} to " +
			"{klaverjas.match.playout-500.logical.high|1}) on the same deals",
	},
	{
		Page: lab + "klaverjas/hidden-cards.md",
		Text: "MISSED by `exact`: {klaverjas.strength.exact.time|0} ms,",
	},
	{
		Page: lab + "service.md",
		Text: "in the same bytes each time {service.cached.same.rate} a second against {service.cached.same.bare}: " +
			"{service.cached.same.ratio|2}; " +
			"in other bytes each time {service.cached.other.rate} against {service.cached.other.bare}: {service.cached.other.ratio|2};",
	},
}
