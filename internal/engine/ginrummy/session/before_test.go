package session_test

import (
	"testing"

	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/ginrummy/session"
	"roem/internal/engine/table/tabletest"
)

// Sessions that the version before has stored are read, and stored again as they were, with the terms that were left out.
func TestStoredBefore(t *testing.T) {
	tabletest.StoredBefore(t, func(text []byte) (session.Session, error) { return session.Decode(text, players.Kinds()) }, "hands", "target")
}
