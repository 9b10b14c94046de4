package handlers_test

import (
	"fmt"
	"net/http"
	"testing"

	"roem/internal/engine/klaverjas/players"
)

// A session has each kind of player that the contract names, and each level.
func TestPlayersOfSessions(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	kinds := []string{"random", "simple", "logical", "policy", "pimc:20", "pimc:40", "playout:40", "playout:100"}
	for _, l := range players.Levels() {
		kinds = append(kinds, l.Name)
	}
	for _, player := range kinds {
		body := fmt.Sprintf(`{"seed": "1", "trump": "H", "leader": "S", "players": {"partner": %q, "opponents": %[1]q}}`, player)
		if w := s.post(t, sessionsPath, body); w.Code != http.StatusCreated {
			t.Errorf("%s: %d %s", player, w.Code, w.Body)
		}
	}
}
