package merge

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// answers is what x-answers of an operation stands for: its responses. One of the first five is set, to the schema of the answer.
type answers struct {
	Now     string // answered at once
	OrJob   string `yaml:"or_job"` // or with a job, of the schema Job
	Job     string // with the job alone, if it is the only schema
	Session string // a new session
	Act     string // a session after an act

	Is         string // what the answer is
	Later      string // what the answer with status 202 is, which the example named later has, if there is one
	Impossible string // the response 422; none for an operation without it
}

var (
	answersLine  = regexp.MustCompile(`(?m)^      x-answers: .*\n`)
	operationID  = regexp.MustCompile(`(?m)^      operationId: (\w+)$`)
	requestNames = regexp.MustCompile(`(?m)^              (\w+):$`)
)

// withAnswers returns the text of a part with the responses that each x-answers in it stands for.
func withAnswers(text string) (string, error) {
	var b strings.Builder
	for {
		at := answersLine.FindStringIndex(text)
		if at == nil {
			b.WriteString(text)
			return b.String(), nil
		}
		var in struct {
			Answers answers `yaml:"x-answers"`
		}
		d := yaml.NewDecoder(strings.NewReader(text[at[0]:at[1]]))
		d.KnownFields(true)
		if err := d.Decode(&in); err != nil {
			return "", fmt.Errorf("x-answers: %w", err)
		}
		ids := operationID.FindAllStringSubmatchIndex(text[:at[0]], -1)
		if len(ids) == 0 {
			return "", fmt.Errorf("x-answers stands before any operationId")
		}
		id := ids[len(ids)-1]
		before := text[id[1]:at[0]]
		var names []string
		for _, m := range requestNames.FindAllStringSubmatch(before, -1) {
			names = append(names, m[1])
		}
		if !strings.Contains(before, "\n      parameters:") {
			before = strings.Replace(before, "\n      requestBody:", in.Answers.parameters()+"\n      requestBody:", 1)
		}
		b.WriteString(text[:id[1]] + before + in.Answers.responses(text[id[2]:id[3]], names))
		text = text[at[1]:]
	}
}

// parameters returns the parameters of an operation that names none.
func (a *answers) parameters() string {
	name := "IdempotencyKey" // of what creates something
	switch {
	case a.Now != "":
		return ""
	case a.OrJob != "":
		name = "Prefer"
	case a.Act != "":
		name = "SessionId"
	}
	return "\n      parameters:\n        - $ref: '#/components/parameters/" + name + "'"
}

// refusals are the responses of every operation that reads a body, some of acts in sessions only. Games differ in 422.
var refusals = []struct {
	status   int
	response string
	acts     bool
}{
	{400, "Malformed", false},
	{401, "Unauthorized", false},
	{403, "NotPermitted", false},
	{404, "NoSuchSession", true},
	{405, "MethodNotAllowed", false},
	{409, "SessionConflict", true},
	{413, "TooLarge", false},
	{415, "UnsupportedMediaType", false},
	{422, "", false},
	{429, "TooManyRequests", false},
	{500, "Internal", false},
	{503, "Unavailable", false},
}

// responses returns the responses of an operation, whose examples have the names of those of the request.
func (a *answers) responses(id string, names []string) string {
	var b strings.Builder
	b.WriteString("      responses:\n")
	const preference, job, later = "Preference-Applied PreferenceApplied", "Location Location", "later"
	examples := func(status int) {
		head := "              examples:\n"
		for _, name := range names {
			if !slices.Contains(names, later) || (name == later) == (status == 202) {
				fmt.Fprintf(&b, "%s                %s: {$ref: '#/components/examples/%s.%s'}\n", head, name, id, name)
				head = ""
			}
		}
	}
	answer := func(status int, is, schema string, headers ...string) {
		fmt.Fprintf(&b, "        '%d':\n          description: %s\n          headers:\n", status, is)
		for _, h := range append([]string{"X-Request-ID RequestId"}, headers...) {
			name, component, _ := strings.Cut(h, " ")
			fmt.Fprintf(&b, "            %s: {$ref: '#/components/headers/%s'}\n", name, component)
		}
		if schema != "" {
			fmt.Fprintf(&b, "          content:\n            application/json:\n              schema: {$ref: '#/components/schemas/%s'}\n", schema)
			examples(status)
		}
	}
	refused := func(status int, response string) {
		if response != "none" {
			fmt.Fprintf(&b, "        '%d': {$ref: '#/components/responses/%s'}\n", status, response)
		}
	}
	impossible := "Impossible"
	switch {
	case a.Now != "":
		answer(200, a.Is, a.Now)
	case a.OrJob != "":
		answer(200, a.Is, a.OrJob, preference)
		answer(202, cmp.Or(a.Later, "Accepted. The search continues as a job."), a.Job, preference, job)
	case a.Session != "":
		answer(201, a.Is, a.Session, "Location SessionLocation", "Idempotency-Key-Ignored IdempotencyKeyIgnored")
		impossible = "ImpossibleSession"
	case a.Act != "":
		answer(200, a.Is, a.Act)
		impossible = "ImpossibleSession"
	default:
		refused(200, "JobDone")
		answer(202, a.Later, a.Job, job)
		impossible = "Unprocessable"
	}
	for _, r := range refusals {
		if a.Act != "" || !r.acts {
			refused(r.status, cmp.Or(r.response, a.Impossible, impossible))
		}
	}
	return b.String()
}
