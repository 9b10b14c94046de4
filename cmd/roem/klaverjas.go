package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/cli/lines"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/jsonlines"
	"roem/internal/model/klaverjas/forest"
	handmodel "roem/internal/model/klaverjas/hand"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
)

// klaverjasGame is the game without models, and modelGame with them, which take some time to load.
func klaverjasGame() lines.Game[*klaverjas.Game] {
	return lines.Game[*klaverjas.Game]{Version: version, New: func(s *service.Service) (*klaverjas.Game, error) {
		return klaverjas.New(s, klaverjas.Options{}), nil
	}}
}

// modelFiles are the files of models that do not come with the program.
type modelFiles struct{ forest, tree string }

func (f *modelFiles) add(flags *flag.FlagSet) {
	flags.StringVar(&f.forest, "forest", "", "the `file` of the random forest, for the model forest")
	flags.StringVar(&f.tree, "tree", "", "the `file` of the decision tree, for the model tree")
}

func (f *modelFiles) open() ([]*forest.Model, error) {
	all, err := klaverjas.OpenForest(f.forest, forest.Forest)
	if err != nil {
		return nil, cli.Plain(err)
	}
	tree, err := klaverjas.OpenForest(f.tree, forest.Tree)
	return append(all, tree...), cli.Plain(err)
}

func modelGame(files *modelFiles) lines.Game[*klaverjas.Game] {
	return lines.Game[*klaverjas.Game]{Version: version, New: func(s *service.Service) (*klaverjas.Game, error) {
		predictor, err := klaverjas.DefaultPredictor()
		if err != nil {
			return nil, err
		}
		hands, err := handmodel.Embedded()
		if err != nil {
			return nil, err
		}
		trees, err := files.open()
		if err != nil {
			return nil, err
		}
		return klaverjas.New(s, klaverjas.Options{Predictor: predictor, HandModel: hands, Trees: trees}), nil
	}}
}

// klaverjasCommands returns the commands of Klaverjas: of its operations, and others, each after the one that it follows in the help.
func klaverjasCommands() []cli.Command {
	others := map[string][]cli.Command{
		"knowledge": {worldsCommand()}, "bid": {viewCommand()}, "play": {matchCommand()},
		"predict": {featuresCommand()}, "rank": {unrankCommand(), classCommand(), randomCommand(), puzzlesCommand(), puzzleCommand()},
	}
	var commands []cli.Command
	for _, c := range klaverjas.Operations().Commands() {
		game, files := klaverjasGame(), new(modelFiles)
		if slices.Contains([]string{"predict", "hybrid", "hand-strength", "bid"}, c.Name) {
			game = modelGame(files)
		}
		command := game.Command(&c)
		if setup := command.Setup; c.Name == "predict" {
			command.Setup = func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
				files.add(flags)
				return setup(flags)
			}
		}
		commands = append(append(commands, command), others[c.Name]...)
	}
	return commands
}

func unrankCommand() cli.Command {
	trump, leader := piquet.Clubs, piquet.North
	return cli.Command{
		Name: "unrank", Args: "[INDEX | FILE ...]",
		Short: "writes the deals with given indices",
		Long: `Takes indices as arguments, for the trump and leader of the flags, or reads {"deal": INDEX, "trump": ..., "leader": ...}, and
writes deals with their numbers. An argument that consists of digits is an index, any other argument is a file.
` + lines.FilesHelp,
		Setup: klaverjasGame().Setup(func(flags *flag.FlagSet) {
			trumpAndLeaderFlags(flags, &trump, &leader)
		}, func(args []string, std cli.Stdio) ([]jsonlines.Input, int64, error) {
			return indicesAndFiles(args, std, func(index string) any {
				return map[string]string{"deal": index, "trump": trump.String(), "leader": leader.String()}
			})
		}, func(_ *service.Service, g *klaverjas.Game) lines.Answerer {
			read := klaverjas.ParsePosition.Of(g)
			return lines.NewAnswerer(read, func(_ context.Context, p klaverjas.Position) (api.KlaverjasNumberedDeal, error) {
				if !p.ByIndex {
					return api.KlaverjasNumberedDeal{}, service.Refused(violation.New(violation.Missing, "is missing").At("/deal"))
				}
				return g.IndexDeal(p)
			})
		}),
	}
}

func classCommand() cli.Command {
	trump, leader, seed := piquet.Clubs, piquet.North, ""
	return cli.Command{
		Name: "class", Args: "[INDEX | FILE ...]",
		Short: "describes suit-distribution classes, by index or by counts, and draws a deal of each",
		Long: `Takes indices as arguments, for the trump, the leader and the seed of the flags, or reads {"class": INDEX} or
{"counts": [[...], ...]}, optionally with "trump", "leader" and "seed". It writes the index, the counts, the number of deals, the mirror
classes, the nodes that a search is expected to take, and a deal of the class. An argument that consists of digits is an index, any
other argument is a file.
` + lines.FilesHelp,
		Setup: klaverjasGame().Setup(func(flags *flag.FlagSet) {
			trumpAndLeaderFlags(flags, &trump, &leader)
			flags.Func("seed", "the `number` that the deals are drawn with (default random)", func(text string) error {
				seed = text
				_, err := service.ParseSeed(text)
				return err
			})
		}, func(args []string, std cli.Stdio) ([]jsonlines.Input, int64, error) {
			return indicesAndFiles(args, std, func(index string) any {
				number := json.Number(cmp.Or(strings.TrimLeft(index, "0"), "0"))
				line := map[string]any{"class": number, "trump": trump.String(), "leader": leader.String()}
				if seed != "" {
					line["seed"] = seed
				}
				return line
			})
		}, func(_ *service.Service, g *klaverjas.Game) lines.Answerer {
			return lines.NewAnswerer(klaverjas.ParseClass.Of(g), func(_ context.Context, q klaverjas.ClassQuery) (api.KlaverjasClass, error) {
				return g.IndexClass(q)
			})
		}),
	}
}

func trumpAndLeaderFlags(flags *flag.FlagSet, trump *piquet.Suit, leader *piquet.Seat) {
	flags.Func("trump", "the trump `suit`: C, D, H or S (default C)", func(text string) (err error) {
		*trump, err = piquet.ParseSuit(text)
		return err
	})
	flags.Func("leader", "the `seat` that leads: N, E, S or W (default N)", func(text string) (err error) {
		*leader, err = piquet.ParseSeat(text)
		return err
	})
}

// indicesAndFiles converts arguments to inputs. An index becomes the line that of returns.
func indicesAndFiles(args []string, std cli.Stdio, of func(index string) any) (inputs []jsonlines.Input, size int64, err error) {
	if len(args) == 0 {
		return lines.Files(args, std)
	}
	known := true
	for i, arg := range args {
		if strings.Trim(arg, "0123456789") == "" && arg != "" {
			line, err := cli.Encode(of(arg))
			if err != nil {
				return nil, 0, err
			}
			inputs = append(inputs, jsonlines.Input{
				Name: "argument " + strconv.Itoa(i+1),
				Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(line)), nil },
			})
			size += int64(len(line))
			continue
		}
		more, bytes, err := lines.Files([]string{arg}, std)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, 0, cli.Usagef("%s is neither an index, which consists of digits, nor a file", arg)
		}
		if err != nil {
			return nil, 0, err
		}
		known = known && bytes > 0
		inputs, size = append(inputs, more...), size+bytes
	}
	if !known {
		size = 0
	}
	return inputs, size, nil
}
