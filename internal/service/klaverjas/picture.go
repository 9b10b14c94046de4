package klaverjas

import (
	"slices"

	"roem/internal/api"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// Picture draws the position of an address of the board as SVG.
func (g *Game) Picture(in api.KlaverjasPictureParams) (service.File, error) {
	var vs service.Problems
	word := func(name string, text *string, words ...string) string {
		if text == nil {
			return words[0]
		}
		if !slices.Contains(words, *text) {
			vs.AddIn(name, violation.Word(*text, words...))
		}
		return *text
	}
	word("v", (*string)(in.V), "1")
	view := word("view", (*string)(in.View), "table", "tricks")
	theme := word("theme", (*string)(in.Theme), "light", "dark")
	language := word("language", (*string)(in.Language), "en", "nl")
	p := parseAddress(address{trump: in.T, leader: in.L, declarer: in.D, rules: in.R, holders: in.H, played: in.P, cursor: in.I}, &vs)
	if err := vs.Err(); err != nil {
		return service.File{}, err
	}
	tricks, err := completed(p)
	if err != nil {
		return service.File{}, err
	}
	d := newDrawing(p, tricks, pictureThemes[theme], pictureWords[language])
	if view == "tricks" {
		d.tricks()
	} else {
		d.table()
	}
	return service.File{MediaType: "image/svg+xml", Body: d.out.Bytes()}, nil
}
