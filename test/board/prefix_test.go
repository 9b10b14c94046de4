package board_test

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"roem/internal/api"
	"roem/internal/testkit"
	"roem/internal/web"
)

// below is the path of another server below which the tests have the pages.
const below = "/roem"

// nginxBelow is the configuration of a proxy that has a site below the path, and answers 418 to everything else. Its arguments are a
// folder, the address of the proxy, where it sends requests, and more directives.
const nginxBelow = `daemon off; worker_processes 1; pid %[1]s/pid; error_log %[1]s/error.log; %[5]s
events { worker_connections 512; }
http {
  access_log off; client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u;
  scgi_temp_path %[1]s/s;
  server {
    listen %[2]s;
    location /roem/ {
      proxy_pass %[3]s; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off;
      proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr; %[4]s
    }
    location / { return 418; }
  }
}`

// proxied starts an nginx with a site below the path, and returns the site as browsers see it.
func proxied(t *testing.T, s *site, target, more string) *site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	_ = listener.Close()
	dir, user := t.TempDir(), ""
	if os.Getuid() == 0 {
		user = "user root;"
	}
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, nginxBelow, dir, addr, s.url+target, more, user), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("nginx")
	if err != nil {
		program = "/usr/sbin/nginx" // which is not in every PATH
	}
	nginx := exec.Command(program, "-p", dir, "-c", file, "-e", filepath.Join(dir, "error.log"))
	nginx.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	var said bytes.Buffer
	nginx.Stdout, nginx.Stderr = &said, &said
	if err := nginx.Start(); err != nil {
		t.Fatalf("%v (make deps-test installs it)", err)
	}
	ended := make(chan struct{})
	go func() { _ = nginx.Wait(); close(ended) }()
	t.Cleanup(func() { _ = nginx.Process.Signal(syscall.SIGTERM); <-ended })
	for deadline := time.Now().Add(testkit.Patience); ; time.Sleep(10 * time.Millisecond) {
		if conn, err := net.Dial("tcp", addr); err == nil {
			_ = conn.Close()
			return &site{url: "http://" + addr + below}
		}
		if time.Now().After(deadline) {
			t.Fatalf("nginx does not listen: %s", said.String())
		}
	}
}

// stays fails the test for a request of the page that left the path.
func (t *tab) stays() {
	t.tb.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.requests {
		if u, err := url.Parse(r); err != nil || u.Scheme == "http" && !strings.HasPrefix(u.Path, below+"/") {
			t.tb.Errorf("a request has left %s: %s", below, r)
		}
	}
}

// The pages work below a path of another server, whether the proxy removes the path and names it, or passes it on to a server that is
// configured with it. No request and no link leaves the path.
func TestBelowAPath(t *testing.T) {
	trusting := func(o *options) { o.clients.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }
	for name, test := range map[string]struct {
		change       []func(*options)
		target, more string
	}{
		"removed and named": {[]func(*options){trusting}, "/", "proxy_set_header X-Forwarded-Prefix /roem;"},
		"passed on":         {[]func(*options){trusting, func(o *options) { o.base = below; o.embedders = []string{"*"} }}, "", ""},
		"removed":           {[]func(*options){trusting, func(o *options) { o.base = below }}, "/", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := proxied(t, newSite(t, test.change...), test.target, test.more)
			t.Run("pages", func(t *testing.T) { pagesBelow(t, s) })
			t.Run("job", func(t *testing.T) { jobBelow(t, s) })
			t.Run("game", func(t *testing.T) { gameBelow(t, s) })
		})
	}
}

// pagesBelow opens every page, and follows its links.
func pagesBelow(t *testing.T, s *site) {
	t.Helper()
	paths := []string{"/", "/?language=nl", "/docs", "/docs/errors", "/docs/developers"}
	for _, p := range web.Pages {
		paths = append(paths, p.Path)
	}
	seen := map[string]bool{}
	for _, path := range paths {
		page := open(t, s, path)
		page.until("document.readyState === 'complete'")
		if path == "/docs" {
			page.until("document.querySelector('.opblock')")
			if got := eval[string](page, "document.querySelector('.servers option').value"); got != below+"/" {
				t.Errorf("the documentation sends requests to %q", got)
			}
		}
		for _, link := range eval[[]string](page, "[...document.querySelectorAll('a[href]')].map(a => a.href.replace(/#.*/, ''))") {
			u, err := url.Parse(link)
			if err != nil || u.Scheme != "http" || seen[link] {
				continue
			}
			seen[link] = true
			if !strings.HasPrefix(link, s.url+"/") {
				t.Errorf("%s has the link %s", path, link)
				continue
			}
			if answer, err := http.Get(link); err != nil || answer.StatusCode != http.StatusOK {
				t.Errorf("%s has the link %s: %v", path, link, err)
			} else {
				_ = answer.Body.Close()
			}
		}
		page.stays()
	}
	if len(seen) < 12 {
		t.Errorf("only %d links", len(seen))
	}
}

// jobBelow follows a job to its end, on the page and by its links.
func jobBelow(t *testing.T, s *site) {
	t.Helper()
	job := request[api.Job](t, s, http.MethodPost, "/v1/jobs", map[string]any{
		"kind": "klaverjas.solve", "request": map[string]any{"trump": "S", "leader": "S", "deal": "71234567890123456"},
	})
	origin := strings.TrimSuffix(s.url, below)
	for _, link := range []string{job.Links.Self, job.Links.Events} {
		answer, err := http.Get(origin + link)
		if err != nil || answer.StatusCode >= 300 || !strings.HasPrefix(link, below+"/v1/jobs/") {
			t.Errorf("the link %s: %v", link, err)
		} else {
			_ = answer.Body.Close()
		}
	}
	page := open(t, s, "/jobs#"+job.Id)
	row := fmt.Sprintf("[data-job=%q]", job.Id)
	page.until(fmt.Sprintf("document.querySelector('%s.succeeded .open')", row))
	page.click(row + " .open")
	page.until("location.pathname === '/roem/board' && document.getElementById('outcome')")
	page.stays()
}

// gameBelow plays a hand against the program.
func gameBelow(t *testing.T, s *site) {
	t.Helper()
	page := open(t, s, "/board#v=1&m=play")
	page.until("document.querySelector('#lobby-play')")
	page.click("#lobby-play")
	page.click("#play-begin")
	page.until("document.querySelector('.auction [data-call], #felt .card.legal')")
	page.playHand()
	page.stays()
	if g := page.game(); !strings.HasPrefix(g.Links.Self, below+"/v1/klaverjas/sessions/") {
		t.Errorf("the session has the link %s", g.Links.Self)
	}
	answer, err := http.Post(s.url+sessionsPath, "application/json", strings.NewReader(`{"leader": "S", "seat": "S"}`))
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if at := answer.Header.Get("Location"); !strings.HasPrefix(at, below+"/v1/klaverjas/sessions/") {
		t.Errorf("the session is at %s", at)
	}
}
