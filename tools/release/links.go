package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// checkLinks returns an error for each link of a document in the archives and packages of a folder that leads nowhere in the place where
// the document is then.
func checkLinks(dist string) error {
	entries, err := os.ReadDir(dist)
	if err != nil {
		return err
	}
	var all []error
	for _, entry := range entries {
		files, err := unpack(filepath.Join(dist, entry.Name()))
		if err != nil {
			return fmt.Errorf("%s: %w", entry.Name(), err)
		}
		for name, text := range files {
			if strings.HasSuffix(name, ".md") || path.Base(name) == "METADATA" {
				all = append(all, deadLinks(entry.Name(), name, text, files)...)
			}
		}
	}
	return errors.Join(all...)
}

// deadLinks returns an error for each link of a document that leads to no file beside it and to no place on the web.
func deadLinks(archive, name string, text []byte, files map[string][]byte) (dead []error) {
	for _, found := range link.FindAllSubmatch(text, -1) {
		target, err := url.Parse(string(found[2]))
		if err == nil && (target.Scheme != "" || target.Path == "") {
			continue
		}
		to := string(found[2])
		if err == nil {
			to = path.Join(path.Dir(name), target.Path)
		}
		if _, ok := files[to]; !ok {
			dead = append(dead, fmt.Errorf("%s: %s: there is no %s", archive, name, found[2]))
		}
	}
	return dead
}

// unpack returns the files of an archive, by their names; none if the file is not an archive.
func unpack(name string) (map[string][]byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	switch filepath.Ext(name) {
	case ".gz", ".tgz":
		return unpackTar(text)
	case ".zip", ".whl":
		return unpackZip(text)
	}
	return nil, nil
}

func unpackTar(text []byte) (map[string][]byte, error) {
	packed, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for t := tar.NewReader(packed); ; {
		header, err := t.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if files[path.Clean(header.Name)], err = io.ReadAll(t); err != nil {
			return nil, err
		}
	}
}

func unpackZip(text []byte) (map[string][]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, file := range z.File {
		in, err := file.Open()
		if err != nil {
			return nil, err
		}
		files[path.Clean(file.Name)], err = io.ReadAll(in)
		if err = errors.Join(err, in.Close()); err != nil {
			return nil, err
		}
	}
	return files, nil
}
