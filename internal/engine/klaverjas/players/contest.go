package players

import (
	"context"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/match"
	"roem/internal/engine/piquet"
	"roem/internal/engine/table/contest"
	"roem/internal/engine/violation"
)

// Length says how many hands make one unit of a match.
type Length uint8

// The lengths.
const (
	OneHand    Length = iota // each deal stands alone
	Hands16                  // games of 16 hands, as clubs play them
	Points1500               // games until a team has 1500 points or more after a hand
)

// The size of the games.
const (
	hands16   = 16
	points    = 1500
	longest   = 19 // hands of a game to 1500: each hand gives the teams at least 162 points together, so 19 give one of them 1500
	lengthOne = 1
)

var lengthNames = [3]string{"1", "16", "1500"}

// String returns the name of the length.
func (l Length) String() string { return lengthNames[l%3] }

// ParseLength reads 1, 16 or 1500.
func ParseLength(text string) (Length, error) {
	return violation.ParseWord[Length](text, lengthNames[:]...)
}

// Hands returns how many hands a unit has at most.
func (l Length) Hands() int { return [3]int{lengthOne, hands16, longest}[l%3] }

// Contest is a duplicate match between two kinds of players. All deals are drawn from the seed before a player draws from its own
// generator. Each deal, or game of several deals, is played twice. First the kind A is north and south, then east and west.
type Contest struct {
	A, B      Kind
	Rules     klaverjas.Rules
	Units     int // deals, or games of Length
	Length    Length
	Seed      uint64
	Declarers Declarers
	Bidding   *Bidding // decides the trump and the declarers; nil: the deals and Declarers decide
	Workers   int      // 0 means 1
	// NewTools makes the tools of a worker; nil for tools without a belief. It is not used with Do.
	NewTools func() *Tools
	// Do runs work with tools: a hand, or a card if a player searches worlds for it. With nil, each worker has tools of its own.
	Do func(ctx context.Context, work func(context.Context, *Tools) error) error
	// Record, if not nil, is called with each hand, in the order of the deals.
	Record func(Record) error
	// Keeping says how the contest goes on after an interruption. It must not be set together with Record.
	Keeping match.Keeping
	// Progress, if not nil, is called with the number of units finished.
	Progress func(units int)
}

// Record is a hand that was played: a row for learning.
type Record struct {
	Unit, Hand int // the number of the deal or game, and of the hand in it, from 0
	Swapped    bool
	Deal       klaverjas.Deal
	Played     []piquet.Card
	Players    [2]string // by team
	Points     [2]int    // by team, as Sheet returns them
}

// Side is what one side of a contest did.
type Side struct {
	Name     string
	Hands    int // in which its team declared
	Nat      int // of those
	Pits     int // hands of which its team won all tricks, declaring or not
	Points   int // the sum of all hands on the score sheet
	Melds    int // the sum of the melds in its tricks, without those for a pit
	Decision match.Times
}

// Result is the result of a contest.
type Result struct {
	match.Summary
	Hands int
	Nodes uint64  // of all searches
	Sides [2]Side // A, then B
	// Games is the result by games, if the units are games. Summary is then of the games' means a hand.
	Games *Games
}

// Games is the result by games. A game is won by the side with more points.
type Games struct {
	Won, Tied, Lost int // by A, of twice the number of units
	Share           match.Estimate
	Margin          match.Estimate // what A has above B at the end of a game, in points
}

// unit is the result of a unit played twice.
type unit struct {
	records [2][]Record
	sides   [2]Side
	hands   int
	nodes   uint64
	margin  [2]float64 // A above B, at the end
	mean    match.Pair // A above B, a hand
}

