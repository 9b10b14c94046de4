//go:build !js

package klaverjas

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/logic"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// solveFlags adds the flags of the command solve.
func solveFlags(flags *flag.FlagSet) service.Reader[*Game] {
	goal := search.Value
	flags.Func("goal", "the `goal` of lines without a goal: win, value or moves (default value)", func(text string) (err error) {
		goal, err = search.ParseGoal(text)
		return err
	})
	parse := service.BodyOf("KlaverjasSolveRequest", func(g *Game, in solveBody) (*SolveQuery, error) { return readSolve(goal)(g, in) })
	return service.OpOf(parse, (*Game).outSolved).Reader()
}

// hybridFlags adds the flags of the command hybrid.
func hybridFlags(flags *flag.FlagSet) service.Reader[*Game] {
	var (
		budget, confidence *float64
		route              string
	)
	number := func(to **float64, least, most float64) func(string) error {
		return func(text string) error {
			value, err := strconv.ParseFloat(text, 64)
			if err != nil || !(value >= least && value <= most) { // NaN is neither
				return fmt.Errorf("expected a number from %g to %g", least, most)
			}
			*to = &value
			return nil
		}
	}
	flags.Func("budget-ms", "the budget in `milliseconds`, 0 to 600000, for lines without budget_ms", number(&budget, 0, 600_000))
	flags.Func("min-confidence", "the minimum `confidence`, 0.5 to 1, at which the model's answer is accepted, for lines without "+
		"min_confidence", number(&confidence, 0.5, 1))
	flags.Func("route", "the `route` of lines without a route: distribution, doubt or auto (default auto)", func(text string) error {
		route = text
		_, err := parseChoice(text)
		return err
	})
	parse := service.Then(ParseHybrid().Filled(func(line []byte) []byte { return service.WithDefault(line, "route", route) }),
		func(_ *Game, q HybridQuery) (HybridQuery, error) {
			q.BudgetMs, q.MinConfidence = cmp.Or(q.BudgetMs, budget), cmp.Or(q.MinConfidence, confidence)
			return q, fitsChoice(q.By, q.MinConfidence)
		})
	return service.Reads(parse, (*Game).hybrid)
}

// predictFlags adds the flags of the command predict.
func predictFlags(flags *flag.FlagSet) service.Reader[*Game] {
	model := ""
	flags.Func("model", "the `model` of lines without a model: network, forest or tree (default network)", func(text string) error {
		if !api.KlaverjasModelKind(text).Valid() {
			return fmt.Errorf("expected %s, %s or %s", api.KlaverjasModelKindNetwork, api.KlaverjasModelKindForest, api.KlaverjasModelKindTree)
		}
		model = text
		return nil
	})
	return withDefault("model", &model, ParsePredict(), atOnce((*Game).Predict))
}

// knowledgeFlags adds the flags of the command knowledge.
func knowledgeFlags(flags *flag.FlagSet) service.Reader[*Game] {
	level := ""
	flags.Func("level", "the `level` of lines without a level: rules, belief or paper (default rules)", func(text string) error {
		if !api.KlaverjasKnowledgeLevel(text).Valid() {
			return fmt.Errorf("expected %s, %s or %s",
				api.KlaverjasKnowledgeLevelRules, api.KlaverjasKnowledgeLevelBelief, api.KlaverjasKnowledgeLevelPaper)
		}
		level = text
		return nil
	})
	return withDefault("level", &level, ParseKnowledge, atOnce((*Game).Knowledge))
}

// checkFlags adds the flags of the command knowledge-check.
func checkFlags(flags *flag.FlagSet) service.Reader[*Game] {
	formula := ""
	flags.Func("formula", "the `formula` of lines without a formula, such as 'K_S void(W,H)'", func(text string) error {
		formula = text
		_, err := logic.ParseFormula(text)
		return err
	})
	model := ""
	flags.Func("model", "the `model` of lines without a model: joint, or card for a single card (default joint)", func(text string) error {
		if !api.KlaverjasCheckModel(text).Valid() {
			return fmt.Errorf("expected %s or %s", api.KlaverjasCheckModelJoint, api.KlaverjasCheckModelCard)
		}
		model = text
		return nil
	})
	parse := ParseKnowledgeCheck.Filled(func(line []byte) []byte { return service.WithDefault(line, "model", model) })
	return withDefault("formula", &formula, parse, (*Game).KnowledgeCheck)
}

// cardModelFlags adds the flags of the command card-model.
func cardModelFlags(flags *flag.FlagSet) service.Reader[*Game] {
	card := ""
	flags.Func("card", "the `card` of lines without a card, such as 10H", func(text string) error {
		card = text
		_, err := piquet.ParseCard(text)
		return err
	})
	return withDefault("card", &card, ParseCardModel, atOnce((*Game).CardModel))
}

// playFlags adds the flags of the command play, which writes the one hand of a line without the list around it.
func playFlags(flags *flag.FlagSet) service.Reader[*Game] {
	names := api.KlaverjasPlayers{N: "simple", E: "simple", S: "simple", W: "simple"}
	player := func(name, usage string, to ...*string) {
		flags.Func(name, usage, func(text string) error {
			for _, seat := range to {
				*seat = text
			}
			_, err := players.ParseKind(text, 0)
			return err
		})
	}
	player("players", "the `player` of all four seats (default simple)", &names.N, &names.E, &names.S, &names.W)
	player("ns", "the `player` of NS, if it differs from -players, which comes first", &names.N, &names.S)
	player("ew", "the `player` of EW, if it differs from -players, which comes first", &names.E, &names.W)
	worlds := flags.Int("worlds", players.DefaultWorlds, "how many `worlds` a player without a number of its own searches for a card")
	open := flags.Int("open", 0, "how many `cards` of each hand lie open, 0 to 7")
	texts := map[string]*string{"seed": new(string), "possibles": new(string), "card": new(string)}
	flags.StringVar(texts["seed"], "seed", "0", "the `number` that the players draw from, 0 to 18446744073709551615")
	flags.StringVar(texts["possibles"], "possibles", "", "also write what each seat holds for possible, at the `level` rules or paper")
	flags.StringVar(texts["card"], "card", "", "also write the models of knowledge of the `card`, such as 10H")
	parse := ParsePlay().Filled(func(line []byte) []byte {
		line = service.WithDefault(service.WithDefault(line, "players", names), "worlds", *worlds)
		for name, value := range texts {
			line = service.WithDefault(line, name, *value)
		}
		if *open != 0 {
			line = service.WithDefault(line, "open", *open)
		}
		return line
	})
	return service.OpOf(parse, (*Game).outPrinted).Reader()
}

// withDefault returns the reader of lines to which a field is added that they do not have.
func withDefault[In, Out any](
	field string, value *string, parse service.Parser[*Game, In], answer func(*Game, context.Context, In) (Out, error),
) service.Reader[*Game] {
	return service.Reads(parse.Filled(func(line []byte) []byte { return service.WithDefault(line, field, *value) }), answer)
}

// atOnce returns an answer that waits for nothing as one that may.
func atOnce[In, Out any](answer func(*Game, In) (Out, error)) func(*Game, context.Context, In) (Out, error) {
	return func(g *Game, _ context.Context, in In) (Out, error) { return answer(g, in) }
}
