package board_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"roem/internal/api"
)

// process is a server of its own process, which keeps what it knows in a folder.
type process struct {
	tb   testing.TB
	path string
	addr string
	data string
	cmd  *exec.Cmd
}

// newProcess builds the server, and starts it on a port that stays the same.
func newProcess(tb testing.TB) *process {
	tb.Helper()
	dir := tb.TempDir()
	p := &process{tb: tb, path: filepath.Join(dir, "server"), data: filepath.Join(dir, "data")}
	if out, err := exec.CommandContext(tb.Context(), "go", "build", "-o", p.path, "roem/cmd/server").CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	free, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p.addr = free.Addr().String()
	if err := free.Close(); err != nil {
		tb.Fatal(err)
	}
	p.start()
	tb.Cleanup(p.kill)
	return p
}

func (p *process) start() {
	p.tb.Helper()
	p.cmd = exec.Command(p.path)
	p.cmd.Env = append(os.Environ(), "ROEM_ADDR="+p.addr, "ROEM_DATA="+p.data)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		p.tb.Fatal(err)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		r, err := http.Get("http://" + p.addr + "/readyz")
		if err == nil {
			_ = r.Body.Close()
		}
		switch {
		case err == nil && r.StatusCode == http.StatusOK:
			return
		case time.Now().After(deadline):
			p.tb.Fatalf("the server is not ready: %v", err)
		}
	}
}

// kill ends the server with SIGKILL.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// playsOn does what a person does next: calls, plays a card, and asks again after the connection was lost.
const playsOn = `(document.querySelector('#offline button') ?? document.querySelector('#claim:not([aria-disabled=true])') ?? ` +
	`document.querySelector('.auction [data-call]:not([aria-disabled=true])') ?? document.querySelector('#felt .card.legal') ?? ` +
	`document.body).click() ?? true`

// A match of 16 hands with bidding, in which the server is killed three times and the page is read again twice. In a running hand and
// in one that is over the player steps back; after a hand all cards are shown. At the end the sheet has what was seen after each hand.
func TestMatchSurvives(t *testing.T) {
	sweep(t)
	t.Parallel()
	if *withoutServer {
		t.Skip("speaks of the server: it is killed")
	}
	server := newProcess(t)
	s := &site{url: "http://" + server.addr}
	p := open(t, s, "/board#v=1&m=play")
	p.allow("ERR_")
	p.still()
	p.click("#lobby-play")
	p.until("document.querySelector('#play-hands')")
	eval[bool](p, `(e => { e.value = '16'; e.dispatchEvent(new Event('change', {bubbles: true})); return true })`+
		`(document.querySelector('#play-hands'))`)
	p.click("#play-begin")
	p.until("document.querySelector('.auction, #felt .card.legal')")
	var results []string
	var claims int
	for hand := 1; hand <= 16; hand++ {
		p.until(fmt.Sprintf("document.querySelector('#deal-line')?.textContent.includes('%d') && !document.querySelector('#result')", hand))
		cards := 0
		for !eval[bool](p, "!!document.querySelector('#result')") {
			claims += eval[int](p, "document.querySelector('#claim') ? 1 : 0")
			eval[bool](p, playsOn)
			cards++
			switch {
			case cards == 4 && (hand == 3 || hand == 8):
				server.kill()
				eval[bool](p, playsOn) // goes to a server that is not there
				server.start()
			case cards == 5 && (hand == 5 || hand == 11):
				p.until("document.querySelector('.auction, #felt .card.legal, #result')")
				p.reload()
				p.until("document.querySelector('.auction, #felt .card.legal, #result')")
				if eval[bool](p, "!!document.querySelector('#felt .card.legal')") {
					p.stepsBack(false)
				}
			}
		}
		if hand == 5 {
			p.stepsBack(true)
		}
		results = append(results, eval[string](p, "document.querySelector('#result b').textContent"))
		if hand == 14 {
			server.kill()
			p.click("#next-hand")
			p.until("document.querySelector('#offline')")
			server.start()
			p.click("#offline button")
		} else if hand < 16 {
			p.click("#next-hand")
		}
	}
	g := p.game()
	if g.State != api.KlaverjasSessionStateOver || len(g.Results) != 16 {
		t.Fatalf("the match is %s after %d hands", g.State, len(g.Results))
	}
	p.click("#tab-sheet")
	p.until("document.querySelector('.sheet')")
	rows := eval[[]string](p, `[...document.querySelectorAll('.sheet tbody tr')]`+
		`.map(r => [...r.children].slice(-2).map(c => c.textContent).join('–'))`)
	var us, them int
	for i, r := range g.Results {
		us, them = us+r.Points.NS, them+r.Points.EW
		if want := fmt.Sprintf("%d–%d", r.Points.NS, r.Points.EW); results[i] != want || rows[i] != want {
			t.Errorf("hand %d: after it the page had %s, the sheet has %s, the server %s", i+1, results[i], rows[i], want)
		}
	}
	total := eval[string](p, `[...document.querySelectorAll('[data-total]')].map(c => c.textContent.replace(/\D/g, '')).join(' ')`)
	if want := fmt.Sprintf("%d %d", us, them); total != want || g.Totals.NS != us || g.Totals.EW != them {
		t.Errorf("the sheet ends with %s, the server with %+v, want %s", total, g.Totals, want)
	}
	if got := eval[string](p, "document.querySelector('#rating-now')?.textContent ?? ''"); !strings.Contains(got, "over 16 hands") {
		t.Errorf("the rating is %q", got)
	}
	t.Logf("%d claims; %s", claims, total)
}

