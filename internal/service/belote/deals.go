package belote

import (
	"slices"
	"strconv"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/random"
	"roem/internal/service"
)

// RandomDeal draws a deal. The same seed gives the same deal. Without a seed one is drawn; the answer has it.
func (g *Game) RandomDeal(in api.BeloteRandomDealParams) (api.BeloteDeal, error) {
	var vs service.Problems
	deck, trump := deckAndTrump(in.Suits, in.Trump, &vs)
	seed, err := service.SeedOf(in.Seed)
	vs.AddIn("seed", err)
	if err := vs.Err(); err != nil {
		return api.BeloteDeal{}, err
	}
	d := belote.Random(random.New(seed), deck, trump)
	return api.BeloteDeal{
		Position: outDeal(d), Seed: strconv.FormatUint(seed, 10), Total: d.Total(), Version: g.service.Version(),
	}, nil
}

// deckAndTrump reads the suits and the trump of a deal. It adds violations to vs.
func deckAndTrump(suits, trumpText *string, vs *service.Problems) (deck piquet.Set, trump belote.Trump) {
	deck = piquet.Deck
	if suits != nil {
		var err error
		deck, err = parseSuits(*suits)
		vs.AddIn("suits", err)
	}
	trump = belote.NoTrump
	switch {
	case trumpText == nil && !deck.Empty():
		trump = belote.TrumpOf(deck.First().Suit())
	case trumpText != nil && !strings.EqualFold(*trumpText, trump.String()):
		s, err := piquet.ParseSuit(*trumpText)
		switch {
		case err != nil:
			err = orNone(err, trump.String())
		case len(*vs) == 0 && deck.InSuit(s).Empty():
			err = violation.New(violation.NotInDeal, "%s is not one of the suits", s).Of(s)
		}
		vs.AddIn("trump", err)
		trump = belote.TrumpOf(s)
	}
	return deck, trump
}

// parseSuits reads a list of suits without separators, such as CD.
func parseSuits(text string) (deck piquet.Set, err error) {
	for _, letter := range text {
		s, err := piquet.ParseSuit(string(letter))
		if err != nil {
			return 0, violation.New(violation.NotASuit, "%.40q is not a list of suits: expected one to four of C, D, H and S, such as CD", text).
				Of(text)
		}
		if !deck.InSuit(s).Empty() {
			return 0, violation.New(violation.ListedTwice, "%s is given twice", s).Of(s)
		}
		deck |= belote.Deck(s)
	}
	if deck.Empty() {
		return 0, violation.New(violation.TooFew, "is empty: expected one to four suits, such as CD")
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

// orNone adds to the error of a trump that is no suit how a hand without trump is written.
func orNone(err error, none string) error {
	v := violation.Of("", err)[0]
	v.Detail += ", or " + none
	v.Expected.OneOf = append(slices.Clip(v.Expected.OneOf), none)
	return v
}
