package handlers_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "write the answers into api/examples")

// examplesFolder has a file of answers for each game, and one for the rest.
const examplesFolder = "../../api/examples/"

// exampleFile returns the file of an example, which the first word of its name tells.
func exampleFile(name string) string {
	for first, file := range map[string]string{"klaverjas": "klaverjas", "belote": "belote", "ginRummy": "gin-rummy", "tarok": "tarok"} {
		if strings.HasPrefix(name, first) {
			return examplesFolder + file + ".yaml"
		}
	}
	return examplesFolder + "server.yaml"
}

// writeAnswers writes the answers, ordered by name, into their files. A nil answer leaves the answer in its file unchanged.
func writeAnswers(t *testing.T, answers map[string][]byte) {
	t.Helper()
	files := map[string]*bytes.Buffer{}
	for _, name := range slices.Sorted(maps.Keys(answers)) {
		file := exampleFile(name)
		if files[file] == nil {
			files[file] = bytes.NewBufferString("# Answers of the server. TestExamples writes them: see ../src/root.yaml.\n")
		}
		if answers[name] == nil {
			files[file].WriteString(writtenAnswer(t, file, name))
			continue
		}
		var node yaml.Node // JSON is YAML; the YAML decoder keeps the order of fields and the form of numbers and strings
		if err := yaml.Unmarshal(answers[name], &node); err != nil {
			t.Fatal(err)
		}
		layOut(node.Content[0])
		var block bytes.Buffer
		enc := yaml.NewEncoder(&block)
		enc.SetIndent(2)
		if err := enc.Encode(&node); err != nil {
			t.Fatal(err)
		}
		if err := enc.Close(); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(files[file], "%s:\n  value:\n", name)
		for line := range strings.Lines(block.String()) {
			files[file].WriteString("    " + line)
		}
	}
	for file, text := range files {
		if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	merge := exec.Command("go", "run", "./merge")
	merge.Dir = "../../api"
	if out, err := merge.CombinedOutput(); err != nil {
		t.Fatalf("go run ./merge: %v\n%s", err, out)
	}
}

// writtenAnswer returns the lines of an example in its file.
func writtenAnswer(t *testing.T, file, name string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + `:\n(?:  .*\n)+`).Find(text)
	if block == nil {
		t.Fatalf("%s has no example %s", file, name)
	}
	return string(block)
}

// layOut sets the style of a node: one line if it fits and contains no objects, otherwise one field per line. It returns the length on
// one line, and whether the node contains objects.
func layOut(node *yaml.Node) (columns int, objects bool) {
	if node.Kind == yaml.ScalarNode {
		if node.Style&yaml.DoubleQuotedStyle != 0 {
			node.Style = 0 // the encoder adds quotes where they are necessary
		}
		return len(node.Value), false
	}
	for _, child := range node.Content {
		n, deep := layOut(child)
		columns += n + len(", ")
		objects = objects || deep || child.Kind == yaml.MappingNode
	}
	node.Style = yaml.FlowStyle
	if objects || columns > 110 && node.Kind == yaml.MappingNode {
		node.Style = 0
	}
	return columns, objects
}
