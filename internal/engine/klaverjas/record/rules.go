package record

import (
	"strconv"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/engine/record"
	"roem/internal/engine/violation"
)

// rulesWords returns the system, and the rules that are not its usual ones.
func rulesWords(r klaverjas.Rules) []string {
	out, usual := []string{r.System.String()}, klaverjas.DefaultRules(r.System)
	if r.UnderRuff != usual.UnderRuff {
		out = append(out, "under_ruff="+r.UnderRuff.String())
	}
	if r.Melds != usual.Melds {
		out = append(out, "melds=no")
	}
	for face, n := range r.FourOfAKind {
		if n != usual.FourOfAKind[face] {
			out = append(out, "four_"+piquet.Face(face).String()+"="+strconv.Itoa(n))
		}
	}
	if r.Pit.Declarers != usual.Pit.Declarers {
		out = append(out, "pit="+strconv.Itoa(r.Pit.Declarers))
	}
	if r.Pit.Defenders != usual.Pit.Defenders {
		out = append(out, "pit_defenders="+strconv.Itoa(r.Pit.Defenders))
	}
	if r.NatMelds != usual.NatMelds {
		out = append(out, "nat_melds="+r.NatMelds.String())
	}
	return out
}

// readRules reads the rules. Without the tag they are the rules of Rotterdam.
func readRules(f *record.Fields) klaverjas.Rules {
	words := f.Words("Rules")
	r := klaverjas.DefaultRules(klaverjas.Rotterdam)
	for _, w := range words { // the system first: the others change its rules
		if strings.Contains(w.Text, "=") {
			continue
		}
		if system, err := klaverjas.ParseSystem(strings.ToLower(w.Text)); err == nil {
			r = klaverjas.DefaultRules(system)
		}
	}
	for _, w := range words {
		name, value, given := strings.Cut(strings.ToLower(w.Text), "=")
		var err error
		switch four, isFour := strings.CutPrefix(name, "four_"); {
		case !given:
			_, err = klaverjas.ParseSystem(name)
		case isFour:
			var face piquet.Face
			if face, err = piquet.ParseFace(four); err == nil {
				r.FourOfAKind[face], err = record.Number(value)
			}
		case name == "under_ruff":
			r.UnderRuff, err = klaverjas.ParseUnderRuff(value)
		case name == "nat_melds":
			r.NatMelds, err = klaverjas.ParseNatMelds(value)
		case name == "melds":
			if r.Melds = value == "yes" || value == "ja"; !r.Melds && value != "no" && value != "nee" {
				err = violation.Word(value, "yes", "no")
			}
		case name == "pit":
			r.Pit.Declarers, err = record.Number(value)
		case name == "pit_defenders":
			r.Pit.Defenders, err = record.Number(value)
		default:
			err = violation.Word(name, "under_ruff", "melds", "four_J", "pit", "pit_defenders", "nat_melds")
		}
		f.Refuse(w.At, "Rules", err)
	}
	f.Refuse(f.At("Rules"), "Rules", r.Validate())
	return r
}
