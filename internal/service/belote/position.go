package belote

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// Position is a position of a request, with the cards that led to it.
type Position struct {
	now    belote.Position
	start  belote.Position // before the first card
	played []piquet.Card
	flip   worlds.Flip
}

// maxText is how many characters a text may have in the contract.
const maxText = 32

// maxPlayed is how many cards the list of the cards played may have in the contract. It is more than any list has by the rules.
const maxPlayed = 64

// maxPoints is the largest threshold of the contract.
const maxPoints = 162

// violations collects the violations in a request, so that all are reported at once.
type violations []service.Violation

func (vs *violations) add(pointer string, err error) {
	if err != nil {
		*vs = append(*vs, service.Violation{Pointer: pointer, Detail: err.Error()})
	}
}

// newPosition builds a position from its body. Its error is a *service.Error of kind Malformed or Impossible.
func newPosition(in positionBody) (Position, error) {
	if err := in.checkShape(); err != nil {
		return Position{}, err
	}
	var vs violations
	d, _ := in.deal(&vs)
	played := in.cards(&vs)
	if len(vs) > 0 {
		return Position{}, service.NewImpossible(vs...)
	}
	start, err := belote.NewPosition(d)
	if err != nil {
		return Position{}, service.AsImpossible(err)
	}
	p := Position{start: start, played: played}
	p.flip, _ = in.flip() // checkShape has read it
	p.now, err = start.Replay(played)
	return p, service.AsImpossible(err)
}

// checkShape refuses what the contract refuses and the types accept. The details are those of the schema: see service.Decode.
func (in *positionBody) checkShape() error {
	bad := func(pointer, detail string) error {
		return service.NewMalformed(service.Violation{Pointer: pointer, Detail: detail})
	}
	switch {
	case !in.Trump.given:
		return bad("/trump", "is missing")
	case in.Leader == nil:
		return bad("/leader", "is missing")
	case in.Stacks == nil || in.Stacks.A == nil || in.Stacks.B == nil:
		return bad("/stacks", "is missing")
	case in.Suits != nil && (len(*in.Suits) < 1 || len(*in.Suits) > 4):
		return bad("/suits", "has a wrong length")
	case in.Played != nil && len(*in.Played) > maxPlayed:
		return bad("/played", "has a wrong length")
	case in.Threshold != nil && (*in.Threshold < 1 || *in.Threshold > maxPoints):
		return bad("/threshold", "is out of range")
	}
	if _, err := in.flip(); err != nil {
		return bad("/flip", err.Error())
	}
	texts := []*string{in.Trump.text, in.Leader, in.Declarer}
	for p, list := range [2][][]*string{*in.Stacks.A, *in.Stacks.B} {
		where := "/stacks/" + belote.Player(p).String()
		if len(list) < 2 || len(list) > belote.MaxStacks {
			return bad(where, "has a wrong length")
		}
		for i, stack := range list {
			if len(stack) != 2 {
				return bad(where+"/"+strconv.Itoa(i), fmt.Sprintf("has %d cards, expected 2", len(stack)))
			}
			texts = append(texts, stack...)
		}
	}
	for _, list := range []*[]string{in.Suits, in.Played} {
		if list != nil {
			for i := range *list {
				texts = append(texts, &(*list)[i])
			}
		}
	}
	if slices.ContainsFunc(texts, tooLong) {
		return bad("", fmt.Sprintf("has a text of more than %d characters", maxText))
	}
	return nil
}

// tooLong reports whether a text has more characters than the contract allows.
func tooLong(text *string) bool { return text != nil && utf8.RuneCountInString(*text) > maxText }

// flip returns when cards below are turned.
func (in *positionBody) flip() (worlds.Flip, error) {
	if in.Flip == nil {
		return worlds.AfterTrick, nil
	}
	return worlds.ParseFlip(*in.Flip)
}

// errRange is the error for a number that the contract refuses. The schema has the text that a client gets.
var errRange = errors.New("is out of range")

