// Package reference embeds the pages of documentation that the server serves.
package reference

import _ "embed"

// Compatibility is compatibility.md: what clients can rely on.
//
//go:embed compatibility.md
var Compatibility []byte

// Records is record-format.md: the format of records of hands.
//
//go:embed record-format.md
var Records []byte
