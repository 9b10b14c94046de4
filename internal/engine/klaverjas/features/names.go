package features

import (
	"fmt"
	"strconv"

	"roem/internal/engine/piquet"
)

// Set is a set of columns, as the paper divides them.
type Set string

// The sets. The paper's handcrafted features are Handcrafted and Teams together.
const (
	OwnershipSet   Set = "ownership"   // 32: who holds each card
	HandcraftedSet Set = "handcrafted" // 77: the other rows of Table 2
	TeamsSet       Set = "teams"       // 34: sums of these over a team (section 5)
)

// Description says what a column is.
type Description struct {
	Name    string
	Set     Set
	Meaning string
}

// Names returns the names of the columns, in order. lab/docs/klaverjas/features.md uses the same names.
func Names() (names [Columns]string) {
	for i, d := range Describe() {
		names[i] = d.Name
	}
	return names
}

// term is a part of a name, and the words for it.
type term struct{ name, words string }

// Describe returns the descriptions of the columns, in order. The suits and seats are in the canonical frame: clubs are trump, and north
// leads.
func Describe() [Columns]Description {
	var d describing
	for c := range piquet.Card(32) {
		d.add(OwnershipSet, "owner_"+c.String(), fmt.Sprintf(
			"the holder of the %s of %s: 0 the leader, then 1, 2, 3 in the order of play", c.Face(), suits()[c.Suit()].words))
	}
	of := func(set Set, group string, who, what []term, format string) {
		for _, a := range who {
			for _, b := range what {
				d.add(set, group+"_"+a.name+"_"+b.name, fmt.Sprintf(format, a.words, b.words))
			}
		}
	}
	const suitCount, rankCount = "the number of cards of %[2]s that %[1]s has", "the number of cards of %[2]s that %[1]s has, in all suits"
	const topCards = "the number of cards of %[2]s that %[1]s has and no card of the opponents in it beats"
	of(HandcraftedSet, "suit_count", seats(), suits(), suitCount)
	of(HandcraftedSet, "rank_count", seats(), ranks(), rankCount)
	for _, seat := range seats() {
		d.add(HandcraftedSet, "points_"+seat.name, "the points of the cards that "+seat.words+" has")
	}
	for _, seat := range seats() {
		d.add(HandcraftedSet, "stdev_"+seat.name, "the standard deviation of the four suit counts of "+seat.words)
	}
	for _, suit := range suits() {
		d.add(HandcraftedSet, "stdev_"+suit.name, "the standard deviation of the numbers of cards of "+suit.words+" in the four hands")
	}
	d.add(HandcraftedSet, "stdev_game", "the standard deviation of all sixteen suit counts")
	of(HandcraftedSet, "top_cards", seats(), suits(), topCards)
	of(TeamsSet, "suit_count", teams(), suits(), suitCount)
	of(TeamsSet, "rank_count", teams(), ranks(), rankCount)
	for _, team := range teams() {
		d.add(TeamsSet, "points_"+team.name, "the points of the cards that "+team.words+" has")
	}
	of(TeamsSet, "top_cards", teams(), suits(), topCards)
	return d.all
}

type describing struct {
	all [Columns]Description
	at  int
}

func (d *describing) add(set Set, name, meaning string) {
	d.all[d.at] = Description{name, set, meaning}
	d.at++
}

func seats() []term {
	return []term{
		{"N", "the leader"}, {"E", "the player after the leader"}, {"S", "the leader's partner"}, {"W", "the player before the leader"},
	}
}

func teams() []term { return []term{{"NS", "the leader's team"}, {"EW", "the other team"}} }

// suits have words as names, because S is both a suit and a seat.
func suits() []term {
	return []term{
		{"clubs", "trump"}, {"diamonds", "the first plain suit"}, {"hearts", "the second plain suit"}, {"spades", "the third plain suit"},
	}
}

func ranks() (ranks []term) {
	for rank := range 8 {
		words := "rank " + strconv.Itoa(rank+1)
		switch rank {
		case 0:
			words += " (the sevens)"
		case 7:
			words += " (the jack of trump and the other aces)"
		}
		ranks = append(ranks, term{strconv.Itoa(rank + 1), words})
	}
	return ranks
}
