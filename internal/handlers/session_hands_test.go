package handlers_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/random"
	"roem/internal/testkit"
)

// match is how a match of a game is played by random legal acts.
type match struct {
	path   string
	bodies []string
	act    func(t *testing.T, rng *rand.Rand, w *httptest.ResponseRecorder) sessionAct
	// said are the paths of what was said before the first card: in the session, and in the record.
	said map[string]string
}

var sessionMatches = map[string]match{
	"klaverjas": {
		path: sessionsPath,
		bodies: []string{
			`{"hands": 16, "bidding": "turned", "again": true, "players": {"partner": "random", "opponents": "simple"}}`,
			`{"hands": 16, "bidding": "official", "seat": "W", "players": {"partner": "simple", "opponents": "random"}}`,
			`{"hands": 16, "bidding": "free", "compare": "simple", "players": {"partner": "random", "opponents": "random"}}`,
			`{"hands": 16, "players": {"partner": "random", "opponents": "random"}, "rules": {"system": "amsterdam"}}`,
		},
		act: func(t *testing.T, rng *rand.Rand, w *httptest.ResponseRecorder) sessionAct {
			t.Helper()
			now := decodeAs[api.KlaverjasSession](t, w)
			return legalAct(rng, &now)
		},
		said: map[string]string{"auction.calls": "auction.calls", "auction.turned": "auction.turned", "auction.flow": "auction.flow"},
	},
	"belote": {
		path: beloteSessionsPath,
		bodies: []string{
			`{"hands": 9, "players": {"opponent": "simple"}, "suits": ["H", "S"]}`,
			`{"hands": 4, "players": {"opponent": "random"}, "suits": ["C", "D"], "seat": "B", "flip": "immediate"}`,
			`{"hands": 4, "players": {"opponent": "random"}, "trump": "none"}`, `{"hands": 4, "players": {"opponent": "random"}, "trump": "drawn"}`,
		},
		act: func(t *testing.T, rng *rand.Rand, w *httptest.ResponseRecorder) sessionAct {
			t.Helper()
			now := decodeAs[api.BeloteSession](t, w)
			return legalBeloteAct(rng, &now)
		},
		said: map[string]string{"calls.*.call": "calls"},
	},
	"gin-rummy": {
		path:   ginSessionsPath,
		bodies: []string{`{"players": {"opponent": "simple"}}`, `{"players": {"opponent": "random"}}`},
		act: func(t *testing.T, rng *rand.Rand, w *httptest.ResponseRecorder) sessionAct {
			t.Helper()
			now := decodeAs[api.GinSession](t, w)
			return legalGinAct(rng, &now)
		},
		said: map[string]string{"revealed.position.events": "position.events"},
	},
	"tarok": {
		path: tarokSessionsPath,
		bodies: []string{
			`{"hands": 15, "players": {"left": "random", "right": "heuristic"}}`,
			`{"hands": 6, "seat": "C", "players": {"left": "random", "right": "random"}, "rules": {"bidding": "forehand_last", "mond": 20}}`,
		},
		act: func(t *testing.T, rng *rand.Rand, w *httptest.ResponseRecorder) sessionAct {
			t.Helper()
			now := decodeAs[api.TarokSession](t, w)
			return legalTarokAct(t, rng, &now)
		},
		said: map[string]string{
			"calls.*.call": "calls", "revealed.group": "position.group", "revealed.discards": "position.discards",
			"revealed.announcements.kings.by": "announcements.kings.by", "revealed.announcements.trula.by": "announcements.trula.by",
			"revealed.announcements.pagat.by": "announcements.pagat.by", "revealed.announcements.valat.by": "announcements.valat.by",
		},
	},
}

// below returns the value below a path of fields, of which * stands for each entry of a list; nil if there is none or if it is empty.
func below(value any, path string) any {
	if path == "" {
		return value
	}
	name, rest, _ := strings.Cut(path, ".")
	switch v := value.(type) {
	case map[string]any:
		if out := below(v[name], rest); !cmp.Equal(out, map[string]any{}) {
			return out
		}
	case []any:
		var out []any
		for _, one := range v {
			out = append(out, below(one, rest))
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// Each hand of a match that is over can be read again as it was at its end, whatever is played meanwhile, and its record is the hand that
// was played: with what was called, bid, exchanged and announced. The text of all records, read again, has the same hands.
func TestSessionHands(t *testing.T) {
	onEachSessionStore(t, func(t *testing.T, store func(*config)) {
		t.Helper()
		s := newServer(t, store)
		for game, m := range sessionMatches {
			for i, body := range m.bodies {
				if i > 0 && t.Name() != "TestSessionHands/memory" {
					break // the store has the bytes of a session, whatever they mean
				}
				body := fmt.Sprintf(`%s, "seed": "%d"}`, strings.TrimSuffix(body, "}"), i)
				t.Run(fmt.Sprintf("%s %d", game, i), func(t *testing.T) { m.play(t, s, body, random.New(uint64(i))) })
			}
		}
	})
}

func (m *match) play(t *testing.T, s *server, body string, rng *rand.Rand) {
	t.Helper()
	w := s.post(t, m.path, body)
	status(t, w, http.StatusCreated)
	self := anySessionOf(t, w).Links.Self
	status(t, s.get(t, self+"/records"), http.StatusConflict)
	var ends []*httptest.ResponseRecorder
	for over := false; !over; {
		switch state := below(decodeAs[map[string]any](t, w), "state"); state {
		case "hand_over", "over":
			over = state == "over" || len(ends) == testkit.Times(2, 4, 60, 60)
			ends = append(ends, w)
			status(t, s.get(t, fmt.Sprintf("%s/hands/%d", self, len(ends)+1)), http.StatusConflict)
		default:
		}
		if !over {
			act := m.act(t, rng, w)
			w = s.post(t, self+act.path, act.body)
			status(t, w, http.StatusOK)
		}
	}
	text := s.get(t, self+"/records")
	status(t, text, http.StatusOK)
	records := decodeAs[map[string]any](t, text)
	for i, end := range ends {
		again := s.get(t, fmt.Sprintf("%s/hands/%d", self, i+1))
		status(t, again, http.StatusOK)
		if diff := cmp.Diff(unexpiring(t, end), unexpiring(t, again)); diff != "" {
			t.Fatalf("hand %d is another one (-want +got)\n%s", i+1, diff)
		}
		session, record := decodeAs[map[string]any](t, end), below(records, "records").([]any)[i]
		for inSession, inRecord := range m.said {
			if diff := cmp.Diff(below(session, inSession), below(record, inRecord)); diff != "" {
				t.Errorf("hand %d: %s of the record (-session +record)\n%s", i+1, inRecord, diff)
			}
		}
	}
	if len(ends) < 2 {
		t.Errorf("%d hands are over", len(ends))
	}
	request, err := json.Marshal(map[string]any{"text": below(records, "text"), "form": "text"})
	if err != nil {
		t.Fatal(err)
	}
	read := s.post(t, "/v1/records/convert", string(request))
	status(t, read, http.StatusOK)
	if diff := cmp.Diff(records, decodeAs[map[string]any](t, read)); diff != "" || len(below(records, "records").([]any)) != len(ends) {
		t.Errorf("the records read again are others (-written +read)\n%s", diff)
	}
	for _, number := range []string{"0", "-1", "x", "1x", "999999999999999999999"} {
		status(t, s.get(t, self+"/hands/"+number), http.StatusBadRequest)
	}
	status(t, s.get(t, self+"/hands/1?number=2"), http.StatusBadRequest)
}
