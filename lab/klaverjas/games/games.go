// Package games plays hands of Klaverjas between players with hidden cards and keeps them as rows: the deal and the cards in the order of
// play. Beliefs and policies are learned from such rows.
package games

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// Game is a hand that was played to its end.
type Game struct {
	Rules  klaverjas.Rules // the default rules of a system
	Deal   klaverjas.Deal
	Played [32]piquet.Card // in the order of play
}

// rowBytes is the size of a row: the system, trump and leader, the declarers, one byte each card of the deal (its holder), and the plays.
const rowBytes = 4 + 32 + 32

// Append appends the row of a game.
func (g *Game) Append(row []byte) []byte {
	row = append(row, byte(g.Rules.System), byte(g.Deal.Trump), byte(g.Deal.Leader), byte(g.Deal.Declarer))
	for c := range piquet.Card(32) {
		for _, s := range piquet.Seats() {
			if g.Deal.Hands[s].Has(c) {
				row = append(row, byte(s))
			}
		}
	}
	for _, c := range g.Played {
		row = append(row, byte(c))
	}
	return row
}

// Read reads all games. Its error names the row that is not a game.
func Read(r io.Reader) ([]Game, error) {
	in := bufio.NewReaderSize(r, 1<<20)
	var all []Game
	var row [rowBytes]byte
	for {
		if _, err := io.ReadFull(in, row[:]); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return all, fmt.Errorf("game %d: %w", len(all), err)
		}
		g := Game{
			Rules: klaverjas.DefaultRules(klaverjas.System(row[0] & 1)),
			Deal:  klaverjas.Deal{Trump: piquet.Suit(row[1] & 3), Leader: piquet.Seat(row[2] & 3), Declarer: piquet.Team(row[3] & 1)},
		}
		for c, s := range row[4:36] {
			g.Deal.Hands[s&3] = g.Deal.Hands[s&3].With(piquet.Card(c))
		}
		for i, c := range row[36:] {
			g.Played[i] = piquet.Card(c & 31)
		}
		start, err := klaverjas.NewPosition(g.Rules, g.Deal)
		if err == nil {
			_, err = start.Replay(g.Played[:])
		}
		if err != nil {
			return all, fmt.Errorf("game %d: %w", len(all), err)
		}
		all = append(all, g)
	}
}
