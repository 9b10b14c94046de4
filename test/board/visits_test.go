package board_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"roem/internal/web"
)

// visits records what a browser asks a site for, without the API.
type visits struct {
	mu    sync.Mutex
	asked []visit
}

// visit is a request and what is tested of its answer.
type visit struct {
	path   string
	status int
	coding string
	bytes  int
}

func (v *visits) take() []visit {
	v.mu.Lock()
	defer v.mu.Unlock()
	asked := v.asked
	v.asked = nil
	return asked
}

// watch answers the requests of a site, and records them.
func (v *visits) watch(s *site) {
	s.intercepts(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.URL.Path, "/v1/") {
			return false
		}
		answer := httptest.NewRecorder()
		s.handler.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
		v.mu.Lock()
		defer v.mu.Unlock()
		v.asked = append(v.asked, visit{r.URL.Path, answer.Code, answer.Header().Get("Content-Encoding"), answer.Body.Len()})
		return true
	})
}

// The first visit of a page loads everything compressed. The second asks for the page alone, and the page has not changed. The
// documentation also asks for the contract, which names the address of the server, so that its name cannot change with its content.
func TestSecondVisit(t *testing.T) {
	sweep(t)
	t.Parallel()
	s := newSite(t)
	var v visits
	v.watch(s)
	const complete = "document.readyState === 'complete'"
	pages := map[string]string{"/": complete, "/docs": "document.querySelector('.opblock')", "/docs/errors": complete}
	for _, p := range web.Pages {
		pages[p.Path] = complete
		if p.Later { // what is loaded after the page is shown
			pages[p.Path] = fmt.Sprintf("performance.getEntriesByType('resource').some(e => e.name.includes('/%s-ondemand-') && e.responseEnd)",
				p.Name)
		}
	}
	for path, loaded := range pages {
		tab := open(t, s, "/healthz") // a browser that has seen nothing
		v.take()
		tab.navigate(path)
		tab.until(loaded)
		asked, sum := v.take(), 0
		for _, one := range asked {
			sum += one.bytes
			if one.status != http.StatusOK || one.bytes > 1<<10 && one.coding != "gzip" && one.coding != "br" {
				t.Errorf("%s: %s has the coding %q, status %d", path, one.path, one.coding, one.status)
			}
		}
		t.Logf("%s: the first visit asks for %d files, %d bytes", path, len(asked), sum)
		if len(asked) < 2 {
			t.Errorf("%s: the first visit asks for %v", path, asked)
		}
		tab.navigate("/healthz")
		v.take()
		tab.navigate(path)
		tab.until(loaded)
		unchanged := []visit{{path: path, status: http.StatusNotModified}}
		if path == "/docs" {
			unchanged = append(unchanged, visit{path: "/openapi.yaml", status: http.StatusNotModified})
		}
		if again := v.take(); !slices.Equal(again, unchanged) {
			t.Errorf("%s: the second visit asks for %v", path, again)
		}
	}
}
