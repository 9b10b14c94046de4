//go:build !js

package match

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"maps"
	"math"
	"slices"
	"time"
)

// Restore sets the tally of a contest, which must point to a struct, to what was saved, and returns how many deals it is of. If nothing
// was saved, or it cannot be read, the tally does not change, and it returns 0.
func Restore[T any](k Keeping, tally *T) (deals int) {
	if len(k.Saved) == 0 {
		return 0
	}
	var saved T
	from := gob.NewDecoder(bytes.NewReader(k.Saved))
	if from.Decode(&deals) != nil || from.Decode(&saved) != nil {
		return 0
	}
	*tally = saved
	return deals
}

// After saves the tally of as many deals.
func (k Keeping) After(deals int, tally any) error {
	if k.Save == nil {
		return nil
	}
	return k.Save(func() ([]byte, error) {
		var out bytes.Buffer
		to := gob.NewEncoder(&out)
		err := errors.Join(to.Encode(deals), to.Encode(tally))
		return out.Bytes(), err
	})
}

// timeStep is the ratio of two durations that are next to each other when times are encoded.
const timeStep = 1.01

// GobEncode returns the times in some kilobytes: how many there are of each duration, to half a percent.
func (t Times) GobEncode() ([]byte, error) {
	counts := map[int64]int64{}
	for _, d := range t.all {
		counts[int64(math.Round(math.Log(float64(max(d, 1)))/math.Log(timeStep)))]++
	}
	var out []byte
	for _, step := range slices.Sorted(maps.Keys(counts)) {
		out = binary.AppendVarint(binary.AppendVarint(out, step), counts[step])
	}
	return out, nil
}

var errTimes = errors.New("these are no encoded times")

// GobDecode sets the times to encoded ones.
func (t *Times) GobDecode(from []byte) error {
	t.all = nil
	for len(from) > 0 {
		step, n := binary.Varint(from)
		count, m := binary.Varint(from[max(n, 0):])
		if n <= 0 || m <= 0 || count < 0 || count > math.MaxInt32 {
			return errTimes
		}
		from = from[n+m:]
		t.all = append(t.all, slices.Repeat([]time.Duration{time.Duration(math.Pow(timeStep, float64(step)))}, int(count))...)
	}
	return nil
}
