package main

import (
	"strings"
	"testing"

	"roem/api/contract"
)

// contractOf is a contract with one request, which has the properties.
func contractOf(required, properties string) string {
	return `
paths:
  /v1/nim/move:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/NimMoveRequest'}}}}
components:
  schemas:
    NimHeaps: {type: array, minItems: 1, maxItems: 3, items: {type: integer, minimum: 0, maximum: 9}}
    NimWho: {type: string, enum: [me, you]}
    NimMoveRequest:
      type: object
      additionalProperties: false
      required: [` + required + `]
      properties: {` + properties + `}
`
}

func generated(text string, types map[string]string, parts, limits []string) (string, error) {
	c, err := contract.Read([]byte(text))
	if err != nil {
		return "", err
	}
	of := requests{path: "/v1/nim/", prefix: "Nim", types: types, parts: parts, limits: limits}
	out, err := newBodies("nim", of).generate(c, of)
	return string(out), err
}

// Each keyword has its field and its check.
func TestChecks(t *testing.T) {
	for _, tt := range []struct {
		name, required, properties string
		want                       []string
	}{
		{"required text", "a", "a: {type: string, maxLength: 32}", []string{"A string ", `if in.A == "" {`, "if !service.Short(in.A, 32) {"}},
		{"optional text", "", "a: {type: string, maxLength: 32}", []string{"A *string ", "if in.A != nil && !service.Short(*in.A, 32) {"}},
		{"seed", "", "seed: {type: string, pattern: '^[0-9]{1,20}$'}", []string{"if in.Seed != nil && !service.Decimal(*in.Seed) {"}},
		{
			"enumeration", "a", "a: {$ref: '#/components/schemas/NimWho'}",
			[]string{"A api.NimWho ", "if !slices.Contains(whoValues, in.A) {", `whoValues = []api.NimWho{"me", "you"}`},
		},
		{
			"inner enumeration", "", "a: {type: string, enum: [x]}",
			[]string{"A *string ", "!slices.Contains(moveAValues, *in.A)", `moveAValues = []string{"x"}`},
		},
		{
			"number that may be 0", "n", "n: {type: integer, minimum: 0, maximum: 5}",
			[]string{"N *int ", "if in.N == nil {", "if *in.N < 0 || *in.N > 5 {"},
		},
		{
			"number that is never 0", "n", "n: {type: integer, minimum: 3, maximum: 9, multipleOf: 3}",
			[]string{"N int ", "if in.N < 3 || in.N > 9 || in.N%3 != 0 {"},
		},
		{
			"share", "", "x_y: {type: number, format: double, minimum: 0.5, maximum: 1}",
			[]string{"XY *float64 `json:\"x_y\"`", "if in.XY != nil && (*in.XY < 0.5 || *in.XY > 1) {"},
		},
		{
			"default", "", "n: {type: integer, minimum: 1, maximum: 5, x-default: 3}",
			[]string{"N int ", "if in.N < 1 || in.N > 5 {", "func (in *moveBody) SetDefaults() { in.N = 3 }"},
		},
		{
			"defaults", "", "s: {type: string, pattern: '^[0-9]{1,20}$', x-default: '0'}, b: {type: boolean, x-default: true}",
			[]string{"S string ", "if !service.Decimal(in.S) {", `in.S = "0" in.B = true }`},
		},
		{
			"nullable", "a", "a: {type: string, nullable: true, maxLength: 2}",
			[]string{"A *string ", "if in.A == nil {", "service.Short(*in.A, 2)"},
		},
		{
			"required list", "l", "l: {$ref: '#/components/schemas/NimHeaps'}",
			[]string{"L []int ", "if len(in.L) < 1 || len(in.L) > 3 {", "for i := range in.L {", "if in.L[i] < 0 || in.L[i] > 9 {"},
		},
		{"optional list", "", "l: {$ref: '#/components/schemas/NimHeaps'}", []string{"L []int ", "if in.L != nil {"}},
		{
			"required list that may be empty", "l", "l: {type: array, maxItems: 2, items: {type: boolean}}",
			[]string{"L []bool ", "if in.L == nil {", "if len(in.L) > 2 {"},
		},
		{
			"set", "", "l: {type: array, maxItems: 2, uniqueItems: true, items: {$ref: '#/components/schemas/NimWho'}}",
			[]string{"if !service.Distinct(in.L) {"},
		},
		{
			"list of nulls", "l", "l: {type: array, minItems: 2, maxItems: 2, items: {type: string, nullable: true, maxLength: 4}}",
			[]string{"L []*string ", "if len(in.L) != 2 {", "if in.L[i] != nil && !service.Short(*in.L[i], 4) {"},
		},
		{
			"list of lists", "", "l: {type: array, maxItems: 2, items: {type: array, maxItems: 3, items: {$ref: '#/components/schemas/NimWho'}}}",
			[]string{"L [][]api.NimWho ", "for ii := range in.L[i] {", "!slices.Contains(whoValues, in.L[i][ii])"},
		},
		{
			"required object", "o", "o: {type: object, additionalProperties: false, required: [a], properties: {a: {type: string, maxLength: 1}}}",
			[]string{"O moveOBody ", "if !in.O.Valid() {", "type moveOBody struct {"},
		},
		{
			"required object that may be empty", "o", "o: {type: object, additionalProperties: false, properties: {a: {type: boolean}}}",
			[]string{"O *moveOBody ", "if in.O == nil {", "A *bool "},
		},
		{"described reference", "a", "a: {description: Who., allOf: [{$ref: '#/components/schemas/NimWho'}]}", []string{"A api.NimWho "}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, err := generated(contractOf(tt.required, tt.properties), nil, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			plain := strings.Join(strings.Fields(text), " ")
			for _, want := range tt.want {
				if !strings.Contains(plain, want) {
					t.Errorf("no %s in\n%s", want, text)
				}
			}
		})
	}
}

