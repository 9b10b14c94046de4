package reasons

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/reason"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// Hidden is a card that was a mistake on what its seat could know.
type Hidden struct {
	Hand   int // the number of the hand, from 1
	Start  klaverjas.Position
	Played []piquet.Card // before the card
	Card   api.KlaverjasReviewedCard
}

// Reviewer answers a request for a review.
type Reviewer func(ctx context.Context, request []byte) (api.KlaverjasReview, error)

// FindHidden plays hands and lets them be reviewed until it has as many mistakes on knowledge as wanted.
func FindHidden(ctx context.Context, s Settings, review Reviewer) (all []Hidden, err error) {
	for hand := 1; len(all) < s.Mistakes; hand++ {
		start, played, rng, err := s.play(ctx, hand)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(request(start, played))
		if err != nil {
			return nil, err
		}
		r, err := review(ctx, text)
		if err != nil {
			return nil, err
		}
		var found []Hidden
		for _, c := range r.Cards {
			if c.Verdict == api.VerdictMistake || c.Verdict == api.VerdictLucky {
				found = append(found, Hidden{Hand: hand, Start: start, Played: played[:c.Number-1], Card: c})
			}
		}
		rng.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
		all = append(all, found[:min(len(found), s.Each, s.Mistakes-len(all))]...)
	}
	return all, nil
}

// reviewWorlds is how many worlds are searched for each card: fewer than by default, because only clear mistakes are looked for.
const reviewWorlds = 40

// request returns a hand under default rules as the API takes it.
func request(start klaverjas.Position, played []piquet.Card) map[string]any {
	d := start.Deal()
	hands := map[string][]string{}
	for _, s := range piquet.Seats() {
		hands[s.String()] = texts(d.Hands[s].Slice())
	}
	return map[string]any{
		"rules": map[string]any{"system": start.Rules().System.String()}, "trump": d.Trump.String(), "leader": d.Leader.String(),
		"declarer": d.Declarer.String(), "hands": hands, "played": texts(played),
		"worlds": reviewWorlds,
	}
}

func texts(cards []piquet.Card) []string {
	out := make([]string, len(cards))
	for i, c := range cards {
		out[i] = c.String()
	}
	return out
}

