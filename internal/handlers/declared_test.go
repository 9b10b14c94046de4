package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"roem/internal/service"
)

// The games declare the operations that the contract has, and no others. An operation that becomes a job has the header Prefer, one that is
// always a job has Idempotency-Key, and a GET has the parameters of the contract.
func TestDeclarationsAreThoseOfTheContract(t *testing.T) {
	s := newServer(t)
	if diff := cmp.Diff(contractOperations(s.doc), declaredOperations(s.service.Games())); diff != "" {
		t.Errorf("operations and their parameters, -contract +declared:\n%s", diff)
	}
	var kinds []string
	for kind := range s.doc.Components.Schemas["JobRequest"].Value.Discriminator.Mapping {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	if diff := cmp.Diff(kinds, s.service.Kinds()); diff != "" {
		t.Errorf("kinds of jobs, -contract +declared:\n%s", diff)
	}
}

// contractOperations returns the parameters of each operation of the games, by method and path.
func contractOperations(doc *openapi3.T) map[string][]string {
	operations := map[string][]string{}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			if slices.ContainsFunc(operation.Tags, func(tag string) bool { return tag == "Jobs" || tag == "Server" }) {
				continue
			}
			names := []string{}
			for _, p := range slices.Concat(item.Parameters, operation.Parameters) {
				names = append(names, p.Value.In+" "+p.Value.Name)
			}
			slices.Sort(names)
			operations[method+" "+path] = names
		}
	}
	return operations
}

// declaredOperations returns the same from the declarations.
func declaredOperations(games []service.Game) map[string][]string {
	operations := map[string][]string{}
	add := func(method, path string, names ...string) {
		slices.Sort(names)
		operations[method+" "+path] = append([]string{}, names...)
	}
	for _, game := range games {
		for _, o := range game.Operations {
			switch o.Mode {
			case service.ModeGet:
				var names []string
				for _, name := range o.InPath {
					names = append(names, "path "+name)
				}
				for _, name := range o.InQuery {
					names = append(names, "query "+name)
				}
				add(http.MethodGet, o.Path, names...)
			case service.ModeOrJob:
				add(http.MethodPost, o.Path, "header Prefer")
			case service.ModeAsJob:
				add(http.MethodPost, o.Path, "header Idempotency-Key")
			default:
				add(http.MethodPost, o.Path)
			}
		}
		if game.Sessions != nil {
			path := "/v1/" + game.Name + "/sessions"
			add(http.MethodPost, path, "header Idempotency-Key")
			add(http.MethodGet, path+"/{id}", "path id")
			if game.Sessions.Hand != nil {
				add(http.MethodGet, path+"/{id}/hands/{number}", "path id", "path number")
				add(http.MethodGet, path+"/{id}/records", "path id")
			}
			add(http.MethodDelete, path+"/{id}", "path id")
			for _, act := range game.Sessions.Acts {
				add(http.MethodPost, strings.Join([]string{path, "{id}", act.Name}, "/"), "path id")
			}
		}
	}
	return operations
}
