// Package walls has the table of which package may import which, and the test that compares the program with it.
package walls

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What a package may use of the standard library, besides everything that the kind does not name.
var kinds = map[string][]string{
	"pure":   {"log", "os", "net", "context", "time"}, // no effects, no clock, and nothing that can be cancelled
	"search": {"log", "os", "net"},                    // can be cancelled, and may read the clock
	"plain":  {"net/http"},                            // everything but HTTP
	"http":   nil,
}

// quiet kinds use no libraries but those of the Go project.
func quiet(kind string) bool { return kind != "plain" && kind != "http" }

// games are what GAME stands for in a row: the same in its package and in what this imports.
var games = []string{"klaverjas", "belote", "ginrummy", "tarok"}

// table has a row for each package of internal/ and cmd/: its path, its kind, and which packages of Roem it may import. A name that ends
// with /... stands for everything below it too. The last rows are those of rooms whose packages have no rows of their own. Tests may import
// everything but handlers.
var table = []struct{ pkg, kind, may string }{
	// What games share.
	{"random", "pure", ""},
	{"bound", "plain", ""},
	{"once", "search", ""},
	{"engine/violation", "pure", ""},
	{"engine/piquet", "pure", "engine/violation"},
	{"engine/standing", "pure", ""},
	{"engine/length", "pure", ""},
	{"engine/takeback", "pure", ""},
	{"engine/cause", "pure", ""},
	{"engine/cause/tricks", "pure", "engine/cause"},
	{"engine/match", "search", "engine/violation"},
	{"engine/pause", "search", ""},
	{"engine/table", "search", "engine/match engine/pause"},
	{"engine/table/session", "search", "engine/length engine/table engine/takeback random"},
	{"engine/table/contest", "search", "engine/match engine/table random"},
	{"engine/table/decisions", "search", "engine/table"},
	{"engine/record", "pure", "bound engine/violation"},
	{"engine/table/history", "search", "engine/record engine/table engine/violation"},

	// A game: no game imports another.
	{"engine/GAME", "pure", "engine/piquet engine/violation random"},
	{"engine/GAME/index", "pure", "engine/GAME engine/piquet random"},
	{"engine/GAME/features", "pure", "engine/GAME engine/piquet"},
	{"engine/GAME/search", "search", "engine/GAME engine/pause engine/piquet engine/violation"},
	{"engine/GAME/compare", "search", "engine/GAME engine/GAME/search engine/piquet random"},
	{"engine/GAME/complexity", "pure", "engine/GAME random"},
	{"engine/GAME/score", "pure", "engine/GAME engine/piquet engine/violation"},
	{"engine/GAME/worlds", "pure", "engine/GAME engine/piquet engine/violation random"},
	{"engine/GAME/logic", "pure", "engine/GAME engine/GAME/worlds engine/piquet"},
	{"engine/GAME/playout", "pure", "engine/GAME engine/GAME/worlds engine/piquet"},
	{"engine/GAME/bidding", "search", "engine/GAME engine/GAME/search engine/piquet engine/violation random"},
	{
		"engine/GAME/advice", "search", "engine/GAME engine/GAME/players engine/GAME/playout engine/GAME/search engine/GAME/worlds " +
			"engine/match engine/pause engine/piquet engine/standing engine/violation random",
	},
	{
		"engine/GAME/players", "search", "engine/GAME engine/GAME/advice engine/GAME/bidding engine/GAME/index engine/GAME/playout " +
			"engine/GAME/search engine/GAME/worlds engine/match engine/piquet engine/table/... engine/violation random",
	},
	{
		"engine/GAME/reason", "search", "engine/GAME engine/GAME/advice engine/GAME/players engine/GAME/playout engine/GAME/search " +
			"engine/GAME/worlds engine/cause/... engine/piquet random",
	},
	{"engine/GAME/record", "pure", "engine/GAME engine/GAME/bidding engine/GAME/worlds engine/piquet engine/record engine/violation"},
	{
		"engine/GAME/session", "search", "engine/GAME engine/GAME/bidding engine/GAME/index engine/GAME/players engine/GAME/score " +
			"engine/GAME/worlds engine/length engine/match engine/piquet engine/table/... engine/takeback engine/violation random",
	},
	{
		"engine/GAME/puzzles", "search", "engine/GAME engine/GAME/advice engine/GAME/reason engine/GAME/search engine/GAME/worlds " +
			"engine/piquet random",
	},

	// Models are arithmetic on weights.
	{"model/nn/f32", "pure", ""},
	{"model/nn/i16", "pure", ""},
	{"model/nn/weightfile", "search", ""},
	{"model/trees", "search", "model/nn/weightfile"},
	{"model/GAME/network", "search", "engine/piquet model/nn/i16"},
	{"model/GAME/deal", "search", "engine/GAME engine/piquet model/GAME/network model/nn/weightfile once"},
	{"model/GAME/hand", "search", "engine/GAME engine/GAME/worlds engine/piquet model/nn/f32 model/nn/weightfile model/trees"},
	{
		"model/GAME/forest", "search", "engine/GAME engine/GAME/features engine/GAME/index engine/piquet model/GAME/deal model/nn/weightfile " +
			"model/trees",
	},
	{"model/GAME/distribution", "search", "engine/GAME engine/GAME/index once"},
	{"model/GAME/belief", "search", "engine/GAME engine/GAME/worlds engine/piquet model/nn/weightfile"},
	{"model/GAME/policy", "search", "engine/GAME engine/GAME/playout engine/GAME/worlds engine/piquet model/nn/f32 model/nn/weightfile"},

	// What carries bytes knows no game.
	{"computation", "search", ""},
	{"boltfile", "plain", ""},
	{"redisconn", "plain", ""},
	{"jsonlines", "plain", ""},
	{"solvecache", "plain", "boltfile redisconn"},
	{"sessions", "plain", "boltfile redisconn"},
	{"jobs", "plain", ""},
	{"jobs/decide", "plain", "jobs"},
	{"jobs/queuekit", "plain", "jobs jobs/decide"},
	{"jobs/boltqueue", "plain", "boltfile jobs jobs/decide jobs/queuekit"},
	{"jobs/redisqueue", "plain", "jobs jobs/decide jobs/queuekit redisconn"},
	{"metrics", "plain", ""},
	{"preview", "search", ""},
	{"config", "plain", "redisconn"},

	// The service runs operations of any game; a game's part of it imports that game only.
	{
		"service", "plain", "api bound computation engine/length engine/match engine/record engine/standing engine/table " +
			"engine/table/contest engine/table/decisions engine/table/history engine/table/session engine/takeback engine/violation jobs " +
			"preview sessions solvecache",
	},
	{"service/records", "plain", "api engine/record service"},
	{"service/GAME/hybrid", "search", "once"},
	{
		"service/GAME/handstrength", "search", "engine/GAME engine/GAME/search engine/GAME/worlds engine/pause engine/piquet " +
			"engine/violation model/GAME/deal model/GAME/hand once random",
	},
	{
		"service/GAME/bidadvice", "search", "engine/GAME engine/GAME/bidding engine/pause engine/piquet model/GAME/deal model/GAME/hand " +
			"once random service/GAME/handstrength",
	},
	{
		"service/GAME", "plain", "api computation engine/GAME/... engine/cause/tricks engine/match engine/piquet engine/record engine/standing " +
			"engine/table/... engine/violation model/GAME/... model/nn/weightfile model/trees preview random service service/GAME/... sessions " +
			"solvecache",
	},

	// HTTP, and the programs.
	{"api", "http", ""},
	{"browser", "plain", "computation engine/violation service sessions"}, // a page instead of HTTP
	{"web/...", "http", "web"},
	{"handlers", "http", "api computation engine/violation metrics preview service web"},
	{"cli", "plain", "engine/klaverjas/search engine/violation"}, // the flags of the solver
	{"cli/lines", "plain", "api cli engine/violation jsonlines service"},
	{"cmd/server", "http", "..."},
	{"cmd/roem", "plain", "..."},

	// What only tests and make generate use.
	{"pages", "plain", ""},
	{"pages/write", "plain", "..."},
	{"testkit", "plain", "pages"},
	{"testkit/chromium", "plain", ""},
	{"redistest", "plain", "testkit"},
}

