package record

import (
	"encoding/json"
	"strconv"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/engine/record"
)

// object is a hand in JSON. One of Position, Deal and View is there, each as requests of the API take it.
type object struct {
	Game     string        `json:"game"`
	Tags     []record.Tag  `json:"tags,omitempty"`
	Position *position     `json:"position,omitempty"`
	Deal     *position     `json:"deal,omitempty"` // without trump
	View     *position     `json:"view,omitempty"` // of one seat
	Auction  *auction      `json:"auction,omitempty"`
	Result   *points       `json:"result,omitempty"`
	Table    *tableOutcome `json:"table,omitempty"`
}

type position struct {
	Rules    json.RawMessage `json:"rules,omitempty"`
	Trump    string          `json:"trump,omitempty"`
	Leader   string          `json:"leader"`
	Declarer string          `json:"declarer,omitempty"`
	Hands    *seatHands      `json:"hands,omitempty"`
	Seat     string          `json:"seat,omitempty"`
	Hand     []string        `json:"hand,omitempty"`
	Played   []string        `json:"played,omitempty"`
}

// seatHands are the hands in the order of the contract.
type seatHands struct {
	N []string `json:"N,omitempty"`
	E []string `json:"E,omitempty"`
	S []string `json:"S,omitempty"`
	W []string `json:"W,omitempty"`
}

// bySeat returns the hands, which can be changed.
func (h *seatHands) bySeat() [4]*[]string { return [4]*[]string{&h.N, &h.E, &h.S, &h.W} }

type auction struct {
	Flow   string   `json:"flow"`
	Dealer string   `json:"dealer"`
	Turned []string `json:"turned,omitempty"`
	Again  *bool    `json:"again,omitempty"`
	Calls  []string `json:"calls"`
}

type points struct {
	NS score `json:"NS"`
	EW score `json:"EW"`
}

type score struct {
	Tricks int `json:"tricks"`
	Melds  int `json:"melds"`
}

type tableOutcome struct {
	C outcomes `json:"C"`
	D outcomes `json:"D"`
	H outcomes `json:"H"`
	S outcomes `json:"S"`
}

type outcomes struct {
	NS int `json:"NS"`
	EW int `json:"EW"`
}

// Object returns the hand for JSON.
func (h *Hand) Object() any {
	out := object{Game: "klaverjas", Tags: h.Tags}
	rules, _ := json.Marshal(klaverjas.RulesJSON(h.Rules)) // of valid rules
	p := &position{Rules: rules, Leader: h.Leader.String(), Played: record.Names(h.Played)}
	if h.Decided {
		p.Trump, p.Declarer = h.Trump.String(), h.Declarer.String()
	}
	switch {
	case h.View:
		p.Seat, p.Hand = h.Seat.String(), h.Hands[h.Seat].Names()
		out.View = p
	case h.Decided:
		out.Position = p
	default:
		out.Deal = p
	}
	if !h.View {
		p.Hands = new(seatHands)
		for seat, hand := range p.Hands.bySeat() {
			*hand = h.Hands[seat].Names()
		}
	}
	if a := h.Auction; a != nil {
		out.Auction = a.object(h.Leader.Plus(3))
	}
	if now, ok, _ := h.Position(); ok && now.Finished() {
		s := now.Score()
		out.Result = &points{NS: score{s.Tricks[0], s.Melds[0]}, EW: score{s.Tricks[1], s.Melds[1]}}
	}
	if t := h.Table; t != nil {
		of := func(s piquet.Suit) outcomes { return outcomes{NS: t[s][0], EW: t[s][1]} }
		out.Table = &tableOutcome{C: of(piquet.Clubs), D: of(piquet.Diamonds), H: of(piquet.Hearts), S: of(piquet.Spades)}
	}
	return out
}

func (a *Auction) object(dealer piquet.Seat) *auction {
	out := &auction{Flow: a.Flow.String(), Dealer: dealer.String(), Calls: []string{}}
	for _, c := range a.Calls {
		out.Calls = append(out.Calls, c.String())
	}
	for _, s := range a.Turned {
		out.Turned = append(out.Turned, s.String())
	}
	if len(a.Turned) > 0 {
		out.Again = &a.Again
	}
	return out
}

// fromJSON returns the fields of a hand in JSON.
func fromJSON(raw []byte) (record.Record, error) {
	var in object
	return record.ReadJSON("klaverjas", raw, &in, &in.Tags, func(add record.Add) error {
		for _, p := range []*position{in.Position, in.Deal, in.View} {
			if p == nil {
				continue
			}
			if err := addRules(add, p.Rules); err != nil {
				return err
			}
			add("Leader", p.Leader)
			add("Trump", p.Trump)
			add("Declarer", p.Declarer)
			deal := []string{}
			if p.Hands != nil {
				for seat, list := range p.Hands.bySeat() {
					if len(*list) > 0 {
						deal = append(append(deal, piquet.Seat(seat).String()), *list...)
					}
				}
			}
			if len(p.Hand) > 0 {
				deal = append(append(deal, p.Seat), p.Hand...)
			}
			add("Deal", deal...)
			add("Play", p.Played...)
			break
		}
		if a := in.Auction; a != nil {
			words := []string{a.Flow}
			if len(a.Turned) > 0 {
				words = append(words, "turned="+strings.Join(a.Turned, ""))
			}
			if a.Again != nil && *a.Again {
				words = append(words, "again")
			}
			add("Dealer", a.Dealer)
			add("Auction", append(words, a.Calls...)...)
		}
		if p := in.Result; p != nil {
			add("Result", "NS", p.NS.text(), "EW", p.EW.text())
		}
		if t := in.Table; t != nil {
			add("Table", slicesOf(t)...)
		}
		return nil
	})
}

func (s score) text() string { return strconv.Itoa(s.Tricks) + "+" + strconv.Itoa(s.Melds) }

func slicesOf(t *tableOutcome) (words []string) {
	for i, o := range []outcomes{t.C, t.D, t.H, t.S} {
		words = append(words, piquet.Suit(i).String(), "NS", strconv.Itoa(o.NS), "EW", strconv.Itoa(o.EW))
	}
	return words
}

// addRules adds the rules, of which each may be missing, as in a request.
func addRules(add func(string, ...string), raw json.RawMessage) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var in struct {
		System      string         `json:"system"`
		UnderRuff   string         `json:"under_ruff"`
		Melds       *bool          `json:"melds"`
		FourOfAKind map[string]int `json:"four_of_a_kind"`
		Pit         map[string]int `json:"pit"`
		NatMelds    string         `json:"nat_melds"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return err
	}
	words := []string{}
	if in.System != "" {
		words = append(words, in.System)
	}
	if in.UnderRuff != "" {
		words = append(words, "under_ruff="+in.UnderRuff)
	}
	if in.Melds != nil {
		words = append(words, "melds="+map[bool]string{true: "yes", false: "no"}[*in.Melds])
	}
	for face, n := range in.FourOfAKind {
		words = append(words, "four_"+face+"="+strconv.Itoa(n))
	}
	for side, n := range in.Pit {
		name := "pit_" + side
		if side == "declarers" {
			name = "pit"
		}
		words = append(words, name+"="+strconv.Itoa(n))
	}
	if in.NatMelds != "" {
		words = append(words, "nat_melds="+in.NatMelds)
	}
	add("Rules", words...)
	return nil
}
