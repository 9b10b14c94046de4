package web_test

import (
	"bytes"
	"image/png"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"roem/internal/web"
)

// worker is a package of the worker.
var worker = fstest.MapFS{
	"worker.js": {Data: []byte("program")}, "klaverjas.wasm": {Data: []byte("module")}, "networks/hand": {Data: []byte("weights")},
	"index.js": {Data: []byte("for bundlers")},
}

func site(tb testing.TB) map[string][]byte {
	tb.Helper()
	w, err := web.NewWorker(worker)
	if err != nil {
		tb.Fatal(err)
	}
	files, err := web.NewSite(w)
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

// Every link and every file of a page of the site is one of its files, and none begins at the root of the server.
func TestSiteIsWhole(t *testing.T) {
	files, links := site(t), 0
	reference := regexp.MustCompile(`(?:href|src|data-worker)="([^"#?]*)[^"]*"`)
	for name, body := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, m := range reference.FindAllSubmatch(body, -1) {
			links++
			to := strings.TrimPrefix(string(m[1]), "./")
			if to == "" {
				to = "index.html"
			}
			if files[to] == nil {
				t.Errorf("%s refers to %s", name, m[1])
			}
		}
	}
	if links < 100 {
		t.Errorf("%d links", links)
	}
	for _, p := range web.Pages {
		if files[strings.TrimPrefix(p.Path, "/")+".html"] == nil {
			t.Errorf("the site has no %s", p.Path)
		}
	}
}

// The service worker keeps every file but itself and the packed program, and the weights when they are needed. Its version changes with any
// file.
func TestServiceWorkerKeepsTheSite(t *testing.T) {
	files := site(t)
	program := string(files["sw.js"])
	first, later, _ := strings.Cut(program, "const later")
	for name := range files {
		quoted, kept := `"`+name+`"`, first
		if strings.Contains(name, "networks/") {
			kept = later
		}
		if is := strings.Contains(kept, quoted); is == (strings.HasPrefix(name, "sw") || strings.HasSuffix(name, ".wasm.packed")) {
			t.Errorf("%s is kept: %v", name, is)
		}
	}
	if strings.Contains(program, "bundlers") || strings.Contains(first, "index.js") {
		t.Error("the site has what bundlers take")
	}
	version := regexp.MustCompile(`const version = '(\w+)'`)
	was := version.FindStringSubmatch(program)
	worker["klaverjas.wasm"].Data = []byte("another module")
	defer func() { worker["klaverjas.wasm"].Data = []byte("module") }()
	if is := version.FindStringSubmatch(string(site(t)["sw.js"])); len(was) != 2 || len(is) != 2 || is[1] == was[1] {
		t.Errorf("versions %q and %q", was, is)
	}
}

// Without a worker there is no site, and a page of a server names none.
func TestWithoutWorker(t *testing.T) {
	none, err := web.NewWorker(fstest.MapFS{"worker.js": worker["worker.js"]})
	if err != nil || none.Program() != "" {
		t.Fatalf("a worker without its module: %q, %v", none.Program(), err)
	}
	if _, err := web.NewSite(none); err == nil {
		t.Error("a site was made without a worker")
	}
	some, err := web.NewWorker(worker)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range web.Pages {
		without, err := p.HTML(none)
		if err != nil {
			t.Fatal(err)
		}
		with, err := p.HTML(some)
		if err != nil {
			t.Fatal(err)
		}
		named := bytes.Contains(with, []byte(`data-worker="`+some.Program()+`"`))
		if klaverjas := p.Name == "klaverjas" || p.Game == "klaverjas"; named != klaverjas || bytes.Contains(without, []byte("data-worker")) {
			t.Errorf("%s names the worker: %v", p.Name, named)
		}
		if bytes.Contains(with, []byte("data-site")) || bytes.Contains(with, []byte("manifest\"")) {
			t.Errorf("%s of a server is a page of a site", p.Name)
		}
	}
}

// The icons are pictures of their sizes: a card on nothing, and one on a green square, whose corners can be cut.
func TestIcons(t *testing.T) {
	files := site(t)
	for name, c := range map[string]struct {
		size int
		full bool
	}{"icon-192.png": {192, false}, "icon-512.png": {512, false}, "icon-full-512.png": {512, true}, "apple-touch-icon.png": {180, true}} {
		picture, err := png.Decode(bytes.NewReader(files[name]))
		if err != nil || picture.Bounds().Dx() != c.size || picture.Bounds().Dy() != c.size {
			t.Fatalf("%s: %v", name, err)
		}
		if _, _, _, a := picture.At(0, 0).RGBA(); (a == 0xffff) != c.full {
			t.Errorf("%s: its corner has the alpha %d", name, a)
		}
		if r, g, b, _ := picture.At(c.size/2, c.size/2).RGBA(); r < 2*g || r < 2*b {
			t.Errorf("%s: in its middle there is no red diamond", name)
		}
	}
}
