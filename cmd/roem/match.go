package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"os"
	"strconv"
	"strings"
	"time"

	"roem/internal/cli"
	engine "roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	"roem/internal/service/klaverjas"
)

// maxDeals is the largest number of deals of a match at the command line.
const maxDeals = 10_000_000

func matchCommand() cli.Command {
	return cli.Command{
		Name:  "match",
		Short: "compares two kinds of players in duplicate deals",
		Long: `Draws deals from the seed, plays each twice, with the teams swapped, and writes the result as JSON: how many
points a hand the first kind scores above the second, with the interval of 95 % over the deals, nat and pit, and the
time a decision. The result is the same for a seed whatever -workers, except for the times.

The players are ` + strings.Join(players.Names(), ", ") +
			`. The last five are levels for people.
An option follows a colon: logical:compat, logical:rules, pimc:20, playout:20, mixture:20.

The progress is shown on standard error if that is a terminal.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			c := &matchFlags{rules: engine.DefaultRules(engine.Rotterdam), deals: 1000, worlds: players.DefaultWorlds}
			flags.StringVar(&c.a, "a", "", "the first `player`")
			flags.StringVar(&c.b, "b", "", "the second `player`")
			cli.NumberFlag(flags, &c.deals, "deals", 1, maxDeals, "the number of `deals`, or of games with -game")
			cli.NumberFlag(flags, &c.worlds, "worlds", 1, players.MaxWorlds,
				"how many `worlds` a player without a number of its own searches for a card")
			cli.WorkersFlag(flags, &c.workers, "play `n` deals at a time, each on one core")
			flags.StringVar(&c.record, "record", "", "also write every hand to this `file`, as JSON, one a line")
			seed := cli.SeedFlag(flags)
			flags.Func("rules", "the `rules`: rotterdam, amsterdam, logical (from the authors of the agents) or a JSON "+
				"object of rule switches (default rotterdam)",
				func(text string) (err error) {
					c.rules, err = parseRules(text)
					return err
				})
			flags.Func("declarer", "which `team` declares: leader (the leader's team), best (the better team, all "+
				"cards open) or random (default leader)",
				func(text string) (err error) {
					c.declarers, err = players.ParseDeclarers(text)
					c.declarer = true
					return err
				})
			flags.Func("bidding", "decide trump and declarers by bidding in a `flow`: free, official, obliged or turned; all players call alike",
				func(text string) error {
					flow, err := bidding.ParseFlow(text)
					c.bidding = klaverjas.PlayedBidding(flow)
					return err
				})
			flags.Func("game", "play games of `n`: 16 (hands) or 1500 (points), the leaders in turn; 1 for single hands (default 1)",
				func(text string) (err error) {
					c.length, err = players.ParseLength(text)
					return err
				})
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				c.seed = seed.Chosen()
				return c.run(ctx, std)
			}
		},
	}
}

// matchFlags are the flags of match.
type matchFlags struct {
	a, b      string
	deals     int
	worlds    int
	workers   int
	record    string
	seed      uint64
	rules     engine.Rules
	declarers players.Declarers
	declarer  bool // -declarer is given
	bidding   *players.Bidding
	length    players.Length
}

// parseRules reads the name of a set of rules, or a JSON object of rule switches.
func parseRules(text string) (engine.Rules, error) {
	switch text {
	case "rotterdam":
		return engine.DefaultRules(engine.Rotterdam), nil
	case "amsterdam":
		return engine.DefaultRules(engine.Amsterdam), nil
	case "logical":
		return players.LogicalRules(), nil
	}
	return klaverjas.ParseRules([]byte(text))
}

func (c *matchFlags) contest() (players.Contest, error) {
	kinds, err := parseSides([2]string{c.a, c.b}, players.Names(),
		func(text string) (players.Kind, error) { return players.ParseKind(text, c.worlds) })
	if err != nil {
		return players.Contest{}, err
	}
	contest := players.Contest{
		A: kinds[0], B: kinds[1], NewTools: klaverjas.NewTools, Rules: c.rules, Units: c.deals, Length: c.length, Seed: c.seed,
		Declarers: c.declarers,
		Bidding:   c.bidding, Workers: c.workers,
	}
	if pointer, err := klaverjas.CheckBidding(&contest, c.declarer); err != nil {
		return contest, cli.Usagef("-%s %v", pointer[1:], err)
	}
	return contest, nil
}

func (c *matchFlags) run(ctx context.Context, std cli.Stdio) (err error) {
	contest, err := c.contest()
	if err != nil {
		return err
	}
	if c.record != "" {
		file, err := os.Create(c.record)
		if err != nil {
			return cli.UsageError{Err: cli.Plain(err)}
		}
		out := bufio.NewWriter(file)
		contest.Record = func(r players.Record) error { return writeRecord(out, c.rules, r) }
		defer func() {
			if flushed := out.Flush(); err == nil {
				err = flushed
			}
			if closed := file.Close(); err == nil {
				err = closed
			}
			err = cli.Plain(err)
		}()
	}
	return playContest(std, "deals", c.deals, func(done func()) (players.Result, error) {
		contest.Progress = func(int) { done() }
		return contest.Run(ctx)
	}, func(r players.Result, took time.Duration) any { return klaverjas.OutMatch(contest, r, took, version) })
}

// record is a hand of -record.
type record struct {
	Unit     int               `json:"unit"` // the number of the deal or game, from 0
	Hand     int               `json:"hand"` // the number of the hand in the game, from 0
	Swapped  bool              `json:"swapped"`
	Position recordedPosition  `json:"position"` // as the other commands read it
	Players  map[string]string `json:"players"`  // by team
	Points   map[string]int    `json:"points"`   // by team, on the score sheet
}

type recordedPosition struct {
	Rules    engine.RulesJSON `json:"rules"`
	Trump    string           `json:"trump"`
	Leader   string           `json:"leader"`
	Declarer string           `json:"declarer"`
	Deal     string           `json:"deal"`
	Played   []string         `json:"played"`
}

func writeRecord(out *bufio.Writer, rules engine.Rules, r players.Record) error {
	row := record{
		Unit: r.Unit, Hand: r.Hand, Swapped: r.Swapped, Players: map[string]string{}, Points: map[string]int{},
		Position: recordedPosition{
			Rules: engine.RulesJSON(rules),
			Trump: r.Deal.Trump.String(), Leader: r.Deal.Leader.String(), Declarer: r.Deal.Declarer.String(),
			Deal: strconv.FormatUint(index.Rank(r.Deal), 10),
		},
	}
	for _, c := range r.Played {
		row.Position.Played = append(row.Position.Played, c.String())
	}
	for _, team := range piquet.Teams() {
		row.Players[team.String()], row.Points[team.String()] = r.Players[team], r.Points[team]
	}
	line, err := json.Marshal(row)
	if err == nil {
		_, err = out.Write(append(line, '\n'))
	}
	return err
}
