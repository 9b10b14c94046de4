package handlers_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"roem/internal/api"
)

// A list in which every item is wrong is refused, as a request and as a job. The problem names the first violations.
func TestListsOfWrongItems(t *testing.T) {
	s := newServer(t)
	const good, impossible, malformed = `{"trump": "D", "leader": "W", "deal": "71234567890123456"}`, `{"trump": "D", "leader": "W", ` +
		`"deal": "71234567890123456", "played": ["7D", "7D"]}`, `{"trump": "S"}`
	const goodHand, impossibleHand = `{"hand": ["7C", "8C", "9C", "10C", "JC", "QC", "KC", "AC"]}`, `{"hand": ["JH"]}`
	const around = `"seat": "S", "leader": "S", `
	situation := ginSituation("")
	impossibleSituation := strings.Replace(situation, `"JD"`, `"9D"`, 1)
	for _, list := range []struct {
		path, kind, field, around   string
		good, impossible, malformed string
	}{
		{"/v1/klaverjas/predict/batch", "", "positions", "", good, impossible, malformed},
		{"/v1/klaverjas/features", "", "positions", "", good, impossible, malformed},
		{"/v1/klaverjas/hybrid/batch", "", "positions", "", good, impossible, malformed},
		{"/v1/klaverjas/solve/batch", "klaverjas.solve_batch", "positions", "", good, impossible, malformed},
		{"/v1/klaverjas/hand-strength/batch", "klaverjas.hand_strength_batch", "hands", around, goodHand, impossibleHand, `{"hands": 1}`},
		{"/v1/gin-rummy/estimate/batch", "", "views", "", situation, impossibleSituation, malformed},
	} {
		body := func(items ...string) string {
			return fmt.Sprintf(`{%s%q: [%s]}`, list.around, list.field, strings.Join(items, ", "))
		}
		check := func(name, path, body, under string, want int) {
			t.Run(strings.ReplaceAll(path, "/", " ")+" "+list.kind+" "+name, func(t *testing.T) {
				w := s.post(t, path, body)
				if want == http.StatusOK {
					if w.Code != http.StatusOK && w.Code != http.StatusAccepted {
						t.Errorf("%d: %s", w.Code, w.Body)
					}
					return
				}
				status(t, w, want)
				p := decodeAs[api.Problem](t, w)
				if p.Errors == nil || len(*p.Errors) > 32 || w.Body.Len() > 12<<10 ||
					!strings.HasPrefix(*(*p.Errors)[0].Pointer, under+"/"+list.field+"/0") {
					t.Errorf("%d bytes: %.600s", w.Body.Len(), w.Body)
				}
			})
		}
		paths := map[string]func(string) (string, string){list.path: func(body string) (string, string) { return body, "" }}
		if list.kind != "" {
			paths["/v1/jobs"] = func(body string) (string, string) { return jobOf(list.kind, body), "/request" }
		}
		for path, wrap := range paths {
			for _, one := range []struct {
				name  string
				items []string
				want  int
			}{
				{"one impossible", []string{list.impossible}, 422},
				{"one malformed", []string{list.malformed}, 400},
				{"all impossible", slices.Repeat([]string{list.impossible}, 1000), 422},
				{"all malformed", slices.Repeat([]string{list.malformed}, 1000), 400},
				{"impossible and malformed", []string{list.impossible, list.malformed}, 400},
				{"one is good", []string{list.impossible, list.good, list.malformed}, 200},
			} {
				body, under := wrap(body(one.items...))
				check(one.name, path, body, under, one.want)
			}
		}
	}
}
