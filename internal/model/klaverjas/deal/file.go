package deal

import (
	"encoding/binary"
	"math"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/model/klaverjas/network"
	"roem/internal/model/nn/weightfile"
)

// The format of a file of weights is
//
//	8 bytes   the magic "roemnet2"
//	4 bytes   the length of the header
//	...       the header, JSON
//	4 bytes   the number of parameters
//	...       tables, integers of 8 bits
//	...       the left shift of each column of each table in bits, a byte each
//	...       the initial values of codes, and the matrices, integers of 16 bits
//	...       biases, integers of 32 bits
//	32 bytes  the SHA-256 of everything before it
//
// Numbers are little-endian. The parameters are in the order of [network.NewFixed].
const magic = "roemnet2"

// Header describes the weights of a file.
type Header struct {
	Name                string              `json:"name"`
	Version             string              `json:"version"`
	Rules               klaverjas.RulesJSON `json:"rules"`
	LeaderDeclares      bool                `json:"leader_declares"` // the side of the first leader, or the other
	Shape               network.Shape       `json:"shape"`
	Scales              network.Scales      `json:"scales"`
	Calibration         Calibration         `json:"calibration"`
	NodesPerMillisecond float64             `json:"nodes_per_millisecond"` // of the search where the data were made
	Solver              string              `json:"solver"`                // its version
	Training            network.Training    `json:"training"`
	Before              []Stage             `json:"before,omitempty"` // training that it started from, the first first
	Data                []Data              `json:"data"`
	HeldOut             []Data              `json:"held_out"` // whose deals were not trained on
}

// Calibration corrects the outputs of the network. It is fitted on rows that are not in the training data.
type Calibration struct {
	Scale         float64 `json:"scale"` // the logit of the probability is scale x output + shift
	Shift         float64 `json:"shift"`
	Effort90Shift float64 `json:"effort90_shift"` // added to the 90 % quantile of log10 nodes
	Rows          int     `json:"rows"`           // number of rows that it is fitted on
}

// Stage is an earlier training, from whose weights the training continued.
type Stage struct {
	SHA256  string `json:"sha256"` // of the file of weights
	Version string `json:"version"`
	// Rules are nil in files of before there were weights for two rule sets. They stand for the default rules of Rotterdam.
	Rules          *klaverjas.RulesJSON `json:"rules,omitempty"`
	LeaderDeclares bool                 `json:"leader_declares"`
	Training       network.Training     `json:"training"`
	Data           []Data               `json:"data"`
	HeldOut        []Data               `json:"held_out"`
}

// RulesOr returns rules that were stored, or the default rules of Rotterdam for nil.
func RulesOr(stored *klaverjas.RulesJSON) klaverjas.Rules {
	if stored == nil {
		return klaverjas.DefaultRules(klaverjas.Rotterdam)
	}
	return klaverjas.Rules(*stored)
}

// Data is a set of deals that the network was trained on.
type Data struct {
	Sampling string `json:"sampling"`
	Goal     string `json:"goal"`
	Seed     string `json:"seed"`
	Rows     int    `json:"rows"`            // rows used
	SetRows  uint64 `json:"set_rows"`        // rows of the whole set
	Shards   int    `json:"shards"`          // shards present
	Limit    int    `json:"limit,omitempty"` // only this number of rows from the start was used; 0 means all
	// Gain is set if the deals were selected (package dataset): the minimum number of mistakes that a million cards of search avoid
	// for each deal, by the predictions of the weights with the checksum ChosenBy.
	Gain     float64 `json:"gain,omitempty"`
	ChosenBy string  `json:"chosen_by,omitempty"`
}

// FileError is the error for a file of weights that cannot be used.
type FileError = weightfile.Error

func wrong(format string, args ...any) error { return weightfile.Wrong(format, args...) }

