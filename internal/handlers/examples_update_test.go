package handlers_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "write the answers into api/openapi.yaml")

const contractFile = "../../api/openapi.yaml"

// answersMark is the start of the line of the contract that precedes the answers.
const answersMark = "  # ---- the true answers"

// writeAnswers writes the answers, ordered by name, after the mark in the contract. A nil answer leaves the answer in the contract
// unchanged.
func writeAnswers(t *testing.T, answers map[string][]byte) {
	t.Helper()
	text, err := os.ReadFile(contractFile)
	if err != nil {
		t.Fatal(err)
	}
	head, there, ok := strings.Cut(string(text), answersMark)
	if !ok {
		t.Fatal("the contract has no line before the answers")
	}
	mark := text[len(head):][:bytes.IndexByte(text[len(head):], '\n')+1]
	var out bytes.Buffer
	out.WriteString(head)
	out.Write(mark)
	out.WriteString("  examples:\n")
	names := make([]string, 0, len(answers))
	for name := range answers {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if answers[name] == nil {
			block := regexp.MustCompile(`(?m)^    ` + regexp.QuoteMeta(name) + `:\n(?:      .*\n)+`).FindString(there)
			if block == "" {
				t.Fatalf("%s is not in its place", name)
			}
			out.WriteString(block)
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
		fmt.Fprintf(&out, "    %s:\n      value:\n", name)
		for line := range strings.Lines(block.String()) {
			out.WriteString("        " + line)
		}
	}
	if err := os.WriteFile(contractFile, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
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
