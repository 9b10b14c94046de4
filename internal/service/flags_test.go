package service_test

import (
	"testing"

	"roem/internal/service"
)

// A flag gives a line the field that it leaves out. Null is left out too.
func TestWithDefault(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{`{}`, `{"n":2}`},
		{` {"a": 1}`, `{"n":2,"a": 1}`},
		{`{"n": 1}`, `{"n": 1}`},
		{`{"a": {"n": null}, "n": null, "b": [1]}`, `{"a": {"n": null}, "n":2, "b": [1]}`},
		{`{"n":null,"n":1}`, `{"n":null,"n":1}`},
		{`{"n": null`, `{"n": null`},
		{`[null]`, `[null]`},
	} {
		if got := string(service.WithDefault([]byte(tt.line), "n", 2)); got != tt.want {
			t.Errorf("%s becomes %s, want %s", tt.line, got, tt.want)
		}
	}
}