// HiddenReport writes the page of the mistakes on knowledge.
func HiddenReport(all []Hidden, listed int, command string) (string, error) {
	var b strings.Builder
	codes := make([]string, len(all))
	for i, m := range all {
		if m.Card.Reason != nil {
			codes[i] = string(m.Card.Reason.Code)
		}
	}
	fmt.Fprintf(&b, "# Why a card was a mistake with hidden cards\n\n")
	fmt.Fprintf(&b, "`%s` wrote this page. The program played hands of both systems and reviewed them on what each seat could know. ", command)
	writeCounts(&b, codes)
	fmt.Fprintf(&b, "The median reason is true in %.0f %% of the deals that were searched for it.\n\n", 100*medianShare(all))
	fmt.Fprintf(&b, "%d of the mistakes follow, each with what its seat had seen. The lines are of the deal that is listed: the one that was "+
		"played, or one that was possible. They are written as on [the page of open cards](reasons.md).\n", listed)
	for i := range listed {
		m := &all[i*len(all)/listed]
		fmt.Fprintf(&b, "\n## %d. Hand %d, card %d\n\n", i+1, m.Hand, m.Card.Number)
		if err := m.write(&b); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// medianShare returns in which share of the possible deals the reasons are true. A mistake without a reason counts as 0.
func medianShare(all []Hidden) float64 {
	var shares []float64
	for i := range all {
		if e := all[i].Card.Evidence; e != nil && e.Worlds > 0 {
			shares = append(shares, float64(e.Applies)/float64(e.Worlds))
		}
	}
	if len(shares) == 0 {
		return 0
	}
	slices.Sort(shares)
	return (shares[(len(shares)-1)/2] + shares[len(shares)/2]) / 2
}

func (m *Hidden) write(b *strings.Builder) error {
	now, err := m.Start.Replay(m.Played)
	if err != nil {
		return err
	}
	turn := now.Turn()
	fmt.Fprintf(b, "%s %s holds %s and plays %s, which costs %.1f", contextOf(now), turn, now.Hand(turn), m.Card.Card, m.Card.Knowledge.Cost)
	if e := m.Card.Knowledge.StandardError; e != nil {
		fmt.Fprintf(b, " ± %.1f", *e)
	}
	fmt.Fprintf(b, " over %d of %s possible deals; %s is better.\n\n", m.Card.Knowledge.Worlds.Used, m.Card.Knowledge.Worlds.Of,
		m.Card.Knowledge.Advised)
	if played := tricksText(m.Start, m.Played); played != "" {
		fmt.Fprintf(b, "```\nplayed: %s\n```\n\n", played)
	}
	if err := m.writeFacts(b, now); err != nil {
		return err
	}
	return m.writeLines(b, now)
}

// writeFacts writes what the cards played had proved.
func (m *Hidden) writeFacts(b *strings.Builder, now klaverjas.Position) error {
	k, err := worlds.New(worlds.ViewOf(m.Start, m.Played, now.Turn()))
	if err != nil {
		return err
	}
	for _, f := range k.Facts() {
		fmt.Fprintf(b, "- %s\n", f.Text)
	}
	if len(k.Facts()) > 0 {
		fmt.Fprintln(b)
	}
	return nil
}

// writeLines writes the deal of the lines, the lines, and the sentence.
func (m *Hidden) writeLines(b *strings.Builder, now klaverjas.Position) (err error) {
	e := m.Card.Evidence
	if m.Card.Lines == nil || e == nil {
		fmt.Fprintf(b, "No lines.\n")
		return nil
	}
	at, of := now, "played"
	if e.Hands != nil {
		of = "possible"
		var w worlds.World
		for s, hand := range [4]api.Cards{e.Hands.N, e.Hands.E, e.Hands.S, e.Hands.W} {
			w[s] = piquet.SetOf(parsed(hand)...)
		}
		if at, err = now.Redealt(w); err != nil {
			return err
		}
	}
	fmt.Fprintf(b, "```\n%s deal:", of)
	for _, s := range piquet.Seats() {
		fmt.Fprintf(b, " %s %s;", s, at.Hand(s))
	}
	l := reason.Lines{Played: parsed(m.Card.Lines.Played), Best: parsed(m.Card.Lines.Best)}
	fmt.Fprintf(b, "\n%s: %s\n%s: %s\n```\n\n", l.Played[0], Line(at, l.Played), l.Best[0], Line(at, l.Best))
	if m.Card.Reason == nil {
		fmt.Fprintf(b, "No reason.\n")
		return nil
	}
	fmt.Fprintf(b, "`%s`: %s\n", m.Card.Reason.Code, m.Card.Reason.Text)
	switch {
	case e.Probability != nil && *e.Probability == 1:
		fmt.Fprintf(b, "\n%s has %s for certain.\n", m.Card.Reason.Seat, m.Card.Reason.By)
	case e.Probability != nil:
		fmt.Fprintf(b, "\n%s has %s in %.0f %% of the possible deals.\n", m.Card.Reason.Seat, m.Card.Reason.By, 100**e.Probability)
	}
	for _, f := range e.Facts {
		fmt.Fprintf(b, "\nKnown: %s\n", f.Text)
	}
	return nil
}

// parsed returns cards of an answer.
func parsed(list []string) (out []piquet.Card) {
	for _, text := range list {
		if c, err := piquet.ParseCard(text); err == nil {
			out = append(out, c)
		}
	}
	return out
}

// tricksText writes the cards played, trick by trick.
func tricksText(p klaverjas.Position, played []piquet.Card) string {
	var b strings.Builder
	for i, c := range played {
		if p.Trick().Len == 0 {
			if i > 0 {
				b.WriteString(" | ")
			}
			b.WriteString(p.Turn().String())
		}
		b.WriteString(" " + c.String())
		next, err := p.Play(c)
		if err != nil {
			return err.Error()
		}
		p = next
	}
	return b.String()
}
