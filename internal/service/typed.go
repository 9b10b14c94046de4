//go:build !js

package service

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"
)

// errNull is the error of unmarshal for a body that may hold null.
var errNull = errors.New("null is left to the schema")

// unmarshal reads a body by its type. An error does not mean that the body is wrong.
func unmarshal(body []byte, out any) error {
	// Only the schema says where null may be: in optional fields, and where it has a meaning.
	if bytes.Contains(body, []byte("null")) {
		return errNull
	}
	return readTyped(body, out)
}

// readTyped fills a type from JSON, in which nothing is unknown.
func readTyped(text []byte, out any) error {
	return json.Unmarshal(text, out, json.RejectUnknownMembers(true))
}