// Encode returns the contents of a file of weights.
func Encode(h Header, n *network.Fixed) ([]byte, error) {
	h.Shape, h.Scales = n.Shape(), n.Scales()
	out, err := weightfile.AppendHeader(nil, h)
	if err != nil {
		return nil, err
	}
	p := n.Params()
	out = binary.LittleEndian.AppendUint32(out, uint32(count(&p)))
	out = slices.Grow(out, size(&p))
	for _, x := range p.Tables {
		out = append(out, byte(x))
	}
	out = append(out, p.Shifts...)
	for _, x := range p.Narrow {
		out = binary.LittleEndian.AppendUint16(out, uint16(x))
	}
	for _, x := range p.Wide {
		out = binary.LittleEndian.AppendUint32(out, uint32(x))
	}
	return weightfile.Seal(magic, out), nil
}

func count(p *network.Integers) int { return len(p.Tables) + len(p.Narrow) + len(p.Wide) }

// size returns the size of parameters in bytes.
func size(p *network.Integers) int {
	return len(p.Tables) + len(p.Shifts) + 2*len(p.Narrow) + 4*len(p.Wide)
}

// decode reads a file of weights. Its errors are *[FileError].
func decode(file []byte) (*part, error) {
	content, err := weightfile.Open(magic, file)
	if err != nil {
		return nil, err
	}
	p := new(part)
	rest, err := weightfile.ReadHeader(content, &p.Header)
	if err != nil {
		return nil, err
	}
	if len(rest) < 4 {
		return nil, wrong("it has no parameters")
	}
	have := int(binary.LittleEndian.Uint32(rest))
	rest = rest[4:]
	if err := p.Header.validate(); err != nil {
		return nil, err
	}
	if err := p.Shape.Validate(); err != nil {
		return nil, wrong("%v", err)
	}
	params := network.NewIntegers(p.Shape)
	if want := count(&params); have != want {
		return nil, wrong("%d parameters: a network of this shape has %d", have, want)
	}
	if want := size(&params); len(rest) != want {
		return nil, wrong("%d bytes of parameters, expected %d", len(rest), want)
	}
	for i := range params.Tables {
		params.Tables[i] = int8(rest[i])
	}
	rest = rest[len(params.Tables):]
	rest = rest[copy(params.Shifts, rest):]
	for i := range params.Narrow {
		params.Narrow[i] = int16(binary.LittleEndian.Uint16(rest[2*i:]))
	}
	rest = rest[2*len(params.Narrow):]
	for i := range params.Wide {
		params.Wide[i] = int32(binary.LittleEndian.Uint32(rest[4*i:]))
	}
	if p.net, err = network.NewFixed(p.Shape, p.Scales, params); err != nil {
		return nil, wrong("%v", err)
	}
	p.bytes = len(file)
	p.sha256 = weightfile.Checksum(file)
	p.rules = klaverjas.Rules(p.Header.Rules)
	return p, nil
}

func (h *Header) validate() error {
	if h.Name == "" || h.Version == "" {
		return wrong("its header has no name or no version")
	}
	if err := klaverjas.Rules(h.Rules).Validate(); err != nil {
		return wrong("its rules: %v", err)
	}
	c := h.Calibration
	for name, x := range map[string]float64{
		"scale": c.Scale, "shift": c.Shift, "effort90_shift": c.Effort90Shift,
		"nodes_per_millisecond": h.NodesPerMillisecond,
	} {
		if math.IsNaN(x) || math.Abs(x) > 1e9 {
			return wrong("%s is %v", name, x)
		}
	}
	if c.Scale <= 0 || h.NodesPerMillisecond <= 0 {
		return wrong("scale is %v and nodes_per_millisecond %v: expected them above 0", c.Scale, h.NodesPerMillisecond)
	}
	return nil
}

// Decode reads a file of weights and returns its header and its network. Its errors are *[FileError].
func Decode(file []byte) (Trained, *network.Fixed, error) {
	p, err := decode(file)
	if err != nil {
		return Trained{}, nil, err
	}
	return p.trained(), p.net, nil
}
