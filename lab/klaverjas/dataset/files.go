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

// The extensions of the files of a shard.
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

// damage is the error for a file that exists and is not valid.
type damage struct {
	file, what string
}

func (d *damage) Error() string { return d.file + ": " + d.what }

// readRows reads the rows of a shard. Its error is a *damage, or wraps fs.ErrNotExist if the file does not exist, or says that the file
// cannot be read. An empty sum matches every file.
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

// readSum reads the checksum file of a shard. Its errors are the errors of readRows.
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

// shardAt returns the entry of the manifest for a complete shard. Its errors are the errors of readRows.
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

// Temporary names of files.
const (
	temporaryPrefix = ".new-"
	// temporaryAge is the age from which a temporary file is considered abandoned. Files are written from memory at once, and another
	// program may be writing to the same directory.
	temporaryAge = time.Minute
)

// writeFile writes a file atomically: after a crash of the program or the machine, the file is complete or does not exist.
func writeFile(path string, data []byte) (err error) {
	dir, name := filepath.Dir(path), filepath.Base(path)
	f, err := os.CreateTemp(dir, temporaryPrefix+name+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close() // it may be closed already, and the first error is returned
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

// syncDir flushes the names in a directory to the disk.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // this system has no such call
	}
	d, err := os.Open(dir) //nolint:gosec // the user's own choice of a directory
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// removeLeftovers removes temporary files of programs that were killed.
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
