// Package configs embeds the default configuration.
package configs

import _ "embed"

// Default is configs/roem.yaml: every key, with its default and what it means.
//
//go:embed roem.yaml
var Default []byte
