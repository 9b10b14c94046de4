package handlers_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/api/apitest"
	"roem/internal/api"
	"roem/internal/testkit"
)

// Every switch of the rules that the analysis of a game takes is one of its sessions, by the same name.
func TestSwitchesOfSessions(t *testing.T) {
	doc, err := apitest.Document()
	if err != nil {
		t.Fatal(err)
	}
	least := map[string]int{"klaverjas": 14, "belote": 8, "gin-rummy": 1, "tarok": 8} // so that the test sees them at all
	for game, n := range least {
		switches := apitest.Switches(doc, game)
		taken := apitest.Fields(doc, "/v1/"+game+"/sessions")
		if len(switches) < n {
			t.Errorf("%s: only the switches %v are found", game, switches)
		}
		for _, name := range append(switches, "target") {
			if !slices.Contains(taken, name) {
				t.Errorf("%s: a session does not take %s, which analysis takes", game, name)
			}
		}
	}
}

// houseGame is a game whose sessions are played under drawn rules.
type houseGame struct {
	friendly
	rules    func(rng *rand.Rand) (fields []string) // of the request: everything but the length and the players
	players  string
	mostLong int // the highest target that is drawn
	matches  int
	// totals returns the totals of a session, and what its last hand adds.
	totals func(t *testing.T, w *httptest.ResponseRecorder) (totals, added []int)
	// rescored returns what the score operation says that the last hand adds.
	rescored func(t *testing.T, s *server, w *httptest.ResponseRecorder) []int
}

func pick[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }

// someOf returns each of the fields with a chance of a half.
func someOf(rng *rand.Rand, fields ...string) (out []string) {
	for _, f := range fields {
		if rng.IntN(2) == 0 {
			out = append(out, f)
		}
	}
	return out
}

func klaverjasRules(rng *rand.Rand) []string {
	bonus := func() int { return 10 * rng.IntN(30) }
	rules := someOf(rng,
		fmt.Sprintf(`"system": %q`, pick(rng, "rotterdam", "amsterdam")),
		fmt.Sprintf(`"under_ruff": %q`, pick(rng, "forced", "forbidden", "free")),
		fmt.Sprintf(`"melds": %t`, rng.IntN(2) == 0),
		fmt.Sprintf(`"four_of_a_kind": {"J": %d, "7": %d}`, bonus(), bonus()),
		fmt.Sprintf(`"pit": {"declarers": %d, "defenders": %d}`, bonus(), bonus()),
		fmt.Sprintf(`"nat_melds": %q`, pick(rng, "defenders", "all")),
	)
	bidding := pick(rng, "none", "free", "official", "obliged", "turned")
	return []string{`"rules": {` + strings.Join(rules, ", ") + `}`, fmt.Sprintf(`"bidding": %q`, bidding)}
}

func beloteRules(rng *rand.Rand) []string {
	suits := pick(rng, `["H"]`, `["H", "S"]`, `["C", "D", "H", "S"]`)
	fields := append(someOf(rng,
		fmt.Sprintf(`"belote": %t`, rng.IntN(2) == 0),
		fmt.Sprintf(`"melds": %q`, pick(rng, "off", "open", "owned")),
		fmt.Sprintf(`"capot": %d`, pick(rng, 0, 50, 90)),
		fmt.Sprintf(`"flip": %q`, pick(rng, "after_trick", "immediate")),
	), `"suits": `+suits)
	switch rng.IntN(4) {
	case 0:
		return append(fields, `"trump": "none"`, `"contract": "none"`)
	case 1:
		return append(fields, fmt.Sprintf(`"threshold": %d`, 20+rng.IntN(50)), fmt.Sprintf(`"trump": %q`, pick(rng, "bidding", "drawn")))
	default:
		return append(fields, `"contract": "standard"`, `"litige": true`, fmt.Sprintf(`"trump": %q`, pick(rng, "bidding", "drawn")))
	}
}

