package web

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// AssetFolder is the path of the assets on the server.
const AssetFolder = "/docs/assets/"

// Asset is a file that pages refer to. Its name changes with its content.
type Asset struct {
	Name string // with the hash
	Type string // the media type
	Body []byte // not to be changed
}

// assetFolders are the embedded folders of the assets: the bundles, and files that are served as they are.
var assetFolders = []string{"assets", "static", "swaggerui"}

// mediaTypes are the media types of the served files, by the ends of their names.
var mediaTypes = map[string]string{
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".svg":  "image/svg+xml",
	".wasm": "application/wasm",
}

// hashLength is how many digits of the hash are in a name: 40 bits, which differ for any two versions of a file.
const hashLength = 10

// HashedName returns the name under which a file of this content is served.
func HashedName(name string, body []byte) string {
	sum := sha256.Sum256(body)
	end := path.Ext(name)
	return strings.TrimSuffix(name, end) + "-" + hex.EncodeToString(sum[:])[:hashLength] + end
}

// SourceName returns the name without the hash.
func SourceName(hashed string) string {
	end := path.Ext(hashed)
	base := strings.TrimSuffix(hashed, end)
	return base[:max(0, len(base)-hashLength-1)] + end
}

// Assets returns every asset by its name without the hash. The map is shared and must not be changed.
var Assets = sync.OnceValues(func() (map[string]Asset, error) {
	n := namer{bodies: map[string][]byte{}, bundled: map[string]bool{}, named: map[string]Asset{}}
	for _, folder := range assetFolders {
		entries, err := files.ReadDir(folder)
		if err != nil {
			return nil, fmt.Errorf("reading the assets: %w", err)
		}
		for _, e := range entries {
			if n.bodies[e.Name()], err = files.ReadFile(folder + "/" + e.Name()); err != nil {
				return nil, fmt.Errorf("reading an asset: %w", err)
			}
			n.bundled[e.Name()] = folder == "assets"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.bodies)) {
		if _, err := n.name(name); err != nil {
			return nil, err
		}
	}
	return n.named, nil
})

// reference is how the script of one bundle names another, which lies beside it.
var reference = regexp.MustCompile(`\./([a-z-]+\.js)\b`)

// namer gives the assets their names.
type namer struct {
	bodies  map[string][]byte
	bundled map[string]bool  // its references to other assets are to be replaced
	named   map[string]Asset // an Asset without a name is being named
}

// name names an asset and returns that name. The assets that it refers to come first: the hash of a script covers the hashes of what it
// loads.
func (n *namer) name(asset string) (string, error) {
	if named, begun := n.named[asset]; begun {
		if named.Name == "" {
			return "", fmt.Errorf("the asset %s refers to itself", asset)
		}
		return named.Name, nil
	}
	n.named[asset] = Asset{}
	var failed error
	body := n.bodies[asset]
	if n.bundled[asset] && path.Ext(asset) == ".js" {
		body = reference.ReplaceAllFunc(body, func(text []byte) []byte {
			other := string(text[len("./"):])
			if _, is := n.bodies[other]; !is {
				return text
			}
			named, err := n.name(other)
			if err != nil {
				failed = err
			}
			return []byte("./" + named)
		})
	}
	n.named[asset] = Asset{Name: HashedName(asset, body), Type: mediaTypes[path.Ext(asset)], Body: body}
	return n.named[asset].Name, failed
}

// AssetPath returns the path on the server of the asset with a name without its hash.
func AssetPath(name string) (string, error) {
	assets, err := Assets()
	if err != nil {
		return "", err
	}
	asset, ok := assets[name]
	if !ok {
		return "", fmt.Errorf("there is no asset %s", name)
	}
	return AssetFolder + asset.Name, nil
}
