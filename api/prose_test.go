package api

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
)

// What the descriptions of the contract say, against the contract itself.

func contract(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// games are the first parts of the paths below /v1 that belong to a game.
var games = []string{"klaverjas", "belote", "gin-rummy", "tarok"}

// The description of a tag names all its operations, by the part of the path after the game, and no others.
func TestTagsNameTheirOperations(t *testing.T) {
	doc := contract(t)
	want := map[string]map[string]bool{}
	for path, item := range doc.Paths.Map() {
		parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(path, "/"), "v1/"), "/")
		if slices.Contains(games, parts[0]) {
			parts = parts[1:]
		}
		for _, operation := range item.Operations() {
			for _, tag := range operation.Tags {
				if want[tag] == nil {
					want[tag] = map[string]bool{}
				}
				want[tag][parts[0]] = true
			}
		}
	}
	quoted := regexp.MustCompile("`([^`]+)`")
	for _, tag := range doc.Tags {
		var got []string
		for _, m := range quoted.FindAllStringSubmatch(tag.Description, -1) {
			got = append(got, m[1])
		}
		slices.Sort(got)
		if diff := cmp.Diff(slices.Sorted(maps.Keys(want[tag.Name])), got); diff != "" {
			t.Errorf("the tag %s (-operations +description)\n%s", tag.Name, diff)
		}
		delete(want, tag.Name)
	}
	if len(want) > 0 {
		t.Errorf("tags without a description: %v", want)
	}
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

// number reads a number as descriptions have it: 50,000 or 0.1 or -35.
func number(text string) (float64, error) {
	return strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
}

// "from A to B" and "Default N" in the description of a number are its minimum, its maximum and its default.
func TestNumbersInDescriptions(t *testing.T) {
	const figure = `(-?\d[\d,]*(?:\.\d+)?)`
	between, byDefault := regexp.MustCompile(`\bfrom `+figure+` to `+figure), regexp.MustCompile(`\bDefault `+figure)
	ranges, defaults := 0, 0
	same := func(where, what, text string, have *float64) {
		want, err := number(text)
		if err != nil || have == nil || *have != want {
			t.Errorf("%s: the description has the %s %s, the schema %v", where, what, text, have)
		}
	}
	var check func(where string, s *openapi3.Schema)
	check = func(where string, s *openapi3.Schema) {
		if s.Type.Is("integer") || s.Type.Is("number") {
			if m := between.FindStringSubmatch(s.Description); m != nil {
				ranges++
				same(where, "minimum", m[1], s.Min)
				same(where, "maximum", m[2], s.Max)
			}
			if m := byDefault.FindStringSubmatch(s.Description); m != nil && s.Extensions["x-default"] != nil {
				defaults++
				have, _ := s.Extensions["x-default"].(float64)
				same(where, "default", m[1], &have)
			}
		}
		for name, property := range s.Properties {
			if property.Ref == "" {
				check(where+"."+name, property.Value)
			}
		}
		if s.Items != nil && s.Items.Ref == "" {
			check(where+"[]", s.Items.Value)
		}
	}
	for name, schema := range contract(t).Components.Schemas {
		check(name, schema.Value)
	}
	if ranges < 15 || defaults < 18 {
		t.Errorf("only %d ranges and %d defaults", ranges, defaults)
	}
}
