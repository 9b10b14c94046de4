// Command tojson writes openapi.json from openapi.yaml, both in the current folder. go generate runs it.
package main

import (
	"fmt"
	"os"

	"github.com/getkin/kin-openapi/openapi3"
)

func main() {
	if err := run(); err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "tojson: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	yaml, err := os.ReadFile("openapi.yaml")
	if err != nil {
		return err
	}
	doc, err := openapi3.NewLoader().LoadFromData(yaml)
	if err != nil {
		return fmt.Errorf("reading openapi.yaml: %w", err)
	}
	json, err := doc.MarshalJSON()
	if err != nil {
		return fmt.Errorf("writing openapi.json: %w", err)
	}
	return os.WriteFile("openapi.json", append(json, '\n'), 0o600) //nolint:gosec // the name is fixed, and git keeps the permissions
}
