// Package queuekit holds what the implementations of jobs.Queue have in common: identifiers, page tokens, the call of a
// handler, the verdict over one that failed, and the following of a job.
package queuekit

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/debug"

	"roem/internal/jobs"
)

var idText = base32.HexEncoding.WithPadding(base32.NoPadding) //nolint:gochecknoglobals // an immutable encoding

// NewID returns 128 random bits in 26 characters of 0-9a-v.
func NewID() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // never fails, by its documentation
	text := []byte(idText.EncodeToString(raw[:]))
	for i, c := range text {
		if c >= 'A' {
			text[i] = c - 'A' + 'a'
		}
	}
	return string(text)
}

// CheckSpec reports what is wrong with a spec.
func CheckSpec(spec jobs.Spec, maxPayload int) error {
	if spec.Kind == "" {
		return jobs.ErrNoKind
	}
	for _, name := range []struct{ what, value string }{
		{"kind", spec.Kind}, {"key", spec.Key}, {"owner", spec.Owner}, {"idempotency key", spec.IdempotencyKey},
	} {
		if len(name.value) > jobs.MaxName {
			return fmt.Errorf("%w: a %s of %d bytes, at most %d", jobs.ErrTooLarge, name.what, len(name.value), jobs.MaxName)
		}
	}
	if len(spec.Payload) > maxPayload {
		return fmt.Errorf("%w: a payload of %d bytes, at most %d", jobs.ErrTooLarge, len(spec.Payload), maxPayload)
	}
	return nil
}

// Digest returns 16 bytes that stand for the parts, of fixed length and so fit for the beginning of a key.
func Digest(parts ...string) []byte {
	h := sha256.New()
	var length [8]byte
	for _, part := range parts {
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		h.Write(length[:])
		h.Write([]byte(part))
	}
	return h.Sum(nil)[:16]
}

// Fingerprint returns what two specs under one idempotency key must have in common.
func Fingerprint(spec jobs.Spec) []byte { return Digest(spec.Kind, string(spec.Payload)) }

// PageToken returns the token of the page that begins after the owner's job of that number.
func PageToken(owner string, number uint64) string {
	raw := binary.BigEndian.AppendUint64(nil, number)
	return base64.RawURLEncoding.EncodeToString(append(raw, tokenCheck(owner, raw)...))
}

// ParsePageToken returns the number in a token of PageToken for that owner, or ErrBadToken.
func ParsePageToken(owner, token string) (uint64, error) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != 12 || !bytes.Equal(raw[8:], tokenCheck(owner, raw[:8])) {
		return 0, jobs.ErrBadToken
	}
	return binary.BigEndian.Uint64(raw), nil
}

// tokenCheck finds mistaken tokens; it is no protection, and need be none: a page shows the owner's own jobs.
func tokenCheck(owner string, number []byte) []byte { return Digest("page", owner, string(number))[:4] }

// CheckLimit reports a limit that cannot be.
func CheckLimit(limit int) error {
	if limit < 1 || limit > jobs.MaxPage {
		return fmt.Errorf("jobs: a page of %d: expected 1 to %d", limit, jobs.MaxPage)
	}
	return nil
}

// Perform calls the handler and makes a panic of it an error. A nil result without error becomes an empty one.
func Perform(ctx context.Context, handler jobs.Handler, task jobs.Task, progress func([]byte)) (result []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, fmt.Errorf("the handler panicked: %v\n%s", p, debug.Stack())
		}
	}()
	result, err = handler(ctx, task, progress)
	if err == nil && result == nil {
		result = []byte{}
	}
	return result, err
}

// Closed reports whether the channel, to which nobody sends, has been closed.
func Closed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

// MaxDeaths bounds how often processes may die over work. A death says little of the work that was under way, so it is not enough to have
// been there often: a process may be killed at any moment for reasons of its own, and then each time it is other work
// that is hit. Work that kills is there each time. So work is given up when it was under way at each of the last
// MaxAttempts deaths; and at MaxDeaths in any case, lest several such works that alternate go on for ever.
const MaxDeaths = 2 * jobs.MaxAttempts

// Deaths is what is known of the processes that died at a work. Its number of the last death counts all deaths of
// processes that worked the queue.
type Deaths struct {
	Count  int    `json:"count,omitempty"`  // how many
	Streak int    `json:"streak,omitempty"` // how many in a row, with none elsewhere between
	Last   uint64 `json:"last,omitempty"`   // the number of the last
}

// AloneFrom is how many deaths make work run alone: one may be anything's, but with one more of its own it would be given up.
const AloneFrom = jobs.MaxAttempts - 1

// Add counts the death of that number and reports whether the work is to be given up.
func (d *Deaths) Add(number uint64) bool {
	if d.Count > 0 && d.Last+1 == number {
		d.Streak++
	} else {
		d.Streak = 1
	}
	d.Count++
	d.Last = number
	return d.Streak >= jobs.MaxAttempts || d.Count >= MaxDeaths
}

// Verdict says what the end of an attempt means.
type Verdict struct {
	Status  jobs.Status // Succeeded, Failed, or Queued for another attempt
	Result  []byte
	Failure jobs.Failure
	Error   []byte
}

// MaxDetail bounds the bytes of a progress report and of an error's detail. Larger ones are left out.
const MaxDetail = 64 << 10

// detail returns the detail of an error, within bounds.
func detail(err error) []byte {
	if d := jobs.Detail(err); len(d) <= MaxDetail {
		return d
	}
	return nil
}

// Judge returns the verdict over what the handler returned, when as many attempts as failures had failed before.
func Judge(result []byte, err error, failures, maxResult int) Verdict {
	switch {
	case err == nil && len(result) > maxResult:
		return Verdict{Status: jobs.Failed, Failure: jobs.FailedTooLarge}
	case err == nil:
		return Verdict{Status: jobs.Succeeded, Result: result}
	case jobs.IsPermanent(err):
		return Verdict{Status: jobs.Failed, Failure: jobs.FailedForGood, Error: detail(err)}
	case failures+1 >= jobs.MaxAttempts:
		return Verdict{Status: jobs.Failed, Failure: jobs.FailedTooOften, Error: detail(err)}
	default:
		return Verdict{Status: jobs.Queued}
	}
}

// ErrStopped is why the context of a handler ended when the process stops working.
var ErrStopped = errors.New("the process stops working")

// ErrTaken is why the context of a handler ended when its work was cancelled, or taken over by another process.
var ErrTaken = errors.New("the work is cancelled or has been taken over")
