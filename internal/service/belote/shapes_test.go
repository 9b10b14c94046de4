package belote

import (
	"testing"

	"roem/internal/service/servicetest"
)

func TestShapes(t *testing.T) { servicetest.CheckShapes(t, newGame(t, false).schemas, "/v1/belote/") }
