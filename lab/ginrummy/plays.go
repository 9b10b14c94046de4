package ginrummy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/model/ginrummy/forest"
	"roem/internal/random"
)

// PlaysHeader is the first line of the data set of plays. A row is written after each discard of a turn with a draw, as the other player
// saw the round: the data of the paper.
//
//	game, round, turn  numbers from 0; games to 100, of two simple players
//	player             the player who sees, 0 or 1; the other has just discarded
//	discarded          cards that the other discarded, or declined by drawing from the stock; never cleared in a round
//	taken              cards that the other took from the discards and still has
//	own                the ten cards of the player
//	held               the ten cards of the other: what is to be learned
//
// Cards are separated by spaces, in the order of clubs, hearts, spades and diamonds, the ace low.
const PlaysHeader = "game,round,turn,player,discarded,taken,own,held\n"

// Plays are the size and the checksum of a data set of plays.
type Plays struct {
	Games, Rounds, Rows int
	SHA256              string
}

// WritePlays lets two simple players play games of a seed, and writes the data set.
func WritePlays(ctx context.Context, to io.Writer, seed uint64, games int) (p Plays, err error) {
	sum := sha256.New()
	to = io.MultiWriter(to, sum)
	if _, err = io.WriteString(to, PlaysHeader); err != nil {
		return p, err
	}
	w := playWriter{to: to}
	for game := range games {
		if err := w.game(ctx, seed, game); err != nil {
			return p, err
		}
	}
	return Plays{games, w.rounds, w.rows, hex.EncodeToString(sum.Sum(nil))}, nil
}

type playWriter struct {
	to           io.Writer
	line         []byte
	rounds, rows int
	err          error
}

func (w *playWriter) game(ctx context.Context, seed uint64, game int) error {
	number := uint64(game)
	seats := [2]players.Player{
		players.NewSimple(random.New(seed, playerStream, number, 0)), players.NewSimple(random.New(seed, playerStream, number, 1)),
	}
	starter := ginrummy.Seat(random.Below(random.New(seed, starterStream, number), 2))
	round := 0
	_, err := players.PlayGame(ctx, starter, func(n int, starter ginrummy.Seat) ginrummy.Deal {
		round = n
		w.rounds++
		return ginrummy.SeededDeal(seed, number*players.MaxRounds+uint64(n), starter)
	}, seats, func(step *players.Step) {
		if step.Action.Kind == ginrummy.Discard && w.err == nil {
			w.row(game, round, step)
		}
	}, nil)
	if w.err != nil {
		return w.err
	}
	return err
}

func (w *playWriter) row(game, round int, step *players.Step) {
	seat := step.Before.Seat().Other()
	v := ginrummy.NewView(&step.After, seat, step.Events[seat], [2]int{})
	facts := forest.FactsOf(&v)
	b := w.line[:0]
	for _, n := range [4]int{game, round, step.Before.Turns(), int(seat)} {
		b = append(strconv.AppendInt(b, int64(n), 10), ',')
	}
	for i, set := range [4]ginrummy.Set{facts.Discards, facts.Kept, facts.Own, step.After.Hand(seat.Other())} {
		if i > 0 {
			b = append(b, ',')
		}
		for c := range set.All() {
			if b[len(b)-1] != ',' {
				b = append(b, ' ')
			}
			b = append(b, c.String()...)
		}
	}
	b = append(b, '\n')
	w.line = b
	_, w.err = w.to.Write(w.line)
	w.rows++
}

// String returns the size and the checksum in a sentence.
func (p *Plays) String() string {
	return fmt.Sprintf("%d plays of %d games and %d rounds, SHA-256 %s\n", p.Rows, p.Games, p.Rounds, p.SHA256)
}
