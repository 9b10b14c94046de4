package test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"roem/internal/testkit"
)

// Each example runs against a server as it is written.
func TestExamples(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs programs without the race detector")
	}
	s := start(t)
	hand := []string{"-calls", "pass pass", "JH", "9H", "8H", "AS", "10S", "7S", "KD", "8C"}
	inGo, inPython := []string{"-C", "../examples/bidding-assistant", "run", "."}, []string{"../examples/bidding-assistant/assistant.py"}
	const (
		call  = `^Call H\. Declaring with H as trump is worth \+84 points, passing -67 points\.\nH: \+84 points, `
		seven = `^[\d/: ]*The request is impossible: /hand: has 7 cards, expected 8\. \(POST http://[\d.:]+/v1/klaverjas/bid\)\n`
	)
	for name, tt := range map[string]struct {
		program string // which must be there
		args    []string
		says    string
	}{
		"bidding assistant":                            {"go", slices.Concat(inGo, hand), call},
		"bidding assistant with seven cards":           {"go", slices.Concat(inGo, hand[:len(hand)-1]), seven},
		"bidding assistant in Python":                  {"python3", slices.Concat(inPython, hand), call},
		"bidding assistant in Python with seven cards": {"python3", slices.Concat(inPython, hand[:len(hand)-1]), seven},
		"batch": {"python3", []string{"../examples/batch.py"}, `^job \w+\n(\[#* *\] \d+ of 1000\n)+the mean outcome is -22\.1\n$`},
		"card site": {
			"node",
			[]string{script(t, "../examples/card-site/site.ts")},
			`^Trump hearts, S and partner: \d+ points\.\n(\w+: [a-z]+\n){8}With all cards open the declarers win \d+ of 200 deals\.\n$`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(tt.program); err != nil {
				t.Skip(err)
			}
			run := exec.Command(tt.program, tt.args...)
			run.Env = append(os.Environ(), "ROEM="+s.url, "PYTHONPATH=../clients/python", "PYTHONDONTWRITEBYTECODE=1")
			out, err := run.CombinedOutput()
			if !regexp.MustCompile(tt.says).Match(out) {
				t.Errorf("%v: %s\nwant %s", err, out, tt.says)
			}
		})
	}
}

// TestBatchSurvives kills the server while the example of a batch follows its job, and starts it again.
func TestBatchSurvives(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs programs without the race detector")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	data := "ROEM_DATA=" + filepath.Join(t.TempDir(), "data")
	s := start(t, data)
	batch := exec.Command("python3", "-u", "../examples/batch.py")
	batch.Env = append(os.Environ(), "ROEM="+s.url, "PYTHONPATH=../clients/python", "PYTHONDONTWRITEBYTECODE=1")
	batch.Stderr = os.Stderr
	out, err := batch.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := batch.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "[#") {
	}
	s.kill()
	startAt(t, s.addr, data)
	last := ""
	for lines.Scan() {
		last = lines.Text()
	}
	if err := batch.Wait(); err != nil || last != "the mean outcome is -22.1" {
		t.Errorf("%v: %q", err, last)
	}
}

// TestCardSitePage plays a hand as the page of the card site does: with hints, and with a card that is not legal.
func TestCardSitePage(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs programs without the race detector")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip(err)
	}
	site := exec.Command("node", script(t, "../examples/card-site/site.ts"), "../examples/card-site/page.html")
	site.Env = append(os.Environ(), "ROEM="+start(t).url, "PORT=0")
	site.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := site.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := site.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = site.Process.Kill(); _ = site.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	if _, page, err := get(address + "/"); err != nil || !strings.Contains(string(page), "<h1>A hand of Klaverjas</h1>") {
		t.Fatalf("the page is %q (%v)", page, err)
	}
	ask := func(what, body string, into any) int {
		t.Helper()
		answer, err := client(testkit.Patience).Post(address+"/"+what, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode
	}
	var hand struct {
		ID, State string
		Acts      int
	}
	var other struct {
		Detail, Card string
		Cards        []struct{ Verdict string }
	}
	ask("deal", "{}", &hand)
	code := ask("play", fmt.Sprintf(`{"id": %q, "acts": 0, "card": "1X"}`, hand.ID), &other)
	if code != 400 || !strings.Contains(other.Detail, "1X") {
		t.Errorf("a card that is none: %d %q", code, other.Detail)
	}
	for hand.State == "playing" {
		ask("hint", fmt.Sprintf(`{"id": %q}`, hand.ID), &other)
		if code := ask("play", fmt.Sprintf(`{"id": %q, "acts": %d, "card": %q}`, hand.ID, hand.Acts, other.Card), &hand); code != 200 {
			t.Fatalf("the hint %s: %d", other.Card, code)
		}
	}
	if ask("review", fmt.Sprintf(`{"id": %q}`, hand.ID), &other); len(other.Cards) < 8 {
		t.Errorf("%d cards are reviewed", len(other.Cards))
	}
	wins := 0
	if code := ask("wins", "{}", &wins); code != 200 || wins == 0 {
		t.Errorf("%d: %d wins", code, wins)
	}
}

// script returns the file of a TypeScript program as JavaScript.
func script(t *testing.T, file string) string {
	t.Helper()
	from, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	into := filepath.Join(t.TempDir(), "script.mjs")
	settings, err := filepath.Abs("../examples/tsconfig.json")
	if err != nil {
		t.Fatal(err)
	}
	esbuild := exec.Command("go", "-C", "../tools", "tool", "esbuild", from, "--bundle", "--platform=node", "--format=esm",
		"--tsconfig="+settings, "--outfile="+into, "--log-level=warning")
	if out, err := esbuild.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return into
}

// TestBatchWithoutServer starts the example of a batch where no server listens. It says so at once, without a traceback.
func TestBatchWithoutServer(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	batch := exec.Command("python3", "../examples/batch.py")
	batch.Env = append(os.Environ(), "ROEM=http://127.0.0.1:9", "PYTHONPATH=../clients/python", "PYTHONDONTWRITEBYTECODE=1")
	out, err := batch.CombinedOutput()
	want := "http://127.0.0.1:9/version: Nothing listens there. Is the server running? Start it with: make run\n"
	if err == nil || string(out) != want {
		t.Errorf("%v, and it says %q, want %q", err, out, want)
	}
}
