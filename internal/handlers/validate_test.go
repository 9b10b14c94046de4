package handlers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"roem/internal/api"
	"roem/internal/service"
)

// pathItem returns the path item of the contract for a request path.
func (s *server) pathItem(path string) *openapi3.PathItem {
	if item := s.doc.Paths.Value(path); item != nil {
		return item
	}
	if rest, ok := strings.CutPrefix(path, "/v1/klaverjas/deals/"); ok && rest != "" && !strings.Contains(rest, "/") {
		return s.doc.Paths.Value("/v1/klaverjas/deals/{index}")
	}
	if rest, ok := strings.CutPrefix(path, "/v1/jobs/"); ok && rest != "" {
		if id, ok := strings.CutSuffix(rest, "/events"); ok && !strings.Contains(id, "/") {
			return s.doc.Paths.Value("/v1/jobs/{id}/events")
		}
		if !strings.Contains(rest, "/") {
			return s.doc.Paths.Value("/v1/jobs/{id}")
		}
	}
	if before, rest, ok := strings.Cut(path, "/sessions/"); ok && rest != "" {
		id, act, acts := strings.Cut(rest, "/")
		if acts {
			act = "/" + act
		}
		if id != "" {
			return s.doc.Paths.Value(before + "/sessions/{id}" + act)
		}
	}
	return nil
}

// validate checks that the contract describes the status, headers and body of an answer. A problem must be complete and have the status
// of the answer.
func (s *server) validate(tb testing.TB, r *http.Request, w *httptest.ResponseRecorder) {
	tb.Helper()
	if w.Header().Get("X-Request-ID") == "" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
		tb.Errorf("%s %s: headers %v", r.Method, r.URL, w.Header())
	}
	mediaType := w.Header().Get("Content-Type")
	if w.Code >= 400 && r.Method != http.MethodHead {
		if mediaType != "application/problem+json" {
			tb.Errorf("%s %s: %d is %q", r.Method, r.URL, w.Code, mediaType)
		}
		s.validateProblem(tb, w)
	}
	item := s.pathItem(r.URL.Path)
	if item == nil || r.Method == http.MethodHead || r.Method == http.MethodOptions {
		return
	}
	operation := item.GetOperation(r.Method)
	if operation == nil { // with a wrong method, another operation of the path describes the answer
		operation = item.Post
		if operation == nil {
			operation = item.Get
		}
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: r,
			Route:   &routers.Route{Spec: s.doc, PathItem: item, Operation: operation, Method: r.Method},
		},
		Status: w.Code,
		Header: w.Header(),
		Body:   io.NopCloser(bytes.NewReader(w.Body.Bytes())),
		Options: &openapi3filter.Options{
			IncludeResponseStatus: true,
			MultiError:            true,
			// In the contract these bodies are strings, but the validator would parse them.
			ExcludeResponseBody: mediaType == "application/yaml" || mediaType == "image/svg+xml" || strings.HasPrefix(mediaType, "text/"),
		},
	}
	if err := openapi3filter.ValidateResponse(context.Background(), input); err != nil {
		tb.Errorf("%s %s: the answer is not in the contract: %v\n%s", r.Method, r.URL, err, w.Body)
	}
}

func (s *server) validateProblem(tb testing.TB, w *httptest.ResponseRecorder) api.Problem {
	tb.Helper()
	var value any
	if err := json.Unmarshal(w.Body.Bytes(), &value); err != nil {
		tb.Fatalf("not JSON: %v\n%s", err, w.Body)
	}
	if err := s.doc.Components.Schemas["Problem"].Value.VisitJSON(value); err != nil {
		tb.Errorf("not a problem: %v", err)
	}
	p := decodeAs[api.Problem](tb, w)
	if p.Status != w.Code || p.RequestId == nil || *p.RequestId != w.Header().Get("X-Request-ID") {
		tb.Errorf("problem %+v in an answer %d %v", p, w.Code, w.Header())
	}
	if !strings.HasPrefix(p.Type, service.ProblemType) || p.Title == "" || p.Detail == "" {
		tb.Errorf("problem %+v", p)
	}
	// The contract lists the codes. Where there are errors, the code is the code of the first.
	if p.Errors != nil && len(*p.Errors) > 0 && (*p.Errors)[0].Code != p.Code {
		tb.Errorf("the code %s, and errors %v", p.Code, *p.Errors)
	}
	kind := service.Kinds()[slices.IndexFunc(service.Kinds(), func(k service.Kind) bool {
		return service.ProblemType+k.Info().Slug == p.Type
	})]
	if p.Errors == nil && !slices.Contains(service.KindCodes(kind), service.Code(p.Code)) {
		tb.Errorf("a problem of the type %s with the code %s", p.Type, p.Code)
	}
	explained := slices.Contains(service.Explained(), strings.TrimPrefix(p.Type, service.ProblemType))
	if explained != (p.Errors != nil && len(*p.Errors) > 0) {
		tb.Errorf("a problem of the type %s with the errors %v", p.Type, p.Errors)
	}
	if (w.Code == http.StatusServiceUnavailable || w.Code == http.StatusTooManyRequests) && w.Header().Get("Retry-After") == "" {
		tb.Errorf("%d without Retry-After", w.Code)
	}
	if w.Code == http.StatusUnauthorized && w.Header().Get("WWW-Authenticate") == "" {
		tb.Error("401 without WWW-Authenticate")
	}
	if w.Code == http.StatusMethodNotAllowed && w.Header().Get("Allow") == "" {
		tb.Error("405 without Allow")
	}
	return p
}

func decodeAs[T any](tb testing.TB, w *httptest.ResponseRecorder) T {
	tb.Helper()
	var v T
	dec := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		tb.Fatalf("decoding %T: %v\n%s", v, err, w.Body)
	}
	return v
}

// status fails the test unless the answer has the status.
func status(tb testing.TB, w *httptest.ResponseRecorder, want int) {
	tb.Helper()
	if w.Code != want {
		tb.Fatalf("status %d, want %d\n%s", w.Code, want, w.Body)
	}
}

// places returns where a problem has its errors: pointers into the body, and parameters behind a question mark. Each error has one, a
// code and a detail. The error of a method, a path or a whole query has no place.
func places(tb testing.TB, p api.Problem) []string {
	tb.Helper()
	var where []string
	if p.Errors == nil {
		return where
	}
	for _, e := range *p.Errors {
		switch {
		case e.Detail == "" || e.Code == "":
			tb.Error("an error without a detail or a code")
		case e.Parameter != nil:
			where = append(where, "?"+*e.Parameter)
		case e.Pointer != nil:
			where = append(where, *e.Pointer)
		case !slices.Contains([]string{"unknown_path", "wrong_method", "too_many", "wrong_form"}, e.Code):
			tb.Error("an error without a pointer or parameter")
		}
	}
	return where
}
