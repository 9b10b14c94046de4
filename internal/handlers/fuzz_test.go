package handlers_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/search"
)

// FuzzBody sends any body to every endpoint with a body. There must be no panic and no internal error, and the contract must describe
// every answer.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `[]`, `{"trump": "S"}`, someDeal, with(`"goal": "win"`), with(`"played": ["JH", "8S"]`),
		with(`"rules": {"system": "amsterdam", "under_ruff": "free", "pit": {"declarers": 0}, "four_of_a_kind": {"J": 200}}`),
		`{"trump": "♦", "leader": "n", "deal": "99561092450390999", "declarer": "ew"}`,
		`{"trump": "C", "leader": "N", "deal": "99561092450391000"}`,
		list(`"budget_ms": 1, "min_confidence": 0.9, `, someDeal,
			`{"trump": 1}`), `{"positions": [{"a": 1, "a": 2}, [`, `{"positions": {}, "positions": []}`,
		goodView, strings.Replace(goodView, `}`, `, "known": {"W": ["8D"]}, "worlds": 3, "budget_ms": 1}`, 1),
		with(`"played": ["JH", "8S"], "seat": "S", "worlds": 3, "seed": "1"`), with(`"played": ["JH"], "seat": "W"`),
		`{"leader": "S", "hands": ` + goodHands + `}`, replaced(`"9C"`, `"9c️"`), with(`"rules": {"pit": {"declarers": 1e2}}`),
		view(""), view(`"level": "paper"`), view(`"worlds": 3, "seed": "1"`), view(`"formula": "M_S own(W,AH)"`),
		with(`"formula": "C has_suit(N,C)"`),
		ofBelote(`"goal": "moves"`), ofBelote(`"played": ["KH", "JH"]`), ofBelote(`"algorithm": "minimax", "played": ["KH", "JH"]`),
		ofBelote(`"method": "expectimax", "worlds": 2`), `{"suits": ["H"], "open": {"A": ["QH"], "B": ["JH"]}, "worlds": 4}`,
		`{"made": {"declarer": "B", "points": {"A": 81, "B": 81}}, "contract": "standard", "litige": true}`,
		`{"a": "simple", "b": "random", "deals": 2, "suits": 1}`, `{"suits": [1], "deals": 1, "limit": 10}`,
		ofTarok(`"played": ["DK"]`), ofTarok(`"depth": 3, "table": "none"`), ofTarok(`"kontra": "re"`),
		ofBid(`"flow": "free"`), ofBid(`"flow": "turned", "turned": ["H"], "again": true, "calls": ["pass"]`),
		`{"seat": "N", "players": {"partner": "random", "opponents": "simple"}, "bidding": "free", "hands": 16}`,
		`{"acts": 0, "call": "pass"}`, `{"acts": 0, "card": "JH"}`, `{"acts": 0}`,
		`{"acts": 0, "action": {"kind": "pass"}}`, `{"acts": 1, "action": {"kind": "discard", "card": "AS"}}`,
		`{"acts": 2, "action": {"kind": "knock", "melds": [["AS", "2S", "3S"]]}}`,
		`{"acts": 0, "call": "three"}`, `{"acts": 1, "group": 1, "discards": ["D4", "D3", "D2"]}`,
		`{"acts": 1, "bonuses": ["kings"], "double": ["game"]}`,
		ginHand, ginScore, ginSituation(``), ginSituation(`, "threshold": 0.5`), ginSituation(`, "player": "simple"`), `{"views": [` +
			ginSituation(``) + `]}`,
		`{"trump": "S", "trump": "S"}`, "{\"\xff\": 1}", `{"a": 1e400}`, `[[[[[[[[[[[[[[[[[[[[`,
	} {
		f.Add([]byte(seed))
	}
	// Searches are refused with 503, which keeps the fuzzer fast.
	s := newServer(f, withSearcher(func(context.Context, search.Query) (search.Result, error) {
		return search.Result{}, context.DeadlineExceeded
	}))
	session := decodeAs[api.KlaverjasSession](f, s.post(f, sessionsPath,
		`{"players": {"partner": "simple", "opponents": "simple"}}`)).Links.Self
	paths := []string{sessionsPath, session + "/call", session + "/play", session + "/next"}
	gin := decodeAs[api.GinSession](f, s.post(f, "/v1/gin-rummy/sessions",
		`{"players": {"opponent": "simple"}, "starter": "A", "seed": "3"}`)).Links.Self
	table := decodeAs[api.TarokSession](f, s.post(f, "/v1/tarok/sessions",
		`{"players": {"left": "random", "right": "heuristic"}, "seed": "3"}`)).Links.Self
	stacks := decodeAs[api.BeloteSession](f, s.post(f, "/v1/belote/sessions",
		`{"players": {"opponent": "simple"}, "suits": ["H"], "seed": "3"}`)).Links.Self
	paths = append(
		paths, stacks+"/call", stacks+"/play", stacks+"/next", gin+"/play", gin+"/next",
		table+"/call", table+"/exchange", table+"/announce", table+"/play", table+"/next",
	)
	for _, operation := range []string{
		"legal-moves", "score", "solve", "analyse", "table", "deals/index", "classes", "predict", "predict/batch", "features", "hybrid",
		"hybrid/batch", "advise",
		"review", "knowledge", "worlds", "knowledge/check", "knowledge/card", "bid",
	} {
		paths = append(paths, "/v1/klaverjas/"+operation)
	}
	paths = append(
		paths, "/v1/belote/legal-moves", "/v1/belote/solve", "/v1/belote/analyse", "/v1/belote/score", "/v1/gin-rummy/melds",
		"/v1/gin-rummy/score", "/v1/gin-rummy/estimate", "/v1/gin-rummy/estimate/batch", "/v1/gin-rummy/advise",
		"/v1/tarok/legal-moves", "/v1/tarok/score", "/v1/tarok/worlds", "/v1/tarok/complexity", "/v1/tarok/solve",
	)
	// These can take long for a small body. They become jobs that nobody works on.
	idle := newServer(f, func(c *config) { c.workers = noWorkers })
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, operation := range []string{
			"belote/compare", "belote/advise", "belote/bid", "belote/match",
			"tarok/bid", "tarok/exchange", "tarok/announce", "tarok/advise", "tarok/match",
		} {
			r := request(http.MethodPost, "/v1/"+operation, string(body))
			r.Header.Set("Prefer", "respond-async")
			w := httptest.NewRecorder()
			idle.ServeHTTP(w, r)
			switch w.Code {
			case 202, 400, 413, 422, 429, 503:
			default:
				t.Errorf("%s: status %d\n%s", operation, w.Code, w.Body)
			}
			if w.Code != 413 || len(body) <= maxBody {
				idle.validate(t, r, w)
			}
		}
		for _, path := range paths {
			r := request(http.MethodPost, path, string(body))
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			switch w.Code {
			case 200, 201, 400, 409, 413, 422, 503:
			default:
				t.Errorf("%s: status %d\n%s", path, w.Code, w.Body)
			}
			if w.Code != 413 || len(body) <= maxBody {
				s.validate(t, r, w)
			}
		}
	})
}
