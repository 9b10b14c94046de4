// Package api embeds the contract: api/openapi.yaml, from which everything about HTTP derives. People write its parts, api/src.
package api

import (
	_ "embed"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
)

//go:generate go run ./merge
//go:generate go run ./tojson

// OpenAPI is the contract, in YAML, as api/merge writes it from its parts.
//
//go:embed openapi.yaml
var OpenAPI []byte

// JSON is the contract in JSON, generated from OpenAPI.
//
//go:embed openapi.json
var JSON []byte

// Document returns the parsed contract. The first call takes some tenths of a second. It is shared and must not be changed.
//
// It reads the JSON, because reading the YAML takes 1.6 times as long, and with the race detector 2.8 times.
var Document = sync.OnceValues(func() (*openapi3.T, error) { return openapi3.NewLoader().LoadFromData(JSON) })
