package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"golang.org/x/term"
)

// Encode returns a value as JSON with a newline. It does not escape < and >.
func Encode(value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return b.Bytes(), err
}

// Writing adds to an error that it occurred while writing standard output.
func Writing(err error) error {
	if err != nil {
		return fmt.Errorf("writing standard output: %w", err)
	}
	return nil
}

// Print writes a text to standard output.
func Print[T string | []byte](std Stdio, text T) error {
	_, err := std.Out.Write([]byte(text))
	return Writing(err)
}

// Plain removes the name of the system call from an error.
func Plain(err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		return fmt.Errorf("%s: %w", path.Path, path.Err)
	}
	return err
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