// What the checks cannot say is an error, so that none is missing.
func TestUnknown(t *testing.T) {
	for _, tt := range []struct{ required, properties, want string }{
		{"", "a: {type: string, minLength: 1}", "minLength"},
		{"", "a: {type: string, pattern: '^[a-z]$'}", "pattern"},
		{"", "a: {type: integer, minimum: 0}", "without minimum or maximum"},
		{"", "a: {type: boolean, default: true}", "write x-default"},
		{"", "a: {type: integer, minimum: 0, maximum: 3, x-default: 4}", "x-default 4"},
		{"", "a: {type: integer, minimum: 0, maximum: 3, x-default: 0.5}", "x-default 0.5"},
		{"", "a: {type: string, maxLength: 3, x-default: x}", "x-default"},
		{"a", "a: {type: boolean, x-default: true}", "a required field"},
		{"", "o: {type: object, additionalProperties: false, properties: {a: {type: boolean, x-default: true}}}", "inside a field"},
		{"", "a: {type: array, items: {type: boolean}}", "maxItems"},
		{"", "a: {type: object, properties: {}}", "additionalProperties"},
		{"", "a: {oneOf: [{type: string}]}", "oneOf"},
		{"", "a: {allOf: [{type: string}, {type: string}]}", "allOf"},
		{"b", "a: {type: boolean}", "b is no property"},
		{"", "a: {$ref: '#/components/schemas/NimNothing'}", "NimNothing"},
	} {
		text, err := generated(contractOf(tt.required, tt.properties), nil, nil, nil)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one about %s\n%s", tt.properties, err, tt.want, text)
		}
	}
}

// A part is embedded by each object that has its fields, a given type is used, and a limit is a constant.
func TestPartsTypesAndLimits(t *testing.T) {
	text := contractOf("h, w", `h: {$ref: '#/components/schemas/NimHeaps'}, w: {$ref: '#/components/schemas/NimWho'},
        c: {type: array, minItems: 1, maxItems: 4, items: {type: string, maxLength: 8}},
        o: {type: array, maxItems: 7, items: {$ref: '#/components/schemas/NimPlain'}}}
    NimPlain: {type: object, additionalProperties: false, required: [w, h],
      properties: {w: {$ref: '#/components/schemas/NimWho'}, h: {$ref: '#/components/schemas/NimHeaps'}}`)
	code, err := generated(text, map[string]string{"NimMoveRequest.c": "cards", "NimMoveRequest.o": "[]struct{}"},
		[]string{"heapBody=NimMoveRequest:h..w"}, []string{"NimMoveRequest.o"})
	if err != nil {
		t.Fatal(err)
	}
	plain := strings.Join(strings.Fields(code), " ")
	for _, want := range []string{
		"type moveBody struct { heapBody C *cards `json:\"c\"` O []struct{}", "if !in.heapBody.Valid() {",
		"if in.C != nil && !in.C.meets(1, 4, 8) {", "if len(in.O) > 7 {", "type plainBody struct { heapBody }", "maxMoveO = 7",
	} {
		if !strings.Contains(plain, want) {
			t.Errorf("no %s in\n%s", want, code)
		}
	}
	for _, bad := range []struct {
		types         map[string]string
		parts, limits []string
	}{
		{types: map[string]string{"NimNothing": "cards"}},
		{types: map[string]string{"NimWho": "cards"}},
		{parts: []string{"heapBody=NimMoveRequest:h..x"}},
		{limits: []string{"NimMoveRequest.w"}},
	} {
		if _, err := generated(text, bad.types, bad.parts, bad.limits); err == nil {
			t.Errorf("%v is no error", bad)
		}
	}
}
