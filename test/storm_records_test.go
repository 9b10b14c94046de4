package test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
)

type recordVector struct {
	Source string
	Hands  []json.RawMessage
}

// recordVectors are the sources of records, with the hands that they are read as; none of a wrong one.
var recordVectors = sync.OnceValue(func() (all []recordVector) {
	text, err := os.ReadFile(filepath.Join("..", "testdata", "records", "vectors.jsonl"))
	if err != nil {
		panic(err)
	}
	for line := range bytes.Lines(text) {
		var one recordVector
		if err := json.Unmarshal(line, &one); err != nil {
			panic(err)
		}
		if len(one.Hands) > 0 {
			all = append(all, one)
		}
	}
	return all
})

// recordRequest returns the body of a request to convert records, and the check of its answer.
func recordRequest(rng *rand.Rand) (body map[string]any, right func([]byte) error) {
	list := recordVectors()
	v := list[rng.IntN(len(list))]
	form := []string{"text", "line", "json"}[rng.IntN(3)]
	return map[string]any{"text": v.Source, "form": form}, func(text []byte) error {
		var got struct{ Records []json.RawMessage }
		if err := json.Unmarshal(text, &got); err != nil {
			return err
		}
		for i := range got.Records {
			if len(got.Records) != len(v.Hands) || !bytes.Equal(got.Records[i], v.Hands[i]) {
				return fmt.Errorf("record %d of %d is not %s", i+1, len(got.Records), v.Hands)
			}
		}
		return nil
	}
}

// rightEvening checks an evening of one hand, in which the first cards of a best line were played.
func (d *stormDeal) rightEvening(text []byte) error {
	var got struct {
		Hands []struct {
			Position struct{ Played []string }
			Points   json.RawMessage
		}
		Players []struct{ Hands int }
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	if len(got.Hands) != 1 || got.Hands[0].Points != nil || len(got.Players) != 4 {
		return fmt.Errorf("want one hand, not finished, and four players")
	}
	for i, c := range got.Hands[0].Position.Played {
		if c != d.solution.Line[i] {
			return fmt.Errorf("card %d is %s, want %s", i+1, c, d.solution.Line[i])
		}
	}
	return nil
}
