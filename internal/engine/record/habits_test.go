package record_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"roem/internal/engine/record"
)

// What people's files have, read as the same hand.
func TestHabits(t *testing.T) {
	const head = "[Game \"klaverjas\"]\n[Dealer \"W\"]\n[Trump \"H\"]\n[Declarer \"NS\"]\n"
	const deal = "[Deal]\nN 7H 8H 9H 10H JH QH KH AH\nE 7C 8C 9C 10C JC QC KC AC\nS 7D 8D 9D JD QD KD AD 7S\nW 10D 8S 9S 10S JS QS KS AS\n"
	const play = "[Play]\nJH 7C 7D 10D\n9H 8C 8D 8S\n[Result \"*\"]\n"
	const symbols = "[Deal]\nN ♥ 7 8 9 10 J Q K A\nE ♣ 7 8 9 T J Q K A\nS ♦ 7 8 9 J Q K A ♠ 7\nW ♦ 10 ♠ 8 9 10 J Q K A\n"
	const colons = "[Deal]\nN H: 7 8 9 10 J Q K A\nE C: 7 8 9 T J Q K A\nS D: 7 8 9 J Q K A S: 7\nW D: 10 S: 8 9 10 J Q K A\n"
	const bare = "[Deal]\nN H 7 8 9 10 J Q K A\nE C 7 8 9 T J Q K A\nS D 7 8 9 J Q K A S 7\nW D 10 S 8 9 10 J Q K A\n"
	const short = "[Deal]\nN Ha 7 8 9 10 B V H A\nE Kl 7 8 9 T B V H A\nS Ru 7 8 9 B V H A Sch 7\nW Ru: 10 Pik: 8 9 10 B V H A\n"
	playedFrom := func(seat string) string { return strings.Replace(play, "[Play]", `[Play "`+seat+`"]`, 1) }
	hands, err := all().Read(head + deal + play)
	if err != nil {
		t.Fatal(err)
	}
	want := record.Write(hands...)
	for name, text := range map[string]string{
		"PBN":                        head + `[Deal "N:.789TJQKA.. ...789TJQKA 7..789JQKA. 89TJQKA..T."]` + "\n" + play,
		"PBN from another seat":      head + `[Deal "W:89TJQKA..T. .789TJQKA.. ...789TJQKA 7..789JQKA."]` + "\n" + play,
		"PBN with letters":           head + `[Deal "N:.H789TJQKA.. ...C789TJQKA S7..D789JQKA. S89TJQKA..DT."]` + "\n" + play,
		"PBN in Dutch":               head + `[Deal "N:.789TBVHA.. ...789TBVHA 7..789BVHA. 89TBVHA..T."]` + "\n" + play,
		"PBN with three hands":       head + `[Deal "N:.789TJQKA.. ...789TJQKA 7..789JQKA. -"]` + "\n" + play,
		"the leader in Play":         strings.Replace(head, "[Dealer \"W\"]\n", "", 1) + deal + playedFrom("N"),
		"columns of seats":           head + deal + "[Play \"N\"]\nJH 7C 7D 10D\n9H 8C 8D 8S\n*\n[Result \"*\"]\n",
		"columns, other seat first":  head + deal + "[Play]\n7C 7D 10D JH\n8C 8D 8S 9H\n-\n[Result \"*\"]\n",
		"the leader twice":           head + deal + playedFrom("noord"),
		"? for unknown":              "[Event \"?\"]\n[Leader \"?\"]\n[Table \"?\"]\n" + head + deal + play,
		"symbols, faces with spaces": head + symbols + play,
		"suits with colons":          head + colons + play,
		"suits as bare letters":      head + bare + play,
		"short names of suits":       head + short + play,
		"numbers and commas":         head + deal + "[Play]\n1. JH, 7C, 7D, 10D\n2. 9H,8C,8D,8S,\n[Result \"*\"]\n",
		"numbers without spaces":     head + deal + "[Play]\n1.JH 7C 7D 10D\n2...9H 8C 8D 8S\n[Result \"*\"]\n",
		"no-break spaces":            strings.ReplaceAll(head+deal+play, " ", "\u00a0"),
		"thin spaces and tabs":       strings.ReplaceAll(head+deal+play, " ", "\u2009\t"),
		"curly quotes":               curly(head, "“", "”") + deal + curly(play, "„", "“"),
		"angle quotes":               curly(head, "«", "»") + deal + play,
		"full width":                 strings.ReplaceAll(head+deal+play, "10H", "１０Ｈ"),
		"characters nobody sees":     "\ufeff" + head + strings.ReplaceAll(deal, "10C", "10\u200bC\u00ad") + "\u200e" + play,
		"lines of Windows":           strings.ReplaceAll(head+deal+play, "\n", "\r\n"),
		"lines of old Macs":          strings.ReplaceAll(head+deal+play, "\n", "\r"),
		"tags in lower case":         strings.ToLower(head) + strings.ReplaceAll(deal, "Deal", "deal") + strings.ReplaceAll(play, "Play", "PLAY"),
	} {
		got, err := all().Read(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if text := strings.Replace(record.Write(got...), "[Event \"?\"]\n", "", 1); text != want {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	const kept = "[North “Jan ‘de boer’ – 10 %”]\n"
	got, err := all().Read(kept + head + deal + play)
	if err != nil || !strings.Contains(record.Write(got...), "[North \"Jan ‘de boer’ – 10 %\"]") {
		t.Errorf("a name: %v", err)
	}
	edited := strings.Replace(want, "[Rules", "[North \"Piet\"]\n[Rules", 1)
	if _, err := all().Read(edited); err != nil {
		t.Errorf("a name after the check was made: %v", err)
	}
}

func curly(text, open, end string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, ` "`, " "+open), `"]`, end+"]")
}

// What cannot be read is told once, with its reason.
func TestHabitsThatAreTold(t *testing.T) {
	const hand = "[Game \"klaverjas\"]\n[Leader \"N\"]\n[Deal \"N H:789TJQKA E C:789TJQKA S D:789TJQK S:7\"]\n"
	wide := func(order [2]int) string {
		var b strings.Builder
		for _, unit := range utf16.Encode([]rune("\ufeff" + hand)) {
			b.WriteByte(byte(unit >> (8 * order[0])))
			b.WriteByte(byte(unit >> (8 * order[1])))
		}
		return b.String()
	}
	const start = "[Game \"klaverjas\"]\n[Leader \"N\"]\n"
	for text, want := range map[string]string{
		wide([2]int{0, 1}): "is UTF-16: save it as UTF-8", wide([2]int{1, 0}): "is UTF-16: save it as UTF-8",
		hand + "\xff":                     "is not UTF-8",
		hand + "\nGroeten,\nPiet\n\nPS\n": "line 5, column 1: \"Groeten,\" stands outside a record",
		hand + "\nGroeten":                "line 5, column 1: \"Groeten\" stands outside a record",
		"Beste allen,\nhier\n\n" + hand:   "line 1, column 1: \"Beste\" stands outside a record",
		start + "[Deal \"N:789T.789T.. ..789T.789T JQKA.JQKA. ..JQKA.JQKA\"]\n":  "has 3 suits, expected 4",
		start + "[Deal \"N:789T.789T.. ..789T.789T JQKA.JQK.. ..JQKA.JQKA\"]\n":  "hand 3 has 7 cards, expected 8",
		start + "[Deal \"N:789T.789X.. ..789T.789T JQKA.JQKA.. ..JQKA.JQKA\"]\n": "are no faces of the suit H",
		"[Game \"klaverjas\"]\n[Trump \"H\"]\n[Dealer \"N\"]\n" +
			"[Deal \"N:789T.789T.. ..789T.789T JQKA.JQKA.. ..JQKA.JQKA\"]\n[Play \"N\"]\n7S": "N leads, but",
	} {
		_, err := all().Read(text)
		if errs, ok := record.AsErrors(err); !ok || !strings.Contains(err.Error(), want) || len(errs) != 1 {
			t.Errorf("%q: %v", text[:40], err)
		}
	}
}
