package handlers

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"

	"roem/internal/service"
	"roem/internal/web"
)

// Values of Cache-Control.
const (
	revalidated = "no-cache"                            // a client asks each time whether it has changed
	immutable   = "public, max-age=31536000, immutable" // a client never asks again: another content has another name
)

// document is a fixed body that does not change while the server runs, in each content coding that the server has of it.
type document struct {
	mediaType string
	cache     string
	etag      string
	codings   []string // in the order in which the server prefers them, without identity
	forms     map[string]func() ([]byte, error)
}

// newDocument returns a document that clients revalidate each time. The first client that accepts gzip has it compressed.
func newDocument(mediaType string, body []byte) document {
	return newDocumentBy(mediaType, body, wellCompressed)
}

// newDocumentBy is newDocument with another way to compress.
func newDocumentBy(mediaType string, body []byte, compress func([]byte) ([]byte, error)) document {
	d := document{
		mediaType: mediaType, cache: revalidated, etag: hashOf(body),
		forms: map[string]func() ([]byte, error){identity: func() ([]byte, error) { return body, nil }},
	}
	if len(body) > smallAnswer {
		d.codings = []string{gzipped}
		d.forms[gzipped] = sync.OnceValues(func() ([]byte, error) { return compress(body) })
	}
	return d
}

// keptDocuments are documents that depend on the address at which a client sees the server. There are few of them, unless clients make up
// addresses: so no more than mostKept are kept. It is safe for concurrent use.
type keptDocuments struct {
	mu   sync.Mutex
	kept map[string]document
}

const mostKept = 32

// of returns the document of a key, which build makes if it is not kept.
func (k *keptDocuments) of(key string, build func() (document, error)) (document, error) {
	k.mu.Lock()
	d, ok := k.kept[key]
	k.mu.Unlock()
	if ok {
		return d, nil
	}
	d, err := build()
	if err != nil {
		return d, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil || len(k.kept) >= mostKept {
		k.kept = make(map[string]document)
	}
	k.kept[key] = d
	return d, nil
}

// linked returns a document as the client of a request gets it. Each of links is a part of the document, with %s where the prefix of a link
// belongs.
func (h *Handlers) linked(r *http.Request, d document, links ...string) (document, error) {
	prefix := service.Link(r.Context(), "")
	if prefix == "" {
		return d, nil
	}
	return h.docs.kept.of(d.etag+" "+prefix, func() (document, error) {
		body, err := d.forms[identity]()
		for _, link := range links {
			body = bytes.ReplaceAll(body, []byte(fmt.Sprintf(link, "")), []byte(fmt.Sprintf(link, prefix)))
		}
		return newDocument(d.mediaType, body), err
	})
}

// serveLinked writes a document with its links.
func (h *Handlers) serveLinked(w http.ResponseWriter, r *http.Request, d document, links ...string) {
	d, err := h.linked(r, d, links...)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.serve(w, r, d)
}

// assetDocument returns an asset. The first client that accepts a coding has it compressed.
func assetDocument(a web.Asset) document {
	d := newDocument(a.Type, a.Body)
	d.cache = immutable
	if len(d.codings) > 0 {
		d.codings = []string{brotlied, gzipped}
		d.forms[brotlied] = sync.OnceValues(func() ([]byte, error) { return brotliCompressed(a.Body) })
	}
	return d
}

func hashOf(body []byte) string {
	sum := sha256.Sum256(body)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// wellCompressed compresses a body that is compressed once.
func wellCompressed(body []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	return out.Bytes(), nil
}

// brotliLevel is where the encoder stops being fast: the next level takes three times as long, for 6 % less.
const brotliLevel = 9

// brotliCompressed compresses a body that is compressed once.
func brotliCompressed(body []byte) ([]byte, error) {
	var out bytes.Buffer
	w := brotli.NewWriterLevel(&out, brotliLevel)
	_, _ = w.Write(body) // a buffer takes everything
	err := w.Close()
	return out.Bytes(), err
}

// serve writes the document, or 304 to a client that has it already.
func (h *Handlers) serve(w http.ResponseWriter, r *http.Request, d document) {
	coding := encodingFor(r, d.codings...)
	body, err := d.forms[coding]()
	if err != nil {
		h.fail(w, r, err)
		return
	}
	header := w.Header()
	header.Set("Content-Type", d.mediaType)
	header.Set("Cache-Control", d.cache)
	etag := d.etag
	if len(d.codings) > 0 {
		header.Add("Vary", "Accept-Encoding")
	}
	if coding != identity {
		etag += "-" + coding // each coding has bytes of its own
		header.Set("Content-Encoding", coding)
		header.Set("Content-Length", strconv.Itoa(len(body))) // ServeContent leaves it out for an encoded body
	}
	header.Set("ETag", `"`+etag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}
