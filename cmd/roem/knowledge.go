package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"strconv"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/engine/klaverjas/logic"
	"roem/internal/engine/piquet"
	"roem/internal/service/klaverjas"
)

func viewCommand() cli.Command {
	var seat *piquet.Seat
	return cli.Command{
		Name: "view", Args: "[FILE ...]",
		Short: "what one seat has seen of positions, for the commands that read views",
		Long: `Reads positions and writes views: the eight cards dealt to the seat and the cards played, without the other hands.
` + filesHelp,
		Setup: lineCommand(func(flags *flag.FlagSet) {
			flags.Func("seat", "the `seat`: N, E, S or W (default the seat that is to play)", func(text string) error {
				one, err := piquet.ParseSeat(text)
				seat = &one
				return err
			})
		}, files, func(g *klaverjas.Game) answerer {
			return newAnswerer(g.ParsePosition, func(_ context.Context, p klaverjas.Position) (klaverjas.View, error) {
				return g.View(p, seat), nil
			})
		}),
	}
}

func knowledgeCommand() cli.Command {
	var level string
	return cli.Command{
		Name: "knowledge", Args: "[FILE ...]",
		Short: "what a seat knows about the hidden cards: number of worlds, holders of cards, facts",
		Long: `Reads views, optionally each with a "level", and writes what the seat knows. Nothing is
estimated, but at the level belief the probabilities of the holders.
` + filesHelp,
		Setup: lineCommand(func(flags *flag.FlagSet) {
			flags.Func("level", "the `level` of lines without a level: rules, belief or paper (default rules)", func(text string) error {
				if !api.KlaverjasKnowledgeLevel(text).Valid() {
					return fmt.Errorf("expected %s, %s or %s", api.LevelRules, api.LevelBelief, api.LevelPaper)
				}
				level = text
				return nil
			})
		}, files, func(g *klaverjas.Game) answerer {
			return newAnswerer(func(ctx context.Context, line []byte) (klaverjas.KnowledgeQuery, error) {
				return g.ParseKnowledge(ctx, withDefault(line, "level", level))
			}, func(_ context.Context, q klaverjas.KnowledgeQuery) (api.KlaverjasKnowledge, error) {
				return g.Knowledge(q)
			})
		}),
	}
}

func worldsCommand() cli.Command {
	var (
		count    uint64
		seed     *cli.Seed
		distinct bool
	)
	return cli.Command{
		Name: "worlds", Args: "[FILE ...]",
		Short: "random worlds of views: hands that agree with all that a seat has seen",
		Long: `Reads views, optionally each with "count", "seed" and "distinct", and writes random worlds. Each world is
equally likely. The same seed gives the same worlds of a view.` + filesHelp,
		Setup: lineCommand(func(flags *flag.FlagSet) {
			flags.Uint64Var(&count, "n", 1, "the number of `worlds` of lines without a count, 1 to 1000")
			flags.BoolVar(&distinct, "distinct", false, "draw no world twice, for lines without distinct")
			seed = cli.SeedFlag(flags)
		}, files, func(g *klaverjas.Game) answerer {
			return newAnswerer(func(ctx context.Context, line []byte) (klaverjas.WorldsQuery, error) {
				line = withDefault(line, "count", count)
				line = withDefault(line, "distinct", distinct)
				if seed.Text != "" {
					line = withDefault(line, "seed", strconv.FormatUint(seed.Value, 10))
				}
				return g.ParseWorlds(ctx, line)
			}, func(_ context.Context, q klaverjas.WorldsQuery) (api.KlaverjasWorlds, error) { return g.Worlds(q) })
		}),
	}
}

func knowledgeCheckCommand() cli.Command {
	var formula string
	return cli.Command{
		Name: "knowledge-check", Args: "[FILE ...]",
		Short: "whether statements about what the seats know are true",
		Long: `Reads views or positions, each with a "formula" unless the flag gives one, and writes whether the formula is
true, with a world that shows it. For a view, a formula is true if the seat knows that it is. The formulas are
described in docs/klaverjas/hidden-cards.md.` + filesHelp,
		Setup: lineCommand(func(flags *flag.FlagSet) {
			flags.Func("formula", "the `formula` of lines without a formula, such as 'K_S void(W,H)'", func(text string) error {
				formula = text
				_, err := logic.ParseFormula(text)
				return err
			})
		}, files, func(g *klaverjas.Game) answerer {
			return newAnswerer(func(ctx context.Context, line []byte) (klaverjas.CheckQuery, error) {
				return g.ParseKnowledgeCheck(ctx, withDefault(line, "formula", formula))
			}, func(_ context.Context, q klaverjas.CheckQuery) (api.KlaverjasKnowledgeCheck, error) {
				return g.KnowledgeCheck(q)
			})
		}),
	}
}

func cardModelCommand() cli.Command {
	var card string
	return cli.Command{
		Name: "card-model", Args: "[FILE ...]",
		Short: "who may hold a card, and what each seat knows of it, before and after the cards played",
		Long: `Reads views or positions, each with a "card" unless the flag gives one, and writes the models of knowledge of the card: before the
first card is played, and after each card that changes them. docs/klaverjas/hidden-cards.md describes them.
` + filesHelp,
		Setup: lineCommand(func(flags *flag.FlagSet) {
			flags.Func("card", "the `card` of lines without a card, such as 10H", func(text string) error {
				card = text
				_, err := piquet.ParseCard(text)
				return err
			})
		}, files, func(g *klaverjas.Game) answerer {
			return newAnswerer(func(ctx context.Context, line []byte) (klaverjas.CardModelQuery, error) {
				return g.ParseCardModel(ctx, withDefault(line, "card", card))
			}, func(_ context.Context, q klaverjas.CardModelQuery) (api.KlaverjasCardModel, error) {
				return g.CardModel(q)
			})
		}),
	}
}

// withDefault adds a field to a line that is a JSON object without it. An empty text adds nothing. Any other line is returned as it is, for
// the parser to say what is wrong with it.
func withDefault(line []byte, name string, value any) []byte {
	if value == "" {
		return line
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(line, &object) != nil || object == nil || object[name] != nil {
		return line
	}
	field, err := json.Marshal(map[string]any{name: value})
	if err != nil {
		return line
	}
	rest := bytes.TrimLeft(line, " \t\r\n")[1:] // after the brace
	field = field[:len(field)-1]
	if len(object) > 0 {
		field = append(field, ',')
	}
	return append(field, rest...)
}
