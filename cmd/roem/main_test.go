package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/testscript"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/cli/clitest"
	belote "roem/internal/engine/belote/players"
	ginrummy "roem/internal/engine/ginrummy/players"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/match"
	tarok "roem/internal/engine/tarok/advice"
	"roem/internal/testkit"
)

var update = flag.Bool("update", false, "write what the commands answer into the scripts, to be read before it is committed")

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"roem": main}) }

// TestScripts runs the commands as a user enters them.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred processes start slowly under the race detector; other tests run the commands in this process")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Cmds:                clitest.Commands(),
	})
}

// roem runs a command in this process.
func roem(t *testing.T, stdin string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	return clitest.Run(t, program(), stdin, args...)
}

// vector is a line of testdata/vectors.
type vector struct {
	Position json.RawMessage `json:"position"`
	Expect   struct {
		Index          string             `json:"index"`
		CanonicalIndex string             `json:"canonical_index"`
		Turn           *api.KlaverjasSeat `json:"turn"`
		Legal          []string           `json:"legal"`
		Outcome        int                `json:"outcome"`
		Won            bool               `json:"won"`
		Moves          map[string]int     `json:"moves"`
	} `json:"expect"`
}

func readVectors(t *testing.T, path string) (all []vector) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var v vector
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// answers sends the positions to a command and returns the answers, one per position.
func answers[T any](t *testing.T, vectors []vector, args ...string) []T {
	t.Helper()
	var in strings.Builder
	for _, v := range vectors {
		in.Write(v.Position)
		in.WriteByte('\n')
	}
	stdout, stderr, status := roem(t, in.String(), args...)
	if status != 0 || stderr != "" {
		t.Fatalf("%v: exit status %d, %s", args, status, stderr)
	}
	var out []T
	dec := json.NewDecoder(strings.NewReader(stdout))
	dec.DisallowUnknownFields()
	for dec.More() {
		var one T
		if err := dec.Decode(&one); err != nil {
			t.Fatal(err)
		}
		out = append(out, one)
	}
	if len(out) != len(vectors) || strings.Count(stdout, "\n") != len(vectors) {
		t.Fatalf("%v: %d answers on %d lines to %d positions", args, len(out), strings.Count(stdout, "\n"), len(vectors))
	}
	return out
}

