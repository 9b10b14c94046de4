package handlers

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	contract "roem/api"
	"roem/internal/service"
	"roem/internal/web"
)

// document is a fixed body that does not change while the server runs.
type document struct {
	mediaType string
	body      []byte
	etag      string
}

func newDocument(mediaType string, body []byte) document {
	sum := sha256.Sum256(body)
	return document{mediaType, body, `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
}

// serve writes the document, or 304 to a client that has it already. Clients revalidate it each time.
func (d document) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", d.mediaType)
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("ETag", d.etag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(d.body))
}

// docs is the contract and the pages about it.
type docs struct {
	yaml, json, page, errors, notices document
	programs                          map[string]document // by path
	assets                            map[string]document
	version                           string
	open                              map[string]bool // the paths of the contract that need no key
}

func newDocs(version string, of *contract.Contract) (*docs, error) {
	parsed, err := of.Document()
	if err != nil {
		return nil, fmt.Errorf("reading the contract: %w", err)
	}
	page, err := web.Docs()
	if err != nil {
		return nil, err
	}
	var kinds []web.ErrorKind
	for _, kind := range service.Kinds() {
		info := kind.Info()
		kinds = append(kinds, web.ErrorKind(info))
	}
	errorsPage, err := web.Errors(kinds)
	if err != nil {
		return nil, err
	}
	if _, err := web.Index("", version); err != nil {
		return nil, err
	}
	assets, err := web.Assets()
	if err != nil {
		return nil, err
	}
	d := &docs{
		yaml:     newDocument("application/yaml", of.YAML),
		json:     newDocument("application/json", of.JSON),
		page:     newDocument("text/html; charset=utf-8", page),
		errors:   newDocument("text/html; charset=utf-8", errorsPage),
		notices:  newDocument("text/plain; charset=utf-8", web.Notices()),
		programs: make(map[string]document, len(web.Pages)),
		assets:   make(map[string]document, len(assets)),
		version:  version,
		open:     openPaths(parsed),
	}
	for _, p := range web.Pages {
		body, err := p.HTML()
		if err != nil {
			return nil, err
		}
		d.programs[p.Path] = newDocument("text/html; charset=utf-8", body)
	}
	for name, asset := range assets {
		d.assets[name] = newDocument(asset.Type, asset.Body)
	}
	return d, nil
}

// ContractVersion returns the version of the contract, empty if the contract cannot be read. New reports that error.
func ContractVersion() string {
	parsed, err := contract.Document()
	if err != nil || parsed.Info == nil {
		return ""
	}
	return parsed.Info.Version
}

// pagePolicy allows a page to load files of this server only. It allows no inline scripts and no frames. Images may be data: URLs,
// which the documentation page uses for its arrows.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// OpenapiYAML answers GET /openapi.yaml.
func (h *Handlers) OpenapiYAML(w http.ResponseWriter, r *http.Request) { h.docs.yaml.serve(w, r) }

// OpenapiJSON answers GET /openapi.json.
func (h *Handlers) OpenapiJSON(w http.ResponseWriter, r *http.Request) { h.docs.json.serve(w, r) }

// Docs answers GET /docs.
func (h *Handlers) Docs(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", pagePolicy)
	h.docs.page.serve(w, r)
}

// program answers GET of a page that is a program.
func (h *Handlers) program(page document) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", pagePolicy)
		page.serve(w, r)
	}
}

// errorsPage answers GET /docs/errors, to which the types of problems link.
func (h *Handlers) errorsPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", pagePolicy)
	h.docs.errors.serve(w, r)
}

// licences answers GET /docs/licences, the licences of what the programs contain.
func (h *Handlers) licences(w http.ResponseWriter, r *http.Request) { h.docs.notices.serve(w, r) }

// index answers GET /.
func (h *Handlers) index(w http.ResponseWriter, r *http.Request) {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	page, err := web.Index(scheme+"://"+r.Host, h.docs.version)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Security-Policy", pagePolicy)
	newDocument("text/html; charset=utf-8", page).serve(w, r)
}

// asset answers GET /docs/assets/{name}, the files that the pages refer to.
func (h *Handlers) asset(w http.ResponseWriter, r *http.Request) {
	asset, ok := h.docs.assets[chi.URLParam(r, "name")]
	if !ok {
		h.notFound(w, r)
		return
	}
	asset.serve(w, r)
}
