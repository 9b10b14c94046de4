package apitest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// notSwitches are the fields of the operations that analyse a hand which say what the hand is, or how much is computed. Every other field
// is a switch of the rules.
var notSwitches = map[string][]string{
	"": {
		"leader", "declarer", "hands", "deal", "played", "seat", "worlds", "seed", "goal", // of several games
	},
	"klaverjas": {"trump"},
	"belote":    {"trump", "stacks", "made", "utility", "algorithm", "forward_pruning"},
	"gin-rummy": {"starter", "upcard", "hands", "events", "laid_off", "knocker", "opponent"},
	"tarok": {
		"talon", "contract", "group", "discards", "kontra", "announcements", "depth", "deepening", "history", "minimal_window", "selection",
		"table",
	},
}

// analysing are the operations that analyse a hand, of the games that have them.
var analysing = []string{"solve", "analyse", "review", "score", "legal-moves"}

// Switches returns the switches of the rules which the operations that analyse a hand of a game take, sorted: each with its path in a
// request, such as rules/pit/declarers.
func Switches(doc *openapi3.T, game string) []string {
	found := map[string]bool{}
	for _, name := range analysing {
		if s := body(doc, fmt.Sprintf("/v1/%s/%s", game, name)); s != nil {
			leaves(s, "", slices.Concat(notSwitches[""], notSwitches[game]), found)
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Fields returns the fields of the request of an operation, as Switches does.
func Fields(doc *openapi3.T, path string) []string {
	found := map[string]bool{}
	leaves(body(doc, path), "", nil, found)
	return slices.Sorted(maps.Keys(found))
}

// body returns the schema of the body of a POST; nil if there is no such operation.
func body(doc *openapi3.T, path string) *openapi3.Schema {
	item := doc.Paths.Value(path)
	if item == nil || item.Post == nil {
		return nil
	}
	return item.Post.RequestBody.Value.Content.Get("application/json").Schema.Value
}

// leaves adds the paths of the fields below a schema that have no fields themselves. The fields of position count as fields of
// the request.
func leaves(s *openapi3.Schema, at string, without []string, found map[string]bool) {
	for name, ref := range s.Properties {
		below := ref.Value
		if len(below.AllOf) == 1 {
			below = below.AllOf[0].Value
		}
		switch path := strings.TrimPrefix(at+"/"+name, "/"); {
		case slices.Contains(without, name) && at == "":
		case name == "position":
			leaves(below, at, without, found)
		case name == "radli", len(below.Properties) == 0: // a session takes whether radli are given
			found[path] = true
		default:
			leaves(below, path, without, found)
		}
	}
}
