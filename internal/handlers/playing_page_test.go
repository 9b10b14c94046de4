package handlers_test

import (
	"bytes"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// console matches a block of commands and their output in a page. The commands begin with "$ ".
var console = regexp.MustCompile("(?s)```console\n(.*?)```\n")

// The commands of docs/how-to/play-against-the-program.md, run in one shell against a server, print what the page shows. With -update the
// output is written there.
func TestPlayingPage(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes start slowly under the race detector")
	}
	for _, program := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	const page = "../../docs/how-to/play-against-the-program.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(newServer(t))
	defer server.Close()

	// The shell writes a mark before the output of each command.
	const mark = "\x01"
	var script strings.Builder
	blocks := console.FindAllSubmatch(text, -1)
	for _, block := range blocks {
		for line := range strings.Lines(string(block[1])) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				script.WriteString("printf '" + mark + "'\n" + strings.ReplaceAll(command, "http://localhost:8080", server.URL))
			}
		}
	}
	shell := exec.CommandContext(t.Context(), "bash", "-c", "set -eu -o pipefail\n"+script.String())
	var failed bytes.Buffer
	shell.Stderr = &failed
	out, err := shell.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, failed.String())
	}
	outputs := strings.Split(string(out), mark)[1:]
	if len(blocks) < 6 || len(outputs) < 12 {
		t.Fatalf("%d blocks with %d commands", len(blocks), len(outputs))
	}
	got := text
	for _, block := range blocks {
		var now strings.Builder
		for line := range strings.Lines(string(block[1])) {
			if strings.HasPrefix(line, "$ ") {
				now.WriteString(line + outputs[0])
				outputs = outputs[1:]
			}
		}
		got = bytes.Replace(got, block[1], []byte(now.String()), 1)
	}
	if *update {
		if err := os.WriteFile(page, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(text), string(got)); diff != "" {
		t.Errorf("the page shows another output; if this one is right, run with -update (-page +server)\n%s", diff)
	}
}
