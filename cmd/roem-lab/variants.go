package main

import (
	"context"
	"flag"
	"fmt"
	"time"

	"roem/internal/cards"
	"roem/internal/cli"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/lab/variants"
	service "roem/internal/service/klaverjas"
)

func variantsCommand() cli.Command {
	return cli.Command{
		Name: "variants", Args: "VARIANT ...",
		Short: "compares ways to choose a card from the same positions, with less variance than a match",
		Long: `Plays deals with a base player and variants of it in the same seats, against the same opponents. A hand is played once as long as both choose the
same card. From the first difference on, each plays its own to the end. Writes for each variant a line of a Markdown table: the opponents, the deals, how many points a
hand it scores above the base, with its interval of 95 %, the hands in which they differ, and the milliseconds of a choice of both. What ways with
equal numbers of worlds share counts as time of the first one only.

A VARIANT is a method and its options, as in alphamu,worlds=40,moves=2,tricks=3. The methods: exact searches worlds, playout plays them out, mix weighs both, leaf plays them
out and searches their last tricks, close judges close cards again, race plays them out with limits of its own, alphamu plans the seat's own choices against seats that see all
cards, and respond against seats that play by the policy. The options:
  worlds=500 each=3 power=0.7   worlds that are judged; weighed for each of them; the power of the weights
  tricks=4 stop=0               the method is used in so many last tricks, but not in the very last stop ones; there the base chooses
  moves=2 front=8 heat=0        alphamu, respond: planned choices; alphamu: vectors of a front (0: all); respond: the temperature of the others
  mix=0.5 last=4                mix: the weight of the playouts; leaf, close: the last tricks that are searched
  errors=1 inner=0 ahead=4 again=0   close: standard errors; worlds of the inner players (0: leaf), the cards that they choose; worlds (0: all)
  errors=1 margin=0 use=0       race: standard errors to give up a card; points that are equal; worlds that are used (0: all)`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			c := &variantsFlags{}
			flags.StringVar(&c.base, "base", "playout:500", "the `player` that is the base, or a variant")
			flags.StringVar(&c.opponents, "opponents", "logical", "the `player` in the other seats")
			flags.StringVar(&c.early, "early", "policy", "the `player` that plays the first cards for the base and the variants")
			flags.IntVar(&c.from, "from", 16, "the base and the variants choose after `n` cards")
			flags.IntVar(&c.deals, "deals", 1000, "the number of `deals`, each played twice")
			flags.IntVar(&c.judge, "judge", 0, "instead, take one decision of each deal before -from cards, and judge the choices by playouts of `n` worlds")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if len(args) == 0 || c.deals < 2 || c.from < 0 || c.from > 28 || c.judge > 0 && c.from == 0 {
					return cli.Usagef("expected variants, -deals from 2, and -from 0 to 28, with -judge from 1")
				}
				c.seed = seed.Value
				return c.run(ctx, std, args)
			}
		},
	}
}

type variantsFlags struct {
	base, opponents, early string
	from, deals, judge     int
	seed                   uint64
}

func (c *variantsFlags) run(ctx context.Context, std cli.Stdio, args []string) error {
	tools := service.NewTools()
	s := variants.Settings{From: c.from, Deals: c.deals, Seed: c.seed, Tools: tools}
	for _, one := range []struct {
		name string
		to   *players.Kind
	}{{c.opponents, &s.Opponents}, {c.early, &s.Early}} {
		var err error
		if *one.to, err = players.ParseKind(one.name, 0); err != nil {
			return cli.UsageError{Err: err}
		}
	}
	models, err := service.Policies()
	if err != nil {
		return err
	}
	solver, memory := search.New(search.Options{TableBytes: 8 << 20}), new(variants.Memory)
	deviation := func(text string) (*variants.Deviation, error) {
		o, err := variants.ParseOptions(text)
		if err != nil {
			return nil, cli.UsageError{Err: err}
		}
		return &variants.Deviation{Options: o, Base: s.Base, Models: models, Solver: solver, Memory: memory}, nil
	}
	if kind, err := players.ParseKind(c.base, 0); err == nil {
		s.Base = variants.Kind{Kind: kind, Tools: tools}
	} else {
		base, err := deviation(c.base)
		if err != nil {
			return err
		}
		if c.from < cards.Deck.Len()-4*base.Tricks || base.Stop > 0 {
			return cli.Usagef("-base %s: the base must choose all cards after -from %d", c.base, c.from)
		}
		s.Base = base
	}
	var all []*variants.Deviation
	for _, text := range args {
		variant, err := deviation(text)
		if err != nil {
			return err
		}
		all = append(all, variant)
		s.Variants = append(s.Variants, variant)
	}
	bar := newMeter(std.Err, "roem-lab variants", "deals", c.deals, time.Minute)
	s.Progress = func(int) { bar.add() }
	if c.judge > 0 {
		judged, err := variants.Judge(ctx, s, all, c.judge)
		bar.stop()
		for i, r := range judged {
			g := r.Gain
			if _, err := fmt.Fprintf(std.Out, "| %s | %d | %+.3f (%+.3f to %+.3f) | %.1f %% | %.0f |\n", args[i], r.Decisions,
				g.Mean, g.Low, g.High, 100*float64(r.Different)/float64(max(r.Decisions, 1)), r.Playouts); err != nil {
				return cli.Writing(err)
			}
		}
		return err
	}
	results, err := variants.Compare(ctx, s)
	bar.stop()
	for i, r := range results {
		g := r.Gain
		again := ""
		if d := all[i]; d.Decisions > 0 {
			again = fmt.Sprintf(", %.0f %% of %d choices are close", 100*float64(d.Close)/float64(d.Decisions), d.Decisions)
		}
		if _, err := fmt.Fprintf(std.Out, "| %s | %s | %d | %+.2f (%+.2f to %+.2f) | %.1f %% | %.1f / %.1f%s |\n", args[i], c.opponents, r.Deals,
			g.Mean, g.Low, g.High, 100*float64(r.Different)/float64(max(r.Hands, 1)),
			r.Variant.Mean().Seconds()*1e3, r.Base.Mean().Seconds()*1e3, again); err != nil {
			return cli.Writing(err)
		}
	}
	return err
}
