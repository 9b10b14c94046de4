package test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"

	"go.yaml.in/yaml/v3"

	"roem/internal/config"
)

// documents reads the YAML documents of a file, each of which must be an object.
func documents(tb testing.TB, path string) []map[string]any {
	tb.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var all []map[string]any
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document map[string]any
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			tb.Fatalf("%s: %v", path, err)
		}
		all = append(all, document)
	}
}

// at returns the value at a path of names and indexes, or nil if it does not exist.
func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := v.(map[string]any)
			v = object[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				return nil
			}
			v = list[step]
		}
	}
	return v
}

func list(v any) []any { l, _ := v.([]any); return l }

func object(v any) map[string]any { o, _ := v.(map[string]any); return o }

// loads fails the test unless the variables are keys of the configuration with valid values.
func loads(t *testing.T, environ []string) {
	t.Helper()
	if _, err := config.Load("", environ); err != nil {
		t.Errorf("%v: %v", environ, err)
	}
}
