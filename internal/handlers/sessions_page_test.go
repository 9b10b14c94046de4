package handlers_test

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestPlayersOfThePage creates a session with each of the players that the page about sessions and the contract name.
func TestPlayersOfThePage(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	page, err := os.ReadFile("../../docs/how-to/play-against-the-program.md")
	if err != nil {
		t.Fatal(err)
	}
	table, _, _ := strings.Cut(string(page), "```")
	text := table + s.doc.Components.Schemas["KlaverjasSessionPlayer"].Value.Description
	players := map[string]bool{}
	for _, found := range regexp.MustCompile("`([a-z]+(:\\d+)?)`").FindAllStringSubmatch(text, -1) {
		players[found[1]] = true
	}
	delete(players, "players") // the field
	if len(players) < 12 {
		t.Fatalf("the page and the contract name %v only", players)
	}
	for player := range players {
		body := fmt.Sprintf(`{"seed": "1", "trump": "H", "leader": "S", "players": {"partner": %q, "opponents": %[1]q}}`, player)
		if w := s.post(t, sessionsPath, body); w.Code != http.StatusCreated {
			t.Errorf("%s: %d %s", player, w.Code, w.Body)
		}
	}
}
