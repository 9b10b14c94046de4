package main

import (
	"testing"

	"roem/internal/cli/clitest"
)

// The commands of the pages exist.
func TestWritten(t *testing.T) { clitest.Written(t, program(), "../../docs") }
