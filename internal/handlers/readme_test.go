package handlers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// The pages whose requests are run.
const (
	readmeFile   = "../../README.md"
	tutorialFile = "../../docs/tutorials/first-solve.md"
)

// conversation matches a curl command of a page and the answer after it.
var conversation = regexp.MustCompile("(?s)```sh\n(curl [^`]*)\n```\n```json\n(.*?)\n```")

// curl matches the commands of the pages.
var curl = regexp.MustCompile(`(?s)^curl -s '?http://localhost:8080(/[^' ]*)'?(?: -H 'Content-Type: application/json' -d '([^']*)')?$`)

// Answers on the pages show only the system of the rules, and an ellipsis. An answer may end with an ellipsis in place of more fields.
var (
	moreFields  = regexp.MustCompile(`,\n  …\n\}$`)
	wholeRules  = regexp.MustCompile(`"rules":\{"system":"([a-z]+)".*?"nat_melds":"[a-z]+"\}`)
	systemAlone = regexp.MustCompile(`"rules": \{"system": "([a-z]+)"\}`)
	shortRules  = regexp.MustCompile(`"rules": \{"system": "([a-z]+)", …\}`)
)

// The README and the tutorial have the actual answers of the server. With -update they are written there, but for answers that are trimmed.
func TestReadme(t *testing.T) {
	for _, page := range []string{readmeFile, tutorialFile} {
		t.Run(filepath.Base(page), func(t *testing.T) { runPage(t, page) })
	}
}

// runPage runs the requests of a page.
func runPage(t *testing.T, page string) {
	t.Helper()
	s := newServer(t)
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	found := conversation.FindAllSubmatch(text, -1)
	if want := bytes.Count(text, []byte("\ncurl ")); len(found) != want || want == 0 {
		t.Fatalf("%d curl commands with an answer of %d", len(found), want)
	}
	for _, pair := range found {
		command, shown := string(pair[1]), pair[2]
		parts := curl.FindStringSubmatch(command)
		if parts == nil {
			t.Errorf("a command in another form:\n%s", command)
			continue
		}
		t.Run(parts[1], func(t *testing.T) {
			method := http.MethodGet
			if parts[2] != "" {
				method = http.MethodPost
			}
			e := example{request: request(method, parts[1], parts[2]), body: []byte(parts[2])}
			answer := wholeRules.ReplaceAll(s.do(t, e.request).Body.Bytes(), []byte(`"rules":{"system":"$1"}`))
			trimmed := moreFields.Match(shown)
			if *update && !trimmed {
				now := systemAlone.ReplaceAllString(layOutJSON(t, answer, ""), `"rules": {"system": "$1", …}`)
				text = bytes.Replace(text, pair[0], fmt.Appendf(nil, "```sh\n%s\n```\n```json\n%s\n```", command, now), 1)
				return
			}
			shown = moreFields.ReplaceAll(shown, []byte("\n}"))
			var want, got map[string]any
			if err := json.Unmarshal(shortRules.ReplaceAll(shown, []byte(`"rules": {"system": "$1"}`)), &want); err != nil {
				t.Fatalf("the answer on the page: %v", err)
			}
			if err := json.Unmarshal(answer, &got); err != nil {
				t.Fatal(err)
			}
			if trimmed {
				maps.DeleteFunc(got, func(name string, _ any) bool { _, in := want[name]; return !in })
			} else {
				checkLine(t, s, e, want)
			}
			if diff := cmp.Diff(steady(want), steady(got)); diff != "" {
				t.Errorf("the page has another answer; if this one is correct, run with -update (-page +server)\n%s", diff)
			}
		})
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(page, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// layOutJSON writes a JSON value on one line if it is short or a list of scalars, and on several lines otherwise.
func layOutJSON(t *testing.T, value []byte, indent string) string {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(value))
	token, err := dec.Token()
	if err != nil {
		t.Fatal(err)
	}
	opening, isContainer := token.(json.Delim)
	if !isContainer {
		return string(value)
	}
	closing := map[json.Delim]string{'{': "}", '[': "]"}[opening]
	var parts []string
	for dec.More() {
		part := ""
		if opening == '{' {
			name, err := dec.Token()
			if err != nil {
				t.Fatal(err)
			}
			part = fmt.Sprintf("%q: ", name)
		}
		var inner json.RawMessage
		if err := dec.Decode(&inner); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part+layOutJSON(t, inner, indent+"  "))
	}
	line := opening.String() + strings.Join(parts, ", ") + closing
	if len(line) <= 130 || !strings.Contains(line, "{") {
		return line
	}
	return opening.String() + "\n" + indent + "  " + strings.Join(parts, ",\n"+indent+"  ") + "\n" + indent + closing
}

// link matches a link of a page to a file or to a heading. The groups are the path and the fragment.
var link = regexp.MustCompile(`\]\(([^)#:]*)(#[^):]*)?\)`)

// headings returns the fragments of the headings of a page: the letters, digits, hyphens and spaces of a heading in lower case, with
// hyphens for spaces.
func headings(text []byte) map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			all["#"+strings.Map(func(r rune) rune {
				switch {
				case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
					return unicode.ToLower(r)
				case r == ' ':
					return '-'
				}
				return -1
			}, strings.TrimSpace(title))] = true
		}
	}
	return all
}

