// Package api embeds the contract: api/openapi.yaml, from which everything about HTTP derives. People write its parts, api/src.
package api

import _ "embed"

//go:generate go run ./gen

// OpenAPI is the contract, in YAML, as api/merge writes it from its parts.
//
//go:embed openapi.yaml
var OpenAPI []byte

// JSON is the contract in JSON, generated from OpenAPI.
//
//go:embed openapi.json
var JSON []byte

// Contract is a contract in its forms, and what a server needs to know of it.
type Contract struct {
	YAML, JSON []byte
	Version    string
	Operations []Operation
}

// Operation is an operation of a contract.
type Operation struct {
	ID           string // its operationId, as klaverjasSolve
	Method, Path string
	Summary      string
	Open         bool // it needs no key
	Deprecated   bool
	// Since and Sunset are the days from which it is deprecated, and on which it ends at the earliest, such as 2027-07-01; empty for none.
	Since, Sunset string
}

// Embedded is the contract of the program.
var Embedded = &Contract{OpenAPI, JSON, version, operations}
