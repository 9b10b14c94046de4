package main

import (
	"fmt"
	"regexp"
	"strings"
)

// announcement is what a line of the changelog announces to break: an operation ("POST /v1/klaverjas/solve"), all operations below a path
// ("/v1/klaverjas/*"), or a schema by its name.
type announcement string

// covers reports whether the announcement is about a subject.
func (a announcement) covers(subject string) bool {
	if below, all := strings.CutSuffix(string(a), "*"); all {
		_, path, _ := strings.Cut(subject, " ")
		return strings.HasPrefix(path, below)
	}
	return string(a) == subject
}

// announcedBy reports whether the break is announced.
func (c change) announcedBy(announced []announcement) bool {
	for _, a := range announced {
		if a.covers(c.subject) {
			return true
		}
	}
	return false
}

var (
	releaseHeading = regexp.MustCompile(`^## \[(.+?)\]`)
	// subjects are the code spans at the beginning of an item, before its colon.
	subjects = regexp.MustCompile("^- ((?:`[^`]+`(?:, | and )?)+):")
	span     = regexp.MustCompile("`([^`]+)`")
)

// announcements returns what the changelog announces to break since a release: the lines below "### Breaking" in the sections above the
// section of the release.
func announcements(changelog, release string) ([]announcement, error) {
	var announced []announcement
	breaking, found := false, false
	for line := range strings.Lines(changelog) {
		line = strings.TrimRight(line, "\n")
		if heading := releaseHeading.FindStringSubmatch(line); heading != nil {
			breaking = false
			if found = heading[1] == release; found {
				break
			}
		}
		if strings.HasPrefix(line, "### ") {
			breaking = line == "### Breaking"
			continue
		}
		if !breaking || !strings.HasPrefix(line, "- ") {
			continue
		}
		named := subjects.FindStringSubmatch(line)
		if named == nil {
			return nil, fmt.Errorf("%s: a line under Breaking does not begin with operations in backticks and a colon: %s", changelogFile, line)
		}
		for _, one := range span.FindAllStringSubmatch(named[1], -1) {
			announced = append(announced, announcement(one[1]))
		}
	}
	if !found {
		return nil, fmt.Errorf("%s has no section \"## [%s]\" of the last release", changelogFile, release)
	}
	return announced, nil
}
