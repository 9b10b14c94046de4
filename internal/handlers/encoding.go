package handlers

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// The content codings that the server sends.
const (
	identity = "identity" // as it is
	gzipped  = "gzip"
	brotlied = "br"
)

// smallAnswer is the size up to which an answer is sent as it is: it fits into one packet.
const smallAnswer = 1 << 10

// encodingFor returns the first of the offered content codings that the request prefers, and identity if it accepts none of them
// (RFC 9110, section 12.5.3).
func encodingFor(r *http.Request, offered ...string) string {
	weights, others := map[string]float64{}, 0.0
	for header := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, parameters, _ := strings.Cut(header, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		weight := weightOf(parameters)
		switch name {
		case "":
		case "*":
			others = weight
		case "x-gzip":
			weights[gzipped] = weight
		default:
			weights[name] = weight
		}
	}
	best, most := identity, weights[identity]
	for _, coding := range offered {
		weight, named := weights[coding]
		if !named {
			weight = others
		}
		if weight > 0 && (weight > most || best == identity && weight == most) {
			best, most = coding, weight
		}
	}
	return best
}

// weightOf returns the weight in the parameters of a content coding: 1 without one, and 0 for one that cannot be read.
func weightOf(parameters string) float64 {
	name, value, given := strings.Cut(parameters, "=")
	if !given {
		return 1
	}
	weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !strings.EqualFold(strings.TrimSpace(name), "q") || weight < 0 || weight > 1 {
		return 0
	}
	return weight
}

// compressors compress answers. There are only a few of them, because each has some hundred kilobytes of memory: no answer waits for
// anything else while it has one.
type compressors chan *gzip.Writer

func newCompressors(n int) (compressors, error) {
	all := make(compressors, n)
	for range n {
		w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
		if err != nil {
			return nil, err
		}
		all <- w
	}
	return all, nil
}

// compress returns the body compressed.
func (c compressors) compress(body []byte) *bytes.Buffer {
	var out bytes.Buffer
	out.Grow(len(body) / 4)
	w := <-c
	defer func() { c <- w }()
	w.Reset(&out)
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	return &out
}

// encoded returns the body as the request accepts it, and declares its content coding. An answer never holds a secret beside text that
// another site can choose: then its compressed size would tell something of the secret (BREACH).
func (h *Handlers) encoded(w http.ResponseWriter, r *http.Request, body *bytes.Buffer) *bytes.Buffer {
	if body.Len() <= smallAnswer {
		return body
	}
	w.Header().Add("Vary", "Accept-Encoding")
	if encodingFor(r, gzipped) != gzipped {
		return body
	}
	w.Header().Set("Content-Encoding", gzipped)
	return h.compressors.compress(body.Bytes())
}
