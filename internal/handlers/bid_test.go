package handlers_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

const bidPath = "/v1/klaverjas/bid"

// ofBid returns a request for the call of a player; west dealt.
func ofBid(fields string) string {
	return `{"hand": ` + someHand + `, "dealer": "W", ` + fields + `}`
}

func TestBidBadRequests(t *testing.T) {
	s := newServer(t)
	nine := strings.Replace(someHand, `"8C"`, `"8C", "9C"`, 1)
	twice := strings.Replace(someHand, `"8C"`, `"JH"`, 1)
	const four = `"pass", "pass", "pass", "pass"`
	for _, test := range []struct {
		name, body string
		status     int
		where      string
		detail     string
	}{
		{"no hand", `{"flow": "free", "dealer": "W"}`, 400, "/hand", "missing"},
		{"no dealer", `{"flow": "free", "hand": ` + someHand + `}`, 400, "/dealer", "missing"},
		{"no flow", `{"dealer": "W", "hand": ` + someHand + `}`, 400, "/flow", "missing"},
		{"unknown flow", ofBid(`"flow": "leids"`), 400, "/flow", "obliged"},
		{"unknown field", ofBid(`"flow": "free", "trump": "H"`), 400, "/trump", ""},
		{"seed number", ofBid(`"flow": "free", "seed": 1`), 400, "/seed", ""},
		{"again text", ofBid(`"flow": "turned", "turned": ["H"], "again": "yes"`), 400, "/again", ""},
		{"33 calls", ofBid(`"flow": "free", "calls": [` + strings.Repeat(`"pass", `, 32) + `"pass"]`), 400, "/calls", ""},
		{"nine cards", strings.Replace(ofBid(`"flow": "free"`), someHand, nine, 1), 422, "/hand", "9 cards"},
		{"card twice", strings.Replace(ofBid(`"flow": "free"`), someHand, twice, 1), 422, "/hand/7", "JH is also in /hand/0"},
		{"unknown dealer", strings.Replace(ofBid(`"flow": "free"`), `"W"`, `"Q"`, 1), 400, "/dealer", "Q"},
		{"neither pass nor suit", ofBid(`"flow": "free", "calls": ["pass", "play"]`), 400, "/calls/1", "is not one of pass, C, D, H, S"},
		{"another seat's turn", ofBid(`"flow": "free", "calls": ["pass"], "seat": "N"`), 422, "/seat", "it is the turn of E"},
		{"the obliged passed", ofBid(`"flow": "obliged", "calls": ["pass"]`), 422, "/calls/0", "may not be called by N"},
		{"a fifth pass", ofBid(`"flow": "official", "calls": [` + four + `, "pass"]`), 422, "/calls/4", "may not be called by W"},
		{"the bidding is over", ofBid(`"flow": "free", "calls": ["pass", "S"]`), 422, "/calls", "E declares with S"},
		{"a call after the end", ofBid(`"flow": "free", "calls": ["S", "pass"]`), 422, "/calls/1", "follows the end"},
		{"another suit than was turned", ofBid(`"flow": "turned", "turned": ["H"], "calls": ["S"]`), 422, "/calls/0", "S may not be called"},
		{"no suit turned", ofBid(`"flow": "turned"`), 422, "/turned", "has 0 suits"},
		{"a suit turned twice", ofBid(`"flow": "turned", "turned": ["H", "H"], "again": true`), 400, "/turned/1", "turned before"},
		{"no such suit turned", ofBid(`"flow": "turned", "turned": ["X"]`), 400, "/turned/0", "X"},
		{
			"the next suit is missing", ofBid(`"flow": "turned", "turned": ["H"], "again": true, "calls": [` + four + `]`), 422, "/turned",
			"expected the suit that is turned next",
		},
		{"a suit turned in another flow", ofBid(`"flow": "free", "turned": ["H"]`), 422, "/turned", "no suit is turned"},
		{"rules without a model", ofBid(`"flow": "free", "rules": {"melds": false}`), 422, "/rules", "default rules"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := s.post(t, bidPath, test.body)
			status(t, w, test.status)
			errors := *decodeAs[api.Problem](t, w).Errors
			if len(errors) != 1 || *errors[0].Pointer != test.where || !strings.Contains(errors[0].Detail, test.detail) {
				t.Errorf("%s\nwant one error at %s that contains %q", w.Body, test.where, test.detail)
			}
		})
	}
}

