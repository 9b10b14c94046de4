package board_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// driver is a page that does in a frame what a reader does, and sends what it has found. Nothing else drives the browser. The arguments are
// the path of the site, how many files the browser keeps, and the addresses of two positions.
const driver = `<!doctype html><meta charset="utf-8"><title>Driver</title><iframe style="width: 1280px; height: 900px"></iframe>
<script type="module">
const frame = document.querySelector('iframe'), site = %q, files = %d, found = {}
const pause = (ms) => new Promise((done) => setTimeout(done, ms))
async function until(what, is) {
  for (const begin = performance.now(); ; await pause(20)) {
    try {
      const now = is(frame.contentDocument, frame.contentWindow)
      if (await now) return now
    } catch {}
    if (performance.now() > begin + 120_000) throw new Error(what + ': ' + (frame.contentDocument?.body.innerText ?? '').slice(0, 2000))
  }
}
async function show(path) {
  const mark = Symbol()
  frame.contentWindow[mark] = true
  frame.src = site + path
  await until(path, (d, w) => !w[mark] && d.readyState === 'complete' && w.location.pathname === site + path.replace(/#.*/, ''))
}
const valued = (d) => d.querySelector('#outcome') && !d.querySelector('.value.late')
try {
  localStorage.setItem('roem.pace', 'off')
  const begin = performance.now()
  await show('/board.html' + %q)
  await until('values', valued)
  found.value = performance.now() - begin
  await until('a service worker', (_, w) => w.navigator.serviceWorker.controller)
  frame.contentWindow.navigator.serviceWorker.controller.postMessage('later')
  await until('the files', async () => {
    const names = await caches.keys()
    return names.length === 1 && (await (await caches.open(names[0])).keys()).length === files
  })
  await fetch('/cut')
  await show('/belote.html')
  const again = performance.now()
  await show('/board.html' + %q)
  await until('values without a network', valued)
  found.later = performance.now() - again
  await show('/belote.html')
  await show('/board.html#v=1&m=play')
  await until('the lobby', (d) => (d.querySelector('#lobby-play')?.click(), d.querySelector('#play-begin')))
  frame.contentDocument.querySelector('#play-begin').click()
  await until('a hand', (d) => d.querySelector('.auction, #felt .card.legal'))
  await until('the end of the hand', (d) => {
    (d.querySelector('.auction [data-call]:not([aria-disabled=true])') ?? d.querySelector('#felt .card.legal') ?? d.body).click()
    return d.querySelector('#result')
  })
  found.result = frame.contentDocument.querySelector('#result').textContent
} catch (error) {
  found.error = String(error)
}
await fetch('/found', { method: 'POST', body: JSON.stringify(found) })
</script>`

// The site in Firefox: values, and after one visit, without a network, values again and a hand against the computer.
func TestFirefox(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("firefox-esr")
	if err != nil {
		t.Skip("firefox-esr is not installed")
	}
	files, _ := publish(t)
	page := fmt.Sprintf(driver, below, len(siteFiles(t))-notKept, example(wholeHand...).fragment(6), example(wholeHand[:9]...).fragment(7))
	found := make(chan []byte, 1)
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(page))
		case "/cut":
			files.set(siteFiles(t), true)
		case "/found":
			var text json.RawMessage
			_ = json.NewDecoder(r.Body).Decode(&text)
			found <- text
		default:
			files.ServeHTTP(w, r)
		}
	}))
	profile := t.TempDir()
	c := exec.Command(program, "--headless", "--no-remote", "--profile", profile, server.URL+"/")
	c.Env = append(os.Environ(), "MOZ_CRASHREPORTER_DISABLE=1", "HOME="+profile)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(firefoxSettings), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) // with its own processes
		_ = c.Wait()
	})
	select {
	case text := <-found:
		var is struct {
			Error, Result string
			Value, Later  float64
		}
		if err := json.Unmarshal(text, &is); err != nil || is.Error != "" || !strings.Contains(is.Result, "–") {
			t.Errorf("%s %v", text, err)
		}
		t.Logf("the first value after %.0f ms, and from what the browser keeps after %.0f ms", is.Value, is.Later)
	case <-time.After(2 * patience):
		t.Error("Firefox has told nothing")
	}
}

// firefoxSettings keep Firefox from asking other servers.
const firefoxSettings = `user_pref("app.normandy.enabled", false); user_pref("app.update.disabledForTesting", true);
user_pref("browser.safebrowsing.downloads.remote.enabled", false); user_pref("browser.safebrowsing.malware.enabled", false);
user_pref("browser.safebrowsing.phishing.enabled", false); user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false); user_pref("extensions.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false); user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", ""); user_pref("toolkit.telemetry.enabled", false);
`
