package klaverjas

import (
	"context"
	"fmt"
	"strings"

	"roem/internal/engine/klaverjas"
	handrecord "roem/internal/engine/klaverjas/record"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/preview"
	"roem/internal/service"
)

// Preview returns what is shown of a link to the board: a position, what a seat has seen, or a hand that was played.
func (g *Game) Preview(_ context.Context, in service.Shared) (preview.Preview, error) {
	w := pictureWords["en"]
	if in.Dutch {
		w = pictureWords["nl"]
	}
	if f := in.Fields; f != nil && f["s"] != "" && f["m"] != "review" {
		k, err := seenIn(f)
		if err != nil {
			return preview.Preview{}, err
		}
		return w.seen(k), nil
	}
	p, err := sharedPosition(in)
	if err != nil {
		return preview.Preview{}, err
	}
	return w.position(&p), nil
}

// sharedPosition returns the position of a link: of the fields of an address, or of a record.
func sharedPosition(in service.Shared) (Position, error) {
	if in.Fields == nil {
		h, ok := in.Hand.(*handrecord.Hand)
		if !ok || h.View || !h.Decided {
			return Position{}, service.ErrNotShared
		}
		return positionOf(h.Rules, klaverjas.Deal{Trump: h.Trump, Leader: h.Leader, Declarer: h.Declarer, Hands: h.Hands}, h.Played)
	}
	var vs service.Problems
	p := parseAddress(addressIn(in.Fields), &vs)
	return p, vs.Err()
}

// addressIn returns the fields of an address.
func addressIn(f map[string]string) address {
	optional := func(name string) *string {
		if text, ok := f[name]; ok {
			return &text
		}
		return nil
	}
	return address{
		trump: f["t"], leader: f["l"], declarer: f["d"], holders: f["h"], rules: optional("r"), played: optional("p"), cursor: optional("i"),
	}
}

// seenIn returns what a seat knows of the fields of an address. All cards played are checked; those after the cursor are not in the view.
func seenIn(f map[string]string) (*worlds.Knowledge, error) {
	var vs service.Problems
	v := worlds.View{
		Trump: fieldOf(&vs, "t", f["t"], piquet.ParseSuit), Leader: fieldOf(&vs, "l", f["l"], piquet.ParseSeat),
		Declarer: fieldOf(&vs, "d", f["d"], piquet.ParseTeam), Seat: fieldOf(&vs, "s", f["s"], piquet.ParseSeat),
	}
	var err error
	v.Rules, err = addressRules(f["r"])
	vs.AddIn("r", err)
	v.Played, err = addressCards(f["p"])
	vs.AddIn("p", err)
	cursor := len(v.Played)
	if text, ok := f["i"]; ok {
		cursor, err = addressCursor(text, len(v.Played))
		vs.AddIn("i", err)
	}
	for c := range piquet.Deck.All() {
		if holders := f["h"]; int(c) < len(holders) && holders[c:c+1] == v.Seat.String() {
			v.Hand = v.Hand.With(c)
		}
	}
	if err := vs.Err(); err != nil {
		return nil, err
	}
	k, err := worlds.New(v)
	if err != nil || cursor == len(v.Played) {
		return k, err
	}
	v.Played = v.Played[:cursor]
	return worlds.New(v)
}

// position is the preview of a position, and of a hand that is over as it was dealt.
func (w *words) position(p *Position) preview.Preview {
	d := newDrawing(*p, nil, pictureTheme{}, *w)
	shown := p.now
	out := preview.Preview{Title: w.title(p.now.Deal().Trump, p.now.Deal().Declarer)}
	if p.now.Finished() {
		shown = p.start // the deal
		score := p.now.Score()
		out.Text = fmt.Sprintf("%s %d · %s %d", w.teams[0], score.Sum(piquet.NorthSouth), w.teams[1], score.Sum(piquet.EastWest))
	} else {
		out.Text = fmt.Sprintf("%s %d, %s %s", w.trick, p.now.Played()/4+1, w.seats[p.now.Turn()], w.toPlay)
	}
	for _, seat := range piquet.Seats() {
		out.Rows = append(out.Rows, preview.Row{
			Name: w.seats[seat], Turn: !p.now.Finished() && p.now.Turn() == seat, Cards: w.cards(d.sorted(shown.Hand(seat))),
		})
	}
	out.Rows = w.onTable(out.Rows, p.now)
	return out
}

// seen is the preview of what one seat has seen: its own cards and the trick.
func (w *words) seen(k *worlds.Knowledge) preview.Preview {
	v := k.View()
	now := k.Position(k.World(0)) // what is shown of it is the same in all worlds
	d := newDrawing(Position{now: now}, nil, pictureTheme{}, *w)
	out := preview.Preview{Title: w.title(v.Trump, v.Declarer), Text: w.seats[v.Seat]}
	if !now.Finished() {
		out.Text = fmt.Sprintf("%s %d, %s %s", w.trick, now.Played()/4+1, w.seats[now.Turn()], w.toPlay)
	}
	out.Rows = []preview.Row{{
		Name: w.seats[v.Seat], Turn: !now.Finished() && now.Turn() == v.Seat, Cards: w.cards(d.sorted(k.Own())),
	}}
	out.Rows = w.onTable(out.Rows, now)
	return out
}

// title names the game, the trump and the declarers.
func (w *words) title(trump piquet.Suit, declarer piquet.Team) string {
	return fmt.Sprintf("%s: %s %s, %s %s", w.game, strings.ToLower(w.trump), w.suits[trump], w.teams[declarer], w.declare)
}

// onTable adds the trick on the table to the rows.
func (w *words) onTable(rows []preview.Row, now klaverjas.Position) []preview.Row {
	if trick := now.Trick(); trick.Len > 0 && !now.Finished() {
		rows = append(rows, preview.Row{Name: w.table, Cards: w.cards(trick.Cards[:trick.Len])})
	}
	return rows
}

func (w *words) cards(list []piquet.Card) (out []preview.Card) {
	for _, c := range list {
		out = append(out, preview.Of(w.faces[c.Face()], c.Suit().String()))
	}
	return out
}
