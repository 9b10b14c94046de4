package board_test

import "fmt"

// ginViews are the views of the page of Gin Rummy: what to click, and what is then there.
var ginViews = []struct{ name, click, there string }{
	{"lobby", "", "#lobby-play"},
	{"situation", "#situation", "#situation-dialog"},
	{"example", "#lobby-example", "#advice"},
	{"dialog", "#play", "#play-dialog"},
	{"begun", "", "#act-pass"},          // begins a game
	{"discard", "#act-take", "#advice"}, // the first advice
	{"result", "", "#result"}, // plays the round
}

// eachGin opens every view of the page of Gin Rummy in turn and calls f. It plays a round.
func (t *tab) eachGin(f func(view string)) {
	t.tb.Helper()
	t.navigate("/gin-rummy")
	for _, v := range ginViews {
		switch v.name {
		case "begun":
			t.ginBegin("simple")
		case "result":
			t.ginRound()
			t.click("#tab-sheet")
		}
		if v.click != "" {
			t.click(v.click)
		}
		t.until(fmt.Sprintf("document.querySelector(%q)", v.there))
		f("gin rummy, " + v.name)
		if eval[bool](t, "!!document.querySelector('dialog')") {
			t.click("dialog .dialog-head button")
			t.until("!document.querySelector('dialog')")
		}
	}
}

// ginRound plays the round of the page as it is advised.
func (t *tab) ginRound() {
	t.tb.Helper()
	for {
		t.until("document.querySelector('#result, #act-melds, #advice')")
		switch {
		case eval[bool](t, "!!document.querySelector('#result')"):
			t.until("document.querySelector('#heat[data-late=false]')")
			return
		case eval[bool](t, "!!document.querySelector('#act-melds')"):
			t.ginAct(func() { t.click("#act-melds") })
		default:
			t.ginAct(func() { t.click("#best") })
		}
	}
}