// Run plays the contest. The result depends on the seed and not on the number of workers, except for the times. The error is a *Fault, or
// the error of the context.
func (c Contest) Run(ctx context.Context) (Result, error) {
	deals := draw(c.Seed, c.Units, c.Length, c.Declarers)
	tools := make([]*Tools, max(c.Workers, 1))
	for i := range tools {
		if tools[i] = new(Tools); c.NewTools != nil {
			tools[i] = c.NewTools()
		}
	}
	sum := tally{Sides: [2]Side{{Name: c.A.Name()}, {Name: c.B.Name()}}}
	plan := contest.Plan{Units: c.Units, Workers: c.Workers, Keeping: c.Keeping, Progress: c.Progress}
	err := contest.Run(ctx, plan, &sum, func(ctx context.Context, worker, number int) (u unit, err error) {
		do := c.Do
		if do == nil {
			do = func(ctx context.Context, work func(context.Context, *Tools) error) error {
				return work(ctx, tools[worker])
			}
		}
		return c.play(ctx, number, deals[number*c.Length.Hands():(number+1)*c.Length.Hands()], do)
	}, func(_ int, u unit) error {
		sum.add(&u)
		for _, r := range slices.Concat(u.records[:]...) { // none without Record
			if err := c.Record(r); err != nil {
				return err
			}
		}
		return nil
	})
	result := Result{Hands: sum.Hands, Nodes: sum.Nodes, Sides: sum.Sides}
	if err != nil {
		return result, err
	}
	result.Summary = match.Summarise(sum.Pairs)
	if c.Length != OneHand {
		sum.Games.Share, sum.Games.Margin = match.ShareOf(sum.Shares), match.MeanOf(sum.Margins)
		result.Games = &sum.Games
	}
	return result, nil
}

// tally is what a contest has of its finished units.
type tally struct {
	Pairs           []match.Pair
	Margins, Shares []float64
	Games           Games
	Hands           int
	Nodes           uint64
	Sides           [2]Side
}

func (t *tally) add(u *unit) {
	t.Pairs = append(t.Pairs, u.mean)
	t.Hands += u.hands
	t.Nodes += u.nodes
	for i := range u.sides {
		t.Sides[i].add(&u.sides[i])
	}
	margin, won := t.Games.add(u.margin)
	t.Margins, t.Shares = append(t.Margins, margin), append(t.Shares, won)
}

// add counts the two games of a unit, and returns the mean margin and the share that A won.
func (g *Games) add(margins [2]float64) (margin, won float64) {
	for _, m := range margins {
		switch {
		case m > 0:
			g.Won++
			won += 0.5
		case m < 0:
			g.Lost++
		default:
			g.Tied++
			won += 0.25
		}
		margin += m / 2
	}
	return margin, won
}

func (s *Side) add(other *Side) {
	s.Hands += other.Hands
	s.Nat += other.Nat
	s.Pits += other.Pits
	s.Points += other.Points
	s.Melds += other.Melds
	s.Decision.Join(other.Decision)
}

// doer is the type of Contest.Do.
type doer = func(ctx context.Context, work func(context.Context, *Tools) error) error

// borrower is a player that has tools only while it chooses a card.
type borrower struct {
	Player
	tools *Tools // the worlds of its place, which are empty between two cards
	do    doer
}

// Choose lets the player choose with tools of do.
func (b borrower) Choose(ctx context.Context, v worlds.View) (choice Choice, err error) {
	err = b.do(ctx, func(ctx context.Context, tools *Tools) (err error) {
		*b.tools = *tools
		defer func() { *tools, *b.tools = *b.tools, Tools{} }()
		choice, err = b.Player.Choose(ctx, v)
		return err
	})
	return choice, err
}

func (b borrower) see(p klaverjas.Position) {
	if open, ok := b.Player.(sighted); ok {
		open.see(p)
	}
}

// Borrow makes players that sit with tools, which must be empty, borrow the tools of do while they choose a card.
func Borrow(seats *[4]Seated, tools *Tools, do func(ctx context.Context, work func(context.Context, *Tools) error) error) {
	for i := range seats {
		seats[i].Player = borrower{seats[i].Player, tools, do}
	}
}

