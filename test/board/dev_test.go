package board_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

func TestDev(t *testing.T) {
	s := newSite(t)
	p := open(t, s, "/board"+os.Getenv("DEV_HASH"))
	p.allow("")
	_ = emulation.SetEmulatedMedia
	n := 0
	for _, step := range strings.Split(os.Getenv("DEV"), ";") {
		step = strings.TrimSpace(step)
		switch {
		case strings.HasPrefix(step, "size "):
			var w, h int64
			fmt.Sscanf(step, "size %d %d", &w, &h)
			p.do(chromedp.EmulateViewport(w, h))
		case strings.HasPrefix(step, "click "):
			p.click(step[6:])
		case strings.HasPrefix(step, "until "):
			p.until(step[6:])
		case strings.HasPrefix(step, "eval "):
			t.Log(eval[any](p, step[5:]))
		case strings.HasPrefix(step, "press "):
			p.press(step[6:])
		case step == "shot" || step == "full":
			var b []byte
			var err error
			if step == "full" {
				b, err = chromedp.Run(p.ctx, chromedp.FullScreenshot(90))
			} else {
				b, err = chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
			}
			if err != nil {
				t.Fatal(err)
			}
			n++
			os.WriteFile(fmt.Sprintf("/tmp/roem-board/shot%d.png", n), b, 0o644)
		}
	}
	for _, m := range p.messages {
		t.Log(m)
	}
}
