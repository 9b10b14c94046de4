package merge

import (
	_ "embed"
	"fmt"
	"path"
	"regexp"
	"strings"
	"text/template"

	"go.yaml.in/yaml/v3"
)

// jobKind is a kind of job, which the table of POST /v1/jobs lists with the path of its operation.
type jobKind struct{ Kind, Path, Job, Request, Result string }

//go:embed jobs.yaml.tmpl
var jobText string

var (
	jobTemplates = template.Must(template.New("jobs").Parse(jobText))
	jobLine      = regexp.MustCompile(`(?m)^ +x-jobs: (\w+)\n`)
	jobRow       = regexp.MustCompile("(?m)^ *\\| `([a-z_.]+)` \\| `(/v1/[a-z/-]+)` \\|$")
)

// withJobs returns the text of the schemas with what each x-jobs in it stands for: the requests and the jobs of the kinds. They follow from
// the operations, which are in the text of the paths.
func withJobs(schemas, paths string) (string, error) {
	if !jobLine.MatchString(schemas) {
		return schemas, nil
	}
	var operations map[string]struct {
		Post struct {
			RequestBody content `yaml:"requestBody"`
			Responses   map[string]content
		}
	}
	if err := yaml.Unmarshal([]byte(paths), &operations); err != nil {
		return "", fmt.Errorf("the paths: %w", err)
	}
	var kinds []jobKind
	for _, row := range jobRow.FindAllStringSubmatch(paths, -1) {
		post := operations[row[2]].Post
		k := jobKind{
			Kind: row[1], Path: row[2], Request: post.RequestBody.schema(),
			Job: post.Responses["202"].schema(), Result: post.Responses["200"].schema(),
		}
		if k.Request == "" || !strings.HasSuffix(k.Job, "Job") {
			return "", fmt.Errorf("the kind %s of job: %s has no request, or no answer with a job", k.Kind, k.Path)
		}
		if k.Result == "" { // it always becomes a job
			k.Result = strings.TrimSuffix(k.Job, "Job")
		}
		kinds = append(kinds, k)
	}
	var err error
	return jobLine.ReplaceAllStringFunc(schemas, func(line string) string {
		var b strings.Builder
		if wrong := jobTemplates.ExecuteTemplate(&b, jobLine.FindStringSubmatch(line)[1], kinds); wrong != nil {
			err = wrong
		}
		return b.String()
	}), err
}

// content is the content of a request or a response.
type content struct {
	Content map[string]struct {
		Schema struct {
			Ref string `yaml:"$ref"`
		}
	}
}

// schema returns the name of the schema of JSON, empty for none.
func (c content) schema() string {
	if ref := c.Content["application/json"].Schema.Ref; ref != "" {
		return path.Base(ref)
	}
	return ""
}
