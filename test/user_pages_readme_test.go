package test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The lines of the README for each client solve the deal of its request, and the first programs of the pages of the clients for TypeScript
// and Python run as they are written. The client for Go has a test of its own.
func TestReadmeOfClients(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs programs without the race detector")
	}
	for _, needed := range []string{"python3", "node"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skip(err)
		}
	}
	readme := read(t, "../README.md")
	deal := regexp.MustCompile(`(?s)-d '(\{.*?\})'`).FindStringSubmatch(readme)
	if deal == nil {
		t.Fatal("the README has no request")
	}
	lines := func(language string) string {
		t.Helper()
		found := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindStringSubmatch(readme)
		if found == nil {
			t.Fatalf("the README has nothing in %s", language)
		}
		return found[1]
	}
	first := func(page, language string) string {
		t.Helper()
		found := regexp.MustCompile("(?s)   ```" + language + "\n(.*?)   ```").FindStringSubmatch(read(t, page))
		if found == nil {
			t.Fatalf("%s has no program", page)
		}
		return strings.ReplaceAll(found[1], "\n   ", "\n")[3:]
	}
	goMain := "package main\n\nimport (\n\t\"context\"\n\t\"encoding/json\"\n\t\"fmt\"\n\n\troem \"roem/clients/go\"\n)\n\nfunc main() {\n" +
		"\tctx, deal := context.Background(), roem.KlaverjasSolveRequest{}\n\t_ = json.Unmarshal([]byte(`" + deal[1] + "`), &deal)\n" +
		lines("go") + "\tfmt.Println(*solution.Outcome, err)\n}\n"
	server := start(t)
	for name, tt := range map[string]struct{ language, program, says string }{
		"README in TypeScript":         {"ts", "import { Roem } from '@roem/client'\nconst deal = " + deal[1] + "\n" + lines("ts"), "34"},
		"README in Python":             {"python", "from roem import Roem\ndeal = " + deal[1] + "\n" + lines("python"), "34"},
		"README in Go":                 {"go", goMain, "34 <nil>"},
		"the client's TypeScript page": {"ts", first("../clients/typescript/README.md", "ts"), "-32 ["},
		"the client's Python page":     {"python", first("../clients/python/README.md", "python"), "-32 ["},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := pageRun{page: userPage{name: name}, server: server, folder: t.TempDir()}
			now := r.program(t, tt.language, "```"+tt.language+"\n"+tt.program+"```\n```text\n```\n")
			if !regexp.MustCompile("(?m)^" + regexp.QuoteMeta(tt.says)).MatchString(now) {
				t.Errorf("it prints something else than %s:\n%s", tt.says, now)
			}
		})
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
