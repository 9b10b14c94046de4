package puzzles

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/puzzles"
	"roem/internal/engine/match"
)

// Settings are those of Make.
type Settings struct {
	Open, Hidden int // how many puzzles of each kind
	Seed         uint64
	Workers      int
	Tools        func() *players.Tools // makes the tools of a worker
	// Work is the file that keeps what was found in each hand, so that a run that was stopped can go on. It is made if there is none.
	Work string
	// Progress, if not nil, is called with the number of hands that were looked at.
	Progress func(int)
}

// caps are the greatest shares of the levels among the puzzles of a kind, in per cent, the weakest level first. There are far more
// positions of some levels than of others.
var caps = [...]int{20, 20, 30, 30, 40}

// together is how many hands are looked at before it is asked whether there are enough puzzles.
const together = 32

// Make finds puzzles and returns them in the order of their ids. Equal settings give equal puzzles, whatever the number of workers.
func Make(ctx context.Context, s Settings) (all []*puzzles.Puzzle, err error) {
	if len(caps) != len(players.Levels()) {
		return nil, fmt.Errorf("%d levels have a share: expected %d", len(caps), len(players.Levels()))
	}
	w, err := openWork(&s)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closed := w.file.Close(); err == nil {
			err = closed
		}
	}()
	ids := map[string]bool{}
	for kind, most := range [2]int{s.Open, s.Hidden} {
		chosen, ofLevel := 0, [len(caps)]int{}
		for number := 0; chosen < most; number++ {
			if number == len(w.found[kind]) {
				if err := w.more(ctx, kind); err != nil {
					return nil, err
				}
			}
			p := w.found[kind][number]
			if p == nil || ids[p.ID] || 100*ofLevel[p.Level()] >= caps[p.Level()]*most {
				continue
			}
			ids[p.ID] = true
			ofLevel[p.Level()]++
			all, chosen = append(all, p), chosen+1
		}
	}
	slices.SortFunc(all, func(a, b *puzzles.Puzzle) int { return cmp.Compare(a.ID, b.ID) })
	return all, nil
}

// work is what was found in each hand, also in a file.
type work struct {
	settings *Settings
	miners   []*Miner
	file     *os.File
	found    [2][]*puzzles.Puzzle // by kind, open first; nil where nothing was found
}

// The beginnings of the lines of the file, by kind; a line without a puzzle follows for a hand in which nothing was found.
var kinds = [2]string{"open", "hidden"}

// openWork opens the file, reads what is in it, and cuts off a line that was not written to its end.
func openWork(s *Settings) (*work, error) {
	w := &work{settings: s, miners: make([]*Miner, max(s.Workers, 1))}
	for i := range w.miners {
		w.miners[i] = NewMiner(s.Seed, s.Tools())
	}
	file, err := os.OpenFile(s.Work, os.O_RDWR|os.O_CREATE, 0o644) //nolint:gosec // anybody may read it
	if err != nil {
		return nil, err
	}
	w.file = file
	if err := w.read(); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Work, errors.Join(err, file.Close()))
	}
	return w, nil
}

// read reads the file.
func (w *work) read() error {
	text, err := io.ReadAll(bufio.NewReader(w.file))
	if err != nil {
		return err
	}
	whole := strings.LastIndexByte(string(text), '\n') + 1
	for line := range strings.Lines(string(text[:whole])) {
		line = strings.TrimSuffix(line, "\n")
		kind := slices.IndexFunc(kinds[:], func(kind string) bool { return strings.HasPrefix(line, kind) })
		if kind < 0 {
			return fmt.Errorf("%.40q is no line of this file", line)
		}
		var p *puzzles.Puzzle
		if line != kinds[kind] {
			if p, err = puzzles.Parse(line); err != nil {
				return err
			}
		}
		w.found[kind] = append(w.found[kind], p)
	}
	if err := w.file.Truncate(int64(whole)); err != nil {
		return err
	}
	_, err = w.file.Seek(int64(whole), io.SeekStart)
	return err
}

// more looks at more hands.
func (w *work) more(ctx context.Context, kind int) error {
	first := len(w.found[kind])
	return match.Run(ctx, together, len(w.miners), func(ctx context.Context, worker, i int) (*puzzles.Puzzle, error) {
		return w.miners[worker].Puzzle(ctx, kind == 1, first+i)
	}, func(_ int, p *puzzles.Puzzle) error {
		line := kinds[kind]
		if p != nil {
			line = p.Line()
			var err error
			if p, err = puzzles.Parse(line); err != nil {
				return err
			}
		}
		w.found[kind] = append(w.found[kind], p)
		if w.settings.Progress != nil {
			w.settings.Progress(len(w.found[0]) + len(w.found[1]))
		}
		_, err := fmt.Fprintln(w.file, line)
		return err
	})
}
