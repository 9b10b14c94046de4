package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// The files of a shard are its name and one of these.
const (
	rowsExt  = ".rows"
	sumExt   = ".sha256"
	timesExt = ".us"
)

func shardName(number int) string { return fmt.Sprintf("shard-%05d", number) }

func checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func isSum(text string) bool {
	return len(text) == 2*sha256.Size && strings.Trim(text, "0123456789abcdef") == ""
}

// sumLine is the content of a .sha256 file.
func sumLine(sum, file string) string { return sum + "  " + file + "\n" }

// damage is what is wrong with a file that is there.
type damage struct {
	file, what string
}

func (d *damage) Error() string { return d.file + ": " + d.what }

// readRows reads the rows of a shard. Its error is a *damage unless the file is not there, which wraps fs.ErrNotExist, or
// cannot be read. An empty sum matches any.
func readRows(dir string, s Settings, number int, sum string) ([]byte, error) {
	file := shardName(number) + rowsExt
	data, err := os.ReadFile(filepath.Join(dir, file)) //nolint:gosec // the user's own choice of a directory
	if err != nil {
		return nil, err
	}
	if want := s.RowsIn(number) * rowBytes(s.Goal); len(data) != want {
		return nil, &damage{file, fmt.Sprintf("has %d bytes, expected %d", len(data), want)}
	}
	if got := checksum(data); sum != "" && got != sum {
		return nil, &damage{file, fmt.Sprintf("its SHA-256 is %s, expected %s", got, sum)}
	}
	return data, nil
}

// readSum reads the checksum that was written beside a shard. Its errors are those of readRows.
func readSum(dir string, number int) (string, error) {
	file := shardName(number) + sumExt
	text, err := os.ReadFile(filepath.Join(dir, file)) //nolint:gosec // the user's own choice of a directory
	if err != nil {
		return "", err
	}
	sum, _, _ := strings.Cut(string(text), " ")
	if !isSum(sum) || string(text) != sumLine(sum, shardName(number)+rowsExt) {
		return "", &damage{file, "is not a line of sha256sum's for " + shardName(number) + rowsExt}
	}
	return sum, nil
}

// shardAt returns what a manifest says of a shard that is there and whole. Its errors are those of readRows.
func shardAt(dir string, s Settings, number int) (ShardInfo, error) {
	file := shardName(number) + rowsExt
	if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
		return ShardInfo{}, err
	}
	sum, err := readSum(dir, number)
	if errors.Is(err, fs.ErrNotExist) {
		return ShardInfo{}, &damage{file, "has no " + sumExt + " beside it"}
	}
	if err != nil {
		return ShardInfo{}, err
	}
	if _, err := readRows(dir, s, number, sum); err != nil {
		return ShardInfo{}, err
	}
	return ShardInfo{Number: number, File: file, Rows: s.RowsIn(number), SHA256: sum}, nil
}

// Names of files that are being written, until they are renamed.
const (
	temporaryPrefix = ".new-"
	// temporaryAge is how old such a file must be to be one that nobody is writing any more: it is written at once, from
	// memory, and another program may be at work in the same directory.
	temporaryAge = time.Minute
)

// writeFile writes a file so that it is there whole or not at all, whatever stops the program or the machine.
func writeFile(path string, data []byte) (err error) {
	dir, name := filepath.Dir(path), filepath.Base(path)
	f, err := os.CreateTemp(dir, temporaryPrefix+name+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close() // it may be closed already, and the first error is the one to tell
			_ = os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes the names in a directory durable.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // it has no such call
	}
	d, err := os.Open(dir) //nolint:gosec // the user's own choice of a directory
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// removeLeftovers removes what a program that was killed had not finished writing.
func removeLeftovers(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), temporaryPrefix) {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && time.Since(info.ModTime()) < temporaryAge {
			continue
		}
		if err != nil {
			return err
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
