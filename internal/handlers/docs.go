package handlers

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	contract "roem/api"
	"roem/docs/reference"
	"roem/internal/service"
	"roem/internal/web"
)

// docs is the contract and the pages about it.
type docs struct {
	yaml, json, page, errors, notices  document
	programs                           map[string]document // by path
	assets                             map[string]document // by name
	worker                             map[string]document // by path, without the slash at its beginning
	version                            string
	open                               map[string]bool // the paths of the contract that need no key
	operations, compatibility, records document
	kept                               keptDocuments // for the addresses of the server
	deprecations                       deprecations
	paths                              paths
}

func newDocs(version string, of *contract.Contract, games []service.Game, worker web.Worker) (*docs, error) {
	page, err := web.Docs()
	if err != nil {
		return nil, err
	}
	errorsPage, err := newErrorsPage()
	if err != nil {
		return nil, err
	}
	for _, render := range []func() ([]byte, error){
		func() ([]byte, error) { return web.Index("nl") },
		func() ([]byte, error) { return web.Developers("", version, "nl") },
	} {
		if _, err := render(); err != nil {
			return nil, err
		}
	}
	assets, err := web.Assets()
	if err != nil {
		return nil, err
	}
	d := &docs{
		yaml:          newDocument("application/yaml", of.YAML),
		json:          newDocument("application/json", of.JSON),
		page:          newDocument("text/html; charset=utf-8", page),
		errors:        newDocument("text/html; charset=utf-8", errorsPage),
		notices:       newDocument("text/plain; charset=utf-8", web.Notices()),
		programs:      make(map[string]document, len(web.Pages)),
		assets:        make(map[string]document, len(assets)),
		worker:        make(map[string]document, len(worker.Files)),
		version:       version,
		compatibility: newDocument("text/plain; charset=utf-8", reference.Compatibility),
		records:       newDocument("text/plain; charset=utf-8", reference.Records),
		open:          openPaths(of.Operations),
	}
	if d.operations, err = operationIndex(of.Operations, games); err != nil {
		return nil, err
	}
	if d.deprecations, err = deprecationsOf(of.Operations); err != nil {
		return nil, err
	}
	pages := []string{errorsPath, developersPath, compatibilityPath, recordsPath}
	for _, p := range web.Pages {
		pages = append(pages, p.Path)
		body, err := p.HTML(worker)
		if err != nil {
			return nil, err
		}
		d.programs[p.Path] = newDocument("text/html; charset=utf-8", body)
	}
	d.paths = newPaths(of.Operations, pages)
	for _, asset := range assets {
		d.assets[asset.Name] = assetDocument(asset)
	}
	for name, body := range worker.Files {
		d.worker[worker.Folder+name] = assetDocument(web.Asset{Name: name, Type: web.TypeOf(name), Body: body})
	}
	return d, nil
}

// newErrorsPage returns the page that explains the types of problems and the codes of violations.
func newErrorsPage() ([]byte, error) {
	var kinds []web.ErrorKind
	for _, kind := range service.Kinds() {
		kinds = append(kinds, web.ErrorKind(kind.Info()))
	}
	var codes []web.ErrorCode
	for _, code := range service.Codes() {
		codes = append(codes, web.ErrorCode{Code: string(code.Code), Help: code.Help, English: code.English, Dutch: code.Dutch})
	}
	return web.Errors(kinds, codes)
}

// pagePolicy allows a page of text to load files of this server only, and no page to show it in a frame.
const pagePolicy = web.TextPolicy + ancestors + "'none'"

const ancestors = "; frame-ancestors "

// policyOf returns the policy of a page that is a program. Pages of the origins may show those that are for frames; "*" stands for all.
func policyOf(p web.Page, origins []string) string {
	if !p.Frame || len(origins) == 0 {
		origins = []string{"'none'"}
	}
	return web.Policy + ancestors + strings.Join(origins, " ")
}

// linkInText is the start of a link to this server in the texts of the contract.
const linkInText = "](%s/"

// OpenapiYAML answers GET /openapi.yaml.
func (h *Handlers) OpenapiYAML(w http.ResponseWriter, r *http.Request) {
	h.serveLinked(w, r, h.docs.yaml, "\nservers:\n  - url: %s/\n", linkInText)
}

