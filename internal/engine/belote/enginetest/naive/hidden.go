package naive

import "math/big"

// Unknown is the place of a card that nobody has seen, in a stack.
const Unknown = "?"

// Hide replaces the lower cards of the stacks whose top card is in tops by Unknown, and returns them.
func (g *Game) Hide(tops ...string) (unseen []string) {
	for _, player := range []string{"A", "B"} {
		for _, stack := range g.Stacks[player] {
			for _, top := range tops {
				if len(stack) == 2 && stack[0] == top {
					unseen = append(unseen, stack[1])
					stack[1] = Unknown
				}
			}
		}
	}
	return unseen
}

// turnable returns the place of an unknown card that is on top of its stack.
func (g *Game) turnable() (player string, stack int, ok bool) {
	for _, player := range []string{"A", "B"} {
		for i, s := range g.Stacks[player] {
			if len(s) > 0 && s[0] == Unknown {
				return player, i, true
			}
		}
	}
	return "", 0, false
}

func without(list []string, i int) []string {
	return append(append([]string(nil), list[:i]...), list[i+1:]...)
}

// Expectimax returns the expected value when both play best and nobody knows the unseen cards: worth is the value of the end for the
// declarer. Cards are turned at once, or after the trick.
func (g *Game) Expectimax(unseen []string, atOnce bool, worth func(*Game) int64) *big.Rat {
	if player, stack, ok := g.turnable(); ok && (atOnce || g.Led == "") {
		sum := new(big.Rat)
		for i, card := range unseen {
			next := g.Copy()
			next.Stacks[player][stack][0] = card
			sum.Add(sum, next.Expectimax(without(unseen, i), atOnce, worth))
		}
		return sum.Quo(sum, big.NewRat(int64(len(unseen)), 1))
	}
	if g.Over() {
		return big.NewRat(worth(g), 1)
	}
	var best *big.Rat
	for _, card := range g.Legal() {
		next := g.Copy()
		next.Play(card)
		value := next.Expectimax(unseen, atOnce, worth)
		if best == nil || g.Turn == g.Declarer && value.Cmp(best) > 0 || g.Turn != g.Declarer && value.Cmp(best) < 0 {
			best = value
		}
	}
	return best
}

// Worlds returns a game for every order of the unseen cards.
func (g *Game) Worlds(unseen []string) (out []*Game) {
	if len(unseen) == 0 {
		return []*Game{g}
	}
	for i, card := range unseen {
		next := g.Copy()
		next.fill(card)
		out = append(out, next.Worlds(without(unseen, i))...)
	}
	return out
}

// fill puts a card in the first unknown place.
func (g *Game) fill(card string) {
	for _, player := range []string{"A", "B"} {
		for _, stack := range g.Stacks[player] {
			for i, c := range stack {
				if c == Unknown {
					stack[i] = card
					return
				}
			}
		}
	}
}

// Chooses reports whether a player ever has more than one legal card from here on, whatever is played and turned.
func (g *Game) Chooses(player string, unseen []string) bool {
	for _, world := range g.Worlds(unseen) {
		if world.chooses(player) {
			return true
		}
	}
	return false
}

func (g *Game) chooses(player string) bool {
	if g.Over() {
		return false
	}
	legal := g.Legal()
	if g.Turn == player && len(legal) > 1 {
		return true
	}
	for _, card := range legal {
		next := g.Copy()
		next.Play(card)
		if next.chooses(player) {
			return true
		}
	}
	return false
}
