package handlers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"roem/internal/api"
	"roem/internal/bound"
	"roem/internal/computation"
	"roem/internal/random"
	"roem/internal/service"
	"roem/internal/testkit"
)

// allocatedBy returns how many bytes the answer to a request allocates.
func (s *server) allocatedBy(path, body string) (allocated, status int) {
	r := request(http.MethodPost, path, body)
	w := httptest.NewRecorder()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.ServeHTTP(w, r)
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc-before.TotalAlloc) - 2*w.Body.Cap(), w.Code // the recorder is the test's
}

// allocates asserts that the answer to a request allocates no more than its body allows, and what is given besides. It returns the status.
func (s *server) allocates(t *testing.T, what, path, body string, besides int) int {
	t.Helper()
	got, status := s.allocatedBy(path, body)
	if most := bound.PerByte*len(body) + bound.Always + besides; got > most {
		t.Errorf("%s, %s: %d bytes allocated for %d (status %d): %.200s", path, what, got, len(body), status, body)
	}
	return status
}

// containers returns the pointers of all lists and objects of a schema.
func containers(schema *openapi3.Schema, at string) (all []string) {
	if len(schema.AllOf) == 1 {
		schema = schema.AllOf[0].Value
	}
	for _, one := range schema.OneOf {
		all = append(all, containers(one.Value, at)...)
	}
	if schema.Type.Is(openapi3.TypeArray) {
		all = append(append(all, at), containers(schema.Items.Value, at+"/0")...)
	}
	if schema.Type.Is(openapi3.TypeObject) {
		all = append(all, at)
		for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
			all = append(all, containers(schema.Properties[name].Value, at+"/"+name)...)
		}
	}
	return all
}

// filled returns a value with another one at a pointer. What is missing on the way is made.
func filled(value any, pointer string, with json.RawMessage) any {
	if pointer == "" {
		return with
	}
	name, rest, more := strings.Cut(pointer[1:], "/")
	if more {
		rest = "/" + rest
	}
	if name == "0" {
		list, _ := value.([]any)
		if list = slices.Clone(list); len(list) == 0 {
			list = []any{nil}
		}
		list[0] = filled(list[0], rest, with)
		return list
	}
	object, _ := value.(map[string]any)
	if object = maps.Clone(object); object == nil {
		object = map[string]any{}
	}
	object[name] = filled(object[name], rest, with)
	return object
}

// junk returns lists and objects of n of the shortest values.
func junk(n int) (out []json.RawMessage) {
	for _, one := range []string{`{}`, `[]`, `0`, `""`, `null`, `[{}]`, `{"a":{}}`, `"7C"`} {
		out = append(out, json.RawMessage("["+strings.Repeat(one+",", n-1)+one+"]"))
	}
	for _, one := range []string{`{}`, `[]`, `0`} {
		var b strings.Builder
		for i := range n {
			b.WriteString(`,"` + strconv.FormatInt(int64(i), 36) + `":` + one)
		}
		out = append(out, json.RawMessage("{"+b.String()[1:]+"}"))
	}
	return out
}

