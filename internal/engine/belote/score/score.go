// Package score computes what the players of Belote Découverte write down for a hand: the contract, belote-rebelote, melds and the bonus
// for all tricks. The paper (Bezirganyan, Ghazaryan and Atanyan, section 1.1.1) leaves details open; docs/reference/rules/belote.md has
// the choices.
package score

import (
	"errors"

	"roem/internal/engine/belote"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// Contract says when the declarer makes the contract.
type Contract uint8

// The contracts.
const (
	// Paper needs the threshold. Belote-rebelote and melds of the declarer add to its points, the melds of the other to the threshold.
	Paper Contract = iota
	// Standard needs more than the other has, with belote-rebelote and melds.
	Standard
	// None is a hand that nobody has declared: each writes down its own points.
	None
)

// Melds says which melds count.
type Melds uint8

// The melds that count.
const (
	NoMelds    Melds = iota
	OpenMelds        // of the open cards at the first trick
	OwnedMelds       // of all cards of a player
)

var (
	contractNames = []string{"paper", "standard", "none"}
	meldsNames    = []string{"off", "open", "owned"}
)

// String returns the name of the contract in JSON.
func (c Contract) String() string { return contractNames[c%3] }

// String returns the name in JSON.
func (m Melds) String() string { return meldsNames[m%3] }

// ParseContract reads paper, standard or none.
func ParseContract(text string) (Contract, error) {
	return violation.ParseWord[Contract](text, contractNames...)
}

// ParseMelds reads off, open or owned.
func ParseMelds(text string) (Melds, error) { return violation.ParseWord[Melds](text, meldsNames...) }

// Rules are the rules of the score.
type Rules struct {
	Contract  Contract
	Threshold int // of the contract Paper
	Litige    bool
	Belote    bool
	Melds     Melds
	Capot     int // the bonus for all tricks
}

// Kind is what points are for.
type Kind uint8

// The kinds of points.
const (
	Tricks Kind = iota
	LastTrick
	Belote
	Run
	Square
	Counted // melds whose cards are not known
	Capot
)

// String returns the name of the kind in JSON.
func (k Kind) String() string {
	return [...]string{"tricks", "last_trick", "belote", "run", "square", "melds", "capot"}[k%7]
}

// trick reports whether the points are of tricks, which count for the threshold.
func (k Kind) trick() bool { return k == Tricks || k == LastTrick }

// Part is points, and what became of them.
type Part struct {
	Player  belote.Player
	Kind    Kind
	Points  int
	Cards   []piquet.Card // of belote-rebelote and melds
	Counts  bool          // false for melds where the other player has the best one
	Written bool
	By      belote.Player // who writes the points down, if Written
}

// Result is what became of the contract.
type Result uint8

// The results.
const (
	Made Result = iota
	Lost
	Litige // equal points: the declarer's are held for the winner of the next hand
	NoContract
)

// String returns the name of the result in JSON.
func (r Result) String() string { return [...]string{"made", "lost", "litige", "none"}[r%4] }

// Sheet is what is written down for a hand.
type Sheet struct {
	Written [2]int
	Held    int
	Result  Result
	Made    [2]int // the points of both that count
	Needed  int    // what the declarer needed of Made; 0 without a contract
	Parts   []Part
}

// beloteBonus are the points of belote-rebelote.
const beloteBonus = 20

// Settle returns what is written down for the parts of a hand.
func Settle(r Rules, declarer belote.Player, parts []Part) Sheet {
	s := Sheet{Parts: parts}
	var extra [2]int
	for _, p := range parts {
		if !p.Counts {
			continue
		}
		s.Made[p.Player] += p.Points
		if !p.Kind.trick() {
			extra[p.Player] += p.Points
		}
	}
	other := declarer.Other()
	switch r.Contract {
	case None:
		s.Result = NoContract
	case Paper:
		s.Needed = r.Threshold + extra[other]
		if s.Made[declarer] < s.Needed {
			s.Result = Lost
		}
	case Standard:
		s.Needed = s.Made[other] + 1
		switch {
		case s.Made[declarer] == s.Made[other] && r.Litige:
			s.Result = Litige
		case s.Made[declarer] < s.Needed:
			s.Result = Lost
		}
	}
	for i := range s.Parts {
		p := &s.Parts[i]
		if !p.Counts {
			continue
		}
		p.By, p.Written = p.Player, true
		if p.Player == declarer {
			switch {
			case s.Result == Lost && p.Kind != Belote:
				p.By = other
			case s.Result == Litige:
				p.Written = false
				s.Held += p.Points
				continue
			}
		}
		s.Written[p.By] += p.Points
	}
	return s
}

// ErrUnfinished is the error for a hand that is not finished.
var ErrUnfinished = errors.New("the hand is not finished")

// Hand returns the parts of a finished hand: start is the position before the first card.
func Hand(r Rules, start belote.Position, played []piquet.Card) ([]Part, error) {
	var (
		points, tricks [2]int
		holder         [32]belote.Player
	)
	p := start
	for _, c := range played {
		holder[c&31] = p.Turn()
		next, err := p.Play(c)
		if err != nil {
			return nil, err
		}
		if next.Played()&1 == 0 {
			tricks[next.Leader()]++
		}
		p = next
	}
	if !p.Finished() {
		return nil, ErrUnfinished
	}
	d := start.Deal()
	last := p.Leader()
	for _, player := range belote.Players() {
		points[player] = p.Points(player)
	}
	points[last] -= belote.LastTrick
	var parts []Part
	for _, player := range belote.Players() {
		parts = append(parts, Part{Player: player, Kind: Tricks, Points: points[player], Counts: true})
	}
	parts = append(parts, Part{Player: last, Kind: LastTrick, Points: belote.LastTrick, Counts: true})
	if suit, ok := d.Trump.Suit(); ok && r.Belote {
		king, queen := piquet.Of(suit, piquet.King), piquet.Of(suit, piquet.Queen)
		if holder[king] == holder[queen] {
			parts = append(parts, Part{Player: holder[king], Kind: Belote, Points: beloteBonus, Cards: []piquet.Card{queen, king}, Counts: true})
		}
	}
	parts = append(parts, meldParts(r.Melds, &d)...)
	if r.Capot > 0 && tricks[last.Other()] == 0 {
		parts = append(parts, Part{Player: last, Kind: Capot, Points: r.Capot, Counts: true})
	}
	return parts, nil
}

// CountedHand is a hand whose points somebody counted.
type CountedHand struct {
	Points    [2]int // in tricks, the last trick included
	Belote    *belote.Player
	Melds     [2]int
	AllTricks *belote.Player
}

// Parts returns the parts of the hand. The melds count, as they were counted.
func (h CountedHand) Parts(r Rules) (parts []Part) {
	for _, player := range belote.Players() {
		parts = append(parts, Part{Player: player, Kind: Tricks, Points: h.Points[player], Counts: true})
	}
	if h.Belote != nil && r.Belote {
		parts = append(parts, Part{Player: *h.Belote, Kind: Belote, Points: beloteBonus, Counts: true})
	}
	for _, player := range belote.Players() {
		if h.Melds[player] > 0 {
			parts = append(parts, Part{Player: player, Kind: Counted, Points: h.Melds[player], Counts: true})
		}
	}
	if h.AllTricks != nil && r.Capot > 0 {
		parts = append(parts, Part{Player: *h.AllTricks, Kind: Capot, Points: r.Capot, Counts: true})
	}
	return parts
}
