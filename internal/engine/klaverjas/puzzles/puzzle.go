// Package puzzles has positions with exactly one good card. roem-lab klaverjas puzzles makes them, and the file is part of the program.
//
// An open puzzle shows all hands: the value of each card is exact. A hidden puzzle shows what one seat has seen: the value of a card is its
// mean over many possible deals, each searched exactly. In both, every other card costs more than a margin. lab/docs/klaverjas/puzzles.md
// says how the puzzles are found and graded.
package puzzles

import (
	"crypto/sha256"
	"encoding/base32"
	"math"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/reason"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// The margins: the least that any other card costs, in points of outcome for the team of the seat.
const (
	OpenMargin   = 20
	HiddenMargin = 10
)

// Errors is the number of standard errors of the interval of a difference between two cards of a hidden puzzle. The whole interval is
// above the margin.
const Errors = 3

// Puzzle is a position with one good card.
type Puzzle struct {
	ID     string
	Hidden bool
	Rules  klaverjas.Rules
	Deal   klaverjas.Deal
	Played []piquet.Card
	Values []Value // of the legal cards, the best first
	// Worlds is how many worlds were searched with the seed, if the puzzle is hidden.
	Worlds int
	Seed   uint64
	Grades []Grade // by level, as players.Levels has them
	Themes []Theme
	Later  []*Puzzle // the decisions that follow in the same hand: see Continue
}

// Value is what a card of a puzzle is worth.
type Value struct {
	Card    piquet.Card
	Outcome float64 // from the side of the declarers; exact in an open puzzle, else the mean over the worlds
	Cost    float64 // how much worse than the best card, for the team of the seat
	Line    []piquet.Card
	// Win is the share of the worlds that the declarers win, and Error the standard error of Cost, if the puzzle is hidden.
	Win, Error float64
	// Why has the lines of the card and of the best one in a deal, if the puzzle is hidden. It is nil for the best card, and if the best card
	// is better in none of the deals that were searched for the reason.
	Why *Why
}

// Why is what reason.HiddenOf found for a card: the deal of the lines, by its place, in how many deals the reason applies, and in how many
// the card decides the contract.
type Why struct {
	Code                      reason.Code
	Applies, Decides, Example int
	Lines                     reason.Lines
}

// Grade is how many of some players of a level find the card.
type Grade struct{ Players, Found int }

// Start returns the position before the first card.
func (p *Puzzle) Start() (klaverjas.Position, error) { return klaverjas.NewPosition(p.Rules, p.Deal) }

// Position returns the position of the puzzle.
func (p *Puzzle) Position() (klaverjas.Position, error) {
	start, err := p.Start()
	if err != nil {
		return start, err
	}
	return start.Replay(p.Played)
}

// View returns what the seat to play has seen.
func (p *Puzzle) View() (worlds.View, error) {
	start, err := p.Start()
	if err != nil {
		return worlds.View{}, err
	}
	at, err := start.Replay(p.Played)
	if err != nil {
		return worlds.View{}, err
	}
	return worlds.ViewOf(start, p.Played, at.Turn()), nil
}

// Knowledge returns what the seat to play knows.
func (p *Puzzle) Knowledge() (*worlds.Knowledge, error) {
	v, err := p.View()
	if err != nil {
		return nil, err
	}
	return worlds.New(v)
}

// Margin returns the least that any other card costs: for a hidden puzzle, the lower end of the interval.
func (p *Puzzle) Margin() float64 {
	least := p.Values[1].Cost - Errors*p.Values[1].Error
	for _, v := range p.Values[2:] {
		least = min(least, v.Cost-Errors*v.Error)
	}
	return least
}

// Least returns the margin that each puzzle of its kind has.
func (p *Puzzle) Least() float64 {
	if p.Hidden {
		return HiddenMargin
	}
	return OpenMargin
}

// Levels returns the names of the levels of puzzles, the easiest first.
func Levels() []string { return []string{"casual", "strong", "master"} }

// graded is how many levels of players have grades, as many as players.Levels has.
const graded = 5

// The least shares of the players who find the card, on average over all grades, of the levels of puzzles before the last one.
var leastFound = [...]float64{0.6, 0.3}

// Level returns the place of the puzzle among Levels. It follows from the share of the players who find the card, on average over all
// grades: of two puzzles, the one that more players find is never the harder one.
func (p *Puzzle) Level() int {
	found := p.found()
	for level, least := range leastFound {
		if found >= least {
			return level
		}
	}
	return len(leastFound)
}

// found returns the share of the players who find the card, on average over all grades.
func (p *Puzzle) found() float64 {
	sum := 0.0
	for _, g := range p.Grades {
		sum += float64(g.Found) / float64(g.Players)
	}
	return sum / float64(len(p.Grades))
}

// The scale of Rating: the average rating of the players of all levels, and the least share of them on either side.
const (
	averageRating = 1500
	leastShare    = 0.05
)

// Rating returns how hard the puzzle is on Elo's scale: the rating of a player who finds the card as often as not, if the players of all
// levels have a rating of 1500 on average. Of two players with a difference d of their ratings, the better one is expected to score
// 1/(1+10^(-d/400)) (A. E. Elo, The Rating of Chessplayers, Past and Present, 1978, with the logistic curve). Shares below 5 % and above
// 95 % count as these, so that the ratings are from 988 to 2012. Like Level, it never calls the puzzle harder that more players find.
func (p *Puzzle) Rating() int {
	share := min(max(p.found(), leastShare), 1-leastShare)
	return int(math.Round(averageRating + 400*math.Log10((1-share)/share)))
}

// idLength is the number of characters of an id.
const idLength = 6

var idForm = base32.NewEncoding("abcdefghijkmnpqrstuvwxyz23456789").WithPadding(base32.NoPadding)

// id returns the id of a puzzle, which follows from its position.
func (p *Puzzle) id() string {
	sum := sha256.Sum256([]byte(strings.Join(p.position(), " ")))
	return idForm.EncodeToString(sum[:])[:idLength]
}
