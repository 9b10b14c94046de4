package board_test

import (
	"fmt"
	"strings"
)

// beloteTen is a deal of four suits on the page of Belote, with ten cards played and eight shown.
const beloteTen = "#v=1&t=H&l=A&d=A&a=ADTDTH9HKH9DJD8D9CKDQH7CQSJSACTS&b=KS8HQCAH7SJC8C7H9SJH8S7DTCKCASQD&p=JD8STH7DKHQCAC8C9CTC&i=8"

// beloteViews are the views of the page of Belote: the address, what to click, and what is then there.
var beloteViews = []struct{ name, address, click, there string }{
	{"values", beloteTen, "", ".moves"},
	{"contract", "", "#for-contract", "#for-contract[aria-pressed=true]"},
	{"review", "", "#tab-review", ".review"},
	{"import", "", "#import", "#import-dialog"},
	{"share", "", "#share", "#share-dialog"},
	{"help", "", "#help", "#help-dialog"},
	{"lobby", "#v=1&m=play", "", "#lobby-play"},
	{"game", "", "#play", "#play-dialog"},
	{"auction", "", "", ".calls"}, // sits down
	{"bid", "", "#tab-advice", "#bid"},
	{"advice", "", "[data-call=C]", "#advice"},
	{"unseen", "", "#tab-modeHidden", "#unseen"},
	{"result", "", "", "#written"}, // plays the hand
}

// eachBelote opens every view of the page of Belote in turn and calls f. It plays a hand of one suit.
func (t *tab) eachBelote(f func(view string)) {
	t.tb.Helper()
	for _, v := range beloteViews {
		switch {
		case v.name == "auction":
			t.sitDown(map[string]string{"play-suits": "1", "play-level": "2"})
		case v.name == "result":
			for !eval[bool](t, "!!document.querySelector('#result')") {
				eval[bool](t, "(document.querySelector('#felt .card.legal')?.click(), true)")
			}
		case v.address != "":
			t.navigate("/docs/errors")
			t.navigate("/belote" + v.address)
		}
		if v.click != "" {
			t.click(v.click)
		}
		t.until(fmt.Sprintf("document.querySelector(%q)", v.there))
		f("belote, " + v.name)
		if strings.HasSuffix(v.there, "-dialog") {
			t.click("dialog .dialog-head button")
			t.until("!document.querySelector('dialog')")
		}
	}
}
