package belote

import (
	"encoding/json"

	"roem/internal/engine/belote/compare"
)

// compared is the value of an experiment in the cache, as JSON, with a check behind it.
type compared struct {
	Rows      []compare.Row `json:"rows"`
	Generated uint64        `json:"generated"` // by all searches
}

// read reads a value of the cache. ok reports whether it belongs to the experiment.
func (q *CompareQuery) read(value []byte) (c compared, ok bool) {
	value, ok = q.key.Open(value)
	return c, ok && json.Unmarshal(value, &c) == nil
}

// keep returns counts as the cache keeps them.
func (q *CompareQuery) keep(c compared) ([]byte, error) {
	value, err := json.Marshal(c)
	return q.key.Seal(value), err
}
