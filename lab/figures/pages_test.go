package figures_test

import (
	"testing"

	"roem/internal/model/klaverjas/deal"
	"roem/internal/testkit"
	"roem/lab/klaverjas/train"
)

// The parts of the laboratory's pages that follow from files. The other blocks hold what a command measured, which writes them itself.
func TestPages(t *testing.T) {
	card, err := deal.DefaultCard()
	if err != nil {
		t.Fatal(err)
	}
	testkit.Generated(t, "lab/docs/README.md", "embedded", embeddedTable(t))
	testkit.Generated(t, "lab/docs/belote/README.md", "medians", medians(t))
	testkit.Generated(t, "lab/docs/klaverjas/model-card.md", "", train.Markdown(card))
	testkit.Generated(t, "lab/scripts/deal-model.sh", "", train.Commands(card))
}
