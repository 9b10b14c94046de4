// Package web embeds the pages of the server: the start page, the board, Belote, Gin Rummy, tarok, the jobs, the API documentation and the page of errors. They
// load nothing from other servers and contain no inline scripts or styles.
//
// assets/board.js, assets/belote.js, assets/gin-rummy.js, assets/tarok.js, assets/jobs.js, their style sheets and the texts in assets/words-*.js are bundled from board/ by `make generate`.
// `sh tools/swaggerui/update.sh` copies swaggerui/ from the npm package swagger-ui-dist.
package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"path"
	"slices"
)

//go:embed pages assets swaggerui
var files embed.FS

//go:generate go -C ../../tools/audit run ./notices

//go:embed notices.txt
var notices []byte

// Notices returns the licences and notices of everything that is linked or bundled into the programs.
func Notices() []byte { return notices }

// Asset is a file that pages refer to, under /docs/assets/.
type Asset struct {
	Type string // the media type
	Body []byte
}

// mediaTypes maps the names of the served files to their media types. Other embedded files (licences) are not served.
var mediaTypes = map[string]string{
	"assets/board.js":                "text/javascript; charset=utf-8",
	"assets/board-chunk.js":          "text/javascript; charset=utf-8",
	"assets/board-ondemand.js":       "text/javascript; charset=utf-8",
	"assets/board.css":               "text/css; charset=utf-8",
	"assets/words-en.js":             "text/javascript; charset=utf-8",
	"assets/words-nl.js":             "text/javascript; charset=utf-8",
	"assets/jobs.js":                 "text/javascript; charset=utf-8",
	"assets/belote.js":               "text/javascript; charset=utf-8",
	"assets/belote.css":              "text/css; charset=utf-8",
	"assets/words-belote-en.js":      "text/javascript; charset=utf-8",
	"assets/words-belote-nl.js":      "text/javascript; charset=utf-8",
	"assets/gin-rummy.js":            "text/javascript; charset=utf-8",
	"assets/gin-rummy.css":           "text/css; charset=utf-8",
	"assets/words-gin-en.js":         "text/javascript; charset=utf-8",
	"assets/words-gin-nl.js":         "text/javascript; charset=utf-8",
	"assets/tarok.js":                "text/javascript; charset=utf-8",
	"assets/tarok-chunk.js":          "text/javascript; charset=utf-8",
	"assets/tarok-ondemand.js":       "text/javascript; charset=utf-8",
	"assets/tarok.css":               "text/css; charset=utf-8",
	"assets/words-tarok-en.js":       "text/javascript; charset=utf-8",
	"assets/words-tarok-nl.js":       "text/javascript; charset=utf-8",
	"assets/docs.js":                 "text/javascript; charset=utf-8",
	"assets/docs.css":                "text/css; charset=utf-8",
	"assets/roem.css":                "text/css; charset=utf-8",
	"assets/icon.svg":                "image/svg+xml",
	"swaggerui/swagger-ui.css":       "text/css; charset=utf-8",
	"swaggerui/swagger-ui-bundle.js": "text/javascript; charset=utf-8",
}

// Assets returns every asset by its file name.
func Assets() (map[string]Asset, error) {
	out := make(map[string]Asset, len(mediaTypes))
	for name, mediaType := range mediaTypes {
		body, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading an asset: %w", err)
		}
		out[path.Base(name)] = Asset{Type: mediaType, Body: body}
	}
	return out, nil
}

// Index renders the start page. The origin is the URL of the server as clients see it, such as http://localhost:8080.
func Index(origin, version string) ([]byte, error) {
	return render("index.html", struct{ Origin, Version string }{origin, version})
}

// ErrorKind is one section of the page of errors.
type ErrorKind struct {
	Slug   string
	Title  string
	Status int
	Help   string
}

// Errors renders the page that explains each kind of error.
func Errors(kinds []ErrorKind) ([]byte, error) {
	return render("errors.html", struct{ Kinds []ErrorKind }{kinds})
}

// Board returns the page of the board.
func Board() ([]byte, error) { return program("board") }

// Jobs returns the page of the jobs. It differs from that of the board in its script.
func Jobs() ([]byte, error) { return program("jobs") }

// Belote returns the page of Belote Découverte.
func Belote() ([]byte, error) { return gamePage("belote") }

// GinRummy returns the page of Gin Rummy.
func GinRummy() ([]byte, error) { return gamePage("gin-rummy") }

// Tarok returns the page of tarok.
func Tarok() ([]byte, error) { return gamePage("tarok") }

// program returns the page with a script. What a script shares with the parts that it loads later is fetched together with it.
func program(name string) ([]byte, error) {
	page, err := files.ReadFile("pages/board.html")
	if _, ok := mediaTypes["assets/"+name+"-chunk.js"]; !ok {
		page = bytes.ReplaceAll(page, []byte(preload), nil)
	}
	page = bytes.ReplaceAll(page, []byte("/board.js"), []byte("/"+name+".js"))
	return bytes.ReplaceAll(page, []byte("/board-chunk.js"), []byte("/"+name+"-chunk.js")), err
}

// preload is the line of the page for what a script shares.
const preload = `<link rel="modulepreload" href="/docs/assets/board-chunk.js">` + "\n"

// gamePage returns the page of another game. It differs from that of the board in its script, and has a style sheet more.
func gamePage(name string) ([]byte, error) {
	page, err := program(name)
	sheet := []byte(`<link rel="stylesheet" href="/docs/assets/board.css">`)
	more := bytes.ReplaceAll(sheet, []byte("/board.css"), []byte("/"+name+".css"))
	return bytes.ReplaceAll(page, sheet, slices.Concat(sheet, []byte("\n"), more)), err
}

// Docs returns the API documentation.
func Docs() ([]byte, error) { return files.ReadFile("pages/docs.html") }

func render(page string, data any) ([]byte, error) {
	t, err := template.ParseFS(files, "pages/layout.html", "pages/"+page)
	if err != nil {
		return nil, fmt.Errorf("reading the page %s: %w", page, err)
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "layout.html", data); err != nil {
		return nil, fmt.Errorf("rendering the page %s: %w", page, err)
	}
	return b.Bytes(), nil
}
