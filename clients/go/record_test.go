package roem

import (
	"encoding/json"
	"testing"
)

// A record is read into the type of its game, and written as it was read.
func TestRecordHand(t *testing.T) {
	const text = `[{"game":"tarok","position":{"contract":"two"},"calls":["two","pass"],"new":1},{"game":"belote","calls":["H"]}]`
	var hands []RecordHand
	if err := json.Unmarshal([]byte(text), &hands); err != nil || len(hands) != 2 || hands[1].Game != "belote" {
		t.Fatalf("%v, %+v", err, hands)
	}
	var hand TarokRecord
	if err := hands[0].Into(&hand); err != nil || hand.Position.Contract != "two" || len(hand.Calls) != 2 {
		t.Errorf("%v, %+v", err, hand)
	}
	if again, err := json.Marshal(hands); err != nil || string(again) != text {
		t.Errorf("%v, written as %s", err, again)
	}
}
