package test

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var updatePages = flag.Bool("update", false, "write what the commands of the pages for users print into the pages")

// block matches a block of code. The groups are its language and its text.
var block = regexp.MustCompile("(?m)^```([a-z]*)\n((?:[^`].*\n|`[^`].*\n|\n)*)```\n")

// howToWithoutServer is the test that runs blocks in a browser.
const howToWithoutServer = "TestHowToWithoutServer of test/board runs it"

// notRun has the blocks that TestUserPagesRun does not run, by page and the start of the block, with the reason or the test that does.
var notRun = map[string]map[string]string{
	"how-to/analysis-without-a-server.md": {
		"<!doctype": howToWithoutServer, "// page.js": howToWithoutServer, "// bundled.js": howToWithoutServer, "<script": howToWithoutServer,
		"import 'https": "the address is one of an example; a module worker that imports another one is a rule of browsers",
	},
	"how-to/embed-a-board.md": {
		"<iframe": "TestAddressesInDocuments of test/board opens it", "<img": "TestAddressesInDocuments of test/board fetches it",
		"const frame": "test/board has a page with it",
	},
	"how-to/keys-and-browsers.md":    {"location /roem/": "TestBelowAPath of test/board has nginx do this"},
	"how-to/run-several-machines.md": {"export ROEM_REDIS_URL": "the tests with several servers start them so, with addresses of their own"},
	"how-to/size-a-deployment.md":    {"bin/server": "every test of this package starts the server; the image needs Docker"},
	"reference/record-format.md": {
		"[Game": "internal/engine/record reads the page", "roem1:": "the same record, shortened",
	},
	"tutorials/the-board.md": {"/board#": "TestAddressesInDocuments of test/board opens it"},
}

// userPage is a page for users: its path below docs, and its text.
type userPage struct{ name, text string }

func userPages(t *testing.T) []userPage {
	t.Helper()
	var pages []userPage
	for _, folder := range []string{"tutorials", "how-to", "reference", "explanation"} {
		err := filepath.WalkDir("../docs/"+folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".md" {
				return err
			}
			text, err := os.ReadFile(path)
			pages = append(pages, userPage{strings.TrimPrefix(filepath.ToSlash(path), "../docs/"), string(text)})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return pages
}

// Every block in the pages for users is run.
func TestUserPages(t *testing.T) {
	run := 0
	for _, page := range userPages(t) {
		before := ""
		for _, b := range block.FindAllStringSubmatch(page.text, -1) {
			language, text := b[1], b[2]
			_, known := reason(page.name, text)
			switch {
			case known:
			case language == "console", language == "python", language == "js", language == "go", language == "yaml":
				run++
			case language == "text" && slices.Contains([]string{"python", "js", "go"}, before):
			case page.name == "tutorials/first-solve.md": // TestReadme of internal/handlers
			default:
				t.Errorf("%s: no test runs this block (%s):\n%s", page.name, language, text)
			}
			before = language
		}
	}
	if run == 0 {
		t.Error("no block is run")
	}
}

// reason returns why a block is not run here.
func reason(page, text string) (string, bool) {
	for start, why := range notRun[page] {
		if strings.HasPrefix(text, start) {
			return why, true
		}
	}
	return "", false
}

// commandLine builds roem once and returns its folder.
var commandLine = sync.OnceValues(func() (string, error) {
	path, err := program()
	if err != nil {
		return "", err
	}
	dir := filepath.Dir(path)
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "roem"), "roem/cmd/roem").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building roem: %w\n%s", err, out)
	}
	return dir, nil
})

// The commands and the programs of the pages for users print what the pages show. The blocks of a page run in one folder, against one
// server: first its commands in one shell, then its programs, of which all blocks in one language are one. With -update the output is
// written.
func TestUserPagesRun(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs programs without the race detector")
	}
	for _, needed := range []string{"bash", "curl", "jq", "python3", "node"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skip(err)
		}
	}
	tools, err := commandLine()
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range userPages(t) {
		if !regexp.MustCompile("(?m)^```(console|python|js|go|yaml)$").MatchString(page.text) {
			continue
		}
		t.Run(page.name, func(t *testing.T) {
			t.Parallel()
			r := pageRun{page: page, server: start(t), tools: tools, folder: t.TempDir()}
			now := r.console(t, page.text)
			for _, language := range []string{"python", "js", "go"} {
				now = r.program(t, language, now)
			}
			r.yaml(t)
			if *updatePages {
				if err := os.WriteFile("../docs/"+page.name, []byte(now), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(page.text, now); diff != "" {
				t.Errorf("the page shows another output; if this one is right, run with -update (-page +now)\n%s", diff)
			}
		})
	}
}

// pageRun is what runs the blocks of a page.
type pageRun struct {
	page          userPage
	server        *server
	tools, folder string
}

// mark is printed before the output of each command and each block.
const mark = "\x01"

// here returns a text with the address of the server of this run.
func (r *pageRun) here(text string) string {
	return strings.ReplaceAll(text, "http://localhost:8080", r.server.url)
}

// outputs runs a program and returns what it printed after each mark.
func (r *pageRun) outputs(t *testing.T, name string, args ...string) []string {
	t.Helper()
	clients, err := filepath.Abs("../clients/python")
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(name, args...)
	command.Dir = r.folder
	command.Env = append(os.Environ(), "PATH="+r.tools+":"+os.Getenv("PATH"), "PYTHONPATH="+clients, "PYTHONDONTWRITEBYTECODE=1")
	var failed bytes.Buffer
	command.Stderr = &failed
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, failed.String())
	}
	return strings.Split(string(out), mark)[1:]
}

