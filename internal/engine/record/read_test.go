package record_test

import (
	"strconv"
	"strings"
	"testing"

	belote "roem/internal/engine/belote/record"
	ginrummy "roem/internal/engine/ginrummy/record"
	klaverjas "roem/internal/engine/klaverjas/record"
	"roem/internal/engine/record"
	tarok "roem/internal/engine/tarok/record"
)

func all() *record.Kinds {
	return &record.Kinds{Kinds: []*record.Kind{klaverjas.Kind, belote.Kind, ginrummy.Kind, tarok.Kind}, Foreign: klaverjas.Foreign}
}

// What has once made readers quadratic: each text has a million characters, and no reading looks at many of them twice. The work is
// counted in allocations, not in time: a reader that copies what is left at each step allocates the square of the length.
func TestHostileTextsAreReadInTheirLength(t *testing.T) {
	const n = 1_000_000
	for _, part := range []string{
		"[", "[Game", "[Game \"klaverjas\"]\n", "[a \"", "\"", "\\", "{", "{ ", "{}", "{\"", "}", ";", "%\n", "\n", " ", "\r\n", "a ",
		"[Deal]\nN ",
		"roem1:", "roem1:klaverjas;", "roem1:klaverjas;Deal=", ".", "%41", "N:", "S: ", "K", "7C ", "[x]", "[x]\n\n", "{\"game\":",
		"[[", "[{", "é",
		"{\"game\":\"klaverjas\"}", "7C/", ":", "N:a.b.c.d ",
	} {
		for _, head := range []string{
			"", "[Game \"klaverjas\"]\n[Deal]\n", "[Game \"tarok\"]\n[Play]\n", "roem1:klaverjas;Deal=", "[x \"", "[Game \"belote\"]\n[Deal]\nA ",
		} {
			text := head + strings.Repeat(part, n/len(part))
			bytes := bytesOf(func() { _, err := all().Read(text); checkErrors(t, text, err) })
			if bytes > 100*n {
				t.Errorf("%q after %q: %d MB allocated", part, head, bytes>>20)
			}
		}
	}
}

func checkErrors(t *testing.T, text string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	errs, ok := record.AsErrors(err)
	if !ok || len(errs) == 0 || len(errs) > 40 {
		t.Fatalf("%T with %d errors", err, len(errs))
	}
	for _, e := range errs {
		if e.Line < 1 || e.Line > 1+strings.Count(text, "\n")+strings.Count(text, "\r") || e.Column < 1 ||
			e.Violation.Detail == "" || len(e.Error()) > 2000 {
			t.Fatalf("line %d, column %d: %.2000s", e.Line, e.Column, e.Error())
		}
	}
}

// The number of words of a field and the number of records of a text are limited in each form.
func TestLimits(t *testing.T) {
	words := strings.Repeat("7C ", record.MaxWords+1)
	for _, text := range []string{
		"[Game \"klaverjas\"]\n[Deal \"" + words + "\"]", "[Game \"klaverjas\"]\n[Deal]\n" + words,
		"roem1:klaverjas;Deal=" + strings.ReplaceAll(words, " ", "."),
		`{"game":"klaverjas","position":{"trump":"C","leader":"N","played":["` + strings.Repeat(`7C","`, record.MaxWords) + `7C"]}}`,
	} {
		_, err := all().Read(text)
		if err == nil || !strings.Contains(err.Error(), "more than 10000 words") && !strings.Contains(err.Error(), "more values than") {
			t.Errorf("%.200s", err)
		}
	}
	var tags strings.Builder
	tags.WriteString("[Game \"klaverjas\"]\n")
	for i := range record.MaxFields {
		tags.WriteString("[T" + strconv.Itoa(i) + " \"\"]\n")
	}
	one := "[Game \"klaverjas\"]\n[Leader \"N\"]\n[Deal \"N H:789TJQKA E C:789TJQKA S D:789TJQK S:7\"]\n\n"
	if hands, err := all().Read(strings.Repeat(one, record.MaxRecords)); err != nil || len(hands) != record.MaxRecords {
		t.Errorf("%d hands, %v", len(hands), err)
	}
	if _, err := all().Read(strings.Repeat(one, 3*record.MaxRecords)); err == nil || !strings.Contains(err.Error(), "is record 1001,") {
		t.Errorf("%v", err)
	}
	if _, err := all().Read(tags.String()); err == nil || !strings.Contains(err.Error(), "more than 100 tags") {
		t.Errorf("%v", err)
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"[Game \"klaverjas\"]\n[Dealer \"W\"]\n[Trump \"H\"]\n[Deal \"N H:789TJQKA E: C:789TJQKA S: D:789JQKA S:7\"]\n" +
			"[Play]\n7H 7C\n[Result \"*\"]\n",
		"roem1:gin-rummy;Starter=me;Upcard=7C;Deal=me.AH.2H;Play=pass.pass.stock%3A9C", "{\"game\":\"tarok\",\"position\":{}}", "[{}]",
		"N:AK.QJ.T9.87/-/-/- AsKsQsJs 100hNSx", `{"History":[],"TroefKleur":"ruiten","TeamGaat":0,"MyCards":"h7"}`, "% x\n; y\n{z}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		hands, err := all().Read(text)
		checkErrors(t, text, err)
		for _, h := range hands {
			written := record.Write(h)
			again, err := all().Read(written)
			if err != nil || len(again) != 1 || record.Write(again[0]) != written {
				t.Errorf("%v of\n%s", err, written)
			}
			if back, err := all().Read(record.Line(h)); err != nil || len(back) != 1 || record.Write(back[0]) != written {
				t.Errorf("%v of %s", err, record.Line(h))
			}
		}
	})
}