// The targets of links between pages exist: the files, and the headings in them.
func TestLinks(t *testing.T) {
	var pages []string
	for _, pattern := range []string{
		"*.md", "docs/*.md", "docs/*/*.md", "docs/*/*/*.md", "lab/docs/*.md", "lab/docs/*/*.md", "lab/docs/*/*/*.md",
		"clients/*/*.md", "examples/*.md", "deploy/*/*.md",
	} {
		some, err := filepath.Glob("../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, some...)
	}
	links := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range link.FindAllSubmatch(text, -1) {
			links++
			target := page
			if len(to[1]) > 0 {
				target = filepath.Join(filepath.Dir(page), string(to[1]))
			}
			if len(to[2]) == 0 {
				if _, err := os.Stat(target); err != nil {
					t.Errorf("%s links to %s: %v", page, to[1], err)
				}
				continue
			}
			if linked, err := os.ReadFile(target); err != nil || !headings(linked)[string(to[2])] {
				t.Errorf("%s links to %s%s, which is no heading (%v)", page, to[1], to[2], err)
			}
		}
	}
	if links == 0 {
		t.Error("no link was found")
	}
}

// The map in docs/project/architecture.md shows every package folder, or the row of a folder above names it, and no other.
func TestMap(t *testing.T) {
	text, err := os.ReadFile("../../docs/project/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	// A row may go on in lines that are indented.
	for _, row := range regexp.MustCompile(`(?m)^(?:  )?([a-z0-9/-]+)/ +(.*(?:\n {10,}.*)*)$`).FindAllStringSubmatch(string(text), -1) {
		room := row[1]
		if _, err := os.Stat("../../internal/" + room); err == nil {
			room = "internal/" + room
		} else if _, err := os.Stat("../../" + room); err != nil {
			t.Errorf("docs/project/architecture.md shows %s, which does not exist", room)
		}
		rows[room] = row[2]
	}
	rooms := map[string]bool{}
	for _, root := range []string{"internal", "cmd"} {
		if err := filepath.WalkDir("../../"+root, func(path string, _ fs.DirEntry, err error) error {
			if filepath.Ext(path) == ".go" {
				rooms[strings.TrimPrefix(filepath.Dir(path), "../../")] = true
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	for room := range rooms {
		_, shown := rows[room]
		for above := filepath.Dir(room); !shown && above != "."; above = filepath.Dir(above) {
			shown = strings.Contains(" "+strings.Join(strings.Fields(rows[above]), " "), " "+strings.TrimPrefix(room, above+"/")+"/")
		}
		if !shown {
			t.Errorf("docs/project/architecture.md does not show %s", room)
		}
	}
}
