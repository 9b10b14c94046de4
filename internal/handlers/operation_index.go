package handlers

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	contract "roem/api"
	"roem/internal/api"
	"roem/internal/service"
)

// ListOperations answers GET /v1.
func (h *Handlers) ListOperations(w http.ResponseWriter, r *http.Request) {
	h.serveLinked(w, r, h.docs.operations, `"contract":"%s/openapi.yaml"`, `"errors":"%s`+errorsPath+`"`)
}

// operationIndex returns the answer of GET /v1: what the contract has below /v1, by game.
func operationIndex(all []contract.Operation, games []service.Game) (document, error) {
	index := api.Operations{Contract: "/openapi.yaml", Errors: errorsPath, Games: []api.GameOperations{}}
	for _, game := range games {
		index.Games = append(index.Games, api.GameOperations{Game: game.Name, Operations: operationsBelow(all, "/v1/"+game.Name+"/")})
	}
	index.Jobs = operationsBelow(all, "/v1/jobs")
	body, err := json.Marshal(index)
	if err != nil {
		return document{}, err
	}
	return newDocument("application/json", append(body, '\n')), nil
}

// operationsBelow returns the operations whose paths begin with a text, in the order of their paths.
func operationsBelow(all []contract.Operation, prefix string) []api.OperationSummary {
	list := []api.OperationSummary{}
	for _, o := range all {
		if strings.HasPrefix(o.Path, prefix) {
			list = append(list, api.OperationSummary{Method: api.OperationSummaryMethod(o.Method), Path: o.Path, Summary: o.Summary})
		}
	}
	slices.SortFunc(list, func(a, b api.OperationSummary) int {
		return strings.Compare(a.Path+" "+string(a.Method), b.Path+" "+string(b.Method))
	})
	return list
}
