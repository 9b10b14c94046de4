// Package puzzles has positions with exactly one good card. roem-lab klaverjas puzzles makes them, and the file is part of the program.
//
// An open puzzle shows all hands: the value of each card is exact. A hidden puzzle shows what one seat has seen: the value of a card is its
// mean over many possible deals, each searched exactly. In both, every other card costs more than a margin. docs/lab/klaverjas/puzzles.md
// says how the puzzles are found and graded.
package puzzles

import (
	"crypto/sha256"
	"encoding/base32"
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

// Why is what reason.HiddenOf found for a card: the deal of the lines, by its place, and in how many deals the reason applies.
type Why struct {
	Code             reason.Code
	Applies, Example int
	Lines            reason.Lines
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

// graders are the levels of puzzles, the weakest first: levels of players that do not mix two players, with their places in Grades. A
// beginner finds nearly all that a casual player finds, and a club player half of what only a strong one finds, so that they tell no more.
var graders = [...]struct {
	level string
	grade int
}{{"casual", 1}, {"strong", 3}, {"master", 4}}

// Levels returns the names of the levels of puzzles, the weakest first.
func Levels() []string {
	names := make([]string, len(graders))
	for i, g := range graders {
		names[i] = g.level
	}
	return names
}

// Level returns the place of the puzzle among Levels: the weakest level from which on at least half of the players of each level find the
// card. It is the last level if there is none.
func (p *Puzzle) Level() int {
	level := len(graders) - 1
	for i := level; i >= 0; i-- {
		if g := p.Grades[graders[i].grade]; 2*g.Found < g.Players {
			break
		}
		level = i
	}
	return level
}

// idLength is the number of characters of an id.
const idLength = 6

var idForm = base32.NewEncoding("abcdefghijkmnpqrstuvwxyz23456789").WithPadding(base32.NoPadding)

// id returns the id of a puzzle, which follows from its position.
func (p *Puzzle) id() string {
	sum := sha256.Sum256([]byte(strings.Join(p.position(), " ")))
	return idForm.EncodeToString(sum[:])[:idLength]
}
