package handlers

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"roem/internal/api"
	"roem/internal/service"
)

// ListOperations answers GET /v1.
func (h *Handlers) ListOperations(w http.ResponseWriter, r *http.Request) {
	h.serveLinked(w, r, h.docs.operations, `"contract":"%s/openapi.yaml"`, `"errors":"%s`+errorsPath+`"`)
}

// operationIndex returns the answer of GET /v1: what the contract has below /v1, by game.
func operationIndex(doc *openapi3.T, games []service.Game) (document, error) {
	index := api.Operations{Contract: "/openapi.yaml", Errors: errorsPath, Games: []api.GameOperations{}}
	for _, game := range games {
		index.Games = append(index.Games, api.GameOperations{Game: game.Name, Operations: operationsBelow(doc, "/v1/"+game.Name+"/")})
	}
	index.Jobs = operationsBelow(doc, "/v1/jobs")
	body, err := json.Marshal(index)
	if err != nil {
		return document{}, err
	}
	return newDocument("application/json", append(body, '\n')), nil
}

// operationsBelow returns the operations whose paths begin with a text, in the order of their paths.
func operationsBelow(doc *openapi3.T, prefix string) []api.OperationSummary {
	list := []api.OperationSummary{}
	for _, path := range doc.Paths.Keys() {
		if !strings.HasPrefix(path, prefix) {
			continue
		}
		for method, operation := range doc.Paths.Value(path).Operations() {
			list = append(list, api.OperationSummary{Method: api.OperationSummaryMethod(method), Path: path, Summary: operation.Summary})
		}
	}
	slices.SortFunc(list, func(a, b api.OperationSummary) int {
		return strings.Compare(a.Path+" "+string(a.Method), b.Path+" "+string(b.Method))
	})
	return list
}
