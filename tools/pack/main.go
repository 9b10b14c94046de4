// Command pack compresses the files of a folder once, with Brotli and gzip, as well as they can: the server sends them as they are.
//
//	go -C tools run ./pack FROM TO
//
// It is in this module so that the programs do not contain an encoder for Brotli. Its encoders have fixed versions, so that the same files
// always become the same bytes.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "pack: expected two folders")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// encodings are the ends of the names of compressed files, with their encoders.
var encodings = map[string]func(io.Writer) (io.WriteCloser, error){
	".br": func(to io.Writer) (io.WriteCloser, error) {
		return brotli.NewWriterLevel(to, brotli.BestCompression), nil
	},
	".gz": func(to io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(to, gzip.BestCompression) },
}

// pack writes each file of one folder into another, once for each encoding.
func pack(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		plain, err := os.ReadFile(filepath.Join(from, entry.Name()))
		if err != nil {
			return err
		}
		for end, encoder := range encodings {
			var out bytes.Buffer
			w, err := encoder(&out)
			if err != nil {
				return err
			}
			if _, err := w.Write(plain); err != nil {
				return err
			}
			if err := w.Close(); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(to, entry.Name()+end), out.Bytes(), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
