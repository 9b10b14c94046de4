// Package queuekit holds what the implementations of jobs.Queue have in common: identifiers, page tokens, the call of a
// handler, the outcome of an attempt, and watches.
package queuekit

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"fmt"

	"roem/internal/jobs"
)

var idText = base32.HexEncoding.WithPadding(base32.NoPadding) // an immutable encoding

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

// CheckSpec returns an error for a spec without a kind and for one that is too large.
func CheckSpec(spec jobs.Spec, maxPayload int) error {
	if spec.Kind == "" {
		return jobs.ErrNoKind
	}
	for _, name := range []struct{ what, value string }{
		{"kind", spec.Kind}, {"key", spec.Key}, {"owner", spec.Owner}, {"network", spec.Network}, {"idempotency key", spec.IdempotencyKey},
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

// Digest returns a hash of the parts. Its fixed length of 16 bytes makes it fit for the prefix of a key.
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

// Fingerprint returns a hash of what must be equal in two specs with the same idempotency key.
func Fingerprint(spec jobs.Spec) []byte { return Digest(spec.Kind, string(spec.Payload)) }

// IdempotencyScope returns what must be equal in two specs for their idempotency keys to be the same.
func IdempotencyScope(spec jobs.Spec) []string {
	scope := []string{spec.Owner, spec.IdempotencyKey}
	if spec.Unlisted {
		scope = append(scope, string(Fingerprint(spec)))
	}
	return scope
}

// FindsEqual reports whether a spec without a job of its own gets the job of an equal one of its owner. A job with an idempotency key, and
// an unlisted one, belongs to the client that made it, and only shares its task.
func FindsEqual(spec jobs.Spec) bool {
	return spec.Key != "" && spec.IdempotencyKey == "" && !spec.Unlisted
}

// Closed reports whether the channel is closed. Nothing may be sent to it.
func Closed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

// Signal sends to a channel with room for one, if it has room.
func Signal(ch chan<- struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}
