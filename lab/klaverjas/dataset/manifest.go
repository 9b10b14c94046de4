package dataset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
)

// format is the version of the file formats.
const format = 1

// manifestName is the name of the file that describes a data set.
const manifestName = "manifest.json"

// Manifest is the content of manifest.json.
type Manifest struct {
	Format     int                 `json:"format"` // the version of the file formats: 1
	Sampling   Sampling            `json:"sampling"`
	Goal       string              `json:"goal"` // win or value
	Seed       string              `json:"seed"` // a decimal number: it may exceed 2^53
	Rules      klaverjas.RulesJSON `json:"rules"`
	Declarer   string              `json:"declarer,omitempty"` // EW; absent for NS
	Solver     string              `json:"solver"`             // search.Version
	TableBytes int                 `json:"table_bytes"`        // of the solver; the number of nodes depends on it
	Rows       uint64              `json:"rows"`               // in all shards, including those not made yet
	RowBytes   int                 `json:"row_bytes"`
	ShardRows  int                 `json:"shard_rows"` // in each shard; the last may have fewer
	Choice     *ChoiceInfo         `json:"choice,omitempty"`
	Complete   bool                `json:"complete"` // every shard is there
	Shards     []ShardInfo         `json:"shards"`   // the existing shards, in the order of their numbers
}

// ChoiceInfo describes a Choice in a manifest.
type ChoiceInfo struct {
	Gain  float64 `json:"gain"`
	Model string  `json:"model"`
}

// choice returns the settings' choice, without the weights.
func (m Manifest) choice() *Choice {
	if m.Choice == nil {
		return nil
	}
	return &Choice{Model: m.Choice.Model, Gain: m.Choice.Gain}
}

func choiceInfo(c *Choice) *ChoiceInfo {
	if c == nil {
		return nil
	}
	return &ChoiceInfo{Gain: c.Gain, Model: c.Model}
}

// ShardInfo describes a shard in a manifest.
type ShardInfo struct {
	Number int    `json:"number"`
	File   string `json:"file"`
	Rows   int    `json:"rows"`
	SHA256 string `json:"sha256"` // in lower-case hexadecimal
}

func newManifest(s Settings, shards []ShardInfo) Manifest {
	return Manifest{
		Format: format, Sampling: s.Sampling, Goal: s.Goal.String(), Seed: strconv.FormatUint(s.Seed,
			10), Rules: klaverjas.RulesJSON(s.Rules), Declarer: declarerName(s.Declarer),
		Solver: search.Version, TableBytes: tableBytes, Rows: s.Rows, RowBytes: rowBytes(s.Goal), ShardRows: s.ShardRows,
		Choice:   choiceInfo(s.Choice),
		Complete: len(shards) == s.Shards(), Shards: shards,
	}
}

// declarerName returns the name of the declaring team in a manifest.
func declarerName(t piquet.Team) string {
	if t == piquet.NorthSouth {
		return ""
	}
	return t.String()
}

