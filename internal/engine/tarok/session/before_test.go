package session_test

import (
	"testing"

	"roem/internal/engine/table/tabletest"
	"roem/internal/engine/tarok/session"
)

// Sessions that the version before has stored are read, and stored again as they were.
func TestStoredBefore(t *testing.T) { tabletest.StoredBefore(t, session.Decode) }