// deal returns the deal, and the stacks whose lower card is null.
func (in *positionBody) deal(vs *violations) (d belote.Deal, unknown worlds.Unknown) {
	d.Deck, d.Trump = readDeck(in.Suits, vs), belote.NoTrump
	var err error
	if in.Trump.text != nil {
		var s piquet.Suit
		if s, err = piquet.ParseSuit(*in.Trump.text); err != nil {
			vs.add("/trump", fmt.Errorf("%w, or null without trump", err))
		}
		d.Trump = belote.TrumpOf(s)
	}
	d.Leader, err = belote.ParsePlayer(*in.Leader)
	vs.add("/leader", err)
	d.Declarer = d.Leader
	if in.Declarer != nil {
		d.Declarer, err = belote.ParsePlayer(*in.Declarer)
		vs.add("/declarer", err)
	}
	if d.Threshold = d.Trump.DefaultThreshold(d.Deck); in.Threshold != nil {
		d.Threshold = *in.Threshold
	}
	unknown = in.stacks(&d, vs)
	return d, unknown
}

func (in *positionBody) stacks(d *belote.Deal, vs *violations) (unknown worlds.Unknown) {
	known := len(*vs) == 0 // the suits are
	for p, list := range [2][][]*string{*in.Stacks.A, *in.Stacks.B} {
		where := "/stacks/" + belote.Player(p).String()
		if want := d.Count(); len(list) != want && known {
			vs.add(where, fmt.Errorf("has %d stacks, expected %d: two for each suit", len(list), want))
		}
		for i, stack := range list {
			var two [2]piquet.Card
			for j, text := range stack {
				var err error
				switch {
				case text != nil:
					two[j], err = piquet.ParseCard(*text)
				case j == 0:
					err = errors.New("is null: the upper card of a stack is always known")
				default:
					unknown[p][i] = true
				}
				vs.add(where+"/"+strconv.Itoa(i)+"/"+strconv.Itoa(j), err)
			}
			d.Stacks[p][i] = belote.Stack{Top: two[0], Bottom: two[1]}
		}
	}
	return unknown
}

func (in *positionBody) cards(vs *violations) (played []piquet.Card) {
	if in.Played == nil {
		return nil
	}
	for i, text := range *in.Played {
		c, err := piquet.ParseCard(text)
		vs.add("/played/"+strconv.Itoa(i), err)
		played = append(played, c)
		if i >= piquet.Deck.Len() { // limits the number of violations of a longer list
			break
		}
	}
	return played
}

// cardsLeft returns how many cards are left to play.
func (p *Position) cardsLeft() int {
	d := p.start.Deal()
	return d.Deck.Len() - p.now.Played()
}

// ---- conversions to the types of the contract ----

func outCards(list []piquet.Card) api.Cards {
	out := make(api.Cards, len(list))
	for i, c := range list {
		out[i] = c.String()
	}
	return out
}

func outPlayer(p belote.Player) *api.BelotePlayer {
	player := api.BelotePlayer(p.String())
	return &player
}

func outTrump(t belote.Trump) *api.BeloteTrump {
	s, ok := t.Suit()
	if !ok {
		return nil
	}
	text := s.String()
	return &text
}

func outSuits(deck piquet.Set) (out []api.Suit) {
	for _, s := range piquet.Suits() {
		if !deck.InSuit(s).Empty() {
			out = append(out, api.Suit(s.String()))
		}
	}
	return out
}

func (p *Position) outRules() api.BeloteRules { return outRules(p.start.Deal(), p.flip) }

func outRules(d belote.Deal, flip worlds.Flip) api.BeloteRules {
	return api.BeloteRules{
		Trump: outTrump(d.Trump), Suits: outSuits(d.Deck), Declarer: *outPlayer(d.Declarer), Threshold: d.Threshold, Preset: presetOf(&d),
		Total: d.Total(), Flip: api.BeloteFlip(flip.String()),
	}
}

// presetOf says whose threshold a deal has.
func presetOf(d *belote.Deal) api.BeloteRulesPreset {
	switch d.Threshold {
	case d.Trump.DefaultThreshold(d.Deck):
		return api.BelotePresetPaper
	case d.Total()/2 + 1:
		return api.BelotePresetStandard
	}
	return api.BelotePresetOther
}
