package service_test

import (
	"strings"
	"testing"

	"roem/internal/service"
)

// What is wrong is listed in the order of the places in lists, not of their texts.
func TestProblemsAreInOrder(t *testing.T) {
	played := &service.Shape{Type: "array", MaxItems: 32, Items: &service.Shape{Type: "string"}}
	body := `{"played": [` + strings.Repeat("1, ", 11) + `1], "x": 1}`
	err := service.NewSchemas(nil, func(string) *service.Shape {
		return &service.Shape{Type: "object", Fields: []service.ShapeField{{Name: "played", Shape: played}}}
	}).Meets(t.Context(), []byte(body), "")
	problem, ok := err.(*service.Error) //nolint:errorlint // Meets returns no other
	if !ok || len(problem.Violations) != 13 {
		t.Fatal(err)
	}
	for i, want := range []string{2: "/played/2", 10: "/played/10", 11: "/played/11", 12: "/x"} {
		if got := problem.Violations[i].Pointer; want != "" && got != want {
			t.Errorf("problem %d is at %s, want %s", i, got, want)
		}
	}
}

// A number is shown as it was written, whatever a float64 makes of it.
func TestNumbersAreNotRounded(t *testing.T) {
	for text, want := range map[string]string{
		"7": "7", "1e2": "100", "-0.5": "-0.5", "1e-200": "1e-200", "1e400": "1e400", "1e-400": "1e-400",
		"99561092450390993":      "99561092450390993",
		"0.12345678901234567890": "0.12345678901234567890", strings.Repeat("9", 50): strings.Repeat("9", 40) + "…",
	} {
		if got := service.Numeral(text).String(); got != want {
			t.Errorf("%s is shown as %s, want %s", text, got, want)
		}
	}
}
