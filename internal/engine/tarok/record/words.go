package record

import (
	"strconv"
	"strings"

	"roem/internal/engine/record"
	"roem/internal/engine/tarok"
	"roem/internal/engine/violation"
)

// The words of the rules and of announcements, by value.
var (
	leadWords       = []string{"forehand", "declarer"}
	orderWords      = []string{"forehand_first", "forehand_last"}
	differenceWords = []string{"exact", "rounded", "none"}
	kontraWords     = []string{"none", "kontra", "re", "sub", "mort"}
)

// rulesWords returns the rules that are not the usual ones.
func rulesWords(r tarok.Rules) (out []string) {
	if r.Mond != tarok.DefaultRules.Mond {
		out = append(out, "mond="+strconv.Itoa(r.Mond))
	}
	if r.NoEmperor {
		out = append(out, "emperor=no")
	}
	if r.Leads != 0 {
		out = append(out, "lead="+leadWords[r.Leads])
	}
	if r.Difference != 0 {
		out = append(out, "difference="+differenceWords[r.Difference])
	}
	if r.Order != 0 {
		out = append(out, "bidding="+orderWords[r.Order])
	}
	if r.PlainValat {
		out = append(out, "valat_kontra=no")
	}
	if r.OwnPagat {
		out = append(out, "defenders_pagat=no")
	}
	return out
}

func readRules(f *record.Fields) tarok.Rules {
	r := tarok.DefaultRules
	off := func(value string) (bool, error) { // whether a rule that usually holds does not
		i, err := violation.ParseWord[int](value, "yes", "no")
		return i == 1, err
	}
	for _, w := range f.Words("Rules") {
		name, value, _ := strings.Cut(strings.ToLower(w.Text), "=")
		var err error
		switch name {
		case "mond":
			if r.Mond, err = record.Number(value); err == nil && (r.Mond < 0 || r.Mond > 100) {
				err = violation.Number(r.Mond, 0, 100)
			}
		case "emperor":
			r.NoEmperor, err = off(value)
		case "lead":
			r.Leads, err = violation.ParseWord[tarok.Leads](value, leadWords...)
		case "difference":
			r.Difference, err = violation.ParseWord[tarok.Difference](value, differenceWords...)
		case "bidding":
			r.Order, err = violation.ParseWord[tarok.Order](value, orderWords...)
		case "valat_kontra":
			r.PlainValat, err = off(value)
		case "defenders_pagat":
			r.OwnPagat, err = off(value)
		default:
			err = violation.Word(name, "mond", "emperor", "lead", "difference", "bidding", "valat_kontra", "defenders_pagat")
		}
		f.Refuse(w.At, "Rules", err)
	}
	return r
}

// readSaid reads what was announced and doubled, and the radli.
func readSaid(f *record.Fields) (a tarok.Announcements) {
	a.Kontra, _ = record.Parse(f, "Kontra", func(text string) (int, error) {
		return violation.ParseWord[int](strings.ToLower(text), kontraWords...)
	})
	for _, w := range f.Words("Announcements") {
		name, rest, _ := strings.Cut(strings.ToLower(w.Text), "=")
		side, doubled, _ := strings.Cut(rest, "+")
		b, err := tarok.ParseBonus(name)
		var said tarok.Announced
		if err == nil {
			var i int
			i, err = violation.ParseWord[int](side, "opponents", "declarer")
			said.By = tarok.Side(2*i - 1)
		}
		if err == nil && doubled != "" {
			said.Kontra, err = violation.ParseWord[int](doubled, kontraWords...)
		}
		if !f.Refuse(w.At, "Announcements", err) {
			return a
		}
		a.Bonuses[b] = said
	}
	words := f.Words("Radli")
	for i := 0; i < len(words); i += 2 {
		p, err := tarok.ParsePlayer(words[i].Text)
		if !f.Refuse(words[i].At, "Radli", err) {
			return a
		}
		if i+1 == len(words) {
			f.Wrong(words[i].At, "Radli", violation.New(violation.Needed, "has no number after %s", p))
			return a
		}
		n, err := record.Number(words[i+1].Text)
		if err == nil && (n < 0 || n > 100) {
			err = violation.Number(n, 0, 100)
		}
		f.Refuse(words[i+1].At, "Radli", err)
		a.Radli[p] = n
	}
	return a
}

func saidFields(a *tarok.Announcements) (out []record.Field) {
	if a.Kontra > 0 {
		out = append(out, record.Row("Kontra", kontraWords[a.Kontra]))
	}
	said := record.Row("Announcements")
	for _, b := range tarok.Bonuses() {
		if one := a.Bonuses[b]; one.By != tarok.NoSide {
			word := b.String() + "=" + one.By.String()
			if one.Kontra > 0 {
				word += "+" + kontraWords[one.Kontra]
			}
			said.Add(word)
		}
	}
	if len(said.Words) > 0 {
		out = append(out, said)
	}
	if a.Radli != [3]int{} {
		radli := record.Row("Radli")
		for _, p := range tarok.Players() {
			radli.Add(p.String(), strconv.Itoa(a.Radli[p]))
		}
		out = append(out, radli)
	}
	return out
}
