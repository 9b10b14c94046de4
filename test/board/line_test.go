package board_test

import (
	"bytes"
	"mime"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"
)

// line is a slow line to the browser, which all connections share: a connection begins after a round trip, what is sent takes half of one
// in each direction, and the bytes follow each other. The emulation of a slow network in the browser leaves out what workers load.
type line struct {
	bytes float64       // a second, to the browser
	trip  time.Duration // the round trip

	mu   sync.Mutex
	free time.Time // when what was sent before has gone
}

// fourG is the line that WebPageTest calls 4G.
func fourG() *line { return &line{bytes: 9e6 / 8, trip: 170 * time.Millisecond} }

// piece is how many bytes go without a pause: 3.6 ms of 4G.
const piece = 4 << 10

// take waits until so many bytes have gone.
func (l *line) take(n int) {
	l.mu.Lock()
	begin := time.Now()
	if l.free.After(begin) {
		begin = l.free
	}
	l.free = begin.Add(time.Duration(float64(n) / l.bytes * float64(time.Second)))
	gone := l.free
	l.mu.Unlock()
	time.Sleep(time.Until(gone))
}

// slowListener has every connection over the line.
type slowListener struct {
	net.Listener
	line *line
}

func (s slowListener) Accept() (net.Conn, error) {
	c, err := s.Listener.Accept()
	if err != nil {
		return nil, err
	}
	out := &slowConn{Conn: c, line: s.line, begins: s.line.trip, under: make(chan arriving, 1<<16), ended: make(chan struct{})}
	go out.deliver()
	return out, nil
}

// arriving is what arrives at the browser at a time.
type arriving struct {
	at   time.Time
	body []byte
}

type slowConn struct {
	net.Conn
	line   *line
	begins time.Duration // until the connection is there
	under  chan arriving
	ended  chan struct{}
	close  sync.Once
}

func (c *slowConn) deliver() {
	defer close(c.ended)
	for a := range c.under {
		time.Sleep(time.Until(a.at))
		if _, err := c.Conn.Write(a.body); err != nil {
			for range c.under { // the browser has left
			}
			return
		}
	}
}

func (c *slowConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		time.Sleep(c.line.trip/2 + c.begins)
		c.begins = 0
	}
	return n, err
}

func (c *slowConn) Write(b []byte) (int, error) {
	for part := range slices.Chunk(b, piece) {
		c.line.take(len(part))
		c.under <- arriving{time.Now().Add(c.line.trip / 2), bytes.Clone(part)}
	}
	return len(b), nil
}

func (c *slowConn) Close() error {
	c.close.Do(func() { close(c.under) })
	<-c.ended
	return c.Conn.Close()
}

// compressing serves files as servers for many readers do: texts and programs compressed with Brotli, and kept by browsers.
func compressing(tb testing.TB, files map[string][]byte) http.Handler {
	tb.Helper()
	compressed := map[string][]byte{}
	for name, body := range files {
		if slices.Contains([]string{".html", ".js", ".css", ".svg", ".wasm", ".txt", ".webmanifest"}, path.Ext(name)) {
			var out bytes.Buffer
			w := brotli.NewWriterLevel(&out, brotli.BestCompression)
			_, _ = w.Write(body) // a buffer takes everything
			_ = w.Close()
			compressed[name] = out.Bytes()
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, below+"/")
		body, ok := files[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		h.Set("Cache-Control", "no-cache")
		if strings.HasPrefix(name, "docs/") {
			h.Set("Cache-Control", "max-age=31536000, immutable")
		}
		if name == "licences.txt" {
			h.Set("Connection", "close") // the page that is measured begins with no connection
		}
		if strings.Contains(r.Header.Get("Accept-Encoding"), "br") && compressed[name] != nil {
			h.Set("Content-Encoding", "br")
			body = compressed[name]
		}
		_, _ = w.Write(body)
	})
}

// parts are when the parts of a visit have ended, in milliseconds after its beginning.
const parts = `(() => {
	const of = (type) => performance.getEntriesByType(type)
	const at = (part) => Math.round(Math.max(0, ...of('resource').filter(e => e.name.includes(part)).map(e => e.responseEnd)))
	return { page: Math.round(of('navigation')[0].responseEnd), scripts: at('klaverjas-chunk'), texts: at('words-klaverjas-en'),
		local: at('/local-'), worker: at('worker.js'), program: at('klaverjas.wasm'), ready: Math.round(window.readyAt ?? 0),
		value: Math.round(window.firstValue) }
})()`

// How long a visit of the open board of the site takes until the first value: the first visit over a line as slow as 4G, and later ones,
// whose files the browser has. `make proof NAME=site` logs it. The issue asks for 1,500 ms and 300 ms.
func TestFirstValueOfTheSite(t *testing.T) {
	if !*speed {
		t.Skip("make proof NAME=site measures it")
	}
	browser(t)
	server := httptest.NewUnstartedServer(compressing(t, siteFiles(t)))
	server.Listener = slowListener{server.Listener, fourG()}
	server.Start()
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	s := &site{url: server.URL + below, alone: &alone{tb: t}}
	board := "/board.html" + example("KH").fragment(-1)
	const watch = `addEventListener('roem-ready', () => (window.readyAt = performance.now()))
		new MutationObserver(() => {
			if (window.firstValue === undefined && document.querySelector('#felt .value:not(.late)')) window.firstValue = performance.now()
		}).observe(document, {childList: true, subtree: true, attributes: true})`
	visit := func(p *tab, what string) float64 {
		t.Helper()
		p.script(watch)
		p.navigate(board)
		p.until("window.firstValue")
		times := eval[map[string]float64](p, parts)
		t.Logf("%s: %v", what, times)
		return times["value"]
	}
	var first, later []float64
	for range *firstVisits {
		p := open(t, s, "/licences.txt")
		first = append(first, visit(p, "first visit"))
		p.kept()
		for range 3 {
			stopServiceWorkers(t, p)
			later = append(later, visit(p.another("/rules.html"), "later visit"))
		}
	}
	for what, took := range map[string][]float64{"first visit": first, "later visits": later} {
		slices.Sort(took)
		t.Logf("%s: to the first value %.0f ms in the median, %.0f to %.0f", what, took[len(took)/2], took[0], took[len(took)-1])
	}
}

// stopServiceWorkers ends the service workers, as a browser does some time after the pages have left.
func stopServiceWorkers(tb testing.TB, p *tab) {
	tb.Helper()
	for _, command := range []cdp.Command[cdp.Empty, cdp.Empty]{serviceworker.Enable, serviceworker.StopAllWorkers} {
		if _, err := chromedp.Call(p.ctx, command, cdp.Empty{}); err != nil {
			tb.Fatal(err)
		}
	}
}
