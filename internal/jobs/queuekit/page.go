package queuekit

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"

	"roem/internal/jobs"
)

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

// tokenCheck returns a checksum, which finds mistaken tokens. It need not resist forgery: a page shows the owner's jobs only.
func tokenCheck(owner string, number []byte) []byte { return Digest("page", owner, string(number))[:4] }

// CheckPage returns an error for a page whose limit is out of range.
func CheckPage(o jobs.ListOptions) error {
	if o.IDs == nil && (o.Limit < 1 || o.Limit > jobs.MaxPage) {
		return fmt.Errorf("jobs: a page of %d: expected 1 to %d", o.Limit, jobs.MaxPage)
	}
	return nil
}

// CheckPart returns an error for a part of a result that is out of range.
func CheckPart(offset, limit int) error {
	if offset < 0 || limit < 1 {
		return fmt.Errorf("jobs: %d bytes of a result from %d on: expected at least 1 from 0 on", limit, offset)
	}
	return nil
}
