package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"text/template"
)

// Worker is the program with which Klaverjas is calculated in the browser: the files of the package that `make wasm` builds. The zero
// Worker has no files: the pages do without.
type Worker struct {
	Folder string            // from the start page, with a slash at its end. Its name changes with the content of the files
	Files  map[string][]byte // by their paths in the folder; not to be changed
}

// Names of the worker's files.
const (
	workerProgram = "worker.js"
	workerModule  = "klaverjas.wasm"
	workerModels  = "networks/" // the folder of what is loaded when it is first needed
)

// WorkerFolder is where the files of the worker are, from the start page. Below it is a folder for each content.
const WorkerFolder = "docs/wasm/"

// NewWorker returns the worker with the files of a package. It takes those that pages load. Without the program it returns the zero Worker.
func NewWorker(from fs.FS) (Worker, error) {
	w := Worker{Files: map[string][]byte{}}
	sum := sha256.New()
	err := fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name != workerProgram && name != workerModule && !strings.HasPrefix(name, workerModels) {
			return err
		}
		body, err := fs.ReadFile(from, name)
		w.Files[name] = body
		_, _ = fmt.Fprintf(sum, "%s %d\n%s", name, len(body), body) // a hash takes everything
		return err
	})
	if err != nil {
		return Worker{}, fmt.Errorf("reading the worker: %w", err)
	}
	if len(w.Files[workerProgram]) == 0 || len(w.Files[workerModule]) == 0 {
		return Worker{}, nil
	}
	w.Folder = WorkerFolder + hex.EncodeToString(sum.Sum(nil))[:hashLength] + "/"
	return w, nil
}

// EmbeddedWorker returns the worker that was there when the program was built, or the zero Worker.
func EmbeddedWorker() (Worker, error) {
	folder, err := fs.Sub(files, "worker")
	if err != nil {
		return Worker{}, fmt.Errorf("reading the worker: %w", err)
	}
	return NewWorker(folder)
}

// Program returns the path of the program from the start page, empty without one.
func (w Worker) Program() string {
	if w.Folder == "" {
		return ""
	}
	return w.Folder + workerProgram
}

// Module returns the path of what the program of the worker runs, from the start page.
func (w Worker) Module() string { return w.Folder + workerModule }

// Ahead returns the paths of what a page fetches before it is needed, so that the browser has it when the server does not answer.
func (w Worker) Ahead() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(w.Files)) {
		out = append(out, w.Folder+name)
	}
	return out
}

// TypeOf returns the media type of a file of the worker.
func TypeOf(name string) string {
	if kind, ok := mediaTypes[path.Ext(name)]; ok {
		return kind
	}
	return "application/octet-stream"
}

// TextPolicy is what a page of text may load: files of its own place, and no others. It allows no inline scripts. Images may be data: URLs,
// which the documentation page uses for its arrows.
const TextPolicy = ownScripts + ownFiles

// Policy is what a page that is a program may load: also WebAssembly, which its worker compiles.
const Policy = ownScripts + " 'wasm-unsafe-eval'; worker-src 'self'; manifest-src 'self'" + ownFiles

const (
	ownScripts = "default-src 'none'; script-src 'self'"
	ownFiles   = "; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
)

// Site is a site of files that need no server: the pages of Klaverjas, whose requests the worker answers.
type Site struct {
	Worker Worker
	files  map[string][]byte
}

// Works returns the names of the pages that work without a server.
func (*Site) Works() string {
	var names []string
	for _, p := range Pages {
		if p.alone() {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, " ")
}

// Policy returns the policy of the pages, which name it themselves.
func (*Site) Policy() string { return Policy }

// alone is whether the page works without a server.
func (p Page) alone() bool { return p.Name == workedOut || p.Game == workedOut || p.Name == "rules" }

// End returns how the paths of pages end: those of a site are names of files.
func (f frame) End() string {
	if f.Site != nil {
		return ".html"
	}
	return ""
}

// Programs returns the pages of the navigation.
func (f frame) Programs() []Page {
	return slices.DeleteFunc(Navigation(), func(p Page) bool { return f.Site != nil && !p.alone() })
}

// Other returns the path from the start page to the same page in the other language.
func (f frame) Other() string {
	switch {
	case f.Site != nil && f.Dutch:
		return "index.html"
	case f.Site != nil:
		return "nl.html"
	}
	return f.Path
}

// NewSite returns the files of a site, by their paths.
func NewSite(w Worker) (map[string][]byte, error) {
	s := &Site{Worker: w, files: map[string][]byte{}}
	if w.Folder == "" {
		return nil, errors.New("the site has no worker: make wasm builds it")
	}
	for name, body := range w.Files {
		// A server of files may compress nothing, and the program is then five times as large. One that compresses does it better.
		switch {
		case name == workerProgram:
			body = append([]byte("self.packed = true\n"), body...)
		case path.Ext(name) == path.Ext(workerModule):
			s.files[w.Folder+name+packedEnd] = packed(body)
		default:
			name, body = name+packedEnd, packed(body)
		}
		s.files[w.Folder+name] = body
	}
	for _, add := range []func() error{s.addAssets, s.addPages, s.addApp, s.addServiceWorker} {
		if err := add(); err != nil {
			return nil, err
		}
	}
	return s.files, nil
}

// NewKit returns the two files with which a page of another site shows the board without a server, by their names.
func NewKit(w Worker) (map[string][]byte, error) {
	assets, err := Assets()
	if err != nil {
		return nil, err
	}
	kit, module := assets["kit.js"].Body, w.Files[workerModule]
	if len(kit) == 0 || len(module) == 0 {
		return nil, errors.New("the board for other sites has no program or no worker")
	}
	return map[string][]byte{"roem-board.js": kit, workerModule: module}, nil
}

// packedEnd is at the end of the names of the worker's files that are compressed. Servers do not know it: none takes it for a coding.
const packedEnd = ".packed"

// packed compresses a file with gzip.
func packed(body []byte) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level exists
	_, _ = z.Write(body)                                    // a buffer takes everything
	_ = z.Close()
	return out.Bytes()
}