// TestVectors sends verified positions to the commands: the first quarter of each file, with -long every position.
func TestVectors(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/vectors/*-*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, path := range paths {
		if filepath.Base(path) == "hard-deals.jsonl" {
			continue // positions without results
		}
		files++
		t.Run(filepath.Base(path), func(t *testing.T) {
			all := readVectors(t, path)
			all = all[:len(all)/testkit.Times(10, 4, 1, 1)]
			t.Run("legal", func(t *testing.T) {
				for i, got := range answers[api.KlaverjasLegalMoves](t, all, "legal") {
					want := all[i].Expect
					if diff := cmp.Diff(want.Legal, got.Legal, cmpopts.SortSlices(strings.Compare)); diff != "" {
						t.Errorf("line %d: legal (-want +got):\n%s", i+1, diff)
					}
					if diff := cmp.Diff(want.Turn, got.Turn); diff != "" {
						t.Errorf("line %d: turn (-want +got):\n%s", i+1, diff)
					}
				}
			})
			t.Run("rank", func(t *testing.T) {
				for i, got := range answers[api.KlaverjasNumberedDeal](t, all, "rank") {
					want := all[i].Expect
					if got.Deal.Index != want.Index || got.Deal.CanonicalIndex != want.CanonicalIndex {
						t.Errorf("line %d: index %s, canonical %s, want %s, %s", i+1,
							got.Deal.Index, got.Deal.CanonicalIndex, want.Index, want.CanonicalIndex)
					}
				}
			})
			t.Run("solve -goal win", func(t *testing.T) {
				for i, got := range answers[api.KlaverjasSolution](t, all, "solve", "-goal", "win") {
					if got.Won != all[i].Expect.Won || got.Outcome != nil {
						t.Errorf("line %d: won %t, outcome %v, want %t and none", i+1, got.Won, got.Outcome, all[i].Expect.Won)
					}
				}
			})
			t.Run("solve", func(t *testing.T) {
				for i, got := range answers[api.KlaverjasSolution](t, all, "solve") {
					want := all[i].Expect
					if got.Won != want.Won || got.Outcome == nil || *got.Outcome != want.Outcome {
						t.Errorf("line %d: outcome %v, want %d", i+1, got.Outcome, want.Outcome)
					}
				}
			})
			t.Run("solve -goal moves", func(t *testing.T) {
				for i, got := range answers[api.KlaverjasSolution](t, all, "solve", "-goal", "moves") {
					checkMoves(t, i+1, all[i], got)
				}
			})
			t.Run("analyse", func(t *testing.T) {
				some := played(t, all, 2)
				some = some[:min(len(some), 30)] // each one needs a solve for every played card
				if len(some) == 0 {
					t.Skip("no cards have been played")
				}
				for i, got := range answers[api.KlaverjasAnalysis](t, some, "analyse") {
					if got.After != some[i].Expect.Outcome {
						t.Errorf("played position %d: %d after the last card, want %d", i+1, got.After, some[i].Expect.Outcome)
					}
					checkAnalysis(t, i+1, got)
				}
			})
		})
	}
	if files != 6 {
		t.Errorf("%d files of vectors, want 6", files)
	}
}

// played returns the vectors with at least the given number of played cards.
func played(t *testing.T, all []vector, atLeast int) (some []vector) {
	t.Helper()
	for _, v := range all {
		var p api.KlaverjasPosition
		if err := json.Unmarshal(v.Position, &p); err != nil {
			t.Fatal(err)
		}
		if p.Played != nil && len(*p.Played) >= atLeast {
			some = append(some, v)
		}
	}
	return some
}

// checkAnalysis checks that the values of an analysis are consistent.
func checkAnalysis(t *testing.T, number int, a api.KlaverjasAnalysis) {
	t.Helper()
	value := a.Before
	for _, c := range a.Cards {
		if c.Before != value {
			t.Errorf("played position %d: %d before card %d, want %d, the value after the previous card", number, c.Before, c.Number, value)
		}
		if best := slices.Contains(c.Best, c.Card); best != (c.Cost == 0) || c.Cost < 0 || max(c.After-c.Before, c.Before-c.After) != c.Cost {
			t.Errorf("played position %d: %+v", number, c)
		}
		value = c.After
	}
	if value != a.After {
		t.Errorf("played position %d: %d after the analysis, want %d, the value after the last card", number, a.After, value)
	}
}

// TestTable compares tables with the verified outcomes of deals.
func TestTable(t *testing.T) {
	all := readVectors(t, "../../testdata/vectors/rotterdam-deals.jsonl")[:10]
	if testing.Short() {
		all = all[:2]
	}
	deals := make([]vector, len(all))
	positions := make([]api.KlaverjasPosition, len(all))
	for i, v := range all {
		if err := json.Unmarshal(v.Position, &positions[i]); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(api.KlaverjasTableRequest{Leader: positions[i].Leader, Hands: *positions[i].Hands})
		if err != nil {
			t.Fatal(err)
		}
		deals[i].Position = text
	}
	for i, got := range answers[api.KlaverjasTable](t, deals, "table") {
		row := map[string]api.KlaverjasTableRow{
			"C": got.Outcomes.C, "D": got.Outcomes.D, "H": got.Outcomes.H,
			"S": got.Outcomes.S,
		}[positions[i].Trump]
		entry := map[string]api.KlaverjasTableEntry{"NS": row.NS, "EW": row.EW}[*positions[i].Declarer]
		if want := (api.KlaverjasTableEntry{Outcome: all[i].Expect.Outcome, Won: all[i].Expect.Won}); entry != want {
			t.Errorf("line %d: %+v, want %+v", i+1, entry, want)
		}
	}
}

func checkMoves(t *testing.T, line int, v vector, got api.KlaverjasSolution) {
	t.Helper()
	if got.Won != v.Expect.Won || got.Outcome == nil || *got.Outcome != v.Expect.Outcome || got.Moves == nil {
		t.Errorf("line %d: outcome %v, moves %v, want %d", line, got.Outcome, got.Moves, v.Expect.Outcome)
		return
	}
	moves := make(map[string]int)
	for _, m := range *got.Moves {
		moves[m.Card] = m.Outcome
		if m.Won != (m.Outcome > 0) || m.Best != (m.Outcome == v.Expect.Outcome) {
			t.Errorf("line %d: %+v, the outcome of the position is %d", line, m, v.Expect.Outcome)
		}
	}
	want := v.Expect.Moves
	if want == nil { // a whole deal without verified moves has every legal card
		if len(moves) != len(v.Expect.Legal) {
			t.Errorf("line %d: %d moves, want the %d legal ones", line, len(moves), len(v.Expect.Legal))
		}
		return
	}
	if diff := cmp.Diff(want, moves); diff != "" {
		t.Errorf("line %d: moves (-want +got):\n%s", line, diff)
	}
}

// TestConversation sends each position to a process after the answer to the previous one. Then it interrupts the process.
func TestConversation(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals can be sent")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		signal syscall.Signal
		status int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}} {
		t.Run(c.signal.String(), func(t *testing.T) {
			var stderr bytes.Buffer
			process := &exec.Cmd{Path: program, Args: []string{"roem", "solve", "-goal", "win"}, Stderr: &stderr}
			in, err := process.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := process.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := process.Start(); err != nil {
				t.Fatal(err)
			}
			watchdog := time.AfterFunc(testkit.Patience, func() { _ = process.Process.Kill() })
			defer watchdog.Stop()
			answers := bufio.NewScanner(out)
			for _, index := range []string{"1", "2", "3"} {
				if _, err := fmt.Fprintf(in, `{"deal":%q,"trump":"C","leader":"N"}`+"\n", index); err != nil {
					t.Fatal(err)
				}
				var got api.KlaverjasSolution
				if !answers.Scan() {
					t.Fatalf("no answer: %v, %s", answers.Err(), &stderr)
				}
				if err := json.Unmarshal(answers.Bytes(), &got); err != nil || got.Deal.Index != index {
					t.Fatalf("answer %s to deal %s (%v)", answers.Bytes(), index, err)
				}
			}
			if err := process.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			err = process.Wait() // its input is still open
			if got := process.ProcessState.ExitCode(); got != c.status {
				t.Errorf("exit status %d (%v), want %d", got, err, c.status)
			}
			if want := "roem solve: stopped by signal: " + c.signal.String() + "\n"; stderr.String() != want {
				t.Errorf("stderr %q, want %q", &stderr, want)
			}
		})
	}
}

// When a search is interrupted, its line gets no error object, because the line was valid.
func TestInterruptedWork(t *testing.T) {
	hard, err := os.ReadFile("../../testdata/vectors/hard-deals.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	easy := `{"deal":"1","trump":"C","leader":"N"}`
	ctx, cancel := context.WithCancelCause(t.Context())
	var stdout, stderr bytes.Buffer
	out := writerFunc(func(text []byte) (int, error) {
		cancel(cli.Interrupted{Signal: os.Interrupt})
		return stdout.Write(text)
	})
	status := program().Run(ctx, []string{"solve", "-workers", "1", "-goal", "moves"},
		cli.Stdio{In: strings.NewReader(easy + "\n" + strings.Repeat(string(hard), 50)), Out: out, Err: &stderr})
	if status != 130 {
		t.Errorf("exit status %d, want 130; stderr %s", status, &stderr)
	}
	if n := strings.Count(stdout.String(), "\n"); n == 0 || n > 500 || strings.Contains(stdout.String(), `"error"`) {
		t.Errorf("%d answers, want at least the first, not all, and no error:\n%s", n, &stdout)
	}
	if want := "roem solve: stopped by signal: interrupt\n"; stderr.String() != want {
		t.Errorf("stderr %q, want %q", &stderr, want)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }

func TestOutputFails(t *testing.T) {
	full := writerFunc(func([]byte) (int, error) { return 0, syscall.ENOSPC })
	for _, args := range [][]string{
		{"solve", "-goal", "win"},
		{"rank"},
		{"random"},
		{"random", "-n", "1000"},
		{"version"},
		{"help"},
		{"help", "solve"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			var stderr bytes.Buffer
			status := program().Run(t.Context(), args, cli.Stdio{
				In: strings.NewReader(`{"deal":"1","trump":"C","leader":"N"}`), Out: full,
				Err: &stderr,
			})
			if status != 1 || !strings.Contains(stderr.String(), "writing standard output: no space left on device") {
				t.Errorf("exit status %d, stderr %q, want 1 and the write error", status, &stderr)
			}
		})
	}
}

// A read error in the middle of a file is not a usage error.
func TestInputFails(t *testing.T) {
	var stdout, stderr bytes.Buffer
	in := io.MultiReader(strings.NewReader(`{"deal":"1","trump":"C","leader":"N"}`+"\n"), iotest.ErrReader(syscall.EIO))
	status := program().Run(t.Context(), []string{"rank"}, cli.Stdio{In: in, Out: &stdout, Err: &stderr})
	if want := "roem rank: reading -: input/output error\n"; status != 1 || stderr.String() != want {
		t.Errorf("exit status %d, stderr %q, want 1, %q", status, &stderr, want)
	}
	if n := strings.Count(stdout.String(), "\n"); n != 1 {
		t.Errorf("%d answers, want one, to the line before the error", n)
	}
}

// Every command has help with a description of each of its flags.
func TestHelp(t *testing.T) { clitest.Help(t, program()) }

// The help of the commands with players has each kind of player as a word of its own.
func TestHelpNamesThePlayers(t *testing.T) {
	for command, names := range map[string][]string{
		"match": players.Names(), "play": players.Names(), "belote match": belote.Names(),
		"gin-rummy match": append(match.Names(ginrummy.Kinds()), "playout"), "tarok match": match.Names(tarok.Kinds()),
	} {
		help, stderr, status := clitest.Run(t, program(), "", append([]string{"help"}, strings.Fields(command)...)...)
		if status != 0 {
			t.Fatalf("%s: exit status %d, %s", command, status, stderr)
		}
		for _, name := range names {
			if !regexp.MustCompile(`(?m)(^|\s)` + regexp.QuoteMeta(name) + `[\s,.]`).MatchString(help) {
				t.Errorf("%s: the help does not name the player %s: %s", command, name, help)
			}
		}
	}
}
