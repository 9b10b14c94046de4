package belote

import (
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// Position is a position of a request, with the cards that led to it.
type Position struct {
	now    belote.Position
	start  belote.Position // before the first card
	played []piquet.Card
	flip   worlds.Flip
}

// newPosition builds a position from its body. Its error is a *service.Error of kind Impossible.
func newPosition(in positionBody) (Position, error) {
	var vs service.Problems
	d, flip := in.deal(&vs)
	readStacks(&vs, &d, [2][][]*string{known(in.Stacks.A), known(in.Stacks.B)})
	played := readPlayed(&vs, in.Played)
	if err := vs.Err(); err != nil {
		return Position{}, err
	}
	start, err := belote.NewPosition(d)
	if err != nil {
		return Position{}, service.FromEngine(err)
	}
	p := Position{start: start, played: played, flip: flip}
	p.now, err = start.Replay(played)
	return p, service.FromEngine(err)
}

// deal returns the deal without its stacks, and when cards below are turned. The number of stacks is known if the suits are.
func (in *tableBody) deal(vs *service.Problems) (d belote.Deal, flip worlds.Flip) {
	d.Deck, d.Trump = readDeck(in.Suits, vs), belote.NoTrump
	var err error
	if in.Trump != nil {
		var s piquet.Suit
		if s, err = piquet.ParseSuit(*in.Trump); err != nil {
			vs.Add("/trump", orNone(err, "null without trump"))
		}
		d.Trump = belote.TrumpOf(s)
	}
	d.Leader, err = belote.ParsePlayer(in.Leader)
	vs.Add("/leader", err)
	d.Declarer = service.Read(vs, "/declarer", in.Declarer, belote.ParsePlayer, d.Leader)
	d.Threshold = service.Or(in.Threshold, d.Trump.DefaultThreshold(d.Deck))
	return d, service.Read(vs, "/flip", in.Flip, worlds.ParseFlip, worlds.AfterTrick)
}

// known returns stacks of which all cards are known.
func known(list [][]string) [][]*string {
	out := make([][]*string, len(list))
	for i, stack := range list {
		out[i] = []*string{&stack[0], &stack[1]}
	}
	return out
}

// readStacks reads the stacks into the deal, and returns those whose lower card is null.
func readStacks(vs *service.Problems, d *belote.Deal, stacks [2][][]*string) (unknown worlds.Unknown) {
	known := len(*vs) == 0 // the suits are
	for p, list := range stacks {
		where := "/stacks/" + belote.Player(p).String()
		if want := d.Count(); len(list) != want && known {
			vs.Add(where, violation.New(violation.WrongCount, "has %d stacks, expected %d: two for each suit", len(list), want).Of(len(list)).
				Between(want, want))
		}
		for i, stack := range list {
			var two [2]piquet.Card
			for j, text := range stack {
				var err error
				switch {
				case text != nil:
					two[j], err = piquet.ParseCard(*text)
				case j == 0:
					err = violation.New(violation.Needed, "is null: the upper card of a stack is always known")
				default:
					unknown[p][i] = true
				}
				vs.Add(where+"/"+strconv.Itoa(i)+"/"+strconv.Itoa(j), err)
			}
			d.Stacks[p][i] = belote.Stack{Top: two[0], Bottom: two[1]}
		}
	}
	return unknown
}

func readPlayed(vs *service.Problems, texts []string) (played []piquet.Card) {
	for i, text := range texts {
		c, err := piquet.ParseCard(text)
		vs.Add("/played/"+strconv.Itoa(i), err)
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

func outCards(list []piquet.Card) api.Cards { return service.Texts(list) }

func outPlayer(p belote.Player) *api.BeloteSeat {
	return new(api.BeloteSeat(p.String()))
}

func outTrump(t belote.Trump) *api.BeloteTrump {
	s, ok := t.Suit()
	if !ok {
		return nil
	}
	return new(s.String())
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
		return api.BeloteRulesPresetPaper
	case d.Total()/2 + 1:
		return api.BeloteRulesPresetStandard
	}
	return api.BeloteRulesPresetOther
}