// settings returns the settings of the manifest. It is an error if the manifest is not consistent.
func (m Manifest) settings() (Settings, error) {
	if m.Format != format {
		return Settings{}, fmt.Errorf(`"format" is %d: this version of roem-lab reads %d`, m.Format, format)
	}
	s := Settings{Sampling: m.Sampling, Rules: klaverjas.Rules(m.Rules), Rows: m.Rows, ShardRows: m.ShardRows, Choice: m.choice()}
	var err error
	if m.Declarer != "" {
		if s.Declarer, err = piquet.ParseTeam(m.Declarer); err != nil || m.Declarer != declarerName(s.Declarer) {
			return Settings{}, fmt.Errorf(`"declarer" is %.40q: expected "EW", or none for NS`, m.Declarer)
		}
	}
	if s.Goal, err = search.ParseGoal(m.Goal); err != nil {
		return Settings{}, fmt.Errorf(`"goal": %w`, err)
	}
	if s.Seed, err = strconv.ParseUint(m.Seed, 10, 64); err != nil {
		return Settings{}, fmt.Errorf(`"seed" is %.40q: expected a whole number`, m.Seed)
	}
	if err := s.Validate(); err != nil {
		return Settings{}, err
	}
	if want := rowBytes(s.Goal); m.RowBytes != want {
		return Settings{}, fmt.Errorf(`"row_bytes" is %d: expected %d with goal %s`, m.RowBytes, want, s.Goal)
	}
	last := -1
	for i, shard := range m.Shards {
		n := shard.Number
		switch {
		case n <= last || n >= s.Shards():
			return Settings{}, fmt.Errorf(`"shards" has number %d at place %d: expected them in order, 0 to %d`, n, i, s.Shards()-1)
		case shard.File != shardName(n)+rowsExt:
			return Settings{}, fmt.Errorf(`shard %d has "file" %.40q: expected %q`, n, shard.File, shardName(n)+rowsExt)
		case shard.Rows != s.RowsIn(n):
			return Settings{}, fmt.Errorf(`shard %d has "rows" %d: expected %d`, n, shard.Rows, s.RowsIn(n))
		case !isSum(shard.SHA256):
			return Settings{}, fmt.Errorf(`shard %d has "sha256" %.80q: expected 64 hexadecimal digits`, n, shard.SHA256)
		}
		last = n
	}
	if want := len(m.Shards) == s.Shards(); m.Complete != want {
		return Settings{}, fmt.Errorf(`"complete" is %t, but %d of %d shards are listed`, m.Complete, len(m.Shards), s.Shards())
	}
	return s, nil
}

// readManifest reads the manifest of a directory. Its error wraps fs.ErrNotExist if it does not exist.
func readManifest(dir string) (Manifest, Settings, error) {
	path := filepath.Join(dir, manifestName)
	text, err := os.ReadFile(path) //nolint:gosec // the user's own choice of a directory
	if err != nil {
		return Manifest{}, Settings{}, err
	}
	fail := func(err error) (Manifest, Settings, error) {
		return Manifest{}, Settings{}, fmt.Errorf("%s: %w", path, err)
	}
	var m Manifest
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return fail(err)
	}
	// If it is encoded again, the text must be the same except for white space. This finds missing, repeated and additional fields, which
	// the decoder accepts.
	again, err := json.Marshal(m)
	if err != nil {
		return fail(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return fail(err)
	}
	if !bytes.Equal(again, compact.Bytes()) {
		return fail(errors.New("not in the form that roem-lab writes: a field is missing, repeated or out of order"))
	}
	s, err := m.settings()
	if err != nil {
		return fail(err)
	}
	return m, s, nil
}

// write writes the manifest.
func (m Manifest) write(dir string) error {
	if m.Shards == nil {
		m.Shards = []ShardInfo{}
	}
	slices.SortFunc(m.Shards, func(a, b ShardInfo) int { return cmp.Compare(a.Number, b.Number) })
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, manifestName), append(text, '\n'))
}

// MismatchError is the error for a directory that contains a data set with other settings.
type MismatchError struct {
	Dir        string
	Field      string // of manifest.json
	Have, Want string // as JSON
}

// Error returns the field that differs.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s holds another data set: %q is %s in its %s, asked for is %s",
		e.Dir, e.Field, e.Have, manifestName, e.Want)
}

// mustBe returns a *MismatchError if the manifests describe different rows.
func (m Manifest) mustBe(want Manifest, dir string) error {
	for _, f := range []struct {
		name       string
		have, want any
	}{
		{"sampling", m.Sampling, want.Sampling},
		{"goal", m.Goal, want.Goal},
		{"seed", m.Seed, want.Seed},
		{"rules", m.Rules, want.Rules},
		{"declarer", m.Declarer, want.Declarer},
		{"solver", m.Solver, want.Solver},
		{"table_bytes", m.TableBytes, want.TableBytes},
		{"rows", m.Rows, want.Rows},
		{"shard_rows", m.ShardRows, want.ShardRows},
		{"choice", m.Choice, want.Choice},
	} {
		if reflect.DeepEqual(f.have, f.want) { // Choice is a pointer
			continue
		}
		have, err := json.Marshal(f.have)
		if err != nil {
			return err
		}
		wanted, err := json.Marshal(f.want)
		if err != nil {
			return err
		}
		return &MismatchError{Dir: dir, Field: f.name, Have: string(have), Want: string(wanted)}
	}
	return nil
}
