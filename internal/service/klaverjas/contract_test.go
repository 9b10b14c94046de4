package klaverjas

import (
	"fmt"
	"strings"
	"testing"

	"roem/api/apitest"
	"roem/internal/engine/klaverjas/players"
)

// The prose of the contract has the numbers of the program.
func TestContractHasOurNumbers(t *testing.T) {
	doc, err := apitest.Document()
	if err != nil {
		t.Fatal(err)
	}
	operation := func(name string) string { return doc.Paths.Value("/v1/klaverjas/" + name).Post.Description }
	property := func(schema, name string) string {
		s := doc.Components.Schemas[schema].Value
		if name != "" {
			s = s.Properties[name].Value
		}
		return s.Description
	}
	thousands := func(n int) string {
		if n < 1000 {
			return fmt.Sprint(n)
		}
		return fmt.Sprintf("%d,%03d", n/1000, n%1000)
	}
	for _, tt := range []struct{ text, says string }{
		{operation("advise"), fmt.Sprintf("A round weighs %d worlds and plays out %d of them", roundCandidates, roundWorlds)},
		{property("KlaverjasAdviseRequest", "worlds"), fmt.Sprintf("to search, from 1 to %s, or to play out, from 1 to %s",
			thousands(maxAdviseWorlds),
			thousands(maxPlayoutWorlds))},
		{property("KlaverjasAdviseRequest", "worlds"), fmt.Sprintf("All are played out only if there are also at most %d", roundCandidates)},
		{property("KlaverjasReviewRequest", "worlds"), fmt.Sprintf("from 1 to %s", thousands(maxReviewWorlds))},
		{property("KlaverjasReviewRequest", "worlds"), fmt.Sprintf("Without `worlds`, %d are searched, and %d for a card that is uncertain "+
			"over %d. If there are at most %s",
			defaultWorlds, closeWorlds, defaultWorlds, thousands(fewWorlds))},
		{operation("review"), fmt.Sprintf("a card that is uncertain over %d worlds is searched over %d", defaultWorlds, closeWorlds)},
		{operation("review"), fmt.Sprintf("c + 2e below %v", reviewRule.LeastCost)},
		{property("KlaverjasMatchRequest", "worlds"), fmt.Sprintf("No player takes more than %d, and deals times worlds are at most %s",
			maxMatchWorlds,
			thousands(maxMatchSearches))},
		{property("KlaverjasMatchRequest", "worlds"), fmt.Sprintf("Default %d", players.DefaultWorlds)},
	} {
		if !strings.Contains(strings.Join(strings.Fields(tt.text), " "), tt.says) {
			t.Errorf("the contract does not say %q, but: %s", tt.says, tt.text)
		}
	}
}
