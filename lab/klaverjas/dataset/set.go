package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"sort"
	"time"
)

// Set is an open data set, of which shards may be missing. It is safe for concurrent use.
type Set struct {
	Manifest Manifest
	Settings Settings // the same as in the manifest

	dir string
}

// Open reads the manifest of a data set. Manifest.Complete is true if no shard is missing.
func Open(dir string) (*Set, error) {
	m, s, err := readManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is no data set: it has no %s: %w", dir, manifestName, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	return &Set{Manifest: m, Settings: s, dir: dir}, nil
}

// Rows yields the rows of every existing shard in order. It ends after the first error, which is an error of Shard.
func (s *Set) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, info := range s.Manifest.Shards {
			rows, err := s.Shard(info.Number)
			if err != nil {
				yield(Row{}, err)
				return
			}
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

// Shard reads a shard. It is an error if the rows do not match the checksum of the manifest, or if a row is not a deal with valid labels.
// The error names the file and the row. For a shard that the manifest does not list, the error wraps fs.ErrNotExist.
func (s *Set) Shard(number int) ([]Row, error) {
	info, ok := s.info(number)
	if !ok {
		return nil, fmt.Errorf("%s does not list shard %d: %w", manifestName, number, fs.ErrNotExist)
	}
	data, err := readRows(s.dir, s.Settings, number, info.SHA256)
	if err != nil {
		return nil, err
	}
	times, err := s.times(number)
	if err != nil {
		return nil, err
	}
	size := s.Manifest.RowBytes
	rows := make([]Row, info.Rows)
	for i := range rows {
		row, err := readRow(data[i*size:][:size], s.Settings.Goal)
		row.Declarer = s.Settings.Declarer
		row.Number = s.Settings.FirstRow(number) + uint64(i)
		if err != nil {
			return nil, &damage{info.File, fmt.Sprintf("row %d: %v", row.Number, err)}
		}
		if times != nil {
			row.Took = time.Duration(binary.LittleEndian.Uint32(times[i*timeBytes:])) * time.Microsecond
		}
		rows[i] = row
	}
	return rows, nil
}

func (s *Set) info(number int) (ShardInfo, bool) {
	listed := s.Manifest.Shards
	at := sort.Search(len(listed), func(i int) bool { return listed[i].Number >= number })
	if at == len(listed) || listed[at].Number != number {
		return ShardInfo{}, false
	}
	return listed[at], true
}

// times reads the times of a shard, or nil if there are none.
func (s *Set) times(number int) ([]byte, error) {
	file := shardName(number) + timesExt
	data, err := os.ReadFile(filepath.Join(s.dir, file)) //nolint:gosec // the user's own choice of a directory
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if want := s.Settings.RowsIn(number) * timeBytes; len(data) != want {
		return nil, &damage{file, fmt.Sprintf("has %d bytes, expected %d", len(data), want)}
	}
	return data, nil
}
