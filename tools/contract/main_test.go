package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// released is the contract of a release in these tests.
const released = `
openapi: 3.0.3
info: {title: Cards, version: 1.0.0}
paths:
  /v1/cards/solve:
    post:
      operationId: solve
      requestBody:
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Deal'}
      responses:
        '200':
          description: The value.
          headers:
            X-Request-ID: {description: The id., schema: {type: string}}
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Value'}
  /v1/cards/old:
    get:
      operationId: old
      deprecated: true
      x-deprecated-since: '2020-01-01'
      x-sunset: '2020-09-01'
      responses:
        '200': {description: The old form.}
components:
  schemas:
    Deal:
      type: object
      additionalProperties: false
      required: [cards]
      properties:
        cards: {type: array, maxItems: 8, items: {type: string}}
        goal: {type: string, enum: [value, moves]}
    Value:
      type: object
      required: [value, source]
      properties:
        value: {type: integer}
        source: {type: string, enum: [search, cache]}
        note: {type: string}
`

// A break that the changelog does not announce fails, one that it announces passes, and so does what the promise permits.
func TestContract(t *testing.T) {
	t.Parallel()
	const (
		solve     = "POST /v1/cards/solve"
		permitted = ""
	)
	cases := []struct {
		name     string
		old, new string
		broken   string // what the announcement has to name, empty if nothing breaks
	}{
		{"nothing", "", "", permitted},
		{"a new field of an answer", "note: {type: string}", "note: {type: string}\n        more: {type: string}", permitted},
		{"a new value of an answer", "[search, cache]", "[search, cache, model]", permitted},
		{"a new field of a request", "goal: {", "depth: {type: integer}\n        goal: {", permitted},
		{"a new value of a request", "[value, moves]", "[value, moves, line]", permitted},
		{"a longer list in a request", "maxItems: 8", "maxItems: 9", permitted},
		{"an end that was announced", "  /v1/cards/old:\n", "  /v1/cards/new:\n", permitted},
		{"a field of a request that must be there", "required: [cards]", "required: [cards, goal]", solve},
		{"a field of a request that is gone", "        goal: {type: string, enum: [value, moves]}\n", "", solve},
		{"a value of a request that is gone", "[value, moves]", "[value]", solve},
		{"a shorter list in a request", "maxItems: 8", "maxItems: 7", solve},
		{"a field of an answer that is gone", "        note: {type: string}\n", "", solve},
		{"a field of an answer of another type", "value: {type: integer}", "value: {type: string}", solve},
		{"a field of an answer that may be absent", "required: [value, source]", "required: [value]", solve},
		{"a header that is gone", "            X-Request-ID: {description: The id., schema: {type: string}}\n", "", solve},
		{"another operation id", "operationId: solve", "operationId: value", solve},
		{"an operation that is gone", "  /v1/cards/solve:\n", "  /v1/cards/values:\n", solve},
		{"a deprecation without an end", "operationId: solve", "operationId: solve\n      deprecated: true", solve},
		{
			"a deprecation without notice", "operationId: solve",
			"operationId: solve\n      deprecated: true\n      x-sunset: '2020-01-01'", solve,
		},
		{
			"a deprecation with notice", "operationId: solve",
			"operationId: solve\n      deprecated: true\n      x-sunset: '2999-01-01'", permitted,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.old != "" && !strings.Contains(released, c.old) {
				t.Fatalf("the contract has no %q", c.old)
			}
			root := repository(t, "v0.1.0", "v0.2.0-rc.1")
			write(t, root, contractFile, strings.Replace(released, c.old, c.new, 1))
			write(t, root, changelogFile, "## [Unreleased]\n\n## [0.1.0]\n\n### Breaking\n\n- `POST /v1/cards/solve`: in the release.\n")
			out, err := check(t, root)
			if broken := err != nil; broken != (c.broken != "") {
				t.Fatalf("not announced: %v\n%s", err, out)
			}
			if c.broken == "" {
				return
			}
			if !strings.Contains(out, c.broken+": ") {
				t.Errorf("it does not name %s:\n%s", c.broken, out)
			}
			for subject, announces := range map[string]bool{c.broken: true, "/v1/cards/*": true, "GET /v1/cards/old": false} {
				write(t, root, changelogFile,
					"## [Unreleased]\n\n### Breaking\n\n- `GET /v1/other`, `"+subject+"`: it was wrong,\n  so it ends.\n\n## [0.1.0]\n")
				if out, err := check(t, root); (err == nil) != announces {
					t.Errorf("%s is announced: %v\n%s", subject, err, out)
				}
			}
		})
	}
}

// A schema is announced by its name.
func TestSchema(t *testing.T) {
	t.Parallel()
	renamed := strings.NewReplacer("/Deal'", "/Hand'", "    Deal:", "    Hand:").Replace(released)
	breaks, err := compare([]byte(released), []byte(renamed))
	if err != nil {
		t.Fatal(err)
	}
	if len(breaks) != 1 || !breaks[0].announcedBy([]announcement{"Deal"}) || breaks[0].announcedBy([]announcement{"Hand", "/*"}) {
		t.Errorf("the schema Deal was renamed: %v", breaks)
	}
}

// Without a release there is nothing to compare with. With one, the changelog has its section, and its lines have the form.
func TestReleases(t *testing.T) {
	t.Parallel()
	root := repository(t, "nightly", "v0.1.0-rc.1")
	write(t, root, contractFile, "openapi: 3.0.3")
	if out, err := check(t, root); err != nil || !strings.Contains(out, "no release tag") {
		t.Errorf("without a release: %v\n%s", err, out)
	}
	root = repository(t, "v0.9.0", "v0.10.0")
	for changelog, want := range map[string]string{
		"## [Unreleased]\n": `no section "## [0.10.0]"`,
		"### Breaking\n\n- solve is gone.\n\n## [0.10.0]\n":              "does not begin with operations in backticks",
		"### Breaking\n\n- `POST /v1/cards/solve` gone\n\n## [0.10.0]\n": "does not begin with operations in backticks",
	} {
		write(t, root, changelogFile, changelog)
		if _, err := check(t, root); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %s", changelog, err, want)
		}
	}
}

// repository makes a repository whose last commit has the released contract and tags.
func repository(t *testing.T, tags ...string) string {
	t.Helper()
	root := t.TempDir()
	write(t, root, contractFile, released)
	commands := [][]string{
		{"init", "--quiet"},
		{"add", "."},
		{"-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", "release"},
	}
	for _, tag := range tags {
		commands = append(commands, []string{"-c", "tag.gpgsign=false", "tag", tag})
	}
	for _, command := range commands {
		out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", root}, command...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", command, err, out)
		}
	}
	return root
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func check(t *testing.T, root string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := run(t.Context(), &out, root)
	return out.String(), err
}
