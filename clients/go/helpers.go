package roem

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Seats returns the seats of Klaverjas, in order of play.
func Seats() []KlaverjasSeat {
	return []KlaverjasSeat{KlaverjasSeatN, KlaverjasSeatE, KlaverjasSeatS, KlaverjasSeatW}
}

// TeamOf returns the team of a seat.
func TeamOf(seat KlaverjasSeat) KlaverjasTeam {
	if seat == KlaverjasSeatN || seat == KlaverjasSeatS {
		return KlaverjasTeamNS
	}
	return KlaverjasTeamEW
}

// SeatAfter returns the seat that plays some turns after another: 1 is the next, 2 the partner.
func SeatAfter(seat KlaverjasSeat, turns int) KlaverjasSeat {
	seats := Seats()
	return seats[((slices.Index(seats, seat)+turns)%4+4)%4]
}

// OutcomeFor returns an outcome as a seat or a team counts it. The outcome of an answer is the outcome for the declarers, whoever asks
// and whoever is to play: the declarers play for a high one, and the defenders for a low one.
func OutcomeFor[S KlaverjasSeat | KlaverjasTeam](side S, outcome int, declarer KlaverjasTeam) int {
	if strings.Contains(string(declarer), string(side)) {
		return outcome
	}
	return -outcome
}

// Seating returns who sits where: the first player on the first seat, the others in order of play.
func Seating[P any](first KlaverjasSeat, players [4]P) map[KlaverjasSeat]P {
	at := map[KlaverjasSeat]P{}
	for turns, player := range players {
		at[SeatAfter(first, turns)] = player
	}
	return at
}

// Index writes the index of a deal or a seed as the server reads it: a decimal text, because a number above 2^53 loses digits in JSON.
func Index(value uint64) string { return strconv.FormatUint(value, 10) }

// ParseIndex reads the index of a deal or a seed of an answer.
func ParseIndex(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) }

// As writes a value as another type with fields of the same names: the position of a deal as a request, the view of a session as a
// question for advice.
func As[T any](value any) (T, error) {
	var t T
	text, err := json.Marshal(value)
	if err != nil {
		return t, err
	}
	if err := json.Unmarshal(text, &t); err != nil {
		return t, fmt.Errorf("%T as %T: %w", value, t, err)
	}
	return t, nil
}

// Ptr returns a pointer to a value, for a field that can be left out.
func Ptr[T any](value T) *T { return &value }

// Item is an answer in a list, or the error in its place: one of the two is nil.
type Item[T any] struct {
	Answer *T
	Err    *ProblemDocument
}

// UnmarshalJSON reads an item of a list.
func (i *Item[T]) UnmarshalJSON(text []byte) error {
	var failed ItemError
	if err := json.Unmarshal(text, &failed); err != nil {
		return err
	}
	if !failed.OK {
		*i = Item[T]{Err: problemOf(failed.Error)}
		return nil
	}
	answer, err := decode[T](text)
	*i = Item[T]{Answer: answer}
	return err
}
