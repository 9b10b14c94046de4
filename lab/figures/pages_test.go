package figures_test

import (
	"testing"

	"roem/internal/testkit"
)

// The blocks of the laboratory's pages that follow from files. The others hold what a command measured, which writes them itself.
func TestPages(t *testing.T) {
	testkit.Generated(t, "lab/docs/README.md", "embedded", embeddedTable(t))
	testkit.Generated(t, "lab/docs/belote/README.md", "medians", medians(t))
}
