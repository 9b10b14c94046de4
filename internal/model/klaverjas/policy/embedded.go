//go:build !js

package policy

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"sync"
)

//go:embed weights/klaverjas.policy
var weights []byte

//go:embed weights/klaverjas-imitation.policy
var imitation []byte

// Default returns the embedded network that plays best. It is read once. An error means that the program was built with unusable weights.
var Default = embedded("policy", weights)

// Imitation returns the embedded network that chooses as players do that search worlds with all cards visible. It says better than Default
// what such players' cards tell about their hands. The error is the error of Default.
var Imitation = embedded("imitation policy", imitation)

func embedded(what string, file []byte) func() (*Network, error) {
	return sync.OnceValues(func() (*Network, error) {
		n, err := Decode(file)
		if err != nil {
			return nil, fmt.Errorf("the embedded %s: %w", what, err)
		}
		return n, nil
	})
}

// SHA256 returns the checksum of both embedded networks, in hexadecimal.
func SHA256() string {
	sum := sha256.New()
	sum.Write(weights)
	sum.Write(imitation)
	return hex.EncodeToString(sum.Sum(nil))
}
