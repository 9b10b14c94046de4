package merge

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The committed contract is the merged one: nobody has edited it, and nobody has forgotten to merge.
func TestMerge(t *testing.T) {
	t.Parallel()
	got, err := Contract("..")
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, committed) {
		t.Error("api/openapi.yaml is not what api/src and api/examples give: change these, and run make generate")
	}
}

func TestMergeOfParts(t *testing.T) {
	t.Parallel()
	good := map[string]string{
		"src/root.yaml":   "# The root.\nopenapi: 3.0.3\n",
		"src/common.yaml": "components:\n  schemas:\n    Card: {type: string}\n",
		"src/nim.yaml": "# Nim.\npaths:\n  /v1/nim: {}\n\ncomponents:\n  schemas:\n    # A heap.\n    Heap:\n      properties:\n        " +
			"schemas:\n          type: integer\n",
		"src/jobs.yaml":      "paths:\n  /v1/jobs: {}\n",
		"src/server.yaml":    "paths:\n  /healthz: {}\n",
		"examples/nim.yaml":  "# Answers.\nnim.first:\n  value: 1\n",
		"examples/skat.yaml": "skat.first:\n  value: 2\n",
	}
	for name, c := range map[string]struct{ path, text, want string }{
		"good":             {want: ""},
		"a schema twice":   {"src/nim.yaml", "components:\n  schemas:\n    Card: {type: integer}\n", `"Card" already defined`},
		"a path twice":     {"src/server.yaml", "paths:\n  /v1/nim: {}\n", `"/v1/nim" already defined`},
		"an example twice": {"examples/skat.yaml", "nim.first:\n  value: 2\n", `"nim.first" already defined`},
		"an anchor twice": {
			"src/jobs.yaml", "paths:\n  /v1/jobs: {a: &x 1}\n  /v1/jobs/{id}: {b: &x 2}\n", "two values have the anchor &x",
		},
		"another section":      {"src/nim.yaml", "tags:\n  - name: nim\n", "only root.yaml has sections other than paths and components"},
		"an unknown component": {"src/nim.yaml", "components:\n  links:\n    A: {}\n", "components has no section links"},
		"a misspelt session":   {"src/nim.yaml", "paths:\n  x-sessions:\n    gam: nim\n", "field gam not found"},
		"a misspelt answer": {
			"src/nim.yaml", "paths:\n  /v1/nim:\n    post:\n      operationId: nim\n      x-answers: {nov: Heap}\n", "field nov not found",
		},
		"an answer of nothing":  {"src/nim.yaml", "paths:\n      x-answers: {now: Heap}\n", "x-answers stands before any operationId"},
		"text before a section": {"src/nim.yaml", "components:\n    A: {}\n", "stands between components and its first section"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for path, text := range good {
				if path == c.path {
					text = c.text
				}
				path = filepath.Join(dir, path)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, err := Contract(dir)
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v, want %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			const want = header + "# The root.\nopenapi: 3.0.3\npaths:\n  /v1/nim: {}\n\n  /v1/jobs: {}\n  /healthz: {}\n\ncomponents:\n  " +
				"securitySchemes:\n  parameters:\n  headers:\n  responses:\n" +
				"  schemas:\n    Card: {type: string}\n    # A heap.\n    Heap:\n      type: object\n" +
				"      required: [schemas]\n      properties:\n        schemas:\n          type: integer\n  " +
				"examples:\n    nim.first:\n      value: 1\n    skat.first:\n      value: 2\n"
			if string(got) != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
