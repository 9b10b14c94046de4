package klaverjas

import (
	"fmt"
	"strconv"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// KeyName returns the key of a result about a position as text, for a layer in which people look for it:
//
//	klaverjas:INDEX:DECLARER:RULES:GOAL:SOLVER[:PLAYED]
//
// INDEX is the canonical index of the deal in decimal. DECLARER is leaders or others: the leader's team declares or its opponents, since
// equal deals have one key, whatever the names of their seats. RULES is the system, followed by the switches that are not its defaults.
// GOAL is win, value, moves or analysis. SOLVER is the version of the solver, a point, and the version of the values. PLAYED has the
// cards played, with the suits of the canonical deal, in which clubs are trump. Other keys are returned as they are. They begin with a
// byte below the letters, so that no name is another key.
func KeyName(key solvecache.Key) string {
	f := service.KeyFieldsOf(string(key))
	game, format, version, kind := f.Text(), f.Byte(), f.Text(), f.Text()
	if game != checkedGame || kind != positionKey {
		return string(key)
	}
	rules := rulesInKey(f)
	declarer, index := f.Byte(), f.Uint()
	question, played := f.Byte(), f.Text()
	if !f.Complete() {
		return string(key)
	}
	name := []byte(fmt.Sprintf("%s:%d:%s:%s:%s:%s.%d",
		game, index, sideName(declarer), rulesName(rules), questionName(question), version, format))
	for i, card := range []byte(played) {
		separator := byte(',')
		if i == 0 {
			separator = ':'
		}
		name = append(append(name, separator), piquet.Card(card).String()...)
	}
	return string(name)
}

// rulesInKey reads what appendRules wrote.
func rulesInKey(f *service.KeyFields) (rules klaverjas.Rules) {
	rules.System, rules.UnderRuff = klaverjas.System(f.Byte()), klaverjas.UnderRuff(f.Byte())
	rules.Melds, rules.NatMelds = f.Bool(), klaverjas.NatMelds(f.Byte())
	for face := range rules.FourOfAKind {
		rules.FourOfAKind[face] = int(f.Uint16())
	}
	rules.Pit.Declarers, rules.Pit.Defenders = int(f.Uint16()), int(f.Uint16())
	return rules
}

// rulesName returns the system and the switches that are not its defaults.
func rulesName(rules klaverjas.Rules) string {
	ordinary := klaverjas.DefaultRules(rules.System)
	parts := []string{rules.System.String()}
	if rules.UnderRuff != ordinary.UnderRuff {
		parts = append(parts, "under_ruff="+rules.UnderRuff.String())
	}
	if rules.Melds != ordinary.Melds {
		parts = append(parts, "melds="+strconv.FormatBool(rules.Melds))
	}
	if rules.NatMelds != ordinary.NatMelds {
		parts = append(parts, "nat_melds="+rules.NatMelds.String())
	}
	if rules.FourOfAKind != ordinary.FourOfAKind {
		bonuses := make([]string, len(rules.FourOfAKind))
		for face, bonus := range rules.FourOfAKind {
			bonuses[face] = strconv.Itoa(bonus)
		}
		parts = append(parts, "four_of_a_kind="+strings.Join(bonuses, ","))
	}
	if rules.Pit != ordinary.Pit {
		parts = append(parts, fmt.Sprintf("pit=%d,%d", rules.Pit.Declarers, rules.Pit.Defenders))
	}
	return strings.Join(parts, "+")
}

// sideName returns which team declares, in the canonical form, in which north leads.
func sideName(declarer byte) string {
	if piquet.Team(declarer) == piquet.NorthSouth {
		return "leaders"
	}
	return "others"
}

// questionName returns the name of a goal, or analysis.
func questionName(question byte) string {
	if question == analysisQuestion {
		return "analysis"
	}
	return search.Goal(question).String()
}
