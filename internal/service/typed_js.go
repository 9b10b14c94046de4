package service

import (
	"bytes"
	"encoding/json"
	"errors"
)

var errSchemaFirst = errors.New("the body is left to the schema")

// unmarshal leaves each body to its schema: the one reader of JSON that a page has is less strict than the types need.
func unmarshal([]byte, any) error { return errSchemaFirst }

// readTyped fills a type from JSON that its schema accepts.
func readTyped(text []byte, out any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	return dec.Decode(out)
}
