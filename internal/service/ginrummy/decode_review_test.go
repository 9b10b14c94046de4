package ginrummy

import (
	"strings"
	"testing"

	"roem/internal/service"
	"roem/internal/service/servicetest"
)

// aRound ends with a knock of me.
const (
	aRound = aDeal + firstEvent + moreEvents
	aDeal  = `"starter": "A", "upcard": "10S", "hands": {"A": ["5H", "6H", "7H", "JS", "AS", "2D", "3D", "6D", "7D", "8D"], ` +
		`"B": ["2C", "3C", "4C", "8C", "QC", "KH", "7S", "KS", "JD", "QS"]}`
	firstEvent = `, "events": [{"seat": "A", "kind": "pass"}`
	moreEvents = `, {"seat": "B", "kind": "pass"}, {"seat": "A", "kind": "stock", "card": "4D"}, ` +
		`{"seat": "A", "kind": "discard", "card": "JS"}, {"seat": "A", "kind": "knock"}]`
)

// Every kind of bad round has its kind of error and the place of its violation.
func TestBadRounds(t *testing.T) {
	g := newGame(t)
	var all []servicetest.Bad
	for _, tt := range []struct {
		name, old, by string // what is edited in aRound
		kind          service.Kind
		at, says      string
	}{
		{"without events", firstEvent + moreEvents, ``, service.Malformed, "/events", "missing"},
		{"nine cards dealt", `"5H", `, ``, service.Impossible, "/hands/A", "9"},
		{"a card dealt to both", `"2C"`, `"5H"`, service.Impossible, "/hands/B", "5H is dealt to both"},
		{"the first card dealt", `"2C"`, `"10S"`, service.Impossible, "/upcard", "10S is also dealt"},
		{"no card drawn", `, "card": "4D"`, ``, service.Impossible, "/events/2/card", "missing"},
		{"a card that was dealt is drawn", `"4D"`, `"2C"`, service.Impossible, "/events/2/card", "cannot be in the stock"},
		{"a card for a knock", `"kind": "knock"`, `"kind": "knock", "card": "JS"`, service.Impossible, "/events/4/card", "has no card"},
		{"another card is taken", `"kind": "pass"}`, `"kind": "take", "card": "9S"}`, service.Impossible, "/events/0/card", "top discard"},
		{"not the own turn", `{"seat": "B"`, `{"seat": "A"`, service.Impossible, "/events/1/seat", "turn of B"},
		{"a discard that is not held", `"card": "JS"`, `"card": "KH"`, service.Impossible, "/events/3/card", "does not hold KH"},
		{"a knock with too much", `"card": "JS"`, `"card": "5H"`, service.Impossible, "/events/4/seat", "turn of B"},
		{"a knock before a draw", `"kind": "pass"}`, `"kind": "knock"}`, service.Impossible, "/events/0/kind", "only after a discard"},
		{"after a knock", `"knock"}`, `"knock"}, {"seat": "B", "kind": "pass"}`, service.Impossible, "/events/5", "has knocked"},
		{
			"who has not played", moreEvents, `], "seat": "B"`, service.Impossible, "/events",
			"no action of B",
		},
		{
			"lay-offs without a knock", `, {"seat": "A", "kind": "knock"}]`, `], "laid_off": []`, service.Impossible, "/laid_off",
			"nobody has knocked",
		},
		{
			"a lay-off on no meld", `"starter"`, `"laid_off": [{"card": "KS", "on": []}], "starter"`, service.Impossible, "/laid_off/0/on",
			"expected 1 to 12",
		},
		{
			"a lay-off of no card", `"starter"`, `"laid_off": [{"card": "X", "on": ["KS"]}], "starter"`, service.Malformed,
			"/laid_off/0/card", "card",
		},
		{"one world", `"starter"`, `"worlds": 1, "starter"`, service.Malformed, "/worlds", "2"},
	} {
		if !strings.Contains(aRound, tt.old) {
			t.Fatalf("no %s to replace", tt.old)
		}
		body := `{` + strings.Replace(aRound, tt.old, tt.by, 1) + `}`
		all = append(all, servicetest.Bad{tt.name, "Review", body, tt.kind, []string{tt.at}, tt.says})
	}
	servicetest.Refuses(t, g.decoder(), all)
}
