// Command write writes the parts of the laboratory's pages that follow from files, where they are not what their sources say. The other
// blocks hold what a command measured, which writes them itself. It runs in the folder lab.
package main

import (
	"os"

	"roem/internal/model/klaverjas/deal"
	"roem/internal/pages"
	"roem/lab/klaverjas/train"
)

var blocks = []pages.Block{
	{File: "lab/docs/README.md", Name: "embedded", Text: embeddedTable},
	{File: "lab/docs/belote/README.md", Name: "medians", Text: medians},
	{File: "lab/docs/klaverjas/model-card.md", Text: fromCard(train.Markdown)},
	{File: "lab/scripts/deal-model.sh", Text: fromCard(train.Commands)},
}

// fromCard returns the source of a text that follows from the card of the model of deals.
func fromCard(text func(*deal.Card) string) func(*pages.Source) string {
	return func(*pages.Source) string { return text(deal.DefaultCard()) }
}

func main() { os.Exit(pages.Main("..", blocks)) } //nolint:forbidigo // main ends the program
