package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"roem/internal/config"
)

// The page about the size of a deployment has the bound of the defaults, on 2 and on 8 cores.
func TestMemoryBoundIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/how-to/size-a-deployment.md")
	if err != nil {
		t.Fatal(err)
	}
	var a app
	if a.config, err = config.Load("", nil); err != nil {
		t.Fatal(err)
	}
	bound := func(searchers int) int64 {
		a.config.Search.Searchers = searchers
		return a.memoryBound() >> 20
	}
	want := fmt.Sprintf("With the defaults that is %d MiB on 2 cores, and %d MiB on 8.", bound(2), bound(7))
	if !strings.Contains(string(page), want) {
		t.Errorf("docs/how-to/size-a-deployment.md does not say %q", want)
	}
}
