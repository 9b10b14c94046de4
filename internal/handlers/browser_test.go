package handlers_test

import (
	"bytes"
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/testkit"
)

// The documentation page, in a browser that can reach only the server, shows every path of the contract and does not violate its own
// policy. `make test` installs Chromium.
func TestDocsInABrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		t.Skip("chromium-headless-shell is not installed; make deps-test installs it")
	}
	s := newServer(t)
	web := httptest.NewServer(s)
	defer web.Close()
	// TempDir fails if something still writes there, as parts of the browser may.
	home, err := os.MkdirTemp("", "roem-browser-")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(home) }()
	args := []string{
		"--headless", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir=" + home, "--enable-logging=stderr",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--virtual-time-budget=20000", "--dump-dom",
	}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // Chromium has no sandbox for root
	}
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
	defer cancel()
	var page, log bytes.Buffer
	c := exec.CommandContext(ctx, browser, append(args, web.URL+"/docs")...)
	c.Stdout, c.Stderr, c.WaitDelay = &page, &log, testkit.Patience
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, log.Bytes())
	}
	var got, want []string
	for _, path := range regexp.MustCompile(`data-path="([^"]+)"`).FindAllStringSubmatch(page.String(), -1) {
		got = append(got, path[1])
	}
	for path := range s.doc.Paths.Map() {
		want = append(want, path)
	}
	slices.Sort(got)
	got = slices.Compact(got) // a path has several methods
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("paths on the page (-contract +page)\n%s", diff)
	}
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "CONSOLE") || strings.Contains(line, "Content Security Policy") {
			t.Errorf("an error in the console of the page: %s", line)
		}
	}
}
