package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// versions are the files that hold the version of the project, and what stands before and after it.
var versions = []struct{ file, pattern string }{
	{"api/openapi.yaml", `(?m)^  version: (\S+)$`},
	{"clients/typescript/package.json", `"version": "([^"]+)"`},
	{"clients/wasm/package.json", `"version": "([^"]+)"`},
	{"clients/python/pyproject.toml", `(?m)^version = "([^"]+)"$`},
	{"CHANGELOG.md", `(?m)^## \[?(\d[^]\s]*)`},
}

// trial is what errors say about releases that are not published.
const trial = "; TRIAL=1 makes a release to try, which is not to be published"

// checkDate returns an error if the section of a version in the changelog has no date.
func checkDate(version string) error {
	text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	if !regexp.MustCompile(`(?m)^## \[?` + regexp.QuoteMeta(version) + `\]? - \d{4}-\d\d-\d\d$`).Match(text) {
		return fmt.Errorf("CHANGELOG.md: the section of %s has no date, as in \"## [%[1]s] - 2027-01-31\"%s", version, trial)
	}
	return nil
}

// checkTag returns an error if the commit does not have the tag of a version, or if files have been changed since.
func checkTag(version string) error {
	tag := "v" + version
	said, err := exec.Command("git", "-C", root, "describe", "--tags", "--exact-match", "--dirty", "--match", tag).CombinedOutput()
	if got := strings.TrimSpace(string(said)); err != nil || got != tag {
		return fmt.Errorf("the commit is not that of the tag %s: git says %q%s", tag, got, trial)
	}
	return nil
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
