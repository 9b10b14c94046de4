package records

import (
	"testing"

	"roem/internal/service"
	"roem/internal/service/servicetest"
)

func TestShapes(t *testing.T) {
	servicetest.CheckShapes(t, service.NewSchemas(nil, shapes), "/v1/records/")
}
