// Package api embeds the contract: api/openapi.yaml, from which everything about HTTP derives. People write its parts, api/src.
package api

import (
	_ "embed"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
)

//go:generate go run ./merge
//go:generate go run ./tojson
//go:generate go run ./gen

// OpenAPI is the contract, in YAML, as api/merge writes it from its parts.
//
//go:embed openapi.yaml
var OpenAPI []byte

// JSON is the contract in JSON, generated from OpenAPI.
//
//go:embed openapi.json
var JSON []byte

// Contract is a contract in its forms. Document returns it parsed; it is shared and must not be changed.
type Contract struct {
	YAML, JSON []byte
	Document   func() (*openapi3.T, error)
}

// Embedded is the contract of the program.
var Embedded = &Contract{OpenAPI, JSON, Document}

// Read returns the contract of a text in YAML.
func Read(yaml []byte) (*Contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(yaml)
	if err != nil {
		return nil, err
	}
	text, err := doc.MarshalJSON()
	return &Contract{yaml, text, func() (*openapi3.T, error) { return doc, nil }}, err
}

// Document returns the parsed contract. The first call takes some tenths of a second. It is shared and must not be changed.
//
// It reads the JSON, because reading the YAML takes 1.6 times as long, and with the race detector 2.8 times.
var Document = sync.OnceValues(func() (*openapi3.T, error) { return openapi3.NewLoader().LoadFromData(JSON) })