// onlyFrom are packages that nothing may import but the packages whose paths begin with those listed, not even a row with "...".
var onlyFrom = map[string][]string{
	"cmd":      nil,
	"handlers": {"cmd/server", "handlers"},
	"lab":      nil,
	"config":   {"cmd", "config", "pages/write"},
}

// apart are imports that a row with GAME would allow.
var apart = []struct{ from, to, why string }{
	{"engine/ginrummy", "engine/piquet", "the deck of 32 cards is not the deck of Gin Rummy"},
	{"engine/tarok", "engine/piquet", "the deck of 32 cards is not the deck of tarok"},
}

// replaced are packages in whose place stand others.
var replaced = map[string]string{
	"math/rand": "math/rand/v2", "io/ioutil": "io and os", "github.com/pkg/errors": "errors, and fmt.Errorf with %w",
	"gopkg.in/yaml.v2": "go.yaml.in/yaml/v3", "gopkg.in/yaml.v3": "go.yaml.in/yaml/v3",
	"github.com/getkin/kin-openapi/openapi3": "what api/gen writes of the contract",
}

// free are folders without rows: tests and their helpers, and generators.
func free(pkg string) bool {
	last := pkg[strings.LastIndex(pkg, "/")+1:]
	return strings.HasSuffix(last, "test") && last != "redistest" || last == "naive"
}

