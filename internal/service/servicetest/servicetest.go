// Package servicetest has what the tests of every game's requests need: a service, bodies that must be refused, and the comparison of a
// decoder with the schemas of the contract.
package servicetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"roem/internal/service"
	"roem/internal/solvecache"
)

// New returns a service with two slots, with a cache in memory or without. It is closed at the end of the test.
func New(tb testing.TB, cache bool) *service.Service {
	tb.Helper()
	with := service.Options{Version: "test", Slots: 2}
	if cache {
		memory, err := solvecache.NewMemory(1 << 20)
		if err != nil {
			tb.Fatal(err)
		}
		with.Cache = solvecache.New(memory)
	}
	s, err := service.New(with)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			tb.Error(err)
		}
		if err := with.Cache.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// A Decoder decodes a body as the request with the given name.
type Decoder func(request string, body []byte) (any, error)

// Bad is a body that a decoder refuses. It has no name of its own, so that a table of them may leave out the names of the fields.
type Bad = struct {
	Name    string
	Request string
	Body    string
	Kind    service.Kind
	Where   []string // the pointers of all violations, sorted
	Says    string   // part of the detail of the first violation
}

// Refuses tests that the decoder refuses each body for the reason and at the pointers given.
func Refuses(t *testing.T, decode Decoder, bodies []Bad) {
	t.Helper()
	for _, tt := range bodies {
		t.Run(tt.Name, func(t *testing.T) {
			_, err := decode(tt.Request, []byte(tt.Body))
			problem, ok := errors.AsType[*service.Error](err)
			if !ok || problem.Kind != tt.Kind {
				t.Fatalf("error %v, want kind %d", err, tt.Kind)
			}
			var where []string
			for _, v := range problem.Violations {
				where = append(where, v.Pointer)
			}
			slices.Sort(where)
			if diff := cmp.Diff(tt.Where, where); diff != "" {
				t.Error(diff)
			}
			if !strings.Contains(problem.Violations[0].Detail, tt.Says) {
				t.Errorf("detail %q, want %q in it", problem.Violations[0].Detail, tt.Says)
			}
		})
	}
}

// FuzzDecoder searches for a body on which the decoder and the schema of the contract differ: a body that is accepted, or impossible, meets
// the schema, and the walk through the body finds the same as the schema. schemaOf has the name of the schema of each request.
func FuzzDecoder(f *testing.F, decode Decoder, of *service.Schemas, schemaOf map[string]string) {
	f.Helper()
	schemas := map[string]*openapi3.Schema{}
	for _, name := range schemaOf {
		var err error
		if schemas[name], err = Schema(name, ""); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for name, schema := range schemaOf {
			_, err := decode(name, body)
			if problem, ok := errors.AsType[*service.Error](err); err != nil &&
				(!ok || problem.Kind != service.Malformed && problem.Kind != service.Impossible) {
				t.Fatalf("%s: error %v", name, err)
			}
			tree, bad := ParseTree(body)
			if bad == nil {
				bad = Check(tree, schemas[schema])
			}
			if bad != nil && service.KindOf(err) != service.KindOf(bad) {
				t.Errorf("%s: the decoder says %v, the schema %v", name, err, bad)
			}
			if walked := of.Meets(t.Context(), body, schema); (walked != nil) != (bad != nil) {
				t.Errorf("%s: the walk says %v, the schema %v", name, walked, bad)
			}
		}
	})
}
