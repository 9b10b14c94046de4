package api_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/api"
	"roem/api/apitest"
)

// What the server knows of the operations is what kin-openapi reads in the contract.
func TestOperations(t *testing.T) {
	t.Parallel()
	doc, err := apitest.Document()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]api.Operation{}
	for path, item := range doc.Paths.Map() {
		for method, o := range item.Operations() {
			security := doc.Security
			if o.Security != nil {
				security = *o.Security
			}
			since, _ := o.Extensions["x-deprecated-since"].(string)
			sunset, _ := o.Extensions["x-sunset"].(string)
			want[o.OperationID] = api.Operation{
				ID: o.OperationID, Method: method, Path: path, Summary: o.Summary,
				Open: len(security) == 0, Deprecated: o.Deprecated, Since: since, Sunset: sunset,
			}
		}
	}
	got := map[string]api.Operation{}
	for _, o := range api.Embedded.Operations {
		got[o.ID] = o
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-contract +program)\n%s", diff)
	}
	if api.Embedded.Version != doc.Info.Version {
		t.Errorf("the version %s, want %s", api.Embedded.Version, doc.Info.Version)
	}
}
