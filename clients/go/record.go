package roem

import "encoding/json"

// RecordHand is the record of a hand of one of the games: a [KlaverjasRecord], [BeloteRecord], [GinRecord] or [TarokRecord].
type RecordHand struct {
	Game string          // the game, as it is in paths, such as "gin-rummy"
	Text json.RawMessage // the record as JSON
}

// Into decodes the record into the type of its game.
func (h RecordHand) Into(hand any) error { return json.Unmarshal(h.Text, hand) }

// UnmarshalJSON keeps the record, and reads its game.
func (h *RecordHand) UnmarshalJSON(text []byte) error {
	var of struct{ Game string }
	if err := json.Unmarshal(text, &of); err != nil {
		return err
	}
	*h = RecordHand{of.Game, append(json.RawMessage(nil), text...)}
	return nil
}

// MarshalJSON returns the record as it was read.
func (h RecordHand) MarshalJSON() ([]byte, error) { return h.Text.MarshalJSON() }
