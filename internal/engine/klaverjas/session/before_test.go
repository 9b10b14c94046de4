package session_test

import (
	"testing"

	"roem/internal/engine/klaverjas/session"
	"roem/internal/engine/table/tabletest"
)

// Sessions that the version before has stored are read, and stored again as they were.
func TestStoredBefore(t *testing.T) { tabletest.StoredBefore(t, session.Decode) }