func tarokRules(rng *rand.Rand) []string {
	rules := someOf(rng,
		fmt.Sprintf(`"mond": %d`, rng.IntN(101)), `"emperor": false`,
		fmt.Sprintf(`"lead": %q`, pick(rng, "forehand", "declarer")),
		fmt.Sprintf(`"difference": %q`, pick(rng, "exact", "rounded", "none")),
		fmt.Sprintf(`"bidding": %q`, pick(rng, "forehand_first", "forehand_last")),
		`"valat_kontra": false`, `"defenders_pagat": false`,
	)
	return []string{`"rules": {` + strings.Join(rules, ", ") + `}`, fmt.Sprintf(`"radli": %t`, rng.IntN(2) == 0)}
}

// scored posts a hand to the score operation of a game.
func scored[T any](t *testing.T, s *server, path string, hand any, rules map[string]any) T {
	t.Helper()
	body, err := json.Marshal(hand)
	if err == nil && rules != nil {
		rules["position"] = json.RawMessage(body)
		body, err = json.Marshal(rules)
	}
	if err != nil {
		t.Fatal(err)
	}
	w := s.post(t, path, string(body))
	status(t, w, http.StatusOK)
	return decodeAs[T](t, w)
}

func houseGames(rng *rand.Rand) map[string]houseGame {
	games := friendlyGames(rng)
	return map[string]houseGame{
		"klaverjas": {
			friendly: games["klaverjas"], rules: klaverjasRules, mostLong: 900, matches: 16,
			players: `"players": {"partner": "simple", "opponents": "logical"}`,
			totals: func(t *testing.T, w *httptest.ResponseRecorder) (totals, added []int) {
				t.Helper()
				s := decodeAs[api.KlaverjasSession](t, w)
				last := s.Results[len(s.Results)-1].Points
				return []int{s.Totals.NS, s.Totals.EW}, []int{last.NS, last.EW}
			},
			rescored: func(t *testing.T, s *server, w *httptest.ResponseRecorder) []int {
				t.Helper()
				r := decodeAs[api.KlaverjasSession](t, w).Revealed
				got := scored[api.KlaverjasHandScore](t, s, "/v1/klaverjas/score", map[string]any{
					"rules": r.Rules, "trump": r.Trump, "leader": r.Leader, "declarer": r.Declarer, "hands": r.Hands, "played": r.Played,
				}, nil)
				return []int{got.Points.NS, got.Points.EW}
			},
		},
		"belote": {
			friendly: games["belote"], rules: beloteRules, mostLong: 500, matches: 24, players: `"players": {"opponent": "simple"}`,
			totals: func(t *testing.T, w *httptest.ResponseRecorder) (totals, added []int) {
				t.Helper()
				s := decodeAs[api.BeloteSession](t, w)
				last := s.Results[len(s.Results)-1].Points
				return []int{s.Totals.You, s.Totals.Opponent}, []int{last.You, last.Opponent}
			},
			rescored: rescoredBelote,
		},
		"gin rummy": {
			friendly: games["gin rummy"], players: `"players": {"opponent": "simple"}`, mostLong: 150, matches: 8,
			rules: func(rng *rand.Rand) []string { return someOf(rng, `"lay_offs": "challenge"`) },
			totals: func(t *testing.T, w *httptest.ResponseRecorder) (totals, added []int) {
				t.Helper()
				s := decodeAs[api.GinSession](t, w)
				last := s.Results[len(s.Results)-1].Points
				return []int{s.Totals.A, s.Totals.B}, []int{last.A, last.B}
			},
			rescored: rescoredGin,
		},
		"tarok": {
			friendly: games["tarok"], rules: tarokRules, mostLong: 60, matches: 4, players: `"players": {"left": "heuristic", "right": "random"}`,
			totals: func(t *testing.T, w *httptest.ResponseRecorder) (totals, added []int) {
				t.Helper()
				s := decodeAs[api.TarokSession](t, w)
				last := s.Results[len(s.Results)-1].Points
				return []int{s.Totals.You, s.Totals.Left, s.Totals.Right}, []int{last.You, last.Left, last.Right}
			},
			rescored: func(t *testing.T, s *server, w *httptest.ResponseRecorder) []int {
				t.Helper()
				now := decodeAs[api.TarokSession](t, w)
				total := scored[api.TarokScore](t, s, "/v1/tarok/score", now.Revealed, nil).Total
				of := []int{total.A, total.B, total.C}
				you := strings.Index("ABC", string(now.Seat))
				return []int{of[you], of[(you+1)%3], of[(you+2)%3]}
			},
		},
	}
}

