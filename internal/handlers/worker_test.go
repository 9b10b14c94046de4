package handlers_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"roem/internal/handlers"
	"roem/internal/web"
)

// The files of the worker are below a folder that is named by their content, so that no client asks for them again. The worker may compile
// WebAssembly and load its files. A server without a worker has none of them, and its pages name none.
func TestPageWorker(t *testing.T) {
	worker, err := web.NewWorker(fstest.MapFS{
		"worker.js": {Data: []byte("program")}, "klaverjas.wasm": {Data: []byte(strings.Repeat("module", 1000))},
		"networks/hand": {Data: []byte("weights")},
	})
	if err != nil {
		t.Fatal(err)
	}
	with := newServer(t, func(c *config) { c.options = func(o *handlers.Options) { o.PageWorker = worker } })
	without := newServer(t)
	for name, kind := range map[string]string{
		"worker.js": "text/javascript; charset=utf-8", "klaverjas.wasm": "application/wasm", "networks/hand": "application/octet-stream",
	} {
		w := with.get(t, "/"+worker.Folder+name)
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != kind || w.Body.String() != string(worker.Files[name]) {
			t.Errorf("%s: %d %s", name, w.Code, w.Header().Get("Content-Type"))
		}
		if cache := w.Header().Get("Cache-Control"); !strings.Contains(cache, "immutable") {
			t.Errorf("%s: Cache-Control %q", name, cache)
		}
		policy := w.Header().Get("Content-Security-Policy")
		for _, allowed := range []string{"script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'", "worker-src 'self'"} {
			if !strings.Contains(policy, allowed) {
				t.Errorf("%s: the policy is %q, want %s", name, policy, allowed)
			}
		}
		if w := without.get(t, "/"+worker.Folder+name); w.Code != http.StatusNotFound {
			t.Errorf("%s of a server without a worker: %d", name, w.Code)
		}
	}
	if w := with.get(t, "/"+worker.Folder+"other"); w.Code != http.StatusNotFound {
		t.Errorf("a file that is not there: %d", w.Code)
	}
	for s, named := range map[*server]bool{with: true, without: false} {
		if page := s.get(t, "/board").Body.String(); strings.Contains(page, worker.Program()) != named {
			t.Errorf("the page names the worker: %v", !named)
		}
	}
}
