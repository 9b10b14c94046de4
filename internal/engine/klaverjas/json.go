package klaverjas

import (
	"bytes"
	"encoding/json"

	"roem/internal/engine/piquet"
)

// RulesJSON is [Rules] in the JSON form of the HTTP API's responses, with the value of every rule.
type RulesJSON Rules

// rulesObject has the fields of the contract's Rules, in the same order.
type rulesObject struct {
	System      string `json:"system"`
	UnderRuff   string `json:"under_ruff"`
	Melds       bool   `json:"melds"`
	FourOfAKind struct {
		Seven int `json:"7"`
		Eight int `json:"8"`
		Nine  int `json:"9"`
		Ten   int `json:"10"`
		Jack  int `json:"J"`
		Queen int `json:"Q"`
		King  int `json:"K"`
		Ace   int `json:"A"`
	} `json:"four_of_a_kind"`
	Pit struct {
		Declarers int `json:"declarers"`
		Defenders int `json:"defenders"`
	} `json:"pit"`
	NatMelds string `json:"nat_melds"`
}

// MarshalJSON writes every rule.
func (r RulesJSON) MarshalJSON() ([]byte, error) {
	o := rulesObject{
		System: r.System.String(), UnderRuff: r.UnderRuff.String(), Melds: r.Melds, NatMelds: r.NatMelds.String(),
	}
	for face, to := range o.faces() {
		*to = r.FourOfAKind[face]
	}
	o.Pit.Declarers, o.Pit.Defenders = r.Pit.Declarers, r.Pit.Defenders
	return json.Marshal(o)
}

// UnmarshalJSON reads the output of MarshalJSON. Unknown rules and values are errors. Missing rules are not; to find them, compare the
// text with MarshalJSON.
func (r *RulesJSON) UnmarshalJSON(text []byte) error {
	var o rulesObject
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&o); err != nil {
		return err
	}
	read := Rules{Melds: o.Melds, Pit: Pit{Declarers: o.Pit.Declarers, Defenders: o.Pit.Defenders}}
	for face, from := range o.faces() {
		read.FourOfAKind[face] = *from
	}
	var err error
	if read.System, err = ParseSystem(o.System); err != nil {
		return err
	}
	if read.UnderRuff, err = ParseUnderRuff(o.UnderRuff); err != nil {
		return err
	}
	if read.NatMelds, err = ParseNatMelds(o.NatMelds); err != nil {
		return err
	}
	*r = RulesJSON(read)
	return read.Validate()
}

// faces returns pointers to the values of the fours of a kind, by face.
func (o *rulesObject) faces() [8]*int {
	f := &o.FourOfAKind
	return [8]*int{
		piquet.Seven: &f.Seven, piquet.Eight: &f.Eight, piquet.Nine: &f.Nine, piquet.Ten: &f.Ten,
		piquet.Jack: &f.Jack, piquet.Queen: &f.Queen, piquet.King: &f.King, piquet.Ace: &f.Ace,
	}
}
