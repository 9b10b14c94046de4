package board_test

// beloteTen is a deal of four suits on the page of Belote, with ten cards played and eight shown.
const beloteTen = "#v=1&t=H&l=A&d=A&a=ADTDTH9HKH9DJD8D9CKDQH7CQSJSACTS&b=KS8HQCAH7SJC8C7H9SJH8S7DTCKCASQD&p=JD8STH7DKHQCAC8C9CTC&i=8"

// beloteDown is the same deal before its cards below have been seen.
const beloteDown = "#v=1&t=H&l=A&d=A&s=CDHS&a=AD..TH..KH..JD..9C..QH..QS..AC..&b=KS..QC..7S..8C..9S..8S..TC..AS.."

// beloteViews are the views of the page of Belote.
var beloteViews = []view{
	{"values", beloteTen, "", ".moves"},
	{"contract", "", "#for-contract", "#for-contract[aria-pressed=true]"},
	{"review", "", "#tab-review; #review-open", ".review"},
	{"known", "", "#review-known; #review-B", "#seat-review"},
	{"enter", "", "#enter", "#enter-dialog"},
	{"face down", "", "#enter; #enter-below-down", "#enter-dialog"},
	{"import", "", "#import", "#import-dialog"},
	{"share", "", "#share", "#share-dialog"},
	{"help", "", "#help", "#help-dialog"},
	{"turned", beloteDown + "&p=JD8S", "", "[data-turned]"},
	{"key", "", "#new", "#key-dialog"},
	{"lobby", "#v=1&m=play", "", "#lobby-play"},
	{"game", "", "#play", "#play-dialog"},
	{"auction", "", "", ".calls"}, // sits down
	{"stop", "", "#stop", "#stop-dialog"},
	{"bid", "", "#tab-advice", "#bid"},
	{"advice", "", "[data-call=C]", "#advice"},
	{"unseen", "", "#tab-modeHidden", "#unseen"},
	{"result", "", "", "#written"}, // plays the hand
	{"reviewed", "", "#review; #undo", "#seat-review"},
	{"record", "", "#share", "#share-dialog"},
	{"help", "", "#help", "#help-dialog"},
	{"earlier", "", "[data-hand='1']", "#hand-now"}, // joins a match
	{"records", "", "#share", "#record-all"},
	{"key", "", "#play; #play-begin", "#key-dialog"},
}

// eachBelote opens every view of the page of Belote in turn and calls f. It plays a hand of one suit.
func (t *tab) eachBelote(f func(view string)) {
	t.tb.Helper()
	t.walk("/belote", beloteViews, map[string]func(){
		"auction": func() { t.sitDown(map[string]string{"play-suits": "1", "play-level": "2"}) },
		"result": func() {
			t.playBelote()
		},
		"earlier": func() { t.joinEarlier("belote") },
	}, func(view string) { f("belote, " + view) })
}
