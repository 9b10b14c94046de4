package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
)

// AssetFolder is the path of the assets on the server.
const AssetFolder = "/docs/assets/"

// Asset is a file that pages refer to. It is embedded in its compressed forms only. Its name changes with its content.
type Asset struct {
	Name         string // with the hash
	Type         string // the media type
	Brotli, Gzip []byte
	Plain        func() ([]byte, error) // the file itself; the first call makes it
}

// mediaTypes are the media types of the served files, by the ends of their names.
var mediaTypes = map[string]string{
	".js":  "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
}

// MediaType returns the media type of an asset, and nothing for a file that is not served.
func MediaType(name string) string { return mediaTypes[path.Ext(name)] }

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
	entries, err := files.ReadDir("assets")
	if err != nil {
		return nil, fmt.Errorf("reading the assets: %w", err)
	}
	out := map[string]Asset{}
	for _, e := range entries {
		body, err := files.ReadFile("assets/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("reading an asset: %w", err)
		}
		name, isGzip := strings.CutSuffix(e.Name(), ".gz")
		name = strings.TrimSuffix(name, ".br")
		asset := out[SourceName(name)]
		asset.Name, asset.Type = name, MediaType(name)
		if isGzip {
			asset.Gzip = body
			asset.Plain = sync.OnceValues(func() ([]byte, error) { return gunzip(body) })
		} else {
			asset.Brotli = body
		}
		out[SourceName(name)] = asset
	}
	return out, nil
})

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

func gunzip(body []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
