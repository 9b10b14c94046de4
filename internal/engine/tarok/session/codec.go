package session

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	frame "roem/internal/engine/table/session"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
)

// Text returns the actions of a hand as text.
func (m Match) Text(list []players.Action) any { return frame.Join(list, actionText) }

// Parse reads the actions of a hand.
func (m Match) Parse(text json.RawMessage) ([]players.Action, error) {
	return frame.Split(text, readAction)
}

// actionText returns an action as text: b:pass, x:2:C8,CJ with the group from 0, w: and a bit for each word, or c:T21.
func actionText(a players.Action) string {
	switch a.Phase {
	case players.ToBid:
		return "b:" + a.Bid.String()
	case players.ToExchange:
		return fmt.Sprintf("x:%d:%s", a.Group, strings.Join(a.Discards.Names(), ","))
	case players.ToAnnounce:
		return "w:" + strconv.Itoa(wordBits(a.Words))
	default:
		return "c:" + a.Card.String()
	}
}

func readAction(text string) (a players.Action, err error) {
	kind, rest, _ := strings.Cut(text, ":")
	switch kind {
	case "b":
		a.Phase = players.ToBid
		a.Bid, err = tarok.ParseBid(rest)
	case "x":
		a.Phase = players.ToExchange
		group, list, _ := strings.Cut(rest, ":")
		if a.Group, err = strconv.Atoi(group); err != nil {
			return a, err
		}
		for name := range strings.SplitSeq(list, ",") {
			c, err := tarok.ParseCard(name)
			if err != nil {
				return a, err
			}
			a.Discards = a.Discards.With(c)
		}
	case "w":
		a.Phase = players.ToAnnounce
		var bits int
		bits, err = strconv.Atoi(rest)
		a.Words = wordsOf(bits)
	case "c":
		a.Phase = players.ToPlay
		a.Card, err = tarok.ParseCard(rest)
	default:
		err = fmt.Errorf("%.40q is not an action", text)
	}
	return a, err
}

// wordBits returns words as bits: the announced bonuses, the doubled ones, and kontra.
func wordBits(w players.Words) (bits int) {
	for i := range w.Bonuses {
		bits |= bit(w.Bonuses[i], i) | bit(w.Double[i], len(w.Bonuses)+i)
	}
	return bits | bit(w.Kontra, 2*len(w.Bonuses))
}

func bit(set bool, at int) int {
	if set {
		return 1 << at
	}
	return 0
}

func wordsOf(bits int) (w players.Words) {
	n := len(w.Bonuses)
	for i := range n {
		w.Bonuses[i], w.Double[i] = bits>>i&1 != 0, bits>>(n+i)&1 != 0
	}
	w.Kontra = bits>>(2*n)&1 != 0
	return w
}
