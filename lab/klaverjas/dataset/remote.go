package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"roem/internal/engine/klaverjas/search"
)

// Order is an order for a shard, which another machine can carry out.
type Order struct {
	Settings Settings
	Shard    int
}

// order is the JSON form of an Order: the manifest of the set without shards, and the number of the shard.
type order struct {
	Set   Manifest `json:"set"`
	Shard int      `json:"shard"`
}

// MarshalJSON returns the JSON form.
func (o Order) MarshalJSON() ([]byte, error) {
	return json.Marshal(order{newManifest(o.Settings, nil), o.Shard})
}

// UnmarshalJSON reads the JSON form. It is an error if the order is not valid, or if it is for another version of the search, since
// the rows would differ.
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
		return fmt.Errorf("the shard must be made by search %s with a table of %d bytes; this is search %s with %d",
			read.Set.Solver, read.Set.TableBytes, search.Version, tableBytes)
	case settings.Choice != nil:
		return errors.New("a model chooses the deals of the shard, and an order contains no weights: make such a set on one machine, or in parts")
	case read.Shard < 0 || read.Shard >= settings.Shards():
		return fmt.Errorf("shard %d: expected 0 to %d", read.Shard, settings.Shards()-1)
	}
	*o = Order{Settings: settings, Shard: read.Shard}
	return nil
}

// Pack returns the shard as bytes, for Unpack on another machine.
func (o Order) Pack(s Shard) []byte { return slices.Concat(s.Rows, s.Times) }

// Unpack is the inverse of Pack.
func (o Order) Unpack(packed []byte) (Shard, error) {
	n := o.Settings.RowsIn(o.Shard)
	rows := n * rowBytes(o.Settings.Goal)
	if len(packed) != rows+n*timeBytes {
		return Shard{}, fmt.Errorf("shard %d has %d bytes: expected %d", o.Shard, len(packed), rows+n*timeBytes)
	}
	return Shard{Number: o.Shard, Rows: packed[:rows:rows], Times: packed[rows:]}, nil
}

// Finish lists all existing shards in the manifest. Call it after the last Add.
func (b *Builder) Finish() error { return b.writeManifest() }
