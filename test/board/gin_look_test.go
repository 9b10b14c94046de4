package board_test

// ginViews are the views of the page of Gin Rummy.
var ginViews = []view{
	{"lobby", "", "", "#lobby-play"},
	{"enter", "", "#enter", "#enter-dialog"},
	{"situation", "", "#situation", "#situation-dialog"},
	{"example", "", "#lobby-example", "#advice"},
	{"share", "", "#share", "#share-dialog"},
	{"help", "", "#help", "#help-dialog"},
	{"dialog", "", "#play", "#play-dialog"},
	{"begun", "", "", "#act-pass"},          // begins a game
	{"discard", "", "#act-take", "#advice"}, // the first advice
	{"result", "", "#tab-sheet", "#result"}, // plays the round
	{"reviewed", "", "#review; #undo; #undo", "#seat-review"},
	{"record", "", "#share", "#share-dialog"},
	{"lay-offs", "", "#act-layoff", "#layoff-dialog"}, // joins a round in which the computer has knocked
	{"earlier", "", "[data-hand='1']", "#hand-now"},   // joins a match
	{"records", "", "#share", "#record-all"},
	{"key", "", "#play; #play-begin", "#key-dialog"},
}

// eachGin opens every view of the page of Gin Rummy in turn and calls f. It plays a round.
func (t *tab) eachGin(f func(view string)) {
	t.tb.Helper()
	t.navigate("/gin-rummy")
	t.walk("/gin-rummy", ginViews, map[string]func(){
		"begun":    func() { t.ginBegin("simple") },
		"result":   t.ginRound,
		"lay-offs": func() { t.joinKnocked() },
		"earlier":  func() { t.joinEarlier("gin-rummy") },
	}, func(view string) { f("gin rummy, " + view) })
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
