// Package chromium is for tests: a real browser without a window.
package chromium

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"
)

// Find returns where the browser is. Without one it skips the test.
func Find(tb testing.TB) string {
	tb.Helper()
	path, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		tb.Skip("chromium-headless-shell is not installed; make deps-test installs it")
	}
	return path
}

// Start starts the browser at a path, with a window of a desk. It can reach only this machine. Its context makes tabs; end ends it.
func Start(path string) (ctx context.Context, end func(), err error) {
	home, err := os.MkdirTemp("", "roem-board-") // the folder can live longer than a test
	if err != nil {
		return nil, nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(home), chromedp.WindowSize(1280, 900), chromedp.DisableGPU,
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("lang", "en-US"),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium has no sandbox for root
	}
	allocator, endAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	end = func() {
		_ = chromedp.Cancel(ctx)
		cancel()
		endAllocator()
		_ = os.RemoveAll(home)
	}
	return ctx, end, chromedp.Do(ctx)
}