// textAssets are the assets of the pages of text.
var textAssets = []string{"roem.css", "theme.js", "icon.svg", "site.js"}

// addAssets adds the assets that the pages refer to.
func (s *Site) addAssets() error {
	assets, err := Assets()
	if err != nil {
		return err
	}
	needed := slices.Clone(textAssets)
	for _, p := range Pages {
		if p.alone() {
			needed = append(needed, p.Assets()...)
		}
	}
	for _, name := range needed {
		asset, ok := assets[name]
		if !ok {
			return fmt.Errorf("there is no asset %s", name)
		}
		s.files[strings.TrimPrefix(AssetFolder, "/")+asset.Name] = asset.Body
	}
	s.files["licences.txt"] = notices
	return nil
}

// addPages adds the pages: those that work, the start page in each language, and for every other page what it needs.
func (s *Site) addPages() error {
	add := func(name string, page []byte, err error) error {
		s.files[name+".html"] = page
		return err
	}
	for _, p := range Pages {
		var page []byte
		var err error
		if p.alone() {
			page, err = p.html(s.Worker, s)
		} else {
			page, err = render("server.html", struct {
				frame
				Page Page
			}{frame{Root: "./", Site: s}, p})
		}
		if err := add(strings.TrimPrefix(p.Path, "/"), page, err); err != nil {
			return err
		}
	}
	for language, name := range map[string]string{"en": "index", "nl": "nl"} {
		page, err := render("index.html", struct{ frame }{frame{Root: "./", Dutch: language == "nl", Start: true, Site: s}})
		if err := add(name, page, err); err != nil {
			return err
		}
	}
	return nil
}

// icon is an icon in the manifest of an app.
type icon struct {
	Source  string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose,omitempty"`
}

// addApp adds what a phone needs to install the site: the manifest and the icons.
func (s *Site) addApp() error {
	icons := []icon{}
	for _, i := range []struct {
		name string
		size int
		full bool // it fills the square, of which a phone cuts the corners
	}{{"icon-192.png", 192, false}, {"icon-512.png", 512, false}, {"icon-full-512.png", 512, true}, {appleIcon, 180, true}} {
		body, err := drawIcon(i.size, i.full)
		if err != nil {
			return err
		}
		s.files[i.name] = body
		one := icon{Source: i.name, Sizes: fmt.Sprintf("%dx%[1]d", i.size), Type: "image/png"}
		if i.full {
			one.Purpose = "maskable"
		}
		if i.name != appleIcon {
			icons = append(icons, one)
		}
	}
	manifest, err := json.MarshalIndent(struct {
		Name       string `json:"name"`
		ShortName  string `json:"short_name"`
		ID         string `json:"id"`
		Start      string `json:"start_url"`
		Scope      string `json:"scope"`
		Display    string `json:"display"`
		Background string `json:"background_color"`
		Theme      string `json:"theme_color"`
		Icons      []icon `json:"icons"`
	}{"Roem: Klaverjas", "Roem", "./", "./index.html", "./", "standalone", "#fbfaf6", "#1d5c3f", icons}, "", "  ")
	s.files["site.webmanifest"] = manifest
	return err
}

// appleIcon is the icon that phones take which read no manifest.
const appleIcon = "apple-touch-icon.png"

// addServiceWorker adds the program that keeps the files in the browser, and the one that ends it.
func (s *Site) addServiceWorker() error {
	program, err := files.ReadFile("pages/sw.js")
	if err != nil {
		return fmt.Errorf("reading the service worker: %w", err)
	}
	first, later := map[string]string{}, map[string]string{}
	sum := sha256.New()
	_, _ = sum.Write(program)
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		if strings.HasSuffix(name, path.Ext(workerModule)+packedEnd) {
			continue // it is kept as it is
		}
		_, _ = fmt.Fprintf(sum, "%s %d\n%s", name, len(s.files[name]), s.files[name])
		own := sha256.Sum256(s.files[name])
		to := first
		if strings.HasPrefix(name, s.Worker.Folder+workerModels) {
			to = later
		}
		to[name] = hex.EncodeToString(own[:8])
	}
	t, err := template.New("sw.js").Parse(string(program))
	if err != nil {
		return fmt.Errorf("reading the service worker: %w", err)
	}
	quoted := func(sums map[string]string) string {
		text, _ := json.Marshal(sums) // texts always encode
		return string(text)
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]string{
		"Version": hex.EncodeToString(sum.Sum(nil))[:hashLength], "First": quoted(first), "Later": quoted(later), "Packed": packedEnd,
	})
	if err != nil {
		return fmt.Errorf("writing the service worker: %w", err)
	}
	s.files["sw.js"] = b.Bytes()
	s.files["sw-off.js"], err = files.ReadFile("pages/sw-off.js")
	return err
}
