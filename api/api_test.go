package api

import (
	"bytes"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// The embedded JSON is generated from the YAML. Without `make generate` after a change, the server would check requests against an old
// contract.
func TestJSONIsOfTheYAML(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	want, err := doc.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.TrimSpace(JSON), want) {
		t.Error("openapi.json is not generated from openapi.yaml: run make generate")
	}
	read, err := openapi3.NewLoader().LoadFromData(JSON)
	if err != nil {
		t.Fatal(err)
	}
	again, err := read.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again, want) {
		t.Error("the documents read from the JSON and from the YAML differ")
	}
}