// stepsBack goes to the beginning of the hand and back to its end. The cards of the others are there when the hand is over, and otherwise
// not.
func (t *tab) stepsBack(over bool) {
	t.tb.Helper()
	count := eval[string](t, "document.querySelector('.count').textContent")
	t.click("#first")
	t.until("document.querySelector('.count').textContent.startsWith('0 ')")
	shown := eval[int](t, "document.querySelectorAll('.other .shown li').length")
	if want := map[bool]int{true: 24, false: 0}[over]; shown != want {
		t.tb.Errorf("at the beginning of the hand %d cards of the others are shown, want %d", shown, want)
	}
	if own := eval[int](t, "document.querySelectorAll('.own .card').length"); own != 8 {
		t.tb.Errorf("at the beginning of the hand %d own cards are shown", own)
	}
	t.click("#last")
	t.until(fmt.Sprintf("document.querySelector('.count').textContent === %q", count))
}

// joinEnding gives the page a game in which nothing is left to decide: West has the two highest trumps, and no other trump is out.
func (t *tab) joinEnding() {
	t.tb.Helper()
	g := request[api.KlaverjasSession](t.tb, t.site, "POST", sessionsPath, map[string]any{
		"seat": "W", "compare": "master", "players": map[string]string{"partner": "club", "opponents": "club"},
		"position": map[string]any{
			"trump": "S", "leader": "W", "declarer": "EW",
			"hands": map[string][]string{
				"N": strings.Fields("9C KC 10D QD AD 9H 10H 10S"), "E": strings.Fields("7C JC 9D JD KD 7H 7S JS"),
				"S": strings.Fields("8C QC 7D 8H JH QH AH QS"), "W": strings.Fields("10C AC 8D KH 8S 9S KS AS"),
			},
			"played": strings.Fields("AC 9C 7C QC 10C KC JC 8C 8D 10D 9D 7D 10H 7H 8H KH QD JD QS 9S 8S 10S JS JH"),
		},
	})
	eval[bool](t, fmt.Sprintf("(localStorage.setItem('roem.game', %q), true)", g.Id))
	t.navigate("/docs/errors")
	t.navigate("/board#v=1&m=play")
	t.until("document.querySelector('#claim')")
}

// The rest of a hand is played at once where nothing is left to decide, with the key too; the result stands beside the result of a
// master.
func TestClaim(t *testing.T) {
	t.Parallel()
	s := commonSite(t)
	p := open(t, s, "/board#v=1&m=play")
	p.still()
	p.joinEnding()
	p.tabTo("claim")
	p.press("r")
	p.until("document.querySelector('#result')")
	p.until("document.activeElement.id === 'again'")
	if now := p.game(); now.State != api.KlaverjasSessionStateOver || now.Acts != 1 {
		t.Errorf("the game is %s after %d acts", now.State, now.Acts)
	}
	_, same, _ := strings.Cut(words(t, "en", "klaverjas")("comparedSame"), "{own}")
	for range 2 { // a reload does not count the hand again
		if got := eval[string](p, "document.querySelector('#compared').textContent"); !strings.Contains(got, same) {
			t.Errorf("beside the master: %q", got)
		}
		if got := eval[string](p, "document.querySelector('#rating-later').textContent"); !strings.HasPrefix(got, "1 of the 8 hands") {
			t.Errorf("the rating: %q", got)
		}
		p.reload()
		p.until("document.querySelector('#compared')")
	}
}

// The open board plays the rest at once where all lines end alike, and only there.
func TestClaimOpen(t *testing.T) {
	t.Parallel()
	p := open(t, commonSite(t), "/board"+example(wholeHand[:28]...).fragment(-1))
	p.still()
	for _, claim := range []func(){func() { p.click("#claim") }, func() { p.press("r") }} {
		p.until("document.querySelector('#claim')")
		claim()
		p.until("document.querySelector('.count').textContent === '32 / 32' && !document.querySelector('#claim')")
		for n := 31; n >= 28; n-- {
			p.click("#undo")
			p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", n))
		}
	}
	for n := 27; n >= 18; n-- {
		p.click("#undo")
		p.until(fmt.Sprintf("document.querySelector('.count').textContent === '%d / 32'", n))
	}
	if eval[bool](p, "!!document.querySelector('#claim')") {
		t.Error("the rest can be claimed with four tricks left")
	}
	p.press("r")
	p.until(fmt.Sprintf("document.querySelector('#status').textContent === %q", words(t, "en", "klaverjas")("noClaim")))
	if got := p.text(".count"); got != "18 / 32" {
		t.Errorf("a claim that is refused goes to %s", got)
	}
}