// OpenapiJSON answers GET /openapi.json.
func (h *Handlers) OpenapiJSON(w http.ResponseWriter, r *http.Request) {
	h.serveLinked(w, r, h.docs.json, `"servers":[{"description":"The server that serves this contract.","url":"%s/"}]`, linkInText)
}

// Docs answers GET /docs.
func (h *Handlers) Docs(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", pagePolicy)
	h.serve(w, r, h.docs.page)
}

// program answers GET of a page that is a program, with what it shares, if its URL shares something.
func (h *Handlers) program(p web.Page, policy string) http.HandlerFunc {
	page := h.docs.programs[p.Path]
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		h.serve(w, r, h.sharing(r, p, page))
	}
}

// errorsPage answers GET /docs/errors, to which the types of problems link.
func (h *Handlers) errorsPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", pagePolicy)
	h.serve(w, r, h.docs.errors)
}

// licences answers GET /docs/licences, the licences of what the programs contain.
func (h *Handlers) licences(w http.ResponseWriter, r *http.Request) { h.serve(w, r, h.docs.notices) }

// compatibility answers GET /docs/compatibility, to which the answers of deprecated operations link.
func (h *Handlers) compatibility(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, h.docs.compatibility)
}

// recordsPath is the path of the page about the format of records, which the contract names.
const recordsPath = "/docs/records"

// recordFormat answers GET /docs/records.
func (h *Handlers) recordFormat(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, h.docs.records)
}

// languageOf returns the language of the start page, English or Dutch: the language in the URL, or the language that the client prefers.
func languageOf(r *http.Request) string {
	if asked := r.URL.Query().Get("language"); slices.Contains(web.Languages, asked) {
		return asked
	}
	best, weight := "en", 0.0
	for part := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag, more, _ := strings.Cut(strings.TrimSpace(part), ";")
		primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
		q := 1.0
		if text, is := strings.CutPrefix(strings.TrimSpace(more), "q="); is {
			q, _ = strconv.ParseFloat(text, 64) // what is no number is not preferred
		}
		if q > weight && slices.Contains(web.Languages, primary) {
			best, weight = primary, q
		}
	}
	return best
}

// index answers GET /.
func (h *Handlers) index(w http.ResponseWriter, r *http.Request) {
	h.inLanguage(w, r, "index", web.Index)
}

// developersPath is the path of the page for developers.
const developersPath = "/docs/developers"

// developers answers GET /docs/developers, which names the address of the server.
func (h *Handlers) developers(w http.ResponseWriter, r *http.Request) {
	origin := h.origin(r)
	h.inLanguage(w, r, "developers "+origin, func(language string) ([]byte, error) {
		return web.Developers(origin, h.docs.version, language)
	})
}

// inLanguage answers with a page in the language of the client. It is kept under a name that tells all that it depends on.
func (h *Handlers) inLanguage(w http.ResponseWriter, r *http.Request, name string, render func(language string) ([]byte, error)) {
	language := languageOf(r)
	page, err := h.docs.kept.of(name+" "+language, func() (document, error) {
		body, err := render(language)
		return newDocumentBy("text/html; charset=utf-8", body, func(body []byte) ([]byte, error) {
			return h.compressors.compress(body).Bytes(), nil // without memory of its own, since clients can make up origins
		}), err
	})
	if err != nil {
		h.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Security-Policy", pagePolicy)
	w.Header().Set("Content-Language", language)
	w.Header().Add("Vary", "Accept-Language")
	h.serve(w, r, page)
}

// asset answers GET /docs/assets/{name}, the files that the pages refer to. A name has the hash of its content: the name of another version
// does not exist.
func (h *Handlers) asset(w http.ResponseWriter, r *http.Request) {
	asset, ok := h.docs.assets[chi.URLParam(r, "name")]
	if !ok {
		h.notFound(w, r)
		return
	}
	h.serve(w, r, asset)
}

// workerFile answers GET of a file of the worker in which the pages of Klaverjas calculate when the server does not answer. Its folder has
// the hash of the content.
func (h *Handlers) workerFile(w http.ResponseWriter, r *http.Request) {
	file, ok := h.docs.worker[strings.TrimPrefix(r.URL.Path, "/")]
	if !ok {
		h.notFound(w, r)
		return
	}
	w.Header().Set("Content-Security-Policy", web.Policy+ancestors+"'none'") // the worker has the policy of its own file
	h.serve(w, r, file)
}
