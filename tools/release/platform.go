package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// platform is what programs are built for.
type platform struct {
	system, architecture string
	folder               string // of the programs
}

// programs are the names of the programs of a release.
func (p platform) programs() []string {
	names := []string{"server", "roem"}
	if p.system == "windows" {
		for i := range names {
			names[i] += ".exe"
		}
	}
	return names
}

// build builds the programs as the Dockerfile does. They run on every processor of the architecture. With one profile for both,
// every package is compiled once; the profile of the server has the searches of the other too.
func (p platform) build(version string) error {
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-pgo=cmd/server/default.pgo", "-ldflags", "-s -w -X main.version="+version,
		"-o", p.folder+string(filepath.Separator), "./cmd/server", "./cmd/roem")
	c.Dir = root
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS="+p.system, "GOARCH="+p.architecture, "GOAMD64=v1")
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	if err := os.MkdirAll(p.folder, 0o755); err != nil {
		return err
	}
	if err := c.Run(); err != nil {
		return fmt.Errorf("building for %s/%s: %w", p.system, p.architecture, err)
	}
	return nil
}

// file is a file of an archive.
type file struct {
	name string
	text []byte
	mode os.FileMode
}

// archive writes the programs with their documents, in a folder of their own.
func (p platform) archive(dist, version string) error {
	name := fmt.Sprintf("roem-%s-%s-%s", version, p.system, p.architecture)
	var files []file
	for _, program := range p.programs() {
		text, err := os.ReadFile(filepath.Join(p.folder, program))
		if err != nil {
			return err
		}
		files = append(files, file{name + "/" + program, text, 0o755})
	}
	for _, one := range documentNames(p.system) {
		text, err := document(one, version)
		if err != nil {
			return err
		}
		files = append(files, file{name + "/" + one, text, 0o644})
	}
	write, ending := writeTar, ".tar.gz"
	if p.system == "windows" {
		write, ending = writeZip, ".zip"
	}
	out, err := os.Create(filepath.Join(dist, name+ending))
	if err != nil {
		return err
	}
	return errors.Join(write(out, files), out.Close())
}

func writeTar(out io.Writer, files []file) error {
	packed, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(packed)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.text)), ModTime: stamp, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(f.text); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), packed.Close())
}

func writeZip(out io.Writer, files []file) error {
	z := zip.NewWriter(out)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: stamp}
		header.SetMode(f.mode)
		w, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := w.Write(f.text); err != nil {
			return err
		}
	}
	return z.Close()
}

// checksums is the name of the file with the SHA-256 of each file, as sha256sum -c reads it.
const checksums = "SHA256SUMS"

func writeChecksums(dist string) error {
	entries, err := os.ReadDir(dist) // sorted by name
	if err != nil {
		return err
	}
	var lines strings.Builder
	for _, entry := range entries {
		if entry.IsDir() || entry.Name() == checksums {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dist, entry.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(text), entry.Name())
	}
	return os.WriteFile(filepath.Join(dist, checksums), []byte(lines.String()), 0o644)
}