// rescoredBelote scores the last hand again. Points that were held before are the winner's.
func rescoredBelote(t *testing.T, s *server, w *httptest.ResponseRecorder) []int {
	t.Helper()
	now := decodeAs[api.BeloteSession](t, w)
	last := now.Results[len(now.Results)-1]
	rules := map[string]any{"belote": now.Belote, "melds": now.Melds, "capot": now.Capot, "contract": now.Contract}
	if last.Trump == nil {
		rules["contract"] = "none"
	} else if now.Litige {
		rules["litige"] = true
	}
	got := scored[api.BeloteScore](t, s, "/v1/belote/score", now.Revealed, rules)
	if diff := cmp.Diff(last.Score, got); diff != "" {
		t.Errorf("hand %d (-session +score)\n%s", last.Number, diff)
	}
	held := 0
	for _, r := range now.Results[:len(now.Results)-1] {
		if held += r.Score.HeldPoints; r.Score.HeldPoints == 0 && r.Score.Written.A != r.Score.Written.B {
			held = 0
		}
	}
	points := map[api.BeloteSeat]int{"A": got.Written.A, "B": got.Written.B}
	switch {
	case got.HeldPoints > 0 || got.Written.A == got.Written.B:
		if held+got.HeldPoints != now.HeldPoints {
			t.Errorf("after hand %d %d points are held, want %d", last.Number, now.HeldPoints, held+got.HeldPoints)
		}
	case got.Written.A > got.Written.B:
		points["A"] += held
	default:
		points["B"] += held
	}
	opponent := map[api.BeloteSeat]api.BeloteSeat{"A": "B", "B": "A"}[last.Seat]
	return []int{points[last.Seat], points[opponent]}
}

// rescoredGin scores the last round again.
func rescoredGin(t *testing.T, s *server, w *httptest.ResponseRecorder) []int {
	t.Helper()
	now := decodeAs[api.GinSession](t, w)
	last := now.Results[len(now.Results)-1]
	if last.Knocker == nil {
		return []int{0, 0}
	}
	hand := func(who api.GinSeat) map[string]any {
		if who == api.GinSeatA {
			return map[string]any{"hand": now.Revealed.Held.A, "melds": now.Revealed.Laid.A.Melds}
		}
		return map[string]any{"hand": now.Revealed.Held.B, "melds": now.Revealed.Laid.B.Melds}
	}
	opponent := map[api.GinSeat]api.GinSeat{api.GinSeatA: api.GinSeatB, api.GinSeatB: api.GinSeatA}[*last.Knocker]
	got := scored[api.GinScore](t, s, "/v1/gin-rummy/score", map[string]any{
		"knocker": hand(*last.Knocker), "opponent": hand(opponent), "lay_offs": now.LayOffs,
	}, nil)
	if *last.Knocker == api.GinSeatA {
		return []int{got.Score.Knocker, got.Score.Opponent}
	}
	return []int{got.Score.Opponent, got.Score.Knocker}
}

// Matches under drawn rules, to a number of hands or of points, are played by a drawn player outside who takes acts back. The score
// operation gives for each hand what the session wrote down, the totals are the sums of that, and the match ends exactly when it should.
func TestHouseRules(t *testing.T) {
	for _, name := range []string{"klaverjas", "belote", "gin rummy", "tarok"} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(40, 15))
			game := houseGames(rng)[name]
			for n := range testkit.Times(max(2, game.matches/4), game.matches/2, game.matches, game.matches) {
				playHouse(t, newServer(t), rng, game, n)
			}
		})
	}
}

