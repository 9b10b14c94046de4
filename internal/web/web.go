// Package web embeds the pages of the server: the start page, the programs in Pages, the API documentation and the page of errors. They
// load nothing from other servers and contain no inline scripts or styles.
//
// `make generate` bundles the programs, their style sheets and their texts from board/ into assets/ (see bundle/).
// `sh tools/swaggerui/update.sh` copies swaggerui/ from the npm package swagger-ui-dist.
package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"path"
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

// mediaTypes are those of the served files, by the ends of their names.
var mediaTypes = map[string]string{
	".js":  "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
}

// Assets returns every asset by its file name. Other embedded files (licences) are not served.
func Assets() (map[string]Asset, error) {
	out := map[string]Asset{}
	for _, folder := range []string{"assets", "swaggerui"} {
		entries, err := files.ReadDir(folder)
		if err != nil {
			return nil, fmt.Errorf("reading the assets: %w", err)
		}
		for _, e := range entries {
			mediaType, ok := mediaTypes[path.Ext(e.Name())]
			if !ok {
				continue
			}
			body, err := files.ReadFile(path.Join(folder, e.Name()))
			if err != nil {
				return nil, fmt.Errorf("reading an asset: %w", err)
			}
			out[e.Name()] = Asset{Type: mediaType, Body: body}
		}
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

// Docs returns the API documentation.
func Docs() ([]byte, error) { return files.ReadFile("pages/docs.html") }

func render(page string, data any) ([]byte, error) {
	t, err := template.New(page).Funcs(template.FuncMap{"programs": func() []Page { return Pages }}).
		ParseFS(files, "pages/layout.html", "pages/"+page)
	if err != nil {
		return nil, fmt.Errorf("reading the page %s: %w", page, err)
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "layout.html", data); err != nil {
		return nil, fmt.Errorf("rendering the page %s: %w", page, err)
	}
	return b.Bytes(), nil
}
