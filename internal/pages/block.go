package pages

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// Block is a generated part of the repository: of a page, or, without a name, a whole file.
type Block struct {
	File, Name string // the file from the root of the repository
	Text       func(*Source) string
}

// Source is what the text of a block is made with: the root of the repository, and a place for what is wrong.
type Source struct {
	Root string
	errs []error
}

// Errorf notes something that is wrong.
func (s *Source) Errorf(format string, args ...any) {
	s.errs = append(s.errs, fmt.Errorf(format, args...))
}

// Fatal notes an error and ends the making of the text.
func (s *Source) Fatal(err error) {
	s.errs = append(s.errs, err)
	panic(stop{})
}

type stop struct{}

// text returns the text of the block.
func (b *Block) text(root string) (text string, err error) {
	s := &Source{Root: root}
	defer func() {
		switch stopped := recover(); stopped.(type) {
		case nil, stop:
		default:
			panic(stopped)
		}
		if len(s.errs) > 0 {
			err = fmt.Errorf("%s: %w", cmp.Or(b.Name, b.File), errors.Join(s.errs...))
		}
	}()
	return b.Text(s), nil
}

// Compare returns the file of the block as it is, and as its source says.
func (b *Block) Compare(root string) (have, want string, err error) {
	text, err := b.text(root)
	if err != nil {
		return "", "", err
	}
	return b.placed(root, text)
}

// placed returns the file as it is, and with a text in its block.
func (b *Block) placed(root, text string) (have, want string, err error) {
	file, err := os.ReadFile(filepath.Join(root, b.File)) //nolint:gosec // a file of the repository
	if err != nil || b.Name == "" {
		return string(file), text, err
	}
	want, err = Replace(string(file), b.Name, text)
	if err != nil {
		err = fmt.Errorf("%s: %w", b.File, err)
	}
	return string(file), want, err
}

// Main writes the blocks whose files are not what their sources say, and returns the exit status of a program.
func Main(root string, blocks []Block) int {
	if err := writeAll(root, blocks); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// writeAll makes the texts at the same time, and writes one after the other, because a file can have several blocks.
func writeAll(root string, blocks []Block) error {
	texts, errs := make([]string, len(blocks)), make([]error, len(blocks))
	var making sync.WaitGroup
	for i := range blocks {
		making.Go(func() { texts[i], errs[i] = blocks[i].text(root) })
	}
	making.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for i := range blocks {
		have, want, err := blocks[i].placed(root, texts[i])
		if err == nil && have != want {
			err = os.WriteFile(filepath.Join(root, blocks[i].File), []byte(want), 0o644) //nolint:gosec // a file of the repository
		}
		if err != nil {
			return err
		}
	}
	return nil
}
