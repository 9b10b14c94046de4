package service

import (
	"context"
	"encoding/json"

	"roem/internal/computation"
)

// NewJSONQuery returns the query whose result is one value of the cache, kept as JSON. compute has a slot.
func NewJSONQuery[R any](s *Service, key Key, compute func(context.Context) (R, error)) *LookupQuery[R] {
	return NewLookupQuery(s, key, Lookup{
		Valid: json.Valid,
		Compute: func(ctx context.Context, _ *computation.Task) ([]byte, error) {
			r, err := compute(ctx)
			if err != nil {
				return nil, err
			}
			return json.Marshal(r)
		},
	}, func(v Value) (Answer[R], error) {
		out := Answer[R]{Source: v.Source()}
		err := json.Unmarshal(v.Bytes, &out.Result)
		return out, err
	})
}
