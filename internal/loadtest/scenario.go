package loadtest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/dealstest"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
)

// The number of deals of the routes of cached answers, and the number of positions of a batch.
const (
	cachedDeals    = 64
	batchPositions = 100
)

// BuiltIn describes the built-in routes, in the order in which help lists them.
func BuiltIn() []struct{ Name, Does string } {
	return []struct{ Name, Does string }{
		{"legal-moves", "POST /v1/klaverjas/legal-moves, positions of random deals with 0 to 31 cards played"},
		{"solve-cached", fmt.Sprintf("POST /v1/klaverjas/solve, %d deals that are solved before the measuring begins", cachedDeals)},
		{"solve", "POST /v1/klaverjas/solve, a random deal that was never asked for before"},
		{"solve-hard", "POST /v1/klaverjas/solve, goal moves: the deals of roem-lab klaverjas bench -set hard, each time " +
			"under other bonuses, so that no cache helps"},
		{"predict", "POST /v1/klaverjas/predict, random deals"},
		{"hybrid", "POST /v1/klaverjas/hybrid, random deals"},
		{"predict-batch", fmt.Sprintf("POST /v1/klaverjas/predict/batch, %d random deals each", batchPositions)},
		{"solve-batch", fmt.Sprintf("POST /v1/klaverjas/solve/batch, %d random deals each", batchPositions)},
		{"jobs", "POST /v1/jobs, solving a random deal; the answer says that it is accepted"},
	}
}

// NewRoute returns a built-in route. The same seed gives the same requests.
func NewRoute(name string, rate float64, seed uint64) (Route, error) {
	rng := index.NewRand(seed)
	route := Route{Name: name, Rate: rate}
	switch name {
	case "legal-moves":
		route.Next = func() (Request, error) { return legalMoves(rng) }
	case "solve-cached":
		for range cachedDeals {
			q, err := post("/v1/klaverjas/solve", randomDeal(rng))
			if err != nil {
				return Route{}, err
			}
			route.Warm = append(route.Warm, q)
		}
		route.Next = cycle(route.Warm)
	case "solve":
		route.Next = func() (Request, error) { return post("/v1/klaverjas/solve", randomDeal(rng)) }
	case "solve-hard":
		next, err := hardDeals(rng)
		if err != nil {
			return Route{}, err
		}
		route.Next = func() (Request, error) { return post("/v1/klaverjas/solve", next()) }
	case "predict", "hybrid":
		route.Next = func() (Request, error) { return post("/v1/klaverjas/"+name, randomDeal(rng)) }
	case "predict-batch", "solve-batch":
		kind := strings.TrimSuffix(name, "-batch")
		route.Next = func() (Request, error) { return post("/v1/klaverjas/"+kind+"/batch", batch(rng)) }
	case "jobs":
		route.Next = func() (Request, error) {
			return post("/v1/jobs", job{Kind: "klaverjas.solve", Request: randomDeal(rng)})
		}
	default:
		return Route{}, fmt.Errorf("there is no built-in route %q", name)
	}
	return route, nil
}

func cycle(all []Request) Source {
	i := -1
	return func() (Request, error) {
		i = (i + 1) % len(all)
		return all[i], nil
	}
}

// position is a position in the form of the contract.
type position struct {
	Rules    *rules              `json:"rules,omitempty"`
	Trump    string              `json:"trump"`
	Leader   string              `json:"leader"`
	Declarer string              `json:"declarer,omitempty"`
	Hands    map[string][]string `json:"hands"`
	Played   []string            `json:"played,omitempty"`
	Goal     string              `json:"goal,omitempty"`
}

type rules struct {
	System      string         `json:"system"`
	FourOfAKind map[string]int `json:"four_of_a_kind,omitempty"`
}

type job struct {
	Kind    string   `json:"kind"`
	Request position `json:"request"`
}

func post(path string, body any) (Request, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return Request{}, err
	}
	return Request{Method: http.MethodPost, Path: path, Body: text}, nil
}

