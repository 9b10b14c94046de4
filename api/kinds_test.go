package api

import (
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
)

func contract(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// The table of POST /v1/jobs has every kind, in order, with the path of an operation that can become a job.
func TestJobsListsAllKinds(t *testing.T) {
	doc := contract(t)
	row := regexp.MustCompile("(?m)^\\| `([a-z_.]+)` \\| `(/v1/[a-z/-]+)` \\|$")
	var got []any
	paths := map[string]bool{}
	for _, m := range row.FindAllStringSubmatch(doc.Paths.Value("/v1/jobs").Post.Description, -1) {
		got, paths[m[2]] = append(got, m[1]), true
		item := doc.Paths.Value(m[2])
		if item == nil || item.Post == nil {
			t.Errorf("%s: there is no POST %s", m[1], m[2])
			continue
		}
		game, name, _ := strings.Cut(m[1], ".")
		if want := "/v1/" + strings.ReplaceAll(game, "_", "-") + "/" +
			strings.ReplaceAll(strings.ReplaceAll(name, "_batch", "/batch"), "_", "-"); m[2] != want {
			t.Errorf("%s has the path %s, want %s", m[1], m[2], want)
		}
	}
	for _, name := range []string{"JobRequest", "Job"} {
		schema := doc.Components.Schemas[name].Value
		var want []any
		for _, one := range schema.OneOf {
			object := one.Value
			if len(object.AllOf) > 0 {
				object = object.AllOf[0].Value
			}
			kind := object.Properties["kind"].Value.Enum[0].(string)
			if ref := schema.Discriminator.Mapping[kind].Ref; ref != one.Ref {
				t.Errorf("%s: the discriminator has %s for %s, which is %s", name, ref, kind, one.Ref)
			}
			want = append(want, kind)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the kinds (-%s +POST /v1/jobs)\n%s", name, diff)
		}
	}
	for path, item := range doc.Paths.Map() {
		if item.Post == nil || item.Post.Responses.Status(202) == nil || path == "/v1/jobs" {
			continue
		}
		if !paths[path] {
			t.Errorf("POST %s can answer with a job, and no kind has it", path)
		}
	}
}
