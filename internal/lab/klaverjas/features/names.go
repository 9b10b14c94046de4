package features

import (
	"strconv"

	"roem/internal/engine/piquet"
)

// Names returns the names of the columns, in order. docs/lab/klaverjas/features.md uses the same names.
func Names() [Columns]string {
	var names [Columns]string
	at := 0
	add := func(name string) {
		names[at] = name
		at++
	}
	suits, ranks := suitNames(), rankNames()
	var seats []string
	for _, seat := range piquet.Seats() {
		seats = append(seats, seat.String())
	}
	teams := []string{piquet.NorthSouth.String(), piquet.EastWest.String()}
	product := func(group string, first, second []string) {
		for _, a := range first {
			for _, b := range second {
				add(group + "_" + a + "_" + b)
			}
		}
	}
	list := func(group string, of []string) {
		for _, a := range of {
			add(group + "_" + a)
		}
	}
	for c := range piquet.Card(32) {
		add("owner_" + c.String())
	}
	product("suit_count", seats, suits)
	product("rank_count", seats, ranks)
	list("points", seats)
	list("stdev", seats)
	list("stdev", suits)
	add("stdev_game")
	product("top_cards", seats, suits)
	product("suit_count", teams, suits)
	product("rank_count", teams, ranks)
	list("points", teams)
	product("top_cards", teams, suits)
	return names
}

// suitNames returns words, because S is both a suit and a seat.
func suitNames() []string { return []string{"clubs", "diamonds", "hearts", "spades"} }

func rankNames() []string {
	var names []string
	for rank := range 8 {
		names = append(names, strconv.Itoa(rank+1))
	}
	return names
}