// within reports whether a path is a prefix or below it.
func within(path, prefix string) bool { return path == prefix || strings.HasPrefix(path, prefix+"/") }

// matches reports whether a pattern with its game filled in covers a package.
func matches(pattern, pkg string) bool {
	if pattern == "..." {
		return true
	}
	if prefix, all := strings.CutSuffix(pattern, "/..."); all {
		return within(pkg, prefix)
	}
	return pattern == pkg
}

// row finds the row of a package: its kind and what it may import, with the game filled in.
func row(pkg string) (kind string, may []string, ok bool) {
	for _, r := range table {
		for _, game := range games {
			if matches(strings.ReplaceAll(r.pkg, "GAME", game), pkg) {
				return r.kind, strings.Fields(strings.ReplaceAll(r.may, "GAME", game)), true
			}
		}
	}
	return "", nil, false
}

// wrong returns why a package may not import a path, or nothing. Paths of Roem are without roem/ and roem/internal/.
func wrong(pkg, path string, isRoem bool) string {
	if instead, is := replaced[path]; is {
		return "use " + instead
	}
	kind, may, ok := row(pkg)
	switch {
	case !ok:
		return "the package has no row in the table of internal/walls"
	case !isRoem:
		library := strings.Contains(strings.Split(path, "/")[0], ".")
		if slices.ContainsFunc(kinds[kind], func(denied string) bool { return within(path, denied) }) ||
			library && quiet(kind) && !within(path, "golang.org/x") {
			return "its kind is " + kind
		}
		return ""
	}
	for _, a := range apart {
		if within(pkg, a.from) && within(path, a.to) {
			return a.why
		}
	}
	for to, from := range onlyFrom {
		if within(path, to) && !slices.ContainsFunc(from, func(f string) bool { return within(pkg, f) }) {
			return "only " + strings.Join(from, ", ") + " may"
		}
	}
	if !slices.ContainsFunc(may, func(pattern string) bool { return matches(pattern, path) }) {
		return "its row allows " + strings.Join(may, ", ")
	}
	return ""
}

// wrongInTest is wrong for a test, which may import everything but what only programs wire.
func wrongInTest(pkg, path string) string {
	if (within(path, "handlers") || within(path, "cmd")) && !within(pkg, "handlers") && !within(pkg, "cmd/server") {
		return "only cmd/server may"
	}
	return ""
}

// Every import of the program is an arrow of the table.
func TestWalls(t *testing.T) {
	arrows := 0
	for _, top := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join("..", "..", top), func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(file) != ".go" {
				return err
			}
			pkg := strings.TrimPrefix(strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../../"), "internal/")
			if free(pkg) {
				return nil
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			for _, i := range f.Imports {
				path, err := strconv.Unquote(i.Path.Value)
				if err != nil {
					return err
				}
				roem, isRoem := strings.CutPrefix(path, "roem/")
				if roem == "api" || strings.HasPrefix(roem, "configs") || strings.HasPrefix(roem, "docs/") {
					continue // embedded texts
				}
				arrows++
				why := ""
				if roem = strings.TrimPrefix(roem, "internal/"); !strings.HasSuffix(file, "_test.go") {
					why = wrong(pkg, roem, isRoem)
				} else if isRoem {
					why = wrongInTest(pkg, roem)
				}
				if why != "" {
					t.Errorf("%s: %s -> %s: %s", file, pkg, path, why)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if arrows == 0 {
		t.Error("no import was found")
	}
}

// The table refuses what it is there to refuse.
func TestWallsRefuse(t *testing.T) {
	for _, tt := range []struct {
		pkg, path string
		isRoem    bool
	}{
		{"engine/belote/search", "engine/klaverjas", true},
		{"service/tarok", "engine/belote/search", true},
		{"engine/klaverjas", "engine/klaverjas/search", true},
		{"engine/klaverjas", "time", false},
		{"engine/klaverjas/search", "os", false},
		{"engine/ginrummy/worlds", "engine/piquet", true},
		{"jobs", "engine/piquet", true},
		{"service", "engine/klaverjas", true},
		{"service", "net/http", false},
		{"engine/match", "go.uber.org/zap", false},
		{"service/klaverjas", "handlers", true},
		{"cmd/roem", "lab/learn/forest", true},
		{"cmd/server", "cmd/roem", true},
		{"solvecache", "config", true},
		{"something/new", "fmt", false},
		{"service", "math/rand", false},
	} {
		if wrong(tt.pkg, tt.path, tt.isRoem) == "" {
			t.Errorf("%s may import %s", tt.pkg, tt.path)
		}
	}
}