func draw(rng *rand.Rand) klaverjas.Deal {
	d := klaverjas.Deal{Trump: piquet.Suits()[rng.Uint64()%4], Leader: piquet.Seats()[rng.Uint64()%4]}
	d.Declarer = d.Leader.Team()
	d.Hands = index.Random(rng, d.Trump, d.Leader)
	return d
}

func asRequest(d klaverjas.Deal) position {
	p := position{Trump: d.Trump.String(), Leader: d.Leader.String(), Declarer: d.Declarer.String(), Hands: make(map[string][]string, 4)}
	for _, seat := range piquet.Seats() {
		for card := range d.Hands[seat].All() {
			p.Hands[seat.String()] = append(p.Hands[seat.String()], card.String())
		}
	}
	return p
}

// randomDeal draws one of 99,561,092,450,391,000 deals for each trump and leader, so that no deal occurs twice in a run.
func randomDeal(rng *rand.Rand) position { return asRequest(draw(rng)) }

func batch(rng *rand.Rand) any {
	var b struct {
		Positions []position `json:"positions"`
	}
	for range batchPositions {
		b.Positions = append(b.Positions, randomDeal(rng))
	}
	return b
}

// legalMoves draws a deal and plays 0 to 31 random cards.
func legalMoves(rng *rand.Rand) (Request, error) {
	deal := draw(rng)
	at, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Rotterdam), deal)
	if err != nil {
		return Request{}, err
	}
	q := asRequest(deal)
	for range rng.Uint64() % 32 {
		legal := at.Legal().Slice()
		card := legal[rng.Uint64()%uint64(len(legal))]
		if at, err = at.Play(card); err != nil {
			return Request{}, err
		}
		q.Played = append(q.Played, card.String())
	}
	return post("/v1/klaverjas/legal-moves", q)
}

// hardDeals returns the hard deals in a cycle. Each time, it draws new values of four of a kind, which have almost no effect on the
// search. The rules are part of the cache key, so each request has a different key.
func hardDeals(rng *rand.Rand) (func() position, error) {
	const all = 1000 // more than there are
	deals, err := dealstest.Deals(dealstest.Hard, all, 0)
	if err != nil {
		return nil, err
	}
	i := -1
	return func() position {
		i = (i + 1) % len(deals)
		q := asRequest(deals[i].Deal())
		q.Goal = search.Moves.String()
		q.Rules = &rules{System: deals[i].Rules().System.String(), FourOfAKind: make(map[string]int, 8)}
		for _, face := range piquet.Faces() {
			q.Rules.FourOfAKind[face.String()] = 10 * int(5+rng.Uint64()%11) // 50 to 150, the default 100 is in the middle
		}
		return q
	}, nil
}

// maxLine is the maximum length of a line of a scenario in bytes.
const maxLine = 8 << 20

// ReadScenario reads a user's requests, one JSON object per line: "route" (its name), "path", "body" (any JSON, optional) and "method"
// (default: POST with a body, otherwise GET). The requests of a route are sent in order, in a cycle.
func ReadScenario(r io.Reader) (map[string]Source, error) {
	requests := make(map[string][]Request)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for number := 1; lines.Scan(); number++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		var in struct {
			Route  string          `json:"route"`
			Method string          `json:"method"`
			Path   string          `json:"path"`
			Body   json.RawMessage `json:"body"`
		}
		dec := json.NewDecoder(strings.NewReader(text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&in); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if in.Route == "" || !strings.HasPrefix(in.Path, "/") {
			return nil, fmt.Errorf("line %d: expected a route and a path that begins with /", number)
		}
		if in.Method == "" {
			in.Method = http.MethodPost
			if len(in.Body) == 0 {
				in.Method = http.MethodGet
			}
		}
		requests[in.Route] = append(requests[in.Route], Request{Method: in.Method, Path: in.Path, Body: in.Body})
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(requests) == 0 {
		return nil, errors.New("it holds no request")
	}
	sources := make(map[string]Source, len(requests))
	for name, all := range requests {
		sources[name] = cycle(all)
	}
	return sources, nil
}
