// Package api embeds the contract: api/openapi.yaml, from which everything about HTTP derives.
package api

import _ "embed"

// OpenAPI is the contract, in YAML, as it was written.
//
//go:embed openapi.yaml
var OpenAPI []byte
