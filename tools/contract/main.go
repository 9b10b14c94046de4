// Command contract compares the contract with the contract of the last release, and fails if it breaks a client in a way that CHANGELOG.md
// does not announce. docs/reference/compatibility.md is the promise that it checks.
//
//	go -C tools/contract run . REPOSITORY
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// contractFile and changelogFile are the files that are compared, below the root of the repository.
const (
	contractFile  = "api/openapi.yaml"
	changelogFile = "CHANGELOG.md"
)

func main() {
	if len(os.Args) != 2 {
		_, _ = fmt.Fprintln(os.Stderr, "usage: contract REPOSITORY")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Stdout, os.Args[1]); err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "contract: %v\n", err)
		os.Exit(1)
	}
}

// maxShown is how many breaks are printed. A break of a schema that all operations share is one of each operation.
const maxShown = 40

// run checks the contract in the working tree of a repository.
func run(ctx context.Context, out io.Writer, root string) error {
	release, err := lastRelease(ctx, root)
	if err != nil {
		return err
	}
	if release == "" {
		_, _ = fmt.Fprintln(out, "There is no release tag (v1.2.3) before this commit: the contract is compared with nothing.")
		return nil
	}
	base, err := git(ctx, root, "show", release+":"+contractFile)
	if err != nil {
		return err
	}
	revision, err := os.ReadFile(filepath.Join(root, contractFile)) //nolint:gosec // the repository is named by who runs the command
	if err != nil {
		return err
	}
	changelog, err := os.ReadFile(filepath.Join(root, changelogFile)) //nolint:gosec // as above
	if err != nil {
		return err
	}
	announced, err := announcements(string(changelog), strings.TrimPrefix(release, "v"))
	if err != nil {
		return err
	}
	breaks, err := compare(base, revision)
	if err != nil {
		return err
	}
	return report(out, release, breaks, announced)
}

// report prints the breaks, and returns an error if some of them are not announced.
func report(out io.Writer, release string, breaks []change, announced []announcement) error {
	unannounced := 0
	for _, b := range breaks {
		if b.announcedBy(announced) {
			continue
		}
		if unannounced++; unannounced <= maxShown {
			_, _ = fmt.Fprintln(out, b)
		}
	}
	if unannounced > maxShown {
		_, _ = fmt.Fprintf(out, "... and %d more\n", unannounced-maxShown)
	}
	if unannounced > 0 {
		return fmt.Errorf("%d breaks since %s are not announced in %s. Undo them, or announce them under \"### Breaking\" of the new release, "+
			"in lines such as \"- `POST /v1/klaverjas/solve`: what changes, and what a client does about it\"", unannounced, release, changelogFile)
	}
	_, _ = fmt.Fprintf(out, "The contract breaks no client of %s, except in %d ways that %s announces.\n", release, len(breaks), changelogFile)
	return nil
}

// isRelease matches the tags of releases, but not of candidates (v1.2.3-rc.1).
var isRelease = regexp.MustCompile(`^v\d+\.\d+\.\d+$`)

// lastRelease returns the tag of the last release before the commit that is checked out, empty for none.
func lastRelease(ctx context.Context, root string) (string, error) {
	tags, err := git(ctx, root, "tag", "--merged", "HEAD", "--list", "v[0-9]*", "--sort=-version:refname")
	if err != nil {
		return "", err
	}
	for tag := range strings.Lines(string(tags)) {
		if tag = strings.TrimSpace(tag); isRelease.MatchString(tag) {
			return tag, nil
		}
	}
	return "", nil
}

// git returns what a command of git prints.
func git(ctx context.Context, root string, arguments ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "git", append([]string{"-C", root}, arguments...)...) //nolint:gosec // the commands are those above
	var messages bytes.Buffer
	command.Stderr = &messages
	printed, err := command.Output()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("git %s: %w", strings.Join(arguments, " "), err), errors.New(strings.TrimSpace(messages.String())))
	}
	return printed, nil
}