// playHouse plays a match to its end. Every second one is to a number of points.
func playHouse(t *testing.T, s *server, rng *rand.Rand, game houseGame, n int) {
	t.Helper()
	fields := append(game.rules(rng), game.players, fmt.Sprintf(`"seed": "%d"`, n), `"takeback": true`)
	target, hands := 0, 1
	switch {
	case n%2 == 0:
		target = 1 + rng.IntN(game.mostLong)
		fields = append(fields, fmt.Sprintf(`"target": %d`, target))
	case game.path != sessionsPath:
		hands = 1 + rng.IntN(4)
		fields = append(fields, fmt.Sprintf(`"hands": %d`, hands))
	}
	body := "{" + strings.Join(fields, ", ") + "}"
	w := s.post(t, game.path, body)
	status(t, w, http.StatusCreated)
	self := anySessionOf(t, w).Links.Self
	var sums []int
	for over := 0; ; {
		var now struct {
			State   string            `json:"state"`
			Acts    int               `json:"acts"`
			Results []json.RawMessage `json:"results"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &now); err != nil {
			t.Fatal(err)
		}
		if len(now.Results) > over {
			over++
			totals, added := game.totals(t, w)
			sums = plus(sums, added)
			if diff := cmp.Diff(game.rescored(t, s, w), added); diff != "" {
				t.Fatalf("%s: hand %d (-score +session)\n%s\n%s", body, over, diff, w.Body)
			}
			ends := over == hands
			if target > 0 {
				ends = over == 50 || slices.Max(sums) >= target
			}
			if diff := cmp.Diff(sums, totals); diff != "" || ends != (now.State == "over") {
				t.Fatalf("%s: after hand %d the session is %s (-sums +totals)\n%s", body, over, now.State, diff)
			}
			if ends {
				return
			}
		}
		act := game.act(t, w)
		after := s.post(t, self+act.path, act.body)
		status(t, after, http.StatusOK)
		if rng.IntN(20) == 0 {
			back := s.post(t, self+"/takeback", fmt.Sprintf(`{"acts": %d}`, now.Acts+1))
			status(t, back, http.StatusOK)
			acts := func(n int) string { return fmt.Sprintf(`"acts": %d`, n) }
			after = s.post(t, self+act.path, strings.Replace(act.body, acts(now.Acts), acts(now.Acts+2), 1))
			status(t, after, http.StatusOK)
		}
		w = after
	}
}

func plus(a, b []int) []int {
	out := slices.Clone(b)
	for i := range a {
		out[i] += a[i]
	}
	return out
}

// A length that cannot be is refused by the name of its field.
func TestTargetsThatCannotBe(t *testing.T) {
	s := newServer(t)
	for game, most := range map[string]int{sessionsPath: 16, beloteSessionsPath: 30, ginSessionsPath: 30, tarokSessionsPath: 30} {
		bodies := map[string]int{
			`{"target": 0}`: 400, `{"target": -5}`: 400, `{"target": 4001}`: 400, `{"target": 1.5}`: 400, `{"target": "1500"}`: 400,
			fmt.Sprintf(`{"target": 1500, "hands": %d}`, most): http.StatusBadRequest,
		}
		for body, code := range bodies {
			w := s.post(t, game, body)
			if got := decodeAs[api.Problem](t, w); w.Code != code || got.Errors == nil || *(*got.Errors)[0].Pointer != "/target" {
				t.Errorf("%s %s: %s", game, body, w.Body)
			}
		}
	}
	for body, pointer := range map[string]string{
		`{"litige": true}`:                            "/litige",
		`{"contract": "none"}`:                        "/contract",
		`{"contract": "paper", "trump": "none"}`:      "/contract",
		`{"contract": "standard", "threshold": 80}`:   "/threshold",
		`{"threshold": 103, "suits": ["H", "S"]}`:     "/threshold",
		`{"trump": "none", "threshold": 20}`:          "/threshold",
		`{"capot": 60}`:                               "/capot",
		`{"melds": "mine"}`:                           "/melds",
		`{"rules": {"system": "amsterdam"}}`:          "/rules",
		`{"contract": "standard", "litige": "often"}`: "/litige",
	} {
		w := s.post(t, beloteSessionsPath, body)
		if got := decodeAs[api.Problem](t, w); w.Code < 400 || got.Errors == nil || *(*got.Errors)[0].Pointer != pointer {
			t.Errorf("%s: %s", body, w.Body)
		}
	}
	w := s.post(t, sessionsPath, `{"target": 1000, "position": {"trump": "H", "leader": "S", "deal": "7"}}`)
	if got := decodeAs[api.Problem](t, w); w.Code != http.StatusUnprocessableEntity || *(*got.Errors)[0].Pointer != "/target" {
		t.Errorf("a target with a position: %s", w.Body)
	}
}