// console runs the blocks of commands, and returns the page with their output.
func (r *pageRun) console(t *testing.T, text string) string {
	t.Helper()
	script := "set -eu -o pipefail\n"
	blocks := block.FindAllStringSubmatch(text, -1)
	blocks = slices.DeleteFunc(blocks, func(b []string) bool { return b[1] != "console" })
	for _, b := range blocks {
		for line := range strings.Lines(b[2]) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				script += "printf '" + mark + "'\n" + r.here(command)
			}
		}
	}
	if len(blocks) == 0 {
		return text
	}
	outputs := r.outputs(t, "bash", "-c", script)
	for _, b := range blocks {
		now := ""
		for line := range strings.Lines(b[2]) {
			if strings.HasPrefix(line, "$ ") {
				now += line + outputs[0]
				outputs = outputs[1:]
			}
		}
		text = strings.Replace(text, b[0], "```console\n"+now+"```\n", 1)
	}
	return text
}

// program runs the blocks in a language as one program, and returns the page with their output.
func (r *pageRun) program(t *testing.T, language, text string) string {
	t.Helper()
	const write = `process.stdout.write('\x01')`
	say := map[string]string{"python": `print("\x01", end="", flush=True)`, "js": write, "ts": write}[language]
	blocks := regexp.MustCompile("(?s)```"+language+"\n(.*?)```\n(```text\n(.*?)```\n)?").FindAllStringSubmatch(text, -1)
	blocks = slices.DeleteFunc(blocks, func(b []string) bool {
		_, known := reason(r.page.name, b[1])
		return known
	})
	if len(blocks) == 0 {
		return text
	}
	source := ""
	for _, b := range blocks {
		source += say + "\n" + r.here(b[1])
	}
	file := filepath.Join(r.folder, "main."+map[string]string{"python": "py", "js": "mjs", "ts": "ts", "go": "go"}[language])
	if language == "go" {
		source = strings.Replace(source, "func main() {\n", "func main() {\n\tfmt.Print(\"\\x01\")\n", 1)
	}
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	var outputs []string
	switch language {
	case "python":
		outputs = r.outputs(t, "python3", "main.py")
	case "js", "ts":
		outputs = r.outputs(t, "node", script(t, file))
	case "go":
		client, err := filepath.Abs("../clients/go")
		if err != nil {
			t.Fatal(err)
		}
		module := "go mod init page 2>/dev/null; go mod edit -require roem/clients/go@v0.0.0 -replace roem/clients/go="
		r.outputs(t, "bash", "-c", "printf '"+mark+"'; "+module+client)
		outputs = r.outputs(t, "go", "run", ".")
	}
	for i, b := range blocks {
		if b[2] != "" {
			shown := strings.TrimRight(outputs[i], "\n") + "\n"
			text = strings.Replace(text, b[0], strings.Replace(b[0], b[2], "```text\n"+shown+"```\n", 1), 1)
		}
	}
	return text
}

// yaml checks the configurations of the page, as server -check does.
func (r *pageRun) yaml(t *testing.T) {
	t.Helper()
	for i, b := range block.FindAllStringSubmatch(r.page.text, -1) {
		if b[1] != "yaml" {
			continue
		}
		file := filepath.Join(r.folder, fmt.Sprintf("%d.yaml", i))
		if err := os.WriteFile(file, []byte("addr: 127.0.0.1:0\ndata: \"\"\n"+b[2]), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(serverProgram(t), "-config", file, "-check").CombinedOutput(); err != nil {
			t.Errorf("%v: %s\n%s", err, out, b[2])
		}
	}
}
