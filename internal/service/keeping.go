package service

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"time"

	"roem/internal/engine/match"
	"roem/internal/jobs"
)

// saveEvery is how often the state of a running job is saved at most: so much of its work is lost if the process dies.
const saveEvery = 10 * time.Second

type savingKey struct{}

// withSaving returns a context with which the computation of a task can save its state.
func withSaving(ctx context.Context, task jobs.Task) context.Context {
	return context.WithValue(ctx, savingKey{}, task)
}

// Keeping returns what keeps the contest of the query with a key for the next attempt at its job. Only an attempt with the same query and
// the same version of the program goes on with it. Nothing is kept of what is no job.
func (s *Service) Keeping(ctx context.Context, key []byte) match.Keeping {
	task, is := ctx.Value(savingKey{}).(jobs.Task)
	if !is || task.Save == nil {
		return match.Keeping{}
	}
	sum := sha256.New()
	for _, part := range [][]byte{[]byte(s.version), key} {
		sum.Write(binary.AppendUvarint(nil, uint64(len(part))))
		sum.Write(part)
	}
	mark, last := sum.Sum(nil), time.Now()
	saved, known := bytes.CutPrefix(task.State, mark)
	if !known {
		saved = nil
	}
	return match.Keeping{Saved: saved, Save: func(encode func() ([]byte, error)) error {
		if time.Since(last) < saveEvery {
			return nil
		}
		state, err := encode()
		if err != nil {
			return err
		}
		err = task.Save(bytes.Join([][]byte{mark, state}, nil))
		last = time.Now()
		if errors.Is(err, jobs.ErrYield) {
			return err
		}
		return nil // the store cannot be reached: the job goes on, and is saved later
	}}
}
