// Command generate writes everything that is generated: what follows from the contract, the parts of pages that follow from the code, and
// the bundles of the pages. `make generate` runs it in the module tools/. Steps that do not need each other run at the same time. It prints
// how long each took.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// top is the root of the repository.
const top = ".."

// step is a command that writes generated files.
type step struct {
	name, folder, command string
	after                 []string // the steps whose files it reads, or compiles
}

var steps = []step{
	{"contract", "api", "go run ./gen", nil},
	{"nim", "test/nim", "go generate .", []string{"contract"}},
	{"routes", "internal/api", "go generate .", []string{"contract"}},
	{"types", ".", "tools/board/node_modules/.bin/openapi-ts --silent -f tools/board/openapi-ts.config.mjs", []string{"contract"}},
	{"notices", "internal/web", "go generate .", []string{"routes"}},
	{"pages", ".", "go run -pgo=off ./internal/pages/write", []string{"routes"}},
	{"lab", "lab", "go run -pgo=off ./figures/write", []string{"routes"}},
	{"bundles", "internal/web/board", "go generate .", []string{"types", "notices", "pages"}},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run runs the steps, each after those that it needs. A step is left out if one that it needs has failed.
func run() error {
	root, err := filepath.Abs(top)
	if err != nil {
		return err
	}
	begun := time.Now()
	done, errs := map[string]chan struct{}{}, make(map[string]error, len(steps))
	for _, s := range steps {
		done[s.name] = make(chan struct{})
	}
	var working sync.WaitGroup
	var mutex sync.Mutex // of errs and the output
	for _, s := range steps {
		working.Go(func() {
			defer close(done[s.name])
			for _, name := range s.after {
				<-done[name]
			}
			mutex.Lock()
			for _, name := range s.after {
				if errs[name] != nil {
					errs[s.name] = errSkipped
				}
			}
			skipped := errs[s.name] != nil
			mutex.Unlock()
			if skipped {
				return
			}
			from := time.Now()
			out, err := s.run(root)
			mutex.Lock()
			defer mutex.Unlock()
			fmt.Printf("%-9s %5.1f s, from %4.1f s\n%s", s.name, time.Since(from).Seconds(), from.Sub(begun).Seconds(), out)
			if err != nil {
				errs[s.name] = fmt.Errorf("%s: %s: %w", s.name, s.command, err)
			}
		})
	}
	working.Wait()
	var failed []error
	for _, s := range steps {
		if err := errs[s.name]; err != nil && !errors.Is(err, errSkipped) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

var errSkipped = errors.New("a step before it has failed")

// run runs the command of the step.
func (s *step) run(root string) (out []byte, err error) {
	words := strings.Fields(s.command)
	if strings.Contains(words[0], "/") {
		words[0] = filepath.Join(root, words[0])
	}
	c := exec.Command(words[0], words[1:]...)
	c.Dir = filepath.Join(root, s.folder)
	return c.CombinedOutput()
}
