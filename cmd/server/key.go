package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"roem/internal/config"
)

// secretPrefix makes keys recognisable for people and programs that look for leaked secrets.
const secretPrefix = "roem_"

// newKey creates an API key and writes it, and its entry for the configuration.
func newKey(name string, to io.Writer) error {
	secret := secretPrefix + rand.Text() + rand.Text()
	sum := sha256.Sum256([]byte(secret))
	text := hex.EncodeToString(sum[:])
	var keys config.Keys
	if err := keys.UnmarshalText([]byte(name + ":" + text)); err != nil || len(keys) != 1 {
		return fmt.Errorf("-new-key wants a name of 1 to 64 letters, digits and ._-, not %.70q", name)
	}
	_, err := fmt.Fprintf(to, `The key. It is shown only now. Clients send it as Authorization: Bearer KEY
%s

The configuration needs only its SHA-256:
auth:
  mode: keys
  keys:
    - {id: %s, sha256: %s}
`, secret, keys[0].ID, text)
	return err
}
