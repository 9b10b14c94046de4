// Package api embeds the contract: api/openapi.yaml, from which everything about HTTP derives.
package api

import (
	_ "embed"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
)

// OpenAPI is the contract, in YAML, as it was written.
//
//go:embed openapi.yaml
var OpenAPI []byte

// Document returns the parsed contract. The first call takes some tenths of a second. It is shared and must not be changed.
var Document = sync.OnceValues(func() (*openapi3.T, error) { return openapi3.NewLoader().LoadFromData(OpenAPI) })
