package klaverjas

import (
	"context"
	"fmt"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/preview"
	"roem/internal/service"
)

// Preview returns what is shown of a link to the board: a position, what a seat has seen, or a hand that was played.
func (g *Game) Preview(ctx context.Context, in service.Shared) (preview.Preview, error) {
	w := pictureWords["en"]
	if in.Dutch {
		w = pictureWords["nl"]
	}
	if f := in.Fields; f != nil && f["s"] != "" && f["m"] != "review" {
		q, err := service.PositionOf(ctx, in, func(f map[string]string, played []string) any {
			return map[string]any{
				"trump": f["t"], "leader": f["l"], "declarer": f["d"], "rules": rulesIn(f["r"]), "seat": f["s"],
				"hand": heldIn(f["h"])[f["s"]], "played": played,
			}
		}, ParseKnowledge.Of(g))
		if err != nil {
			return preview.Preview{}, err
		}
		return w.seen(q.knowledge), nil
	}
	p, err := service.PositionOf(ctx, in, func(f map[string]string, played []string) any {
		return map[string]any{
			"trump": f["t"], "leader": f["l"], "declarer": f["d"], "hands": heldIn(f["h"]), "played": played, "rules": rulesIn(f["r"]),
		}
	}, ParsePosition.Of(g))
	if err != nil {
		return preview.Preview{}, err
	}
	return w.position(&p), nil
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

// heldIn returns the cards of each seat in a field h: letters of the holders, in the order of the cards. Other letters hold none.
func heldIn(holders string) map[string][]string {
	hands := map[string][]string{"N": {}, "E": {}, "S": {}, "W": {}}
	for c := range piquet.Deck.All() {
		if int(c) < len(holders) {
			if hand, ok := hands[holders[c:c+1]]; ok {
				hands[holders[c:c+1]] = append(hand, c.String())
			}
		}
	}
	return hands
}

// rulesIn returns the rules in a field r as requests have them, and a text, which requests refuse, for what is no rules.
func rulesIn(text string) any {
	rules, err := addressRules(text)
	if err != nil {
		return text
	}
	return klaverjas.RulesJSON(rules)
}
