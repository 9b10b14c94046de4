package board_test

import "strings"

// The example game of the paper on the page of tarok, before its first card, and what was played.
const (
	tarokSetup  = "#v=1&c=two&d=A&h=ABCA4A1BBCACBAABBBB5ACCCC2C3CAAACAABBACBCCC6BABACBABCB&g=3&x=C8CJ&s=kD0"
	tarokPlayed = "DKDCD2HK02HQS8S7SCSKSQS9040803C7C901060910ST1113CTCQ14D4DQ12H42016D31722H32118D119HJCCH215DJCKSJ"
	tarokGame   = tarokSetup + "&p=" + tarokPlayed
)

// tarokViews are the views of the page of tarok.
var tarokViews = []view{
	{"values to a depth", tarokGame + "&i=4", "", ".moves"},
	{"exact values", tarokGame + "&i=31", "", ".line"},
	{"tricks", "", "#tab-tricks", ".review"},
	{"score", tarokGame, "#tab-score", "#score"},
	{"enter", "", "#enter", "#enter-dialog"},
	{"announced", "", "#enter; #enter-said summary", "#enter-kontra"},
	{"import", "", "#import", "#import-dialog"},
	{"share", "", "#share", "#share-dialog"},
	{"help", "", "#help", "#help-dialog"},
	{"rules", strings.Replace(tarokGame, "&h=", "&r=lenm0&h=", 1), "#rules", "#rules-dialog"},
	{"talon", strings.Replace(tarokSetup, "&g=3&x=C8CJ&s=kD0", "", 1), "", "[data-group]"},
	{"discards", "", "[data-group='1']", "#exchange-again"},
	{"klop", strings.Replace(strings.Replace(tarokSetup, "c=two&d=A", "c=klop", 1), "&g=3&x=C8CJ&s=kD0", "", 1), "", "#thirds-C"},
	{"key", "", "#new", "#key-dialog"},
	{"lobby", "#v=1&m=play", "", "#lobby-play"},
	{"game", "", "#play", "#play-dialog"},
	{"bidding", "", "#play; #play-begin", "#felt [data-call]"},
	{"advice", "", "#ask", "#follow"},
	{"playing", "", "", "#felt .card.legal"}, // bids and exchanges
	{"stop", "", "#stop", "#stop-dialog"},
	{"result", "", "", "body:has(#score) .trick li"}, // plays the hand: its last trick lies there
	{"reviewed", "", "#review; #first", "#seat-review"},
	{"record", "", "#share", "#share-dialog"},
	{"earlier", "", "[data-hand='1']", "#hand-now"}, // joins a match
	{"records", "", "#share", "#record-all"},
	{"help", "", "#help", "#help-dialog"},
	{"key", "", "#play; #play-begin", "#key-dialog"},
}

// eachTarok opens every view of the page of tarok in turn and calls f.
func (t *tab) eachTarok(f func(view string)) {
	t.tb.Helper()
	t.walk("/tarok", tarokViews, map[string]func(){
		"playing": func() {
			for !eval[bool](t, "!!document.querySelector('#felt .trick li') && !!document.querySelector('#felt .card.legal')") {
				eval[string](t, tarokStep)
			}
		},
		"result":  func() { t.playTarok() },
		"earlier": func() { t.joinEarlier("tarok") },
	}, func(view string) { f("tarok, " + view) })
}
