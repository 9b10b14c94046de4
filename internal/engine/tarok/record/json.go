package record

import (
	"strconv"

	"roem/internal/engine/record"
	"roem/internal/engine/tarok"
)

// object is a hand in JSON. The position is as requests of the API take it. With Kontra, Announcements and Radli beside its fields it is
// what /v1/tarok/score takes.
type object struct {
	Game          string               `json:"game"`
	Tags          []record.Tag         `json:"tags,omitempty"`
	Position      position             `json:"position"`
	Calls         []string             `json:"calls,omitempty"`
	Kontra        string               `json:"kontra,omitempty"`
	Announcements map[string]announced `json:"announcements,omitempty"`
	Radli         *numbers             `json:"radli,omitempty"`
	Result        *numbers             `json:"result,omitempty"`
}

type position struct {
	Hands    map[string][]string `json:"hands"`
	Talon    []string            `json:"talon"`
	Contract string              `json:"contract"`
	Declarer string              `json:"declarer,omitempty"`
	Group    *int                `json:"group,omitempty"`
	Discards []string            `json:"discards,omitempty"`
	Played   []string            `json:"played,omitempty"`
	Rules    *rules              `json:"rules,omitempty"`
}

type rules struct {
	Mond       *int   `json:"mond,omitempty"`
	Emperor    *bool  `json:"emperor,omitempty"`
	Lead       string `json:"lead,omitempty"`
	Difference string `json:"difference,omitempty"`
	Bidding    string `json:"bidding,omitempty"`
	Valat      *bool  `json:"valat_kontra,omitempty"`
	Pagat      *bool  `json:"defenders_pagat,omitempty"`
}

type announced struct {
	By     string `json:"by"`
	Kontra string `json:"kontra,omitempty"`
}

type numbers struct {
	A int `json:"A"`
	B int `json:"B"`
	C int `json:"C"`
}

// Object returns the hand for JSON.
func (h *Hand) Object() any {
	s := &h.Setup
	emperor, valat, pagat := !s.Rules.NoEmperor, !s.Rules.PlainValat, !s.Rules.OwnPagat
	out := object{Game: "tarok", Tags: h.Tags, Position: position{
		Hands: map[string][]string{}, Talon: record.Names(s.Deal.Talon[:]), Contract: s.Contract.String(), Played: record.Names(h.Played),
		Rules: &rules{
			Mond: &s.Rules.Mond, Emperor: &emperor, Lead: leadWords[s.Rules.Leads], Difference: differenceWords[s.Rules.Difference],
			Bidding: orderWords[s.Rules.Order], Valat: &valat, Pagat: &pagat,
		},
	}}
	for _, p := range tarok.Players() {
		out.Position.Hands[p.String()] = s.Deal.Hands[p].Names()
	}
	if s.Contract != tarok.Klop {
		out.Position.Declarer = s.Declarer.String()
	}
	if h.Taken {
		out.Position.Group, out.Position.Discards = &s.Group, s.Discards.Names()
	}
	out.Calls = record.Names(h.Bids)
	if h.Said.Kontra > 0 {
		out.Kontra = kontraWords[h.Said.Kontra]
	}
	for _, b := range tarok.Bonuses() {
		if one := h.Said.Bonuses[b]; one.By != tarok.NoSide {
			if out.Announcements == nil {
				out.Announcements = map[string]announced{}
			}
			said := announced{By: one.By.String()}
			if one.Kontra > 0 {
				said.Kontra = kontraWords[one.Kontra]
			}
			out.Announcements[b.String()] = said
		}
	}
	if r := h.Said.Radli; r != [3]int{} {
		out.Radli = &numbers{r[0], r[1], r[2]}
	}
	if score, ok := h.score(); ok {
		out.Result = &numbers{score.Total[0], score.Total[1], score.Total[2]}
	}
	return out
}

func (n *numbers) words() []string {
	return []string{"A", strconv.Itoa(n.A), "B", strconv.Itoa(n.B), "C", strconv.Itoa(n.C)}
}

// fromJSON returns the fields of a hand in JSON.
func fromJSON(raw []byte) (record.Record, error) {
	var in object
	return record.ReadJSON("tarok", raw, &in, &in.Tags, func(add record.Add) error {
		p := &in.Position
		if p.Rules != nil {
			add("Rules", p.Rules.words()...)
		}
		add("Contract", p.Contract)
		add("Declarer", p.Declarer)
		deal := []string{}
		for _, player := range tarok.Players() {
			deal = append(append(deal, player.String()), p.Hands[player.String()]...)
		}
		add("Deal", deal...)
		add("Talon", p.Talon...)
		add("Auction", in.Calls...)
		if p.Group != nil {
			add("Group", strconv.Itoa(*p.Group+1))
		}
		add("Discards", p.Discards...)
		add("Kontra", in.Kontra)
		said := []string{}
		for _, b := range tarok.Bonuses() {
			if one, ok := in.Announcements[b.String()]; ok {
				word := b.String() + "=" + one.By
				if one.Kontra != "" {
					word += "+" + one.Kontra
				}
				said = append(said, word)
			}
		}
		add("Announcements", said...)
		if in.Radli != nil {
			add("Radli", in.Radli.words()...)
		}
		add("Play", p.Played...)
		if in.Result != nil {
			add("Result", in.Result.words()...)
		}
		return nil
	})
}

func (r *rules) words() (out []string) {
	if r.Mond != nil {
		out = append(out, "mond="+strconv.Itoa(*r.Mond))
	}
	for name, holds := range map[string]*bool{"emperor": r.Emperor, "valat_kontra": r.Valat, "defenders_pagat": r.Pagat} {
		if holds != nil {
			out = append(out, name+"="+map[bool]string{true: "yes", false: "no"}[*holds])
		}
	}
	for name, value := range map[string]string{"lead": r.Lead, "difference": r.Difference, "bidding": r.Bidding} {
		if value != "" {
			out = append(out, name+"="+value)
		}
	}
	return out
}
