package dataset

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"roem/internal/engine/klaverjas/index"
)

// Verified counts what Verify checked.
type Verified struct {
	Shards  int    `json:"shards"`
	Rows    uint64 `json:"rows"`
	Classes int    `json:"classes"` // different suit-distribution classes among the rows
}

// Verify checks the shards from number from to number to-1 of a data set. Each shard must be listed in the manifest and have the size and
// checksum that are listed. Each row must be the deal that its number and the seed determine, with valid labels. With a Choice, it must be
// one of the deals drawn for the row; the weights are not used. With Classes, no class may occur twice, so that a complete set contains
// each class once. The deals are not solved again. done is called after each shard.
//
// The error contains the first error of each shard. Only the error of the context ends the work early.
func (s *Set) Verify(ctx context.Context, from, to int, done func()) (Verified, error) {
	var (
		v       Verified
		errs    []error
		missing = ranges{}
		seen    = make([]bool, index.Classes)
	)
	for number := from; number < to; number++ {
		if err := ctx.Err(); err != nil {
			return v, err
		}
		rows, err := s.Shard(number)
		if _, listed := s.info(number); !listed {
			if _, statErr := os.Stat(filepath.Join(s.dir, shardName(number)+rowsExt)); statErr != nil {
				missing.add(number)
				done()
				continue
			}
			err = fmt.Errorf("%s is there, but %s does not list it", shardName(number)+rowsExt, manifestName)
		} else if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s is not there, but %s lists it", shardName(number)+rowsExt, manifestName)
		}
		if err == nil {
			err = s.verifyRows(rows, seen, &v)
		}
		if err == nil {
			v.Shards++
			v.Rows += uint64(len(rows))
		}
		errs = append(errs, err)
		done()
	}
	if len(missing) > 0 {
		errs = append(errs, fmt.Errorf("missing: %s of %d", missing, s.Settings.Shards()))
	}
	err := errors.Join(errs...)
	if err == nil && s.Settings.Sampling == Classes && v.Rows == index.Classes && v.Classes != index.Classes {
		err = fmt.Errorf("%d of %d classes have a row", v.Classes, index.Classes)
	}
	return v, err
}

// verifyRows checks the rows of a shard and marks their classes as seen.
func (s *Set) verifyRows(rows []Row, seen []bool, v *Verified) error {
	for _, row := range rows {
		deal := row.Deal()
		class, err := index.ClassNumber(index.ClassOf(deal))
		if err != nil {
			return fmt.Errorf("row %d: %w", row.Number, err)
		}
		again := seen[class]
		if !again {
			seen[class] = true
			v.Classes++
		}
		if s.Settings.Sampling == Classes {
			if uint64(class) != row.Number {
				return fmt.Errorf("row %d is of class %d", row.Number, class)
			}
			if again {
				return fmt.Errorf("row %d: class %d comes a second time", row.Number, class)
			}
		}
		if !s.Settings.drawn(deal, row.Number) {
			return fmt.Errorf("row %d is not the deal that its number and the seed %d give", row.Number, s.Settings.Seed)
		}
	}
	return nil
}

// ranges formats numbers in ascending order, with consecutive numbers as ranges.
type ranges [][2]int

func (r *ranges) add(n int) {
	if last := len(*r) - 1; last >= 0 && (*r)[last][1] == n-1 {
		(*r)[last][1] = n
		return
	}
	*r = append(*r, [2]int{n, n})
}

func (r ranges) String() string {
	words := make([]string, len(r))
	for i, one := range r {
		if words[i] = fmt.Sprintf("shard %d", one[0]); one[1] > one[0] {
			words[i] = fmt.Sprintf("shards %d to %d", one[0], one[1])
		}
	}
	return strings.Join(words, ", ")
}
