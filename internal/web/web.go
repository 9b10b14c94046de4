// Package web embeds the pages of the server: the start page, the programs in Pages, the API documentation and the page of errors. They
// load nothing from other servers and contain no inline scripts or styles.
//
// `make generate` bundles board/ into assets/ (see bundle/). `sh tools/swaggerui/update.sh` copies swaggerui/ from the npm package
// swagger-ui-dist.
package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strings"
)

//go:embed pages assets static swaggerui/*.js swaggerui/*.css all:worker
var files embed.FS

//go:generate go -C ../../tools/audit run ./notices

//go:embed notices.txt
var notices []byte

// Notices returns the licences and notices of everything that is linked or bundled into the programs.
func Notices() []byte { return notices }

// frame is what the layout of a page of text shows.
type frame struct {
	Root  string // the path from the page to the start page. All links of pages are relative, so that the server can be below any path
	Dutch bool   // the page is in Dutch
	Start bool   // it is the start page
	Path  string // of a page that is there in both languages, from the start page
	Site  *Site  // of a page of a site without a server
}

// Index renders the start page in a language.
func Index(language string) ([]byte, error) {
	return render("index.html", struct{ frame }{frame{Root: "./", Dutch: language == "nl", Start: true}})
}

// Developers renders the page that leads developers to what they need, in a language. The origin is the URL of the server as clients see
// it, such as http://localhost:8080.
func Developers(origin, version, language string) ([]byte, error) {
	return render("developers.html", struct {
		frame
		Origin, Version string
	}{frame{Root: "../", Dutch: language == "nl", Path: "docs/developers"}, origin, version})
}

// ErrorKind is one section of the page of errors.
type ErrorKind struct {
	Slug   string
	Title  string
	Status int
	Help   string
}

// ErrorCode explains a code of an error, with a sentence in each language.
type ErrorCode struct{ Code, Help, English, Dutch string }

// Errors renders the page that explains each kind of error, and each code.
func Errors(kinds []ErrorKind, codes []ErrorCode) ([]byte, error) {
	return render("errors.html", struct {
		frame
		Kinds []ErrorKind
		Codes []ErrorCode
	}{frame{Root: "../"}, kinds, codes})
}

// Docs renders the API documentation. It shows the contract at openapi.yaml, beside it.
func Docs() ([]byte, error) { return execute("docs.html", "pages/docs.html", nil) }

// render renders a page in the layout.
func render(page string, data any) ([]byte, error) {
	return execute("layout.html", "pages/"+page, data)
}

// relativeAsset is AssetPath from the path of the start page.
func relativeAsset(name string) (string, error) {
	path, err := AssetPath(name)
	return strings.TrimPrefix(path, "/"), err
}

// execute executes the template of a name. A second file can define parts of it.
func execute(name, file string, data any) ([]byte, error) {
	sources := []string{"pages/" + name}
	if file != sources[0] {
		sources = append(sources, file)
	}
	t, err := template.New(name).Funcs(template.FuncMap{"asset": relativeAsset}).
		ParseFS(files, sources...)
	if err != nil {
		return nil, fmt.Errorf("reading the page %s: %w", file, err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("rendering the page %s: %w", file, err)
	}
	return b.Bytes(), nil
}
