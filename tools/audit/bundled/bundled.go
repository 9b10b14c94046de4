// Package bundled lists the parts of the programs that are not Go modules: JavaScript that is embedded in them.
package bundled

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Part is a part with its licence in its folder.
type Part struct {
	Name    string // of the npm package
	Release string
	Folder  string // below the root
}

// Web is the folder of everything that is embedded in the pages.
const Web = "internal/web"

// List returns the parts below the root of the repository. A folder below Web with a file RELEASE that is not among them is an error: it
// was added, and nobody has looked at its licence.
func List(root string) ([]Part, error) {
	parts := []Part{
		{Name: "preact", Folder: Web + "/board/vendor/preact"},
		{Name: "swagger-ui-dist", Folder: Web + "/swaggerui"},
	}
	for i, p := range parts {
		release, err := os.ReadFile(filepath.Join(root, p.Folder, "RELEASE"))
		if err != nil {
			return nil, err
		}
		parts[i].Release = strings.TrimSpace(string(release))
	}
	err := filepath.WalkDir(filepath.Join(root, Web), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() != "RELEASE" {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err == nil && !slices.ContainsFunc(parts, func(p Part) bool { return p.Folder == filepath.ToSlash(folder) }) {
			err = fmt.Errorf("%s is not in the list of tools/audit/bundled", folder)
		}
		return err
	})
	return parts, err
}
