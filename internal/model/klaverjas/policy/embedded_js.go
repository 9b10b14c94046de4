package policy

import (
	"crypto/sha256"
	"encoding/hex"

	"roem/internal/model/nn/weightfile"
)

// pair is both networks, which are used together, and their checksum.
type pair struct {
	play, imitation *Network
	sha256          string
}

var once weightfile.Remembered[pair]

func both() (pair, error) { return once.Get(load) }

func load() (p pair, err error) {
	sum := sha256.New()
	read := func(name string) (*Network, error) {
		file, err := weightfile.Fetch(name)
		if err != nil {
			return nil, err
		}
		sum.Write(file)
		return Decode(file)
	}
	if p.play, err = read("klaverjas.policy"); err != nil {
		return p, err
	}
	if p.imitation, err = read("klaverjas-imitation.policy"); err != nil {
		return p, err
	}
	p.sha256 = hex.EncodeToString(sum.Sum(nil))
	return p, nil
}

// Default returns the network that plays best.
func Default() (*Network, error) {
	p, err := both()
	return p.play, err
}

// Imitation returns the network that chooses as players do that search worlds with all cards visible.
func Imitation() (*Network, error) {
	p, err := both()
	return p.imitation, err
}

// SHA256 returns the checksum of both networks, in hexadecimal. It is empty as long as they cannot be loaded.
func SHA256() string {
	p, _ := both() // who uses them gets the error
	return p.sha256
}
