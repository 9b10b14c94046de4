package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// writeImage writes an image for each of the platforms as an OCI layout in a tar file, which podman load and skopeo read. The layout has one
// image, an index of the images of the platforms. For docker load without the image store of containerd there is the manifest of docker save.
func writeImage(path, version string, platforms []platform) error {
	recipe, err := readDockerfile(filepath.Join(root, "Dockerfile"), map[string]string{"VERSION": version})
	if err != nil {
		return err
	}
	var manifest []saved
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range platforms {
		image, err := p.image(recipe)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{
			Platform: &v1.Platform{OS: p.system, Architecture: p.architecture},
		}})
		if manifest, err = appendSaved(manifest, image, "roem:"+version, p.architecture); err != nil {
			return err
		}
	}
	folder, err := os.MkdirTemp("", "roem-image-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	whole, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	if err := whole.AppendIndex(index, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": version, "io.containerd.image.name": "docker.io/library/roem:" + version,
	})); err != nil {
		return err
	}
	text, err := json.Marshal(manifest)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "manifest.json"), text, 0o644); err != nil {
		return err
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(packFolder(out, folder), out.Close())
}

// saved is an image in the manifest of docker save.
type saved struct {
	Config   string
	RepoTags []string
	Layers   []string
}

// appendSaved adds the image of an architecture. That for amd64 has the name without more.
func appendSaved(all []saved, image v1.Image, name, architecture string) ([]saved, error) {
	blob := func(h v1.Hash) string { return "blobs/" + h.Algorithm + "/" + h.Hex }
	config, err := image.ConfigName()
	if err != nil {
		return nil, err
	}
	if architecture != "amd64" {
		name += "-" + architecture
	}
	one := saved{Config: blob(config), RepoTags: []string{name}}
	layers, err := image.Layers()
	if err != nil {
		return nil, err
	}
	for _, layer := range layers {
		digest, err := layer.Digest()
		if err != nil {
			return nil, err
		}
		one.Layers = append(one.Layers, blob(digest))
	}
	return append(all, one), nil
}

// image returns the image of a platform.
func (p platform) image(r *recipe) (v1.Image, error) {
	layer, err := p.layer(r)
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.Append(image, mutate.Addendum{
		Layer: layer, MediaType: types.OCILayer, History: v1.History{Created: v1.Time{Time: stamp}, CreatedBy: "make release"},
	})
	if err != nil {
		return nil, err
	}
	return mutate.ConfigFile(image, &v1.ConfigFile{
		OS: p.system, Architecture: p.architecture, Created: v1.Time{Time: stamp}, Config: r.config,
		RootFS: mustConfig(image).RootFS, History: mustConfig(image).History,
	})
}

func mustConfig(image v1.Image) *v1.ConfigFile {
	config, err := image.ConfigFile()
	if err != nil {
		panic(err) // the image is in memory
	}
	return config
}

// layer returns the only layer of the image of a platform.
func (p platform) layer(r *recipe) (v1.Layer, error) {
	var b bytes.Buffer
	t := tar.NewWriter(&b)
	for _, c := range r.copies {
		header := &tar.Header{Name: c.to, Mode: 0o755, ModTime: stamp, Uid: c.owner, Gid: c.owner, Format: tar.FormatUSTAR}
		var text []byte
		switch {
		case c.folder:
			header.Typeflag, header.Name = tar.TypeDir, c.to+"/"
		case c.program:
			header.Typeflag = tar.TypeReg
			var err error
			if text, err = os.ReadFile(filepath.Join(p.folder, c.from)); err != nil {
				return nil, err
			}
		default:
			header.Typeflag, header.Mode = tar.TypeReg, 0o644
			var err error
			if text, err = os.ReadFile(filepath.Join(root, c.from)); err != nil {
				return nil, err
			}
		}
		header.Size = int64(len(text))
		if err := t.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := t.Write(text); err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
}

// packFolder writes the files of a folder, in the order of their names.
func packFolder(out io.Writer, folder string) error {
	t := tar.NewWriter(out)
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		if err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)), ModTime: stamp, Format: tar.FormatUSTAR}); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		_, err = t.Write(text)
		return err
	})
	return errors.Join(err, t.Close())
}