// Every list and every object of every request, filled with the shortest values, allocates no more than the bytes of the body allow.
func TestAllocatedByLists(t *testing.T) {
	testkit.NotRaced(t, "it allocates itself")
	s := newServer(t, func(c *config) { c.workers = noWorkers })
	const ofKlaverjas = `{"players": {"partner": "simple", "opponents": "simple"}}`
	const ofTarok = `{"players": {"left": "random", "right": "random"}}`
	session := map[string]string{
		"klaverjas": decodeAs[api.KlaverjasSession](t, s.post(t, sessionsPath, ofKlaverjas)).Links.Self,
		"belote":    decodeAs[api.BeloteSession](t, s.post(t, "/v1/belote/sessions", `{"players": {"opponent": "simple"}}`)).Links.Self,
		"gin-rummy": decodeAs[api.GinSession](t, s.post(t, "/v1/gin-rummy/sessions", `{"players": {"opponent": "simple"}}`)).Links.Self,
		"tarok":     decodeAs[api.TarokSession](t, s.post(t, "/v1/tarok/sessions", ofTarok)).Links.Self,
	}
	sizes := testkit.Times([]int{3900}, []int{3900}, []int{1000, 3900}, []int{100, 1000, 3900, 15_000})
	turn := 0
	for path, item := range s.doc.Paths.Map() {
		if item.Post == nil || item.Post.RequestBody == nil {
			continue
		}
		if prefix, act, isSession := strings.Cut(path, "/sessions/{id}"); isSession {
			path = session[strings.TrimPrefix(prefix, "/v1/")] + act
		}
		media := item.Post.RequestBody.Value.Content["application/json"]
		first := slices.Min(slices.Collect(maps.Keys(media.Examples)))
		value := media.Examples[first].Value.Value
		base, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		s.allocatedBy(path, `{"unknown": 1}`)           // reads the contract
		besides, _ := s.allocatedBy(path, string(base)) // may run in a slot
		for _, pointer := range slices.Compact(slices.Sorted(slices.Values(containers(media.Schema.Value, "")))) {
			for _, n := range sizes {
				for i, with := range junk(n) {
					if turn++; !testkit.Long() && (turn+i)%8 > 0 {
						continue
					}
					body, err := json.Marshal(filled(value, pointer, with))
					if err != nil {
						t.Fatal(err)
					}
					s.allocates(t, fmt.Sprintf("%s with %.10s %d times", pointer, with, n), path, string(body), besides)
				}
			}
		}
	}
}

// A text is a body too: no JSON in it, however short its values, and no other form allocates more than its bytes allow.
func TestAllocatedByTexts(t *testing.T) {
	testkit.NotRaced(t, "it allocates itself")
	s := newServer(t, func(c *config) { c.workers = noWorkers })
	texts := map[string]string{
		"whole hands and a wrong one": strings.Repeat(recordVectors(t)[0].Text+"\n", 1000) + "[Game \"klaverjas\"]\n[Rules \"x\"]",
		"brackets":                    strings.Repeat("[", 300_000),
		"tags of nothing":             strings.Repeat("[a \"\"]\n\n", 100_000),
		"words":                       "[Game \"klaverjas\"]\n[Deal]\n" + strings.Repeat("N ", 450_000),
		"fields of nothing":           strings.Repeat("roem1:klaverjas;a=;b=\n", 40_000),
		"points":                      "roem1:klaverjas;Deal=" + strings.Repeat("a.", 450_000),
		"CFN of nothing":              strings.Repeat("N:-/-/-/- - 0\n", 60_000),
	}
	for i, one := range junk(100_000) {
		name := strconv.Itoa(i)
		texts["the text "+name] = string(one)
		texts["tags "+name] = `{"game":"klaverjas","tags":` + string(one) + `}`
		texts["events "+name] = `{"game":"gin-rummy","position":{"events":` + string(one) + `}}`
		texts["rules "+name] = `{"game":"klaverjas","position":{"rules":` + string(one) + `}}`
		texts["hands "+name] = `{"game":"tarok","position":{"hands":` + string(one) + `}}`
		texts["announcements "+name] = `{"game":"tarok","announcements":` + string(one) + `}`
		texts["stacks "+name] = `{"game":"belote","position":{"stacks":{"A":` + string(one) + `}}}`
		texts["history "+name] = `{"TroefKleur":"ruiten","History":` + string(one) + `}`
		texts["cards of a trick "+name] = `{"TroefKleur":"ruiten","History":[{"Cards":` + string(one) + `}]}`
		texts["short "+name] = strings.Repeat(`{"game":"klaverjas","tags":`+string(junk(60)[i])+"}\n", 1000)
	}
	for _, path := range []string{"/v1/records/convert", "/v1/klaverjas/evening"} {
		s.allocatedBy(path, `{"unknown": 1}`)
		for name, text := range texts {
			if body := recordBody(text[:min(len(text), 900_000)], ""); testkit.Long() || strings.HasPrefix(name, "tags") || name[len(name)-1] > '9' {
				s.allocates(t, name, path, body, 0)
			}
		}
	}
}

