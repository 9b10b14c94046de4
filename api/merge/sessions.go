package merge

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"go.yaml.in/yaml/v3"
)

// sessionPaths is what the sessions of every game have: reading a session, ending it, its hands, and their records.
type sessionPaths struct {
	Game, ID, Tag string // in paths, in operation ids, and as the games are grouped
	Schema        string // of a session
	Summary       string // of reading a session
	Shows         string // what a session shows
	Hand          string // what the game calls a hand
	With          string // what its records have beside the cards
	// The examples of a session that has begun and of one that is over, by the examples with which they are created; none without Begun.
	Begun, Over string
	End, Until  string // the same of a hand that is over, and the state then
}

//go:embed sessions.yaml.tmpl
var sessionText string

var (
	sessionTemplate = template.Must(template.New("sessions").Funcs(template.FuncMap{"indent": indent}).Parse(sessionText))
	sessionSection  = regexp.MustCompile(`(?m)^  x-sessions:.*\n(    .*\n)*`)
)

// withSessions returns the text of a part with the paths that its x-sessions stands for.
func withSessions(text string) (string, error) {
	at := sessionSection.FindStringIndex(text)
	if at == nil {
		return text, nil
	}
	in := struct {
		Sessions sessionPaths `yaml:"x-sessions"`
	}{sessionPaths{Summary: "A session as the client sees it", Hand: "hand", Until: "over"}}
	d := yaml.NewDecoder(strings.NewReader(text[at[0]:at[1]]))
	d.KnownFields(true)
	if err := d.Decode(&in); err != nil {
		return "", fmt.Errorf("x-sessions: %w", err)
	}
	var b strings.Builder
	err := sessionTemplate.Execute(&b, in.Sessions)
	return text[:at[0]] + b.String() + text[at[1]:], err
}

// indent returns the lines of a description as they stand in the contract.
func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n        ") }
