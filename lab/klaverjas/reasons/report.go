package reasons

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// Report writes the page: how many mistakes have which reason, and some of them, evenly spaced, with position, lines and sentence.
func Report(all []Mistake, listed int, command string) string {
	var b strings.Builder
	codes := make([]string, len(all))
	for i, m := range all {
		if m.Found {
			codes[i] = m.Reason.Code.String()
		}
	}
	fmt.Fprintf(&b, "# Why a card was a mistake\n\n")
	fmt.Fprintf(&b, "`%s` wrote this page. The program played hands of both systems and reviewed them with all cards open. ", command)
	writeCounts(&b, codes)
	fmt.Fprintf(&b, "%d of the mistakes follow. In a line, `|` is between tricks, the seat that leads is named, and `*` marks the card that "+
		"takes the trick. The figures after a trick are its points, without those for the last trick, and its roem.\n", listed)
	for i := range listed {
		m := &all[i*len(all)/listed]
		fmt.Fprintf(&b, "\n## %d. Hand %d, card %d\n\n", i+1, m.Hand, m.Before.Played()+1)
		m.write(&b)
	}
	return b.String()
}

// writeCounts says how many mistakes have which reason. The code of one without a reason is empty.
func writeCounts(b *strings.Builder, codes []string) {
	counts := map[string]int{}
	for _, code := range codes {
		counts[code]++
	}
	none := counts[""]
	delete(counts, "")
	fmt.Fprintf(b, "Of %d mistakes, %d have no reason (%.1f %%): for these only the two lines are shown.\n\n", len(codes), none,
		100*float64(none)/float64(len(codes)))
	fmt.Fprintf(b, "| reason | mistakes |\n|---|---|\n")
	names := slices.SortedFunc(maps.Keys(counts), func(x, y string) int {
		return cmp.Or(counts[y]-counts[x], strings.Compare(x, y))
	})
	for _, name := range names {
		fmt.Fprintf(b, "| `%s` | %d |\n", name, counts[name])
	}
	fmt.Fprintf(b, "| none | %d |\n\n", none)
}

func (m *Mistake) write(b *strings.Builder) {
	p := m.Before
	fmt.Fprintf(b, "%s %s is to play", contextOf(p), p.Turn())
	if t := p.Trick(); t.Len > 0 {
		fmt.Fprintf(b, " to trick %s of %s", m.table(), t.Leader)
	}
	fmt.Fprintf(b, " and plays %s, which costs %d; %s is better.\n\n```\n", m.Lines.Played[0], m.Cost, m.Lines.Best[0])
	for _, s := range piquet.Seats() {
		fmt.Fprintf(b, "%s: %s\n", s, p.Hand(s))
	}
	fmt.Fprintf(b, "%s: %s\n%s: %s\n```\n\n", m.Lines.Played[0], Line(p, m.Lines.Played), m.Lines.Best[0], Line(p, m.Lines.Best))
	if m.Found {
		fmt.Fprintf(b, "`%s`: %s\n", m.Reason.Code, m.Reason.Text(p, m.Lines))
	} else {
		fmt.Fprintf(b, "No reason.\n")
	}
}

// contextOf says under which rules a position is, and how it stands.
func contextOf(p klaverjas.Position) string {
	d := p.Deal()
	return fmt.Sprintf("%s rules, trump %s, declarers %s, score %d:%d.", p.Rules().System, d.Trump, d.Declarer,
		p.Score().Sum(piquet.NorthSouth), p.Score().Sum(piquet.EastWest))
}

func (m *Mistake) table() string {
	t := m.Before.Trick()
	var cards []string
	for _, c := range t.Cards[:t.Len] {
		cards = append(cards, c.String())
	}
	return strings.Join(cards, " ")
}

// Line writes a line trick by trick, with the outcome at its end.
func Line(p klaverjas.Position, line []piquet.Card) string {
	var tricks []string
	trump := p.Deal().Trump
	for _, c := range line {
		t := p.Trick()
		next, err := p.Play(c)
		if err != nil {
			return err.Error()
		}
		if t.Len == 3 {
			t = t.With(c, trump)
			words := []string{t.Leader.String()}
			points := 0
			for i, c := range t.Cards {
				points += klaverjas.Points(c, trump)
				mark := ""
				if t.Leader.Plus(i) == t.Winner {
					mark = "*"
				}
				words = append(words, c.String()+mark)
			}
			tricks = append(tricks, fmt.Sprintf("%s %d+%d", strings.Join(words, " "), points, p.Rules().Meld(t.Set(), trump)))
		}
		p = next
	}
	return fmt.Sprintf("%s = %d", strings.Join(tricks, " | "), p.Outcome())
}
