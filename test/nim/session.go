package nim

import (
	"context"
	"fmt"
	"time"

	"roem/internal/engine/record"
	"roem/internal/engine/table/history"
	"roem/internal/engine/table/session"
	"roem/internal/service"
)

type (
	setup   = session.Single[hand, seat, hand, NimMove]
	playing = session.Session[setup, hand, seat, hand, NimMove]
)

// records are the records of hands.
var records = &history.Game[hand, seat, hand, NimMove]{
	Name: "nim", Start: "Piles", Most: 15,
	Begin: func(sizes []int) hand { return hand{Piles: sizes} },
	Began: func(h hand) []int { return h.Piles },
	Text:  func(m NimMove) string { return fmt.Sprintf("%d:%d", m.Pile, m.Take) },
	Parse: func(word string) (m NimMove, err error) {
		_, err = fmt.Sscanf(word, "%d:%d", &m.Pile, &m.Take)
		return m, err
	},
	Result: func(h hand) []string { return history.Words(int(1 - h.Next)) }, // who has won
}

// table lets a client play against the best player.
func (g *Game) table() service.TableGame[setup, hand, seat, hand, NimMove, NimSession] {
	return service.TableGame[setup, hand, seat, hand, NimMove, NimSession]{
		Service: g.service, Terms: func(s *setup) *session.Terms { return &s.Terms },
		Choose: func(ctx context.Context, _ setup, t session.Turn[seat], h hand) (NimMove, error) {
			return kinds[0].New(t.Rand).Choose(ctx, h)
		},
		Show: func(id string, _ time.Time, s playing) NimSession {
			return NimSession{
				Id: id, Number: s.Number(), State: NimSessionState(s.State()), Acts: s.Next(), Piles: s.Hand().Piles,
				Moves: append([]NimMove{}, s.Done()...), Version: g.service.Version(),
			}
		},
		Written: func(s playing, number int) record.Hand {
			return records.Hand(service.SessionTags(number, "0"), s.Match().Start, s.Hand(), s.Done())
		},
	}
}
