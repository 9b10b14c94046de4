package ginrummy

import (
	"context"
	"fmt"

	"roem/internal/engine/ginrummy"
	grecord "roem/internal/engine/ginrummy/record"
	"roem/internal/engine/record"
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
func (g *Game) Preview(_ context.Context, in service.Shared) (preview.Preview, error) {
	w := english
	if in.Dutch {
		w = dutch
	}
	if in.Fields == nil {
		return w.hand(in.Hand)
	}
	body := viewIn(in.Fields)
	if !body.Valid() {
		return preview.Preview{}, service.ErrNotShared
	}
	v, err := body.view([2]int{})
	if err != nil {
		return preview.Preview{}, err
	}
	out := preview.Preview{Title: "Gin Rummy", Text: fmt.Sprintf(w.turn, v.Turns+1)}
	out.Rows = []preview.Row{{Name: w.mine, Turn: v.Phase != ginrummy.Ended && v.Turn == v.Seat, Cards: w.cards(v.Own.Slice())}}
	if v.Top != ginrummy.NoCard {
		out.Rows = append(out.Rows, preview.Row{Name: w.top, Cards: w.cards([]ginrummy.Card{v.Top})})
	}
	return out, nil
}

// hand is the preview of a hand that was played: what was dealt.
func (w *previewWords) hand(hand record.Hand) (preview.Preview, error) {
	h, ok := hand.(*grecord.Hand)
	if !ok {
		return preview.Preview{}, service.ErrNotShared
	}
	out := preview.Preview{Title: "Gin Rummy"}
	if r, ended := h.Round.Result(); ended && !r.Void {
		name, points := w.mine, r.Score[ginrummy.A]
		if r.Score[ginrummy.B] > 0 {
			name, points = w.theirs, r.Score[ginrummy.B]
		}
		out.Text = fmt.Sprintf("%s +%d", name, points)
	}
	for _, row := range []struct {
		name  string
		cards ginrummy.Set
	}{{w.mine, h.Round.Hands[ginrummy.A]}, {w.theirs, h.Round.Hands[ginrummy.B]}, {w.upcard, ginrummy.SetOf(h.Round.Upcard)}} {
		out.Rows = append(out.Rows, preview.Row{Name: row.name, Cards: w.cards(row.cards.Slice())})
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
func viewIn(f map[string]string) viewBody {
	seats := map[string]string{"a": "A", "b": "B"}
	kinds := map[string]string{"p": "pass", "t": "take", "s": "stock", "d": "discard"}
	out := viewBody{Seat: "A", Starter: seats[f["s"]], Upcard: f["u"], Hand: service.Pairs(f["h"]), Events: []eventBody{}}
	if len(out.Upcard) == 2 {
		out.Upcard = service.Pairs(out.Upcard)[0]
	}
	for text := f["e"]; len(text) > 1; {
		event := eventBody{Seat: seats[text[:1]], Kind: kinds[text[1:2]]}
		text = text[2:]
		if len(text) > 1 && text[0] < 'a' { // a card, and no seat
			event.Card, text = new(service.Pairs(text[:2])[0]), text[2:]
		}
		out.Events = append(out.Events, event)
	}
	return out
}
