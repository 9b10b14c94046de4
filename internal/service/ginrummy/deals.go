package ginrummy

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/service"
)

// RandomDeal draws a deal: the first of a match with the seed. The same seed gives the same deal. Without a seed one is drawn; the answer has it.
func (g *Game) RandomDeal(in api.GinRummyRandomDealParams) (api.GinDeal, error) {
	seed, err := newSeed(in.Seed)
	if err != nil {
		return api.GinDeal{}, service.NewMalformed(service.Violation{Parameter: "seed", Detail: err.Error()})
	}
	d := ginrummy.SeededDeal(seed, 0, players.Starter(seed, 0))
	return api.GinDeal{
		Starter: int(d.Starter), Hands: []api.GinCards{outSet(d.Hands[0]), outSet(d.Hands[1])}, Upcard: d.Upcard.String(),
		Stock: outCards(d.Stock[:]), Seed: strconv.FormatUint(seed, 10), Version: g.service.Version(),
	}, nil
}

// newSeed parses a seed, or draws one.
func newSeed(text *string) (uint64, error) {
	if text == nil {
		var b [8]byte
		_, err := rand.Read(b[:])
		return binary.BigEndian.Uint64(b[:]), err
	}
	return parseSeed(*text)
}

func parseSeed(text string) (uint64, error) {
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil || !decimal(text) {
		return 0, fmt.Errorf("is no number from 0 to %d", ^uint64(0))
	}
	return seed, nil
}

// decimal reports whether the text is a number as the contract writes seeds: 1 to 20 digits.
func decimal(text string) bool {
	return text != "" && len(text) <= 20 && strings.Trim(text, "0123456789") == ""
}
