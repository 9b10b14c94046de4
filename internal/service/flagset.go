//go:build !js

package service

import "flag"

// FlagSet is the flags of a command.
type FlagSet = flag.FlagSet
