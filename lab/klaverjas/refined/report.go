package refined

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/match"
	"roem/internal/engine/piquet"
	"roem/internal/engine/standing"
)

// Costly is from how many points on a card is truly worse than the best one.
const Costly = 5

// Rule says how a card is marked beside the advised one.
type Rule func(v advice.Value) standing.Kind

// The rules.
var (
	// NotApart marks a card as good if it is not told apart from the advised one, whatever it may cost.
	NotApart Rule = func(v advice.Value) standing.Kind {
		if v.Equal || v.Cost.Mean < advice.ClearErrors*v.Cost.Error {
			return standing.AsGood
		}
		return standing.Worse
	}
	// Told is the standing of the answer.
	Told Rule = func(v advice.Value) standing.Kind { return v.Standing }
)

// Marks counts what answers say of the cards beside the advised one.
type Marks struct {
	Rows      int    // these cards
	Of        [4]int // by standing
	Costly    [4]int // of these, truly worse by Costly and more
	Held      int    // the interval of two standard errors holds the true cost against the advised card
	Decisions int
	Misled    int // decisions with a card that is as good by the mark and truly Costly
	Advised   int // decisions whose advised card is truly Costly
}

// Count counts the marks of a rule in the answers to decisions after a number of worlds: of each stream, the last answer until then.
func Count(all []Decision, worlds int, rule Rule) (m Marks) {
	for i := range all {
		d := &all[i]
		a := d.Answers[0].Advice
		for _, one := range d.Answers {
			if one.Worlds <= worlds {
				a = one.Advice
			}
		}
		truth := map[piquet.Card]float64{}
		for _, v := range d.Truth.Cards {
			truth[v.Card] = v.Cost.Mean
		}
		m.Decisions++
		if truth[a.Card] >= Costly {
			m.Advised++
		}
		misled := false
		for _, v := range a.Cards[1:] {
			m.Rows++
			mark := rule(v)
			m.Of[mark]++
			if truth[v.Card] >= Costly {
				m.Costly[mark]++
				misled = misled || mark == standing.AsGood
			}
			if cost := truth[v.Card] - truth[a.Card]; math.Abs(cost-v.Cost.Mean) <= advice.ClearErrors*v.Cost.Error+1e-9 {
				m.Held++
			}
		}
		if misled {
			m.Misled++
		}
	}
	return m
}

// Jacks returns the decisions of IsJack, or the others.
func Jacks(all []Decision, jacks bool) (out []Decision) {
	for _, d := range all {
		if (d.Jack != nil) == jacks {
			out = append(out, d)
		}
	}
	return out
}

// only returns decisions with nothing but the jack beside the advised card; those that advise the jack have no row.
func only(all []Decision) (out []Decision) {
	for _, d := range all {
		answers := make([]Answer, len(d.Answers))
		for i, a := range d.Answers {
			kept := advice.Advice{Card: a.Advice.Card, Cards: slices.DeleteFunc(slices.Clone(a.Advice.Cards), func(v advice.Value) bool {
				return v.Card != *d.Jack && v.Card != a.Advice.Card
			})}
			answers[i] = Answer{a.Worlds, kept}
		}
		d.Answers = answers
		out = append(out, d)
	}
	return out
}

// Report writes what was measured as tables of Markdown. most is the number of worlds of the last answer.
func Report(all []Decision, most int) string {
	var b strings.Builder
	for _, jacks := range []bool{false, true} {
		set := Jacks(all, jacks)
		if len(set) == 0 {
			continue
		}
		name := "decisions at random"
		if jacks {
			name = "decisions with a jack and a cheaper card in a trick that the partner wins"
		}
		exact, sum, n := 0, 0.0, 0
		for _, d := range set {
			if d.Truth.All {
				exact++
			}
			for _, v := range d.Truth.Cards[1:] {
				sum += v.Cost.Error
				n++
			}
		}
		fmt.Fprintf(&b, "%d %s; of %d all worlds were played out. The true costs have a mean standard error of %.2f points.\n\n", len(set), name,
			exact, sum/float64(max(n, 1)))
		write(&b, set, most)
		if jacks {
			b.WriteString("The jacks alone:\n\n")
			write(&b, only(set), most)
		}
	}
	return b.String()
}

// write writes a table: the marks of both rules after the first answer, after four times as many worlds, and so on, and at the end.
func write(b *strings.Builder, set []Decision, most int) {
	b.WriteString("| worlds | rows | not told apart | of these cost 5+ | decisions misled | `as_good` | of these cost 5+ | " +
		"decisions misled | `uncertain` | of these cost 5+ | interval holds | advised costs 5+ |\n" +
		"|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for n := Round; ; n = min(4*n, most) {
		before, after := Count(set, n, NotApart), Count(set, n, Told)
		fmt.Fprintf(b, "| %d | %d | %s | %s | %s | %s | %s | %s | %s | %s | %s | %d |\n", n, after.Rows,
			percent(before.Of[standing.AsGood], before.Rows), share(before.Costly[standing.AsGood], before.Of[standing.AsGood]),
			share(before.Misled, before.Decisions),
			percent(after.Of[standing.AsGood], after.Rows), share(after.Costly[standing.AsGood], after.Of[standing.AsGood]),
			share(after.Misled, after.Decisions), percent(after.Of[standing.Uncertain], after.Rows),
			percent(after.Costly[standing.Uncertain], after.Of[standing.Uncertain]), percent(after.Held, after.Rows), after.Advised)
		if n == most {
			break
		}
	}
	b.WriteString("\n")
}

func percent(n, of int) string { return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(max(of, 1))) }

// share writes a number with its share and Wilson's interval of 95 %.
func share(n, of int) string {
	if of == 0 {
		return "0"
	}
	p := float64(n) / float64(of)
	low, high := match.Wilson(p, float64(of))
	return fmt.Sprintf("%d: %.1f %% (%.1f to %.1f)", n, 100*p, 100*low, 100*high)
}
