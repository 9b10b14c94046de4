package handlers_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/testkit"
)

// recordVector is a line of testdata/records/vectors.jsonl.
type recordVector struct {
	Name, Source, Text string
	Lines              []string
	Hands              []json.RawMessage
	Errors             []string
}

func recordVectors(t *testing.T) (all []recordVector) {
	t.Helper()
	root, err := testkit.Root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "testdata", "records", "vectors.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var v recordVector
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

func texts(list []json.RawMessage) (out []string) {
	for _, raw := range list {
		out = append(out, string(raw))
	}
	return out
}

// recordBody returns a request with records, and a form unless it is empty.
func recordBody(text, form string) string {
	quoted, _ := json.Marshal(text) // of a text
	if form == "" {
		return `{"text": ` + string(quoted) + `}`
	}
	return `{"text": ` + string(quoted) + `, "form": "` + form + `"}`
}

// Each source of the vectors is answered in each form with its hands, or refused with its errors, at /text.
func TestRecordsOverHTTP(t *testing.T) {
	s := newServer(t)
	for _, v := range recordVectors(t) {
		for form, want := range map[string]string{
			"text": v.Text, "line": strings.Join(append(v.Lines, ""), "\n"), "json": strings.Join(append(texts(v.Hands), ""), "\n"),
		} {
			body, err := json.Marshal(map[string]string{"text": v.Source, "form": form})
			if err != nil {
				t.Fatal(err)
			}
			w := s.post(t, "/v1/records/convert", string(body))
			if len(v.Errors) > 0 {
				if w.Code != http.StatusBadRequest && w.Code != http.StatusUnprocessableEntity {
					t.Fatalf("%s: status %d", v.Name, w.Code)
				}
				got := []string{}
				for _, e := range *decodeAs[api.Problem](t, w).Errors {
					got = append(got, e.Detail)
					if *e.Pointer != "/text" {
						t.Errorf("%s: at %s", v.Name, *e.Pointer)
					}
				}
				if diff := cmp.Diff(v.Errors, got); diff != "" {
					t.Errorf("%s: %s", v.Name, diff)
				}
				continue
			}
			status(t, w, http.StatusOK)
			var got struct {
				Records    []json.RawMessage
				Form, Text string
			}
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(v.Hands, got.Records); diff != "" || got.Form != form {
				t.Errorf("%s: %s %s", v.Name, got.Form, diff)
			}
			if diff := cmp.Diff(want, got.Text); diff != "" {
				t.Errorf("%s as %s: %s", v.Name, form, diff)
			}
		}
	}
}

// The position of a record is what the operations of its game take as it is.
func TestPositionsOfRecordsAreRequests(t *testing.T) {
	s := newServer(t)
	asked := map[string]int{}
	for _, v := range recordVectors(t) {
		for _, hand := range v.Hands {
			var one struct {
				Game                 string
				Position, Deal, View json.RawMessage
			}
			if err := json.Unmarshal(hand, &one); err != nil {
				t.Fatal(err)
			}
			for path, body := range map[string]json.RawMessage{
				"/v1/" + one.Game + "/legal-moves": one.Position, "/v1/klaverjas/table": one.Deal, "/v1/klaverjas/knowledge": one.View,
			} {
				if one.Game == "gin-rummy" {
					path = "/v1/gin-rummy/review"
				}
				if body == nil {
					continue
				}
				r := request(http.MethodPost, path, string(body))
				r.Header.Set("Prefer", "respond-async")
				w := s.do(t, r)
				if w.Code != http.StatusOK && w.Code != http.StatusAccepted {
					t.Errorf("%s: %s answers %d: %s", v.Name, path, w.Code, w.Body)
				}
				asked[path]++
			}
		}
	}
	if len(asked) != 6 {
		t.Errorf("asked: %v", asked)
	}
}

// A text may be as long as a list, and no longer.
func TestLongRecords(t *testing.T) {
	s := newServer(t)
	one := recordVectors(t)[0].Text
	n := 999_999 / (len(one) + 1)
	w := s.post(t, "/v1/records/convert", recordBody(strings.Repeat(one+"\n", n), "line"))
	if n <= 1000 {
		t.Fatalf("%d records", n)
	}
	status(t, w, http.StatusBadRequest)
	if got := w.Body.String(); !strings.Contains(got, "is record 1001, expected at most 1000") {
		t.Error(got)
	}
	w = s.post(t, "/v1/records/convert", recordBody(strings.Repeat(one+"\n", 1000), "line"))
	status(t, w, http.StatusOK)
	w = s.post(t, "/v1/records/convert", recordBody(strings.Repeat("x", 1_000_001), "line"))
	status(t, w, http.StatusBadRequest)
}
