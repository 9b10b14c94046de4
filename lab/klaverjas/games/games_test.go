package games_test

import (
	"bytes"
	"testing"

	"roem/internal/engine/klaverjas/players"
	"roem/lab/klaverjas/games"
)

// The file depends on the seed and not on the number of workers, and every row is a game that can be read back.
func TestMake(t *testing.T) {
	kind, err := players.ParseKind("simple", 0)
	if err != nil {
		t.Fatal(err)
	}
	file := func(seed uint64, workers int) []byte {
		var out bytes.Buffer
		if err := games.Make(t.Context(), &out, games.Settings{
			Player: kind, Games: 50, Seed: seed, Workers: workers, Tools: func() *players.Tools { return new(players.Tools) },
		}); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	one := file(1, 1)
	if !bytes.Equal(one, file(1, 3)) {
		t.Error("three workers make another file than one")
	}
	if bytes.Equal(one, file(2, 1)) {
		t.Error("another seed makes the same file")
	}
	all, err := games.Read(bytes.NewReader(one))
	if err != nil || len(all) != 50 {
		t.Fatalf("%d games, %v", len(all), err)
	}
	var again []byte
	for i := range all {
		again = all[i].Append(again)
	}
	if !bytes.Equal(again, one) {
		t.Error("the rows read and written are other rows")
	}
	if _, err := games.Read(bytes.NewReader(one[:len(one)-1])); err == nil {
		t.Error("a row that is cut off is read without an error")
	}
	damaged := bytes.Clone(one)
	damaged[40] ^= 1 // another first card than was played
	if _, err := games.Read(bytes.NewReader(damaged)); err == nil {
		t.Error("a card that was not legal is read without an error")
	}
}
