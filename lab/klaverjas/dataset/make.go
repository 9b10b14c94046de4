package dataset

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
)

// labeller makes shards, one at a time.
type labeller struct {
	settings Settings
	solver   *search.Solver
	last     Row // the previous row, whose deal the solver has in its table
	solved   bool
}

// newLabeller returns a labeller for valid settings. It uses about 32 MiB.
func newLabeller(s Settings) *labeller {
	return &labeller{settings: s, solver: search.New(search.Options{TableBytes: tableBytes})}
}

// Shard is the content of a shard's files.
type Shard struct {
	Number int
	Rows   []byte // the same on every machine
	Times  []byte // microseconds for each row
}

// shard makes a shard and calls done after each row. Its error is the error of the context, or it describes rules that are not valid.
func (l *labeller) shard(ctx context.Context, number int, done func()) (Shard, error) {
	n := l.settings.RowsIn(number)
	out := Shard{
		Number: number,
		Rows:   make([]byte, 0, n*rowBytes(l.settings.Goal)),
		Times:  make([]byte, 0, n*timeBytes),
	}
	first := l.settings.FirstRow(number)
	for i := range uint64(n) {
		row, err := l.row(ctx, first+i)
		if err != nil {
			return Shard{}, err
		}
		out.Rows = appendRow(out.Rows, row, l.settings.Goal)
		out.Times = appendTime(out.Times, row.Took)
		done()
	}
	return out, nil
}

func (l *labeller) row(ctx context.Context, number uint64) (Row, error) {
	deal, err := l.settings.Deal(number)
	if err != nil {
		return Row{}, err
	}
	owners := OwnersOf(deal.Hands)
	// If the same deal is drawn twice in a row, the table must not make the second search shorter.
	if l.solved && l.last.Owners == owners {
		l.last.Number = number
		return l.last, nil
	}
	start, err := klaverjas.NewPosition(l.settings.Rules, deal)
	if err != nil {
		return Row{}, err
	}
	began := time.Now()
	result, err := l.solver.Solve(ctx, search.Query{Position: start, Goal: l.settings.Goal})
	took := time.Since(began)
	if err != nil {
		l.solved = false
		return Row{}, err
	}
	l.last = Row{
		Number: number, Owners: owners, Declarer: l.settings.Declarer, Won: result.Won, Outcome: result.Outcome, Nodes: result.Nodes, Took: took,
	}
	l.solved = true
	return l.last, nil
}

// timeBytes is the number of bytes of a row in a .us file.
const timeBytes = 4

// appendTime appends a time in microseconds, limited to the largest 32-bit number. It is at least 1, because 0 means that the time is not
// known.
func appendTime(to []byte, t time.Duration) []byte {
	return binary.LittleEndian.AppendUint32(to, uint32(min(max(t.Microseconds(), 1), math.MaxUint32)))
}

// Builder makes a data set in a directory, or continues one.
type Builder struct {
	dir      string
	settings Settings

	mu   sync.Mutex
	have map[int]ShardInfo // the complete shards
}

// NewBuilder creates the directory and its manifest if they do not exist. The error is a *MismatchError if the directory contains
// another data set. Several builders, also on several machines, can use one directory. They should make different shards.
func NewBuilder(dir string, s Settings) (*Builder, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // a data set is no secret
		return nil, err
	}
	m, _, err := readManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		shards, globErr := filepath.Glob(filepath.Join(escape(dir), "shard-*"+rowsExt))
		if globErr != nil {
			return nil, globErr
		}
		if len(shards) > 0 {
			return nil, fmt.Errorf("%s has shards but no %s to say of what", dir, manifestName)
		}
		m = newManifest(s, nil)
		err = m.write(dir)
	}
	if err != nil {
		return nil, err
	}
	if err := m.mustBe(newManifest(s, nil), dir); err != nil {
		return nil, err
	}
	if err := removeLeftovers(dir); err != nil {
		return nil, err
	}
	return &Builder{dir: dir, settings: s, have: make(map[int]ShardInfo)}, nil
}

// escape returns a pattern that matches only the given name.
func escape(name string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(name)
}

// Missing returns the shards from number from to number to-1 that must be made: those that do not exist, and damaged ones. damaged is
// called for each damaged shard. A shard is complete if its size is right and its rows match the checksum file.
func (b *Builder) Missing(from, to int, damaged func(error)) ([]int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var missing []int
	for number := from; number < to; number++ {
		if _, ok := b.have[number]; ok {
			continue
		}
		info, err := shardAt(b.dir, b.settings, number)
		switch {
		case err == nil:
			b.have[number] = info
			continue
		case errors.Is(err, fs.ErrNotExist):
		default:
			if _, ok := errors.AsType[*damage](err); !ok {
				return nil, err
			}
			damaged(err)
		}
		missing = append(missing, number)
	}
	return missing, nil
}

// Make makes shards, one at a time on each worker, and then lists all existing shards in the manifest, also after an error.
// done is called after each row, by several goroutines.
func (b *Builder) Make(ctx context.Context, shards []int, workers int, done func()) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	todo := make(chan int, len(shards))
	for _, number := range shards {
		todo <- number
	}
	close(todo)
	var group sync.WaitGroup
	for range min(workers, len(shards)) {
		group.Go(func() {
			l := newLabeller(b.settings)
			for number := range todo {
				shard, err := l.shard(ctx, number, done)
				if err == nil {
					err = b.add(shard)
				}
				if err != nil {
					cancel(err) // only the first error is used
					return
				}
			}
		})
	}
	group.Wait()
	err := context.Cause(ctx)
	return errors.Join(err, b.writeManifest())
}

// add writes the files of a shard, .rows last.
func (b *Builder) add(shard Shard) error {
	name := shardName(shard.Number)
	sum := checksum(shard.Rows)
	for _, f := range []struct {
		ext  string
		data []byte
	}{
		{timesExt, shard.Times},
		{sumExt, []byte(sumLine(sum, name+rowsExt))},
		{rowsExt, shard.Rows},
	} {
		if err := writeFile(filepath.Join(b.dir, name+f.ext), f.data); err != nil {
			return err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.have[shard.Number] = ShardInfo{
		Number: shard.Number, File: name + rowsExt, Rows: b.settings.RowsIn(shard.Number), SHA256: sum,
	}
	return nil
}

// writeManifest lists every existing shard in the manifest, also those that other machines made.
func (b *Builder) writeManifest() error {
	if _, err := b.Missing(0, b.settings.Shards(), func(error) {}); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	shards := make([]ShardInfo, 0, len(b.have))
	for _, info := range b.have {
		shards = append(shards, info)
	}
	slices.SortFunc(shards, func(x, y ShardInfo) int { return x.Number - y.Number })
	return newManifest(b.settings, shards).write(b.dir)
}
