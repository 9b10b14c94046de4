package ginrummy

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/service"
)

// maxText is how many characters a card may have in the contract.
const maxText = 32

// violations collects the violations in a request, so that all are reported at once.
type violations []service.Violation

func (vs *violations) add(pointer string, err error) {
	if err != nil {
		*vs = append(*vs, service.Violation{Pointer: pointer, Detail: err.Error()})
	}
}

// impossible returns the violations as an error of kind Impossible, or nil.
func (vs violations) impossible() error {
	if len(vs) == 0 {
		return nil
	}
	return service.NewImpossible(vs...)
}

// malformed returns an error about a place of the request that the contract refuses. The schema has the details: see service.Decode.
func malformed(pointer, detail string) error {
	return service.NewMalformed(service.Violation{Pointer: pointer, Detail: detail})
}

// checkTexts refuses texts that are longer than the contract allows.
func checkTexts(pointer string, texts ...string) error {
	for i, text := range texts {
		if utf8.RuneCountInString(text) > maxText {
			return malformed(pointer+"/"+strconv.Itoa(i), fmt.Sprintf("has more than %d characters", maxText))
		}
	}
	return nil
}

// parseSet reads a list of different cards.
func parseSet(pointer string, texts []string, vs *violations) (set ginrummy.Set) {
	first := map[ginrummy.Card]string{}
	for i, text := range texts {
		where := pointer + "/" + strconv.Itoa(i)
		c, err := ginrummy.ParseCard(text)
		if other := first[c]; err == nil && other != "" {
			err = fmt.Errorf("%s is also at %s", c, other)
		}
		if err != nil {
			vs.add(where, err)
			continue
		}
		first[c] = where
		set = set.With(c)
	}
	return set
}

// parseCard reads a card.
func parseCard(pointer, text string, vs *violations) ginrummy.Card {
	c, err := ginrummy.ParseCard(text)
	vs.add(pointer, err)
	return c
}

// ---- conversions to the types of the contract ----

func outCards(list []ginrummy.Card) api.GinCards {
	out := make(api.GinCards, len(list))
	for i, c := range list {
		out[i] = c.String()
	}
	return out
}

func outSet(s ginrummy.Set) api.GinCards { return outCards(s.Slice()) }

func outArrangement(a ginrummy.Arrangement) api.GinArrangement {
	out := make(api.GinArrangement, a.Len())
	for i := range out {
		out[i] = outSet(a[i])
	}
	return out
}
