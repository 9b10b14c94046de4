package handlers

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"golang.org/x/time/rate"

	contract "roem/api"
	"roem/internal/metrics"
	"roem/internal/service"
)

// Publishable is what makes a key publishable: it may be in pages that everybody can read, because it is valid only in browsers that show
// a page of its origins, for some operations and within limits of its own.
type Publishable struct {
	Origins    []string // scheme, host and port, as browsers send them
	Operations []string // the ids of operations in the contract; empty for those that never become jobs and use no searcher
	PerMinute  int      // requests in a minute with the key, of all clients together, at this server; 0 for no limit
}

// operations are the ids of the operations in the contract, by path and method.
type operations map[string]map[string]string

func operationsOf(of []contract.Operation) operations {
	all := operations{}
	for _, o := range of {
		if all[o.Path] == nil {
			all[o.Path] = map[string]string{}
		}
		all[o.Path][o.Method] = o.ID
		if o.Method == http.MethodGet {
			all[o.Path][http.MethodHead] = o.ID
		}
	}
	return all
}

// of returns the id of the operation that a request is for, whose route is known.
func (o operations) of(r *http.Request) string {
	return o[chi.RouteContext(r.Context()).RoutePattern()][r.Method]
}

// cheap returns the ids of the operations that never become jobs and use no searcher.
func (o operations) cheap(games []service.Game) []string {
	var ids []string
	for i := range games {
		for j := range games[i].Operations {
			switch operation := &games[i].Operations[j]; operation.Mode {
			case service.ModeGet:
				ids = append(ids, o[operation.Path][http.MethodGet])
			case service.ModeNow:
				if !operation.List && !operation.Large {
					ids = append(ids, o[operation.Path][http.MethodPost])
				}
			default:
			}
		}
	}
	return ids
}

// CheckOperations returns an error for a publishable key with an operation that the contract does not have, or that needs no key.
func CheckOperations(of []contract.Operation, keys []Key) error {
	known := map[string]bool{}
	for _, o := range of {
		known[o.ID] = !o.Open
	}
	for _, key := range keys {
		if key.Publishable == nil {
			continue
		}
		for _, id := range key.Publishable.Operations {
			if !known[id] {
				return fmt.Errorf("the key %s has the operation %.60q: expected ids of operations of the contract, such as klaverjasLegalMoves",
					key.ID, id)
			}
		}
	}
	return nil
}

// permits returns a *service.Error if a publishable key is not valid for a request.
func (h *Handlers) permits(key *Key, r *http.Request) error {
	p := key.Publishable
	if p == nil {
		return nil
	}
	var (
		code   service.Code
		detail string
	)
	origin := r.Header.Get("Origin")
	operation := h.operations.of(r)
	switch {
	case origin == "":
		code = service.NoOrigin
		detail = "The API key is publishable, and the request has no header Origin. Only browsers may use the key; programs need a secret key."
	case !slices.Contains(p.Origins, origin):
		code = service.WrongOrigin
		detail = fmt.Sprintf("The API key is publishable, and not valid for pages of %.100q.", origin)
	case operation == "" || !slices.Contains(p.Operations, operation):
		code = service.WrongOperation
		detail = fmt.Sprintf("The API key is publishable, and not valid for the operation %s. It is valid for %s.",
			operation, strings.Join(p.Operations, ", "))
	default:
		return h.withinRequests(key, r)
	}
	return &service.Error{Kind: service.NotPermitted, Code: code, Detail: detail}
}

// withinRequests counts a request with a publishable key, and notes what is left for the answer.
func (h *Handlers) withinRequests(key *Key, r *http.Request) error {
	limit := h.perMinute[key.ID]
	if limit == nil {
		return nil
	}
	now := h.tokens.now()
	allowed := limit.AllowN(now, 1)
	left := limit.TokensAt(now)
	wait := time.Duration(max(0, 1-left) / float64(limit.Limit()) * float64(time.Second))
	eventOf(r).quotas = append(eventOf(r).quotas, quota{
		name: "requests", most: limit.Burst(), window: time.Minute, left: int(max(0, left)),
		full: time.Duration((float64(limit.Burst()) - left) / float64(limit.Limit()) * float64(time.Second)),
	})
	if allowed {
		return nil
	}
	h.metrics.Limited(metrics.LimitedByRequests)
	return service.LimitedRequests(wait, limit.Burst())
}

// publish prepares the publishable keys.
func (h *Handlers) publish(of []contract.Operation, s *service.Service) error {
	h.operations = operationsOf(of)
	h.perMinute = map[string]*rate.Limiter{}
	keys := slices.Clone(h.clients.Keys)
	if err := CheckOperations(of, keys); err != nil {
		return err
	}
	for i := range keys {
		if keys[i].Publishable == nil {
			continue
		}
		p := *keys[i].Publishable
		if len(p.Operations) == 0 {
			p.Operations = h.operations.cheap(s.Games())
		}
		if p.PerMinute > 0 {
			h.perMinute[keys[i].ID] = rate.NewLimiter(rate.Limit(float64(p.PerMinute)/time.Minute.Seconds()), p.PerMinute)
		}
		keys[i].Publishable = &p
	}
	h.clients.Keys = keys
	return nil
}
