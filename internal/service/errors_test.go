package service

import (
	"slices"
	"strings"
	"testing"

	"roem/api"
	"roem/api/contract"
	"roem/internal/engine/violation"
)

// component returns a schema of the contract.
func component(t *testing.T, name string) *contract.Schema {
	t.Helper()
	c, err := contract.Read(api.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	return c.Named(name)
}

func TestCodesAreThoseOfTheContract(t *testing.T) {
	var codes []string
	for _, code := range violation.Codes() {
		codes = append(codes, string(code))
	}
	for _, one := range codesOfServer {
		codes = append(codes, string(one.Code))
	}
	if got := component(t, "ErrorCode").Enum; !slices.Equal(got, codes) {
		t.Errorf("the contract has %q, the program %q", got, codes)
	}
}

func TestProblemTypesAreThoseOfTheContract(t *testing.T) {
	var types []string
	for _, kind := range Kinds() {
		types = append(types, ProblemType+kind.Info().Slug)
	}
	got := component(t, "ProblemType").Enum
	slices.Sort(got)
	slices.Sort(types)
	if !slices.Equal(got, types) {
		t.Errorf("the contract has %q, the program %q", got, types)
	}
}

// The contract says which problems have errors with codes. The others are told by their type.
func TestExplainedProblemsAreThoseOfTheContract(t *testing.T) {
	said := strings.Join(strings.Fields(component(t, "ProblemType").Description), " ")
	slugs := Explained()
	for i := range slugs {
		slugs[i] = "`" + slugs[i] + "`"
	}
	want := "Problems of the types " + strings.Join(slugs[:len(slugs)-1], ", ") + " and " + slugs[len(slugs)-1] + " always have `errors`"
	if !strings.Contains(said, want) {
		t.Errorf("the contract says %q, want %q", said, want)
	}
}

// One rule tells 400 from 422: what the contract alone refuses, or what only the rules of a game refuse. What has no code is a fault of
// the program.
func TestStatusFollowsFromTheCodes(t *testing.T) {
	form, rule := violation.New(violation.NotACard, "is no card").At("/a"), violation.New(violation.CardTwice, "is there twice").At("/b")
	for _, tt := range []struct {
		name   string
		vs     []Violation
		kind   Kind
		detail string
	}{
		{"the contract", []Violation{form}, Malformed, "The request does not match the contract: /a: is no card."},
		{"the rules", []Violation{rule}, Impossible, "The request is impossible: /b: is there twice."},
		{"both", []Violation{rule, form}, Malformed, "The request does not match the contract: /b: is there twice; 1 more."},
		{"no code", []Violation{rule, {Pointer: "/a", Detail: "is wrong"}}, Internal, ""},
	} {
		if e := Refused(tt.vs...); e.Kind != tt.kind || e.Detail != tt.detail {
			t.Errorf("%s: kind %d with %q, want %d with %q", tt.name, e.Kind, e.Detail, tt.kind, tt.detail)
		}
	}
}

// A client may repeat a value in its own sentence: it is bounded, and so is the list of what was expected.
func TestValuesAndExpectationsAreBounded(t *testing.T) {
	v := violation.New(violation.NotOneOf, "is none").Of(strings.Repeat("♥", 1000)).OneOf(make([]string, 1000)...)
	p := Problem(Refused(v), "")
	one := (*p.Errors)[0]
	if n := len([]rune(*one.Value)); n != 65 {
		t.Errorf("the value has %d characters, want 64 and an ellipsis", n)
	}
	if n := len(*one.Expected.OneOf); n != 64 {
		t.Errorf("%d values are expected, want 64", n)
	}
}
