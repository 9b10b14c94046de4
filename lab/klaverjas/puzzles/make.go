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

// Settings configure Make.
type Settings struct {
	Open, Hidden int // how many puzzles there are with open and with hidden cards
	Rare         int // in how many hands open puzzles with rare themes are looked for
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
var caps = [...]int{35, 55, 25}

// together is how many hands are looked at before it is asked whether there are enough puzzles.
const together = 32

// Made is what Make has made.
type Made struct {
	Puzzles []*puzzles.Puzzle // in the order of their ids
	// Hands is how many hands were looked at, and Found how many positions were found in them, by kind.
	Hands, Found [len(kinds)]int
	// Alike says, for each level of players but the last, in how many of all positions at least half of its players find the card if and only
	// if at least half of the players of the next level do.
	Alike []int
}

// String returns the counts.
func (m *Made) String() string {
	var b strings.Builder
	sum := 0
	for kind, name := range kinds {
		fmt.Fprintf(&b, "%s: %d positions in %d hands\n", name, m.Found[kind], m.Hands[kind])
		sum += m.Found[kind]
	}
	m.decisions(&b)
	levels := players.Levels()
	for i, n := range m.Alike {
		fmt.Fprintf(&b, "%s and %s: alike in %d of %d positions\n", levels[i].Name, levels[i+1].Name, n, sum)
	}
	return b.String()
}

// decisions writes how many of the chosen puzzles have 1, 2 and more decisions, by kind.
func (m *Made) decisions(b *strings.Builder) {
	for _, kind := range puzzles.Kinds() {
		var counts []int // by the number of later decisions
		for _, p := range m.Puzzles {
			if p.Kind() != kind {
				continue
			}
			counts = append(counts, make([]int, max(0, len(p.Later)+1-len(counts)))...)
			counts[len(p.Later)]++
		}
		for later, n := range counts {
			fmt.Fprintf(b, "%s: %d puzzles with %d decisions\n", kind, n, later+1)
		}
	}
}

// Make finds puzzles. Equal settings give equal puzzles, whatever the number of workers.
func Make(ctx context.Context, s Settings) (made *Made, err error) {
	if len(caps) != len(puzzles.Levels()) {
		return nil, fmt.Errorf("%d levels have a share: expected %d", len(caps), len(puzzles.Levels()))
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
	c := chooser{ids: map[string]bool{}}
	if err := c.rare(ctx, w, s.Rare); err != nil {
		return nil, err
	}
	for kind, most := range [...]int{Open: s.Open, Hidden: s.Hidden} {
		if err := c.more(ctx, w, Kind(kind), most); err != nil {
			return nil, err
		}
	}
	for _, p := range c.all {
		if p.Hidden {
			if err := p.Explain(ctx, w.miners[0].solver); err != nil {
				return nil, err
			}
		}
		if err := p.Continue(ctx, w.miners[0].solver); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(c.all, func(a, b *puzzles.Puzzle) int { return cmp.Compare(a.ID, b.ID) })
	return w.made(c.all), nil
}

// made counts what was found.
func (w *work) made(chosen []*puzzles.Puzzle) *Made {
	m := &Made{Puzzles: chosen, Alike: make([]int, len(players.Levels())-1)}
	for kind, found := range w.found {
		m.Hands[kind] = len(found)
		for _, p := range found {
			if p == nil {
				continue
			}
			m.Found[kind]++
			for i := range m.Alike {
				if half(p.Grades[i]) == half(p.Grades[i+1]) {
					m.Alike[i]++
				}
			}
		}
	}
	return m
}

// half reports whether at least half of the players find the card.
func half(g puzzles.Grade) bool { return 2*g.Found >= g.Players }

// chooser chooses puzzles.
type chooser struct {
	all     []*puzzles.Puzzle
	ids     map[string]bool
	ofLevel [2][len(caps)]int // by kind
}

func (c *chooser) take(p *puzzles.Puzzle) {
	kind := Open
	if p.Hidden {
		kind = Hidden
	}
	c.ids[p.ID] = true
	c.ofLevel[kind][p.Level()]++
	c.all = append(c.all, p)
}

// ofTheme is how many puzzles with a rare theme are chosen, if there are as many.
const ofTheme = 30

// rare looks at a number of hands and chooses puzzles with rare themes.
func (c *chooser) rare(ctx context.Context, w *work, hands int) error {
	for len(w.found[Rare]) < hands {
		if err := w.more(ctx, Rare); err != nil {
			return err
		}
	}
	for _, theme := range rareThemes {
		chosen := 0
		for _, p := range c.all {
			if slices.Contains(p.Themes, theme) {
				chosen++
			}
		}
		for _, p := range w.found[Rare][:hands] {
			if p != nil && chosen < ofTheme && !c.ids[p.ID] && slices.Contains(p.Themes, theme) {
				c.take(p)
				chosen++
			}
		}
	}
	return nil
}

// more chooses puzzles of a kind in the order of the hands, until there are as many as wanted. No level gets more than its share.
func (c *chooser) more(ctx context.Context, w *work, kind Kind, most int) error {
	chosen := 0
	for _, n := range c.ofLevel[kind] {
		chosen += n
	}
	for number := 0; chosen < most; number++ {
		if number == len(w.found[kind]) {
			if err := w.more(ctx, kind); err != nil {
				return err
			}
		}
		p := w.found[kind][number]
		if p == nil || c.ids[p.ID] || 100*c.ofLevel[kind][p.Level()] >= caps[p.Level()]*most {
			continue
		}
		c.take(p)
		chosen++
	}
	return nil
}

// work is what was found in each hand, also in a file.
type work struct {
	settings *Settings
	miners   []*Miner
	file     *os.File
	found    [len(kinds)][]*puzzles.Puzzle // by kind; nil where nothing was found
}

// The beginnings of the lines of the file, by kind; the puzzle follows if one was found in the hand.
var kinds = [...]string{Open: "open", Hidden: "hidden", Rare: "rare"}

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
		name, rest, there := strings.Cut(line, " ")
		kind := slices.Index(kinds[:], name)
		if kind < 0 {
			return fmt.Errorf("%.40q is no line of this file", line)
		}
		var p *puzzles.Puzzle
		if there {
			if p, err = puzzles.Parse(rest); err != nil {
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
func (w *work) more(ctx context.Context, kind Kind) error {
	first := len(w.found[kind])
	return match.Run(ctx, together, len(w.miners), func(ctx context.Context, worker, i int) (*puzzles.Puzzle, error) {
		return w.miners[worker].Puzzle(ctx, kind, first+i)
	}, func(_ int, p *puzzles.Puzzle) error {
		line := kinds[kind]
		if p != nil {
			text := p.Line()
			var err error
			if p, err = puzzles.Parse(text); err != nil {
				return err
			}
			line += " " + text
		}
		w.found[kind] = append(w.found[kind], p)
		if w.settings.Progress != nil {
			w.settings.Progress(len(w.found[Open]) + len(w.found[Hidden]) + len(w.found[Rare]))
		}
		_, err := fmt.Fprintln(w.file, line)
		return err
	})
}
