package ginrummy

import (
	"testing"

	"roem/internal/service/servicetest"
)

func TestShapes(t *testing.T) { servicetest.CheckShapes(t, newGame(t).schemas, "/v1/gin-rummy/") }
