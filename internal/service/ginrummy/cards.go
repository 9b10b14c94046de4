package ginrummy

import (
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// parseSet reads a list of different cards.
func parseSet(pointer string, texts []string, vs *service.Problems) (set ginrummy.Set) {
	first := map[ginrummy.Card]string{}
	for i, text := range texts {
		where := pointer + "/" + strconv.Itoa(i)
		c, err := ginrummy.ParseCard(text)
		if other := first[c]; err == nil && other != "" {
			err = violation.New(violation.CardTwice, "%s is also at", c).AlsoAt(other).Of(c)
		}
		if err != nil {
			vs.Add(where, err)
			continue
		}
		first[c] = where
		set = set.With(c)
	}
	return set
}

// parseCard reads a card.
func parseCard(pointer, text string, vs *service.Problems) ginrummy.Card {
	c, err := ginrummy.ParseCard(text)
	vs.Add(pointer, err)
	return c
}

// ---- conversions to the types of the contract ----

func outCards(list []ginrummy.Card) api.GinCards { return service.Texts(list) }

func outSet(s ginrummy.Set) api.GinCards { return outCards(s.Slice()) }

func outArrangement(a ginrummy.Arrangement) api.GinArrangement {
	out := make(api.GinArrangement, a.Len())
	for i := range out {
		out[i] = outSet(a[i])
	}
	return out
}
