package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// versions are the files that hold the version of the project, and what stands before and after it.
var versions = []struct{ file, pattern string }{
	{"api/openapi.yaml", `(?m)^  version: (\S+)$`},
	{"clients/typescript/package.json", `"version": "([^"]+)"`},
	{"clients/python/pyproject.toml", `(?m)^version = "([^"]+)"$`},
	{"CHANGELOG.md", `(?m)^## \[?(\d[^]\s]*)`},
}

// checkVersion returns an error if a file has another version.
func checkVersion(version string) error {
	for _, v := range versions {
		text, err := os.ReadFile(filepath.Join(root, v.file))
		if err != nil {
			return err
		}
		found := regexp.MustCompile(v.pattern).FindSubmatch(text)
		if found == nil {
			return fmt.Errorf("%s has no version", v.file)
		}
		if got := string(found[1]); got != version {
			return fmt.Errorf("%s has the version %s, and the release %s", v.file, got, version)
		}
	}
	return nil
}
