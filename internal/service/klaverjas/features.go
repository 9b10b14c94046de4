package klaverjas

import (
	"context"
	"math"
	"strconv"
	"sync"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/features"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// FeaturesQuery is a request for the features of many deals.
type FeaturesQuery struct{ items positions }

// Len returns how many positions the request lists.
func (q FeaturesQuery) Len() int { return len(q.items) }

// featuresResult are the features of a deal in a list.
type featuresResult struct {
	Ok bool `json:"ok"`
	api.KlaverjasDealFeatures
}

// Features returns the features of many deals.
func (g *Game) Features(ctx context.Context, q FeaturesQuery) (api.KlaverjasFeatures, error) {
	service.EffortOf(ctx).Note(service.Note{Name: "positions", Value: q.Len()})
	results := q.items.Results(g.service, func(i int, p Position) (any, error) {
		f, err := DealFeatures(p)
		return featuresResult{Ok: err == nil, KlaverjasDealFeatures: f}, inList(err, i)
	})
	return api.KlaverjasFeatures{Columns: featureColumns(), Results: results, Version: g.service.Version()}, nil
}

// featureColumns says what the features are.
var featureColumns = sync.OnceValue(func() []api.KlaverjasFeatureColumn {
	out := make([]api.KlaverjasFeatureColumn, 0, features.Columns)
	for _, d := range features.Describe() {
		out = append(out, api.KlaverjasFeatureColumn{Name: d.Name, Set: api.KlaverjasFeatureColumnSet(d.Set), Meaning: d.Meaning})
	}
	return out
})

// DealFeatures returns the features of the deal of a position in which no card has been played.
func DealFeatures(p Position) (api.KlaverjasDealFeatures, error) {
	if n := len(p.played); n > 0 {
		return api.KlaverjasDealFeatures{}, service.Refused(violation.New(violation.WrongCount,
			"has %d cards, expected none: features are of whole deals", n).At("/played").Of(n).Between(0, 0))
	}
	d := p.start.Deal()
	_, there := index.Canonical(d)
	back := there.Inverse()
	out := api.KlaverjasDealFeatures{Values: make([]float64, features.Columns), Deal: outIdentity(d)}
	hands := there.Deal(d).Hands
	var row features.Row
	features.Extract(&row, &hands)
	for column, code := range row {
		out.Values[column] = math.Round(1e9*features.Value(column, code)) / 1e9
	}
	for i := range 4 {
		out.Suits = append(out.Suits, api.Suit(back.Suit(piquet.Suit(i)).String()))
		out.Seats = append(out.Seats, api.KlaverjasSeat(back.Seat(piquet.Seat(i)).String()))
	}
	return out, nil
}

// FeatureNames returns the titles of the fields of [FeatureRow].
func FeatureNames() []string {
	names := []string{"index", "suits", "seats"}
	for _, c := range featureColumns() {
		names = append(names, c.Name)
	}
	return names
}

// FeatureRow returns the features of a deal as texts: its index, what suits and seats they are of, and the values.
func FeatureRow(f api.KlaverjasDealFeatures) []string {
	suits, seats := "", ""
	for i := range f.Suits {
		suits += string(f.Suits[i])
		seats += string(f.Seats[i])
	}
	row := []string{f.Deal.Index, suits, seats}
	for _, x := range f.Values {
		row = append(row, strconv.FormatFloat(x, 'f', -1, 64))
	}
	return row
}
