package main

import (
	"fmt"
	"strings"

	"roem/api/contract"
)

// operationsFile is where contractOperations is written, from the top.
const operationsFile = "api/operations.gen.go"

// contractOperations returns what the server needs to know of the contract, as Go data: its version and its operations.
func contractOperations(c *contract.Contract) ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "const version = %q\n\nvar operations = []Operation{\n", c.Version)
	for _, o := range c.Operations {
		fmt.Fprintf(&b, "{ID: %q, Method: %q, Path: %q, Summary: %q", o.ID, o.Method, o.Path, o.Summary)
		if o.Open {
			b.WriteString(", Open: true")
		}
		if o.Deprecated {
			b.WriteString(", Deprecated: true")
		}
		if o.Since != "" || o.Sunset != "" {
			fmt.Fprintf(&b, ", Since: %q, Sunset: %q", o.Since, o.Sunset)
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	return goFile("api", b.String())
}
