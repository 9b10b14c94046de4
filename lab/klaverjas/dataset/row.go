package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
)

// Row is a deal with its labels.
type Row struct {
	Number   uint64 // its number in the data set, from 0
	Owners   Owners
	Declarer piquet.Team
	Won      bool          // the declarers win
	Outcome  int           // with goal value; 0 with goal win (no outcome is 0)
	Nodes    uint64        // cards played by the search
	Took     time.Duration // of the search, in whole microseconds, on the machine that made the row; 0 if not known
}

// Deal returns the deal, in the canonical frame.
func (r Row) Deal() klaverjas.Deal {
	return klaverjas.Deal{Trump: trump, Leader: leader, Declarer: r.Declarer, Hands: r.Owners.Hands()}
}

// Owners holds the holder of each card: bits 2n and 2n+1 hold the seat with card n.
type Owners uint64

// OwnersOf returns the owners of a deal in the canonical frame.
func OwnersOf(hands [4]piquet.Set) Owners {
	var o Owners
	for seat, hand := range hands {
		for c := range hand.All() {
			o |= Owners(seat) << (2 * c)
		}
	}
	return o
}

// Of returns the seat that holds the card.
func (o Owners) Of(c piquet.Card) piquet.Seat { return piquet.Seat(o >> (2 * c) & 3) }

// Hands returns the cards of each seat.
func (o Owners) Hands() [4]piquet.Set {
	var hands [4]piquet.Set
	for c := range piquet.Card(32) {
		hands[o.Of(c)] |= 1 << c
	}
	return hands
}

// Bytes of a row.
const (
	nodesAt   = 8
	wonAt     = 16
	outcomeAt = 17
	winRow    = 17
	valueRow  = 19
)

func rowBytes(goal search.Goal) int {
	if goal == search.Value {
		return valueRow
	}
	return winRow
}

// appendRow writes a row.
func appendRow(to []byte, r Row, goal search.Goal) []byte {
	to = binary.LittleEndian.AppendUint64(to, uint64(r.Owners))
	to = binary.LittleEndian.AppendUint64(to, r.Nodes)
	won := byte(0)
	if r.Won {
		won = 1
	}
	to = append(to, won)
	if goal == search.Value {
		to = binary.LittleEndian.AppendUint16(to, uint16(int16(r.Outcome)))
	}
	return to
}

// readRow reads a row of rowBytes bytes. It is an error if the row is not valid.
func readRow(b []byte, goal search.Goal) (Row, error) {
	r := Row{Owners: Owners(binary.LittleEndian.Uint64(b)), Nodes: binary.LittleEndian.Uint64(b[nodesAt:])}
	for seat, hand := range r.Owners.Hands() {
		if n := hand.Len(); n != klaverjas.HandSize {
			return Row{}, fmt.Errorf("%s holds %d cards, expected %d", piquet.Seat(seat), n, klaverjas.HandSize)
		}
	}
	switch b[wonAt] {
	case 0:
	case 1:
		r.Won = true
	default:
		return Row{}, fmt.Errorf("won is %d, expected 0 or 1", b[wonAt])
	}
	if goal == search.Value {
		r.Outcome = int(int16(binary.LittleEndian.Uint16(b[outcomeAt:])))
		switch {
		case r.Outcome == 0:
			return Row{}, errors.New("the outcome is 0, which no deal has")
		case r.Won != (r.Outcome > 0):
			return Row{}, fmt.Errorf("won is %d, but the outcome is %d", b[wonAt], r.Outcome)
		}
	}
	return r, nil
}