// The answer is the same each time, whoever deals; without calls, the numbers of a trump agree with hand-strength.
func TestBid(t *testing.T) {
	s := newServer(t)
	ask := func(body string) api.KlaverjasBidAdvice {
		t.Helper()
		w := s.post(t, bidPath, body)
		status(t, w, 200)
		return decodeAs[api.KlaverjasBidAdvice](t, w)
	}
	first := ask(ofBid(`"flow": "free"`))
	if diff := cmp.Diff(first, ask(ofBid(`"flow": "free", "seat": "N"`))); diff != "" {
		t.Errorf("another answer: %s", diff)
	}
	w := s.post(t, strengthPath, `{"hand": `+someHand+`, "seat": "N", "leader": "N"}`)
	status(t, w, 200)
	for _, want := range decodeAs[api.KlaverjasHandStrength](t, w).Trumps {
		for _, got := range first.Trumps {
			if got.Trump == want.Trump && (got.Value != *want.TableOutcome || got.WinProbability != want.WinProbability ||
				got.TableWinProbability != *want.TableWinProbability || got.TablePitProbability != *want.TablePitProbability) {
				t.Errorf("%+v, but hand-strength has %+v", got, want)
			}
		}
	}
	if first.Call != "H" || first.Forced || first.Pass == nil || first.Gain == nil ||
		first.Seat != api.KlaverjasSeatN || first.Leader != api.KlaverjasSeatN {
		t.Errorf("%+v", first)
	}
	forced := ask(ofBid(`"flow": "obliged"`))
	if !forced.Forced || forced.Pass != nil || forced.Gain != nil || forced.Call != "H" ||
		!strings.HasPrefix(forced.Why, "A pass is not allowed") {
		t.Errorf("%+v", forced)
	}
	turned := ask(ofBid(`"flow": "turned", "turned": ["C", "S"], "again": true, "calls": ["pass", "pass", "pass", "pass", "pass"]`))
	if len(turned.Trumps) != 1 || turned.Trumps[0].Trump != api.SuitS || turned.Call != "pass" || turned.Seat != api.KlaverjasSeatE ||
		turned.Turned == nil {
		t.Errorf("%+v", turned)
	}
}

// The call follows from the values that the answer shows. For the first hand a pass is better than clubs by less than a tenth of a point.
func TestBidFollowsFromTheAnswer(t *testing.T) {
	s := newServer(t)
	bodies := []string{`{"hand": ["7S", "9C", "10D", "KD", "KC", "AD", "QC", "7D"], "dealer": "N", "flow": "official", "seed": "1"}`}
	for seed := range 20 {
		bodies = append(bodies, ofBid(`"flow": "free", "calls": ["pass"], "seed": "`+strconv.Itoa(seed)+`"`))
	}
	for _, body := range bodies {
		w := s.post(t, bidPath, body)
		status(t, w, 200)
		bid := decodeAs[api.KlaverjasBidAdvice](t, w)
		want, value := string(bid.Trumps[0].Trump), bid.Trumps[0].Value
		if bid.Pass.Value > value {
			want, value = "pass", bid.Pass.Value
		}
		if bid.Call != want || bid.Value != value {
			t.Errorf("the call is %s with %v, want %s with %v; clubs, diamonds ... %+v, pass %v, gain %v", bid.Call, bid.Value, want, value,
				bid.Trumps, bid.Pass.Value, *bid.Gain)
		}
		for i := range bid.Trumps[1:] {
			a, b := &bid.Trumps[i], &bid.Trumps[i+1]
			if a.Value < b.Value || a.Value == b.Value && a.Trump > b.Trump {
				t.Errorf("%s with %v is before %s with %v", a.Trump, a.Value, b.Trump, b.Value)
			}
		}
	}
}
