package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"roem/internal/pages"
)

// made is a file in the programs that another program has made: with which command, and whether the command makes the same file again.
type made struct{ file, command, again string }

const (
	model       = "internal/model/"
	klaverjas   = model + "klaverjas/"
	service     = "internal/service/klaverjas/"
	cardPage    = "[model-card](klaverjas/model-card.md)"
	policyPage  = "[policy](klaverjas/policy.md)"
	notRepeated = "not tried"
	fromHistory = "no: the seed of one of its files was not kept, and version 1 was trained by an earlier program. " +
		"Its start is in the repository's history"
)

var embedded = []made{
	{klaverjas + "deal/weights/leader.roemnet", "`roem-lab klaverjas train`, in three steps, with the seeds of " + cardPage, notRepeated},
	{
		klaverjas + "deal/weights/opponents.roemnet", "`roem-lab klaverjas train -start leader.roemnet`, with the seeds of " + cardPage,
		notRepeated,
	},
	{
		klaverjas + "deal/weights/amsterdam-leader.roemnet", "`roem-lab klaverjas train -start leader.roemnet`, with the seeds of " + cardPage,
		notRepeated,
	},
	{
		klaverjas + "deal/weights/amsterdam-opponents.roemnet",
		"`roem-lab klaverjas train -start opponents.roemnet`, with the seeds of " + cardPage,
		notRepeated,
	},
	{klaverjas + "deal/weights/card.json", "`roem-lab klaverjas eval -card`, seeds 9001, 9002 and 304", notRepeated},
	{
		klaverjas + "distribution/weights.json",
		"`roem-lab klaverjas distribution`, on sets that `roem-lab klaverjas dataset` makes: [hybrid](klaverjas/hybrid.md)", notRepeated,
	},
	{
		klaverjas + "hand/weights/hand.roemhand", "`roem-lab klaverjas hand-train`, with the flags of [hand-model](klaverjas/hand-model.md)",
		notRepeated,
	},
	{
		klaverjas + "belief/weights/klaverjas.belief",
		"`TRAIN=1 make -C lab klaverjas-belief`: `games` with the seeds 1 and 4, then `belief-train -steps 5000`", notRepeated,
	},
	{
		klaverjas + "policy/weights/klaverjas.policy", "`roem-lab klaverjas policy-improve`, seed 11, from version 1: " + policyPage,
		fromHistory,
	},
	{
		klaverjas + "policy/weights/klaverjas-imitation.policy",
		"`roem-lab klaverjas policy-imitate`, seed 1, from version 1: " + policyPage, fromHistory,
	},
	{model + "ginrummy/hand/weights/gin.hand", "`TRAIN=1 make -C lab gin-rummy`: `roem-lab gin-rummy train`, seed 1", notRepeated},
	{service + "handstrength/table.json", "`make -C lab klaverjas-bidding`: `games` and `table-fit`, seed 1", notRepeated},
	{service + "handstrength/outcomes.json", "`make -C lab klaverjas-strength`: `strength-fit`, seed 77", notRepeated},
	{service + "bidadvice/worths.json", "`make -C lab klaverjas-bidding`: `bid-fit`, seed 1", notRepeated},
	{service + "bidadvice/thresholds.json", "`make -C lab klaverjas-bidding`: `bid-fit`, seed 1", notRepeated},
	{service + "hybrid/interrupted.json", "`make -C lab klaverjas-interrupted`, seeds 501 to 504", notRepeated},
	{
		"internal/engine/klaverjas/puzzles/puzzles.txt", "`roem-lab klaverjas puzzles`, seed 1",
		"yes, byte for byte: [puzzles](klaverjas/puzzles.md)",
	},
	{"internal/engine/tarok/search/learned.txt", "`roem-lab tarok learn`, seed 1001", notRepeated},
}

// embeds matches the comment that says which files go into a program.
var embeds = regexp.MustCompile(`(?m)^//go:embed (.+)$`)

// embeddedBy returns the files that the engines, the models and the services embed.
func embeddedBy(src *pages.Source) (files []string) {
	for _, folder := range []string{"internal/engine", "internal/model", "internal/service"} {
		err := filepath.WalkDir(filepath.Join(src.Root, folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(filepath.Dir(path), "test") {
				return err
			}
			text, err := os.ReadFile(path) //nolint:gosec // a file of the repository
			for _, found := range embeds.FindAllStringSubmatch(string(text), -1) {
				for pattern := range strings.FieldsSeq(found[1]) {
					matching, err := filepath.Glob(filepath.Join(filepath.Dir(path), pattern))
					if err != nil {
						return err
					}
					files = append(files, matching...)
				}
			}
			return err
		})
		if err != nil {
			src.Fatal(err)
		}
	}
	for i := range files {
		files[i] = filepath.ToSlash(strings.TrimPrefix(files[i], filepath.Clean(src.Root)+string(filepath.Separator)))
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// embeddedTable says of every file that is in the programs and was made by a program from which command it comes, and which bytes it has.
func embeddedTable(src *pages.Source) string {
	var b strings.Builder
	b.WriteString("| file | made by | the same again | SHA-256 |\n|---|---|---|---|\n")
	var listed []string
	for _, one := range embedded {
		text, err := os.ReadFile(filepath.Join(src.Root, one.file))
		if err != nil {
			src.Fatal(err)
		}
		listed = append(listed, one.file)
		fmt.Fprintf(&b, "| `%s` | %s | %s | `%x` |\n", one.file, one.command, one.again, sha256.Sum256(text))
	}
	slices.Sort(listed)
	if files := embeddedBy(src); !slices.Equal(files, listed) {
		src.Errorf("the programs contain %v, and the list has %v", files, listed)
	}
	return b.String()
}
