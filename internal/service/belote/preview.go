package belote

import (
	"context"
	"fmt"
	"strconv"

	"roem/internal/engine/belote"
	"roem/internal/engine/piquet"
	"roem/internal/preview"
	"roem/internal/service"
)

// previewWords are the words of a preview in a language.
type previewWords struct {
	game, none, declares, toPlay, trick, table string
	suits                                      [4]string
	faces                                      string // a letter each
}

var (
	english = previewWords{
		"Belote", "no trump", "declares", "to play", "Trick", "Table", [4]string{"clubs", "diamonds", "hearts", "spades"}, "789TJQKA",
	}
	dutch = previewWords{
		"Belote", "zonder troef", "speelt", "aan de beurt", "Slag", "Tafel", [4]string{"klaveren", "ruiten", "harten", "schoppen"}, "789TBVHA",
	}
)

// Preview returns what is shown of a link to the page: a position with all cards known, or a hand that was played.
func (g *Game) Preview(ctx context.Context, in service.Shared) (preview.Preview, error) {
	w := english
	if in.Dutch {
		w = dutch
	}
	p, err := service.PositionOf(ctx, in, func(f map[string]string, played []string) any {
		out := map[string]any{
			"trump": f["t"], "leader": f["l"], "declarer": f["d"], "played": played,
			"stacks": map[string]any{"A": stacksIn(f["a"]), "B": stacksIn(f["b"])}, "suits": suitsIn(f["a"] + f["b"]),
		}
		if f["t"] == "N" {
			out["trump"] = nil
		}
		if n, err := strconv.Atoi(f["c"]); f["c"] != "" {
			if out["threshold"] = n; err != nil {
				out["threshold"] = f["c"] // which is refused
			}
		}
		return out
	}, ParsePosition.Of(g))
	if err != nil {
		return preview.Preview{}, err
	}
	return w.preview(&p), nil
}

func (w *previewWords) preview(p *Position) preview.Preview {
	deal, shown := p.now.Deal(), &p.now
	trump := w.none
	if s, ok := deal.Trump.Suit(); ok {
		trump = w.suits[s]
	}
	out := preview.Preview{Title: fmt.Sprintf("%s: %s, %s %s", w.game, trump, deal.Declarer, w.declares)}
	if p.now.Finished() {
		shown = &p.start // the deal
		out.Text = fmt.Sprintf("A %d · B %d", p.now.Points(belote.A), p.now.Points(belote.B))
	} else {
		out.Text = fmt.Sprintf("%s %d, %s %s", w.trick, p.now.Played()/2+1, p.now.Turn(), w.toPlay)
	}
	for _, player := range [2]belote.Player{belote.A, belote.B} {
		out.Rows = append(out.Rows, preview.Row{
			Name: player.String(), Turn: !p.now.Finished() && p.now.Turn() == player, Cards: w.cards(shown.Held(player).Slice()),
		})
	}
	if led, ok := p.now.Led(); ok {
		out.Rows = append(out.Rows, preview.Row{Name: w.table, Cards: w.cards([]piquet.Card{led})})
	}
	return out
}

func (w *previewWords) cards(list []piquet.Card) (out []preview.Card) {
	for _, c := range list {
		face := w.faces[c.Face() : c.Face()+1]
		if face == "T" {
			face = "10"
		}
		out = append(out, preview.Of(face, c.Suit().String()))
	}
	return out
}

// stacksIn returns the stacks in a field a or b.
func stacksIn(text string) [][]string {
	out := [][]string{}
	cards := service.Pairs(text)
	for len(cards) > 1 {
		out, cards = append(out, cards[:2]), cards[2:]
	}
	return out
}

// suitsIn returns the suits of cards of two characters.
func suitsIn(text string) []string {
	suits := []string{}
	for _, s := range piquet.Suits() {
		for i := 1; i < len(text); i += 2 {
			if text[i:i+1] == s.String() {
				suits = append(suits, s.String())
				break
			}
		}
	}
	return suits
}
