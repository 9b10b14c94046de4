package main

import (
	"testing"

	"roem/internal/testkit"
)

func TestPages(t *testing.T) { testkit.Generated(t, blocks) }
