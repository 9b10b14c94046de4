package handlers

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"

	"roem/internal/preview"
	"roem/internal/service"
	"roem/internal/web"
)

// picturePath is the path of the picture of what a link to a page shares, below the path of the page. The query is the query of the link.
const picturePath = "/picture.png"

// aDay is the Cache-Control of a picture: it changes only with the program.
const aDay = "public, max-age=86400"

// previews draws what messengers show of links, one at a time, and keeps a few pictures.
type previews struct {
	artist *preview.Artist
	kept   keptDocuments
}

// shared returns what the URL of a request shares, and its preview.
func (h *Handlers) shared(r *http.Request, p web.Page) (shared service.Shared, out preview.Preview, err error) {
	if shared, err = h.service.ReadShared(p.Name, r.URL.RawQuery); err == nil {
		out, err = h.service.Preview(r.Context(), p.Name, shared)
	}
	return shared, out, err
}

// sharing returns a page with what messengers show of its URL: a title, a sentence and a picture. If the URL shares nothing that can be
// drawn, it is the page as it is: the page itself tells its reader what is wrong.
func (h *Handlers) sharing(r *http.Request, p web.Page, page document) document {
	if !p.Previewed || r.URL.RawQuery == "" {
		return page
	}
	shared, shows, err := h.shared(r, p)
	if err != nil {
		return page
	}
	plain, err := page.forms[identity]()
	if err != nil {
		return page
	}
	var head bytes.Buffer
	meta := func(name, content string) {
		fmt.Fprintf(&head, "<meta property=\"%s\" content=\"%s\">\n", name, html.EscapeString(content))
	}
	at := h.origin(r) + p.Path
	meta("og:type", "website")
	meta("og:site_name", "Roem")
	meta("og:title", shows.Title)
	meta("og:description", shows.Text)
	meta("og:url", at+"?"+queryOf(shared))
	meta("og:image", at+picturePath+"?"+queryOf(shared))
	meta("og:image:type", "image/png")
	meta("og:image:width", fmt.Sprint(preview.Width))
	meta("og:image:height", fmt.Sprint(preview.Height))
	meta("og:image:alt", shows.Title+". "+shows.Text)
	head.WriteString("<meta name=\"twitter:card\" content=\"summary_large_image\">\n</head>")
	return newDocumentBy(page.mediaType, bytes.Replace(plain, []byte("</head>"), head.Bytes(), 1), func(body []byte) ([]byte, error) {
		return h.compressors.compress(body).Bytes(), nil
	})
}

// queryOf returns the query of what is shared: the same for equal links. A page reads no + as a space.
func queryOf(shared service.Shared) string {
	query := url.Values{}
	for name, value := range shared.Query() {
		query.Set(name, value)
	}
	return strings.ReplaceAll(query.Encode(), "+", "%20")
}

// picture answers GET of the picture of what a link to a page shares.
func (h *Handlers) picture(p web.Page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		shared, shows, err := h.shared(r, p)
		if err != nil {
			h.notFound(w, r)
			return
		}
		ctx := r.Context()
		picture, err := h.previews.kept.of(p.Path+"?"+queryOf(shared), func() (document, error) {
			body, err := h.previews.artist.PNG(ctx, &shows)
			return document{
				mediaType: "image/png", cache: aDay, etag: hashOf(body),
				forms: map[string]func() ([]byte, error){identity: func() ([]byte, error) { return body, nil }},
			}, err
		})
		if err != nil {
			h.fail(w, r, err)
			return
		}
		h.serve(w, r, picture)
	}
}