// play plays a unit twice.
func (c *Contest) play(ctx context.Context, number int, deals []klaverjas.Deal, do doer) (u unit, err error) {
	counted := func(ctx context.Context, work func(context.Context, *Tools) error) error {
		return do(ctx, func(ctx context.Context, tools *Tools) error {
			before := tools.Nodes()
			defer func() { u.nodes += tools.Nodes() - before }()
			return work(ctx, tools)
		})
	}
	if c.Declarers == BestDeclares || c.Bidding != nil {
		deals = append([]klaverjas.Deal(nil), deals...)
	}
	if c.Bidding != nil {
		for i := range deals {
			if deals[i], err = c.Bidding.bid(c.Rules, deals[i]); err != nil {
				return u, err
			}
		}
	}
	declared := 0 // the deals whose declarers are settled
	for table := range 2 {
		var total [2]int // by side
		hands := 0
		for ; hands < len(deals) && (c.Length != Points1500 || max(total[0], total[1]) < points); hands++ {
			if c.Declarers == BestDeclares && c.Bidding == nil && hands >= declared {
				err := counted(ctx, func(ctx context.Context, tools *Tools) (err error) {
					deals[hands], err = declare(ctx, c.Rules, deals[hands], tools)
					return err
				})
				if err != nil {
					return u, err
				}
				declared = hands + 1
			}
			var r Record
			play := func(ctx context.Context, tools *Tools, each doer) (err error) {
				r, err = c.hand(ctx, number, hands, table, deals[hands], tools, each, &u.sides)
				return err
			}
			if c.A.Worlds()+c.B.Worlds() > 0 {
				err = play(ctx, new(Tools), counted)
			} else {
				err = counted(ctx, func(ctx context.Context, tools *Tools) error { return play(ctx, tools, nil) })
			}
			if err != nil {
				return u, err
			}
			for _, team := range piquet.Teams() {
				total[side(team, table)] += r.Points[team]
			}
			if c.Record != nil {
				u.records[table] = append(u.records[table], r)
			}
		}
		u.hands += hands
		u.margin[table] = float64(total[0] - total[1])
		u.mean[table] = u.margin[table] / float64(hands)
	}
	return u, nil
}

// side returns the side that plays as a team: A is north and south at table 0.
func side(team piquet.Team, table int) int { return (int(team) + table) & 1 }

// hand plays a hand. If each is not nil, the players have tools only while they choose.
func (c *Contest) hand(
	ctx context.Context, number, hand, table int, deal klaverjas.Deal, tools *Tools, each doer, sides *[2]Side,
) (Record, error) {
	start, err := klaverjas.NewPosition(c.Rules, deal)
	if err != nil {
		return Record{}, err
	}
	kinds := [2]Kind{c.A, c.B}
	if table == 1 {
		kinds[0], kinds[1] = c.B, c.A
	}
	seats := sit(kinds, c.Seed, (number*longest+hand)*2+table, tools)
	if each != nil {
		Borrow(&seats, tools, each)
	}
	played, end, err := Play(ctx, start, nil, seats, func(s Step) {
		sides[side(s.Seat.Team(), table)].Decision.Add(s.Took)
	})
	if err != nil {
		return Record{}, err
	}
	r := Record{
		Unit: number, Hand: hand, Swapped: table == 1, Deal: deal, Played: played, Points: Sheet(end),
		Players: [2]string{seats[piquet.North].Name, seats[piquet.East].Name},
	}
	declarer := &sides[side(deal.Declarer, table)]
	declarer.Hands++
	if end.Outcome() <= 0 {
		declarer.Nat++
	}
	taken, score := end.TricksTaken(), end.Score()
	for _, team := range piquet.Teams() {
		s := &sides[side(team, table)]
		s.Points += r.Points[team]
		s.Melds += score.Melds[team]
		if taken[team.Opponents()] == 0 {
			s.Pits++
			s.Melds -= pitBonus(c.Rules, team == deal.Declarer)
		}
	}
	return r, nil
}

// Sit seats players of two kinds, by team, for one hand.
func Sit(kinds [2]Kind, seed uint64, tools *Tools) [4]Seated { return sit(kinds, seed, 0, tools) }

func sit(kinds [2]Kind, seed uint64, hand int, tools *Tools) (seats [4]Seated) {
	var each [4]Kind
	for _, seat := range piquet.Seats() {
		each[seat] = kinds[seat.Team()]
	}
	return SitEach(each, seed, hand, tools)
}

// SitEach seats a player at each seat, for the hand with the number.
func SitEach(kinds [4]Kind, seed uint64, hand int, tools *Tools) (seats [4]Seated) {
	for _, seat := range piquet.Seats() {
		kind := kinds[seat]
		seats[seat] = Seated{kind.New(Place{Seat: seat, Rand: randFor(seed, hand, seat), Tools: tools}), kind.Name()}
	}
	return seats
}

func pitBonus(r klaverjas.Rules, declarers bool) int {
	if declarers {
		return r.Pit.Declarers
	}
	return r.Pit.Defenders
}
