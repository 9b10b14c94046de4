package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"roem/internal/config"
)

// The page about the size of a deployment has the bound of the defaults, on 2 and on 8 cores, and so has the page of the measurements.
func TestMemoryBoundIsDocumented(t *testing.T) {
	var a app
	var err error
	if a.config, err = config.Load("", nil); err != nil {
		t.Fatal(err)
	}
	bound := func(searchers int) int64 {
		a.config.Search.Searchers = searchers
		return a.memoryBound() >> 20
	}
	for page, want := range map[string]string{
		"how-to/size-a-deployment.md": fmt.Sprintf("With the defaults that is %d MiB on 2 cores, and %d MiB on 8.", bound(2), bound(7)),
		"lab/service.md":              fmt.Sprintf("the bound was 232 MiB then and is %d MiB now", bound(2)),
	} {
		text, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), want) {
			t.Errorf("docs/%s does not say %q", page, want)
		}
	}
}
