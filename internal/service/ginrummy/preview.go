package ginrummy

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"roem/internal/engine/ginrummy"
	"roem/internal/preview"
	"roem/internal/service"
)

// previewWords are the words of a preview in a language.
type previewWords struct {
	mine, theirs, top, upcard, turn string
	letters                         map[string]string // faces that the API names otherwise
}

var (
	english = previewWords{"You", "Opponent", "Discards", "Upcard", "Turn %d", nil}
	dutch   = previewWords{"Jij", "Tegenstander", "Aflegstapel", "Open kaart", "Beurt %d", map[string]string{"J": "B", "Q": "V", "K": "H"}}
)

// Preview returns what is shown of a link to the page: a view, or a hand that was played.
func (g *Game) Preview(ctx context.Context, in service.Shared) (preview.Preview, error) {
	w := english
	if in.Dutch {
		w = dutch
	}
	if in.Fields == nil {
		return w.round(in.Record)
	}
	body, err := json.Marshal(viewIn(in.Fields))
	if err != nil {
		return preview.Preview{}, err
	}
	q, err := g.ParseEstimate(ctx, body)
	if err != nil {
		return preview.Preview{}, err
	}
	v := &q.view
	out := preview.Preview{Title: "Gin Rummy", Text: fmt.Sprintf(w.turn, v.Turns+1)}
	out.Rows = []preview.Row{{Name: w.mine, Turn: v.Phase != ginrummy.Ended && v.Turn == v.Seat, Cards: w.cards(v.Own.Slice())}}
	if v.Top != ginrummy.NoCard {
		out.Rows = append(out.Rows, preview.Row{Name: w.top, Cards: w.cards([]ginrummy.Card{v.Top})})
	}
	return out, nil
}

// round is the preview of a round that was played, of the hand of a record: what was dealt.
func (w *previewWords) round(hand []byte) (preview.Preview, error) {
	var in struct {
		Position struct {
			Upcard string
			Hands  struct{ A, B []string }
		}
		Result struct {
			Winner string
			Points int
		}
	}
	if err := json.Unmarshal(hand, &in); err != nil {
		return preview.Preview{}, err
	}
	out := preview.Preview{Title: "Gin Rummy"}
	if name := map[string]string{"A": w.mine, "B": w.theirs}[in.Result.Winner]; name != "" {
		out.Text = fmt.Sprintf("%s +%d", name, in.Result.Points)
	}
	for _, row := range []struct {
		name  string
		cards []string
	}{{w.mine, in.Position.Hands.A}, {w.theirs, in.Position.Hands.B}, {w.upcard, []string{in.Position.Upcard}}} {
		list := make([]ginrummy.Card, len(row.cards))
		for i, text := range row.cards {
			var err error
			if list[i], err = ginrummy.ParseCard(text); err != nil {
				return preview.Preview{}, err
			}
		}
		slices.Sort(list)
		out.Rows = append(out.Rows, preview.Row{Name: row.name, Cards: w.cards(list)})
	}
	return out, nil
}

func (w *previewWords) cards(list []ginrummy.Card) (out []preview.Card) {
	for _, c := range list {
		face := c.Rank().String()
		if letter := w.letters[face]; letter != "" {
			face = letter
		}
		out = append(out, preview.Of(face, c.Suit().String()))
	}
	return out
}

// viewIn returns the body of a request with the view of the fields of a URL.
func viewIn(f map[string]string) any {
	whole := func(card string) string { return service.Pairs(card)[0] }
	seats := map[string]string{"a": "A", "b": "B"}
	kinds := map[string]string{"p": "pass", "t": "take", "s": "stock", "d": "discard"}
	events := []map[string]string{}
	for text := f["e"]; len(text) > 1; {
		event := map[string]string{"seat": seats[text[:1]], "kind": kinds[text[1:2]]}
		text = text[2:]
		if len(text) > 1 && text[0] < 'a' { // a card, and no seat
			event["card"], text = whole(text[:2]), text[2:]
		}
		events = append(events, event)
	}
	upcard := f["u"]
	if len(upcard) == 2 {
		upcard = whole(upcard)
	}
	return map[string]any{"seat": "A", "starter": seats[f["s"]], "upcard": upcard, "hand": service.Pairs(f["h"]), "events": events}
}
