package klaverjas

import (
	"testing"

	"roem/internal/service"
	"roem/internal/service/servicetest"
)

func TestShapes(t *testing.T) {
	servicetest.CheckShapes(t, newGame(t, service.Options{}, Options{}).schemas, "/v1/klaverjas/")
}
