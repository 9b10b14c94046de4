package deal

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/model/klaverjas/network"
	"roem/internal/model/nn/weightfile"
)

// Default returns the model that comes with the program. It knows the headers of its weights by the card, and loads each file when it first
// predicts a deal with it.
func Default() (*Model, error) { return model.Get(described) }

var model weightfile.Remembered[*Model]

func described() (*Model, error) {
	card := DefaultCard()
	m := new(Model)
	for i, name := range files() {
		w := &card.Weights[i]
		m.parts = append(m.parts, &part{
			Header: w.Header, sha256: w.SHA256, bytes: w.Bytes, rules: klaverjas.Rules(w.Rules),
			load: weightfile.Fetched(name+".roemnet", func(file []byte) (*network.Fixed, error) { return fixed(file, w.SHA256) }),
		})
	}
	return m, nil
}

// fixed returns the network of a file with a checksum.
func fixed(file []byte, sha256 string) (*network.Fixed, error) {
	p, err := decode(file)
	if err != nil {
		return nil, err
	}
	if p.sha256 != sha256 {
		return nil, wrong("it belongs to another version of the program")
	}
	return p.net, nil
}