// Records that were damaged allocate no more than their bytes allow.
func TestAllocatedByDamagedRecords(t *testing.T) {
	testkit.NotRaced(t, "it allocates itself")
	s := newServer(t, func(c *config) { c.workers = noWorkers })
	rng := random.New(39)
	vectors := recordVectors(t)
	s.allocatedBy("/v1/records/convert", `{"unknown": 1}`)
	values := junk(50)
	for range testkit.Times(200, 2000, 20_000, 100_000) {
		v := vectors[rng.IntN(len(vectors))]
		forms := append(append(texts(v.Hands), v.Lines...), v.Text, v.Source)
		text := damaged(rng, forms[rng.IntN(len(forms))], values)
		s.allocates(t, v.Name, "/v1/records/convert", recordBody(text, []string{"", "line", "json"}[rng.IntN(3)]), 0)
	}
}

// damaged returns a text, at most 8,000 bytes of it, with one to three parts of it left out, repeated or replaced.
func damaged(rng *rand.Rand, from string, values []json.RawMessage) string {
	text := []byte(from)
	for range 1 + rng.IntN(3) {
		at := rng.IntN(len(text) + 1)
		to := at + rng.IntN(len(text)-at+1)
		switch rng.IntN(5) {
		case 0:
			text = slices.Concat(text[:at], text[to:])
		case 1:
			text = slices.Concat(text[:to], text[at:])
		case 2:
			text = slices.Concat(text[:at], values[rng.IntN(len(values))], text[at:])
		case 3:
			if i := bytes.IndexByte(text[at:], '['); i >= 0 { // a list, or a tag, becomes another value
				if j := bytes.IndexByte(text[at+i:], ']'); j >= 0 {
					text = slices.Concat(text[:at+i], values[rng.IntN(len(values))], text[at+i+j+1:])
				}
			}
		default:
			if at < len(text) {
				text[at] = "{}[]\",:;=.%/7NJ\n"[rng.IntN(16)]
			}
		}
		text = text[:min(len(text), 8000)]
	}
	return string(text)
}

// Formulas that were damaged, about positions with any number of cards played, allocate no more than their bytes allow while every slot is
// taken: they are answered from few steps, or refused.
func TestAllocatedByDamagedFormulas(t *testing.T) {
	testkit.NotRaced(t, "it allocates itself")
	s, _ := occupied(t, service.NoQueue, computation.Limits{}, nil)
	rng := random.New(41)
	formulas := []string{
		"C own(N,7C)", "[!K_S void(E,H) or true] C (has_suit(N,C) implies M_W own(N,AC))", "K_N M_E K_S own(W,10D) and not C_NE higher(E,9H)",
		"(own(N,8D) or own(E,8D)) implies E (K_S true)", strings.Repeat("C ", 494) + "own(N,7C)", strings.Repeat("not E K_N ", 90) + "void(S,H)",
		"[!own(N,QH)] [!not M_E void(N,S)] E_NS C_EW (own(S,AD) and K_W own(W,JS))", strings.Repeat("(", 480) + "true" + strings.Repeat(")", 480),
	}
	var parts []json.RawMessage
	for _, one := range append(formulas, "C ", "E ", "K_N ", "M_S ", "not ", "[!true] ", "(", ")", " and true", "C_NE E_SW ") {
		for _, n := range []int{1, 7, 60} {
			if long := strings.Repeat(one, n); len(long) < 1000 {
				parts = append(parts, json.RawMessage(long))
			}
		}
	}
	head, played, _ := strings.Cut(worldsLeft(""), `"played": [`)
	played, _, _ = strings.Cut(played, "]")
	cards := strings.Split(played, ",")
	s.allocatedBy(checkPath, `{"unknown": 1}`)
	statuses := map[int]int{}
	for range testkit.Times(300, 2000, 20_000, 100_000) {
		text := damaged(rng, formulas[rng.IntN(len(formulas))], parts)
		formula, err := json.Marshal(text[:min(len(text), 1100)])
		if err != nil {
			t.Fatal(err)
		}
		body := fmt.Sprintf(`%s"played": [%s], "formula": %s}`, head, strings.Join(cards[:rng.IntN(len(cards)+1)], ","), formula)
		statuses[s.allocates(t, "formula", checkPath, body, 0)]++
	}
	t.Logf("by status: %v", statuses)
	for _, want := range []int{http.StatusOK, http.StatusBadRequest, http.StatusServiceUnavailable} {
		if statuses[want] == 0 {
			t.Errorf("no formula got status %d: %v", want, statuses)
		}
	}
}
