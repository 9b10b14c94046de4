package belote

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/piquet"
	"roem/internal/random"
	"roem/internal/service"
)

// RandomDeal draws a deal. The same seed gives the same deal. Without a seed one is drawn; the answer has it.
func (g *Game) RandomDeal(in api.BeloteRandomDealParams) (api.BeloteDeal, error) {
	var vs []service.Violation
	deck, trump, err := deckAndTrump(in.Suits, in.Trump)
	for _, v := range err {
		vs = append(vs, service.Violation{Parameter: v.Pointer, Detail: v.Detail})
	}
	seed, seedErr := service.SeedOf(in.Seed)
	switch {
	case seedErr != nil:
		return api.BeloteDeal{}, service.NewMalformed(append(vs, service.Violation{Parameter: "seed", Detail: seedErr.Error()})...)
	case len(vs) > 0:
		return api.BeloteDeal{}, service.NewImpossible(vs...)
	}
	d := belote.Random(random.New(seed), deck, trump)
	return api.BeloteDeal{
		Position: outDeal(d), Seed: strconv.FormatUint(seed, 10), Total: d.Total(), Version: g.service.Version(),
	}, nil
}

// deckAndTrump reads the suits and the trump of a deal. The pointers of its violations are the names of the parameters.
func deckAndTrump(suits, trumpText *string) (deck piquet.Set, trump belote.Trump, bad belote.Violations) {
	deck = piquet.Deck
	if suits != nil {
		var err error
		if deck, err = parseSuits(*suits); err != nil {
			bad = append(bad, belote.Violation{Pointer: "suits", Detail: err.Error()})
		}
	}
	trump = belote.NoTrump
	switch {
	case trumpText == nil && !deck.Empty():
		trump = belote.TrumpOf(deck.First().Suit())
	case trumpText != nil && !strings.EqualFold(*trumpText, trump.String()):
		s, err := piquet.ParseSuit(*trumpText)
		switch {
		case err != nil:
			err = fmt.Errorf("%w, or %s", err, trump)
		case len(bad) == 0 && deck.InSuit(s).Empty():
			err = fmt.Errorf("%s is not one of the suits", s)
		}
		if err != nil {
			bad = append(bad, belote.Violation{Pointer: "trump", Detail: err.Error()})
		}
		trump = belote.TrumpOf(s)
	}
	return deck, trump, bad
}

// parseSuits reads a list of suits without separators, such as CD.
func parseSuits(text string) (deck piquet.Set, err error) {
	for _, letter := range text {
		s, err := piquet.ParseSuit(string(letter))
		if err != nil {
			return 0, err
		}
		if !deck.InSuit(s).Empty() {
			return 0, fmt.Errorf("%s is given twice", s)
		}
		deck |= belote.Deck(s)
	}
	if deck.Empty() {
		return 0, errors.New("is empty: expected one to four suits, such as CD")
	}
	return deck, nil
}

func outDeal(d belote.Deal) api.BeloteDealPosition {
	stacks := func(p belote.Player) (out api.BeloteStackList) {
		for _, s := range d.Of(p) {
			out = append(out, api.BeloteStack{s.Top.String(), s.Bottom.String()})
		}
		return out
	}
	return api.BeloteDealPosition{
		Trump: outTrump(d.Trump), Suits: outSuits(d.Deck), Leader: *outPlayer(d.Leader), Declarer: *outPlayer(d.Declarer),
		Threshold: d.Threshold, Stacks: api.BeloteStacks{A: stacks(belote.A), B: stacks(belote.B)},
	}
}

// DealView is a deal as the players see it: with null for the cards face down.
type DealView struct {
	Trump     *api.BeloteTrump `json:"trump"`
	Suits     []api.Suit       `json:"suits"`
	Leader    api.BeloteSeat   `json:"leader"`
	Declarer  api.BeloteSeat   `json:"declarer"`
	Threshold int              `json:"threshold"`
	Stacks    struct {
		A [][2]*string `json:"A"`
		B [][2]*string `json:"B"`
	} `json:"stacks"`
}

// HideBottoms returns a deal as the players see it before the first card.
func HideBottoms(d api.BeloteDealPosition) DealView {
	out := DealView{Trump: d.Trump, Suits: d.Suits, Leader: d.Leader, Declarer: d.Declarer, Threshold: d.Threshold}
	tops := func(list api.BeloteStackList) (stacks [][2]*string) {
		for _, s := range list {
			stacks = append(stacks, [2]*string{&s[0], nil})
		}
		return stacks
	}
	out.Stacks.A, out.Stacks.B = tops(d.Stacks.A), tops(d.Stacks.B)
	return out
}
