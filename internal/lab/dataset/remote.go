package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"roem/internal/engine/klaverjas/search"
)

// Order asks for a shard, in a form that another machine reads.
type Order struct {
	Settings Settings
	Shard    int
}

// order is an Order as JSON: what a manifest says of the set, and the number of the shard.
type order struct {
	Set   Manifest `json:"set"`
	Shard int      `json:"shard"`
}

// MarshalJSON writes the order.
func (o Order) MarshalJSON() ([]byte, error) {
	return json.Marshal(order{newManifest(o.Settings, nil), o.Shard})
}

// UnmarshalJSON reads an order. It is an error if it cannot be, or if it was made for another version of the search,
// whose rows would differ.
func (o *Order) UnmarshalJSON(text []byte) error {
	var read order
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	settings, err := read.Set.settings()
	if err == nil {
		err = settings.Validate()
	}
	switch {
	case err != nil:
		return err
	case read.Set.Solver != search.Version || read.Set.TableBytes != tableBytes:
		return fmt.Errorf("the shard is to be made by search %s with a table of %d bytes; this is %s with %d",
			read.Set.Solver, read.Set.TableBytes, search.Version, tableBytes)
	case settings.Choice != nil:
		return errors.New("the shard is of deals that a model chooses, and an order brings no weights: make such a set on one machine, or in parts")
	case read.Shard < 0 || read.Shard >= settings.Shards():
		return fmt.Errorf("shard %d: expected 0 to %d", read.Shard, settings.Shards()-1)
	}
	*o = Order{Settings: settings, Shard: read.Shard}
	return nil
}

// Pack returns what was ordered as bytes, for Unpack elsewhere.
func (o Order) Pack(s Shard) []byte { return slices.Concat(s.Rows, s.Times) }

// Unpack returns the shard in the bytes of Pack.
func (o Order) Unpack(packed []byte) (Shard, error) {
	n := o.Settings.RowsIn(o.Shard)
	rows := n * rowBytes(o.Settings.Goal)
	if len(packed) != rows+n*timeBytes {
		return Shard{}, fmt.Errorf("shard %d came as %d bytes: expected %d", o.Shard, len(packed), rows+n*timeBytes)
	}
	return Shard{Number: o.Shard, Rows: packed[:rows:rows], Times: packed[rows:]}, nil
}

// Finish lists all shards that are there in the manifest, after those that Add has added.
func (b *Builder) Finish() error { return b.writeManifest() }
