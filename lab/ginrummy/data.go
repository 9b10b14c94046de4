// Package ginrummy learns and measures estimates of the hand of the opponent in Gin Rummy: data from games of simple players, split by
// deal, the training of the network of model/ginhand, and the models of Hein, Jiang, Thiyageswaran and Guerzhoy, "Random Forests for
// Opponent Hand Estimation in Gin Rummy", 2021 ("the paper"), measured honestly and with the leak of their random generator.
package ginrummy

import (
	"context"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/random"
)

// Moment says when a row was taken.
type Moment uint8

// The moments.
const (
	AfterDiscard Moment = iota // after a discard of the opponent: the rows of the paper, and of every table
	AfterDraw                  // after the player's own draw
	BeforeAny                  // at a decision before the first discard of the opponent
)

// Row is what one player has seen at a moment, and the hand of the other.
type Row struct {
	Deal   uint64 // the number of the deal
	Moment Moment
	View   ginrummy.View
	Hand   ginrummy.Set // of the opponent
}

// starterStream and playerStream are the streams of a seed of data.
const (
	starterStream = 0x67696e2d73 // "gin-s"
	playerStream  = 0x67696e2d70 // "gin-p"
)

// DealOf returns the deal with a number of the data of a seed. Each deal has a generator of its own.
func DealOf(seed, number uint64) ginrummy.Deal {
	return ginrummy.SeededDeal(seed, number, ginrummy.Seat(random.Below(random.New(seed, starterStream, number), 2)))
}

// EachRow calls do with the rows of the deals from number from to below to, played by two simple players. The rows of a deal are together.
func EachRow(ctx context.Context, seed, from, to uint64, do func(*Row)) error {
	for number := from; number < to; number++ {
		deal := DealOf(seed, number)
		seats := [2]players.Player{
			players.NewSimple(random.New(seed, playerStream, number, 0)), players.NewSimple(random.New(seed, playerStream, number, 1)),
		}
		if err := rowsOf(ctx, number, &deal, seats, do); err != nil {
			return err
		}
	}
	return nil
}

// rowsOf calls do with the rows of a round.
func rowsOf(ctx context.Context, number uint64, deal *ginrummy.Deal, seats [2]players.Player, do func(*Row)) error {
	discarded := [2]bool{} // whether a seat has discarded
	_, _, err := players.PlayRound(ctx, deal, [2]int{}, seats, func(step *players.Step) {
		row := func(moment Moment, r *ginrummy.Round, seat ginrummy.Seat) {
			do(&Row{number, moment, ginrummy.NewView(r, seat, step.Events[seat], [2]int{}), r.Hand(seat.Other())})
		}
		seat := step.Before.Seat()
		switch step.Action.Kind {
		case ginrummy.Discard:
			discarded[seat] = true
			row(AfterDiscard, &step.After, seat.Other())
		case ginrummy.Take, ginrummy.Stock:
			if discarded[seat.Other()] {
				row(AfterDraw, &step.After, seat)
			} else {
				row(BeforeAny, &step.After, seat)
			}
		case ginrummy.Pass:
			if step.Before.Turns() == 0 {
				row(BeforeAny, &step.After, seat.Other())
			}
		default:
		}
	})
	return err
}
