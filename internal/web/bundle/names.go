package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"roem/internal/web"
)

// reference is how the script of one asset names another, which lies beside it.
var reference = regexp.MustCompile(`\./([a-z-]+\.js)\b`)

// namer gives the assets their names.
type namer struct {
	plain map[string][]byte
	into  string
	named map[string]string // the names that were given, and "" for an asset that is being named
}

// writeNamed writes the assets of some folders into another one, each under a name with the hash of its content.
func writeNamed(into string, folders ...string) error {
	n := namer{plain: map[string][]byte{}, into: into, named: map[string]string{}}
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if web.MediaType(entry.Name()) == "" {
				continue // licences, which are not served
			}
			//nolint:gosec // the folders belong to this program
			if n.plain[entry.Name()], err = os.ReadFile(filepath.Join(folder, entry.Name())); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.plain)) {
		if _, err := n.name(name); err != nil {
			return err
		}
	}
	return nil
}

// name writes an asset and returns its name. The assets that it refers to come first: the hash of a script covers the hashes of what it
// loads.
func (n *namer) name(asset string) (string, error) {
	if named, begun := n.named[asset]; begun {
		if named == "" {
			return "", fmt.Errorf("%s refers to itself", asset)
		}
		return named, nil
	}
	n.named[asset] = ""
	var failed error
	body := n.plain[asset]
	if filepath.Ext(asset) == ".js" {
		body = reference.ReplaceAllFunc(body, func(text []byte) []byte {
			other := string(text[len("./"):])
			if _, is := n.plain[other]; !is {
				return text // a path within a library
			}
			named, err := n.name(other)
			if err != nil {
				failed = err
			}
			return []byte("./" + named)
		})
	}
	if failed != nil {
		return "", failed
	}
	n.named[asset] = web.HashedName(asset, body)
	return n.named[asset], os.WriteFile(filepath.Join(n.into, n.named[asset]), body, 0o600)
}
