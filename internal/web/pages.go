package web

import "slices"

// Page is a page that is a program: a page of a game, the page of the jobs, or the board for pages of other sites. Its sources are in
// board/src/NAME: the program in main.tsx, the texts in words-en.ts and words-nl.ts, and the style sheet, if it has one of its own, in
// NAME.css.
type Page struct {
	Name  string // the folder of its sources, and the beginning of the names of its assets
	Path  string // under which the server shows it
	Title string // in the navigation
	Dutch string // in the navigation of a Dutch page
	Style bool   // it has a style sheet beside board.css
	Later bool   // ondemand.ts, which its main.tsx imports, is loaded after the page, with laterwords-en.ts or laterwords-nl.ts
	Game  string // the page whose texts it also has; empty for none
	Frame bool   // it is for frames in pages of other sites
	Apart bool   // it is not in the navigation

	Previewed bool // links to it share positions of the game with its name: see service.Preview
}

// Pages are the pages that are programs, in the order of the navigation. The bundles, the routes, the navigation and the tests follow from
// them.
var Pages = []Page{
	{Name: "klaverjas", Path: "/board", Title: "Board", Dutch: "Tafel", Later: true, Previewed: true},
	{Name: "belote", Path: "/belote", Title: "Belote", Dutch: "Belote", Style: true, Later: true, Previewed: true},
	{Name: "gin-rummy", Path: "/gin-rummy", Title: "Gin Rummy", Dutch: "Gin Rummy", Style: true, Later: true, Previewed: true},
	{Name: "tarok", Path: "/tarok", Title: "Tarok", Dutch: "Tarok", Style: true, Later: true, Previewed: true},
	{Name: "puzzles", Path: "/puzzles", Title: "Puzzles", Dutch: "Puzzels", Style: true, Game: "klaverjas"},
	{Name: "watch", Path: "/watch", Title: "Watch", Dutch: "Meekijken", Style: true, Later: true, Game: "klaverjas"},
	{Name: "evening", Path: "/evening", Title: "Evening", Dutch: "Clubavond", Style: true},
	{Name: "rules", Path: "/rules", Title: "Rules", Dutch: "Spelregels", Style: true, Apart: true},
	{Name: "jobs", Path: "/jobs", Title: "Jobs", Dutch: "Taken", Style: true, Apart: true},
	{Name: "embed", Path: "/embed", Title: "Embedded board", Game: "klaverjas", Frame: true, Apart: true},
}

// Navigation returns the pages of the navigation, in its order.
func Navigation() []Page {
	return slices.DeleteFunc(slices.Clone(Pages), func(p Page) bool { return p.Apart })
}

// Languages are the languages of the pages. A page loads the texts of one.
var Languages = []string{"en", "nl"}

// SharedStyle is the style sheet of all pages.
const SharedStyle = "board.css"

// Styles returns the style sheets of the page.
func (p Page) Styles() []string {
	if p.Style {
		return []string{SharedStyle, p.Name + ".css"}
	}
	return []string{SharedStyle}
}

// Scripts returns what the page loads before it is shown, without its texts: its program, and what that shares with what is loaded later.
func (p Page) Scripts() []string {
	if p.Later {
		return []string{p.Name + ".js", p.Name + "-chunk.js"}
	}
	return []string{p.Name + ".js"}
}

// LaterScripts returns what is loaded after the page is shown, without its texts.
func (p Page) LaterScripts() []string {
	if p.Later {
		return []string{p.Name + "-ondemand.js"}
	}
	return nil
}

// LaterTexts returns the texts of LaterScripts in a language: the texts that all games share, the texts of the page and of its
// game.
func (p Page) LaterTexts(language string) []string {
	if !p.Later {
		return nil
	}
	texts := []string{"words-later-" + language + ".js", "words-" + p.Name + "-later-" + language + ".js"}
	if p.Game != "" {
		texts = append(texts, "words-"+p.Game+"-later-"+language+".js")
	}
	return texts
}

// Texts returns the texts of the page in a language: the shared texts, its own, and the texts of its game.
func (p Page) Texts(language string) []string {
	texts := []string{"words-" + language + ".js", "words-" + p.Name + "-" + language + ".js"}
	if p.Game != "" {
		texts = append(texts, "words-"+p.Game+"-"+language+".js")
	}
	return texts
}

// Assets returns every file that the page can load.
func (p Page) Assets() []string {
	all := slices.Concat(p.Styles(), p.Scripts(), p.LaterScripts())
	for _, language := range Languages {
		all = slices.Concat(all, p.Texts(language), p.LaterTexts(language))
	}
	return append(all, background...)
}

// background is what every page loads in the background or when it needs it: the Dutch sentences for errors of the server, what reads
// streams, and what asks the worker.
var background = []string{"words-errors-nl.js", "streams.js", "local.js"}

// HTML returns the page as a server shows it, whose browsers can have a worker. What a script shares with the parts that it loads later is
// fetched together with it.
func (p Page) HTML(w Worker) ([]byte, error) { return p.html(w, nil) }

func (p Page) html(w Worker, site *Site) ([]byte, error) {
	if p.Name != workedOut && p.Game != workedOut {
		w = Worker{}
	}
	return execute("program.html", "pages/program.html", struct {
		Page
		Worker Worker
		Site   *Site
	}{p, w, site})
}

// workedOut is the game of whose pages the worker answers the requests.
const workedOut = "klaverjas"
