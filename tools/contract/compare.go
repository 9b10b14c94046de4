package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"
)

// noticeDays is how many days lie at least between the deprecation of an operation and its end.
const noticeDays = 180

// levels are the levels that differ from the levels of oasdiff. Everything from a warning on is a break.
func levels() map[string]checker.Level {
	return map[string]checker.Level{
		// What the promise permits.
		"response-property-enum-value-added":    checker.INFO,
		"response-mediatype-enum-value-added":   checker.INFO,
		"response-body-one-of-added":            checker.INFO, // a new kind of job
		"response-property-one-of-added":        checker.INFO,
		"response-body-max-items-increased":     checker.INFO,
		"response-property-max-items-increased": checker.INFO,
		// What it does not permit, since a generated client or a program that reads the answer depends on it.
		"api-operation-id-removed":           checker.ERR,
		"api-schema-removed":                 checker.ERR,
		"api-security-component-removed":     checker.ERR,
		"optional-response-header-removed":   checker.ERR,
		"response-optional-property-removed": checker.ERR,
	}
}

// change is a change of the contract that breaks clients.
type change struct {
	subject string // "POST /v1/klaverjas/solve", or the name of a schema
	rule    string // of oasdiff
	text    string
}

func (c change) String() string { return fmt.Sprintf("%s: %s [%s]", c.subject, c.text, c.rule) }

// compare returns the changes from one contract to another that break clients.
func compare(base, revision []byte) ([]change, error) {
	before, err := read(base, "the release's "+contractFile)
	if err != nil {
		return nil, err
	}
	after, err := read(revision, contractFile)
	if err != nil {
		return nil, err
	}
	difference, sources, err := diff.GetWithOperationsSourcesMap(diff.NewConfig(), before, after)
	if err != nil {
		return nil, err
	}
	config := checker.NewConfig(checker.GetAllChecks(), checker.WithSeverityLevels(levels()), checker.WithDeprecation(noticeDays, noticeDays))
	text := checker.NewLocalizer("en")
	var all []change
	for _, c := range checker.CheckBackwardCompatibilityUntilLevel(config, difference, sources, checker.WARN) {
		subject := strings.TrimSpace(c.GetOperation() + " " + c.GetPath())
		if subject == "" && len(c.GetArgs()) > 0 {
			subject = fmt.Sprint(c.GetArgs()[0])
		}
		one := change{subject: subject, rule: c.GetId(), text: c.GetUncolorizedText(text)}
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all, nil
}

// read reads a contract.
func read(text []byte, name string) (*load.SpecInfo, error) {
	contract, err := load.NewSpecInfoFromData(openapi3.NewLoader(), text, name, load.WithFlattenAllOf(), load.WithLowercaseHeaders())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return contract, nil
}
