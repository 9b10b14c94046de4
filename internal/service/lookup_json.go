package service

import (
	"context"
	"encoding/json"

	"roem/internal/api"
	"roem/internal/computation"
)

// NewJSONQuery returns the query whose result is one value of the cache, kept as JSON. compute has a slot.
func NewJSONQuery[R any](s *Service, key Key, compute func(context.Context) (R, error), body func(R, api.Source) any) *LookupQuery {
	return NewLookupQuery(s, key, Lookup{
		Valid: json.Valid,
		Compute: func(ctx context.Context, _ *computation.Task) ([]byte, error) {
			r, err := compute(ctx)
			if err != nil {
				return nil, err
			}
			return json.Marshal(r)
		},
	}, func(v Value) (Answer, error) {
		var r R
		err := json.Unmarshal(v.Bytes, &r)
		return Answer{Body: body(r, v.Source()), Source: v.Source()}, err
	})
}
