package tarok

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/preview"
	"roem/internal/service"
)

// previewWords are the words of a preview in a language.
type previewWords struct {
	declares, toPlay, trick, table, talon, dealt string
	faces                                        *strings.Replacer
	contracts                                    map[string]string // where the name of the API is not the name of the page
}

var (
	english = previewWords{"declares", "to play", "Trick", "Table", "Talon", "The hands as they were dealt", strings.NewReplacer(), nil}
	dutch   = previewWords{
		"speelt", "aan de beurt", "Slag", "Tafel", "Talon", "De handen zoals ze gegeven zijn", strings.NewReplacer("J", "B", "Q", "V"),
		map[string]string{"three": "drie", "two": "twee", "one": "een", "beggar": "bedelaar", "zero": "nul"},
	}
)

// Preview returns what is shown of a link to the page: a position, or a hand that was played.
func (g *Game) Preview(ctx context.Context, in service.Shared) (preview.Preview, error) {
	w := english
	if in.Dutch {
		w = dutch
	}
	p, err := service.PositionOf(ctx, in, positionIn, ParsePosition.Of(g))
	if err != nil {
		return preview.Preview{}, err
	}
	return w.preview(&p), nil
}

// positionIn returns the body of a request with the position of the fields of a URL. Its rules are left out: they change no card.
func positionIn(f map[string]string, played []string) any {
	hands, talon := map[string][]string{"A": {}, "B": {}, "C": {}}, make([]string, tarok.TalonSize)
	i := 0
	for c := range tarok.Deck.All() {
		if i >= len(f["h"]) {
			break
		}
		to := f["h"][i : i+1]
		if i++; hands[to] != nil {
			hands[to] = append(hands[to], c.String())
		} else if n, err := strconv.Atoi(to); err == nil && n >= 1 && n <= len(talon) {
			talon[n-1] = c.String()
		}
	}
	out := map[string]any{
		"hands": hands, "talon": talon, "contract": f["c"], "discards": cardsIn(service.Pairs(f["x"])), "played": cardsIn(played),
	}
	if f["d"] != "" {
		out["declarer"] = f["d"]
	}
	if n, err := strconv.Atoi(f["g"]); err == nil {
		out["group"] = n - 1
	}
	return out
}

// cardsIn returns cards as requests have them: 21 is T21.
func cardsIn(pairs []string) []string {
	for i, card := range pairs {
		if n, err := strconv.Atoi(card); err == nil {
			pairs[i] = "T" + strconv.Itoa(n)
		}
	}
	return pairs
}

func (w *previewWords) preview(p *Position) preview.Preview {
	contract := p.setup.Contract.String()
	if name := w.contracts[contract]; name != "" {
		contract = name
	}
	out := preview.Preview{Title: "Tarok: " + contract, Text: w.dealt}
	if p.setup.Contract != tarok.Klop {
		out.Title += fmt.Sprintf(", %s %s", p.setup.Declarer, w.declares)
	}
	hand, talon := func(player tarok.Player) tarok.Set { return p.setup.Deal.Hands[player] }, p.setup.Deal.Talon[:]
	playing := p.phase == api.TarokPhasePlay
	if playing {
		out.Text = fmt.Sprintf("%s %d, %s %s", w.trick, p.now.Played()/3+1, p.now.Turn(), w.toPlay)
		hand, talon = p.now.Hand, nil
	}
	for player := range tarok.Player(3) {
		out.Rows = append(out.Rows, preview.Row{
			Name: player.String(), Turn: playing && p.now.Turn() == player, Cards: w.cards(hand(player).Slice()),
		})
	}
	if talon != nil {
		out.Rows = append(out.Rows, preview.Row{Name: w.talon, Cards: w.cards(talon)})
	} else if trick := p.now.Trick(); len(trick) > 0 {
		out.Rows = append(out.Rows, preview.Row{Name: w.table, Cards: w.cards(trick)})
	}
	return out
}

func (w *previewWords) cards(list []tarok.Card) (out []preview.Card) {
	for _, c := range list {
		name := c.String()
		if c.Suit() == tarok.Taroks {
			out = append(out, preview.Card{Face: name[1:]})
			continue
		}
		out = append(out, preview.Of(w.faces.Replace(name[1:]), name[:1]))
	}
	return out
}
