package main

import (
	"strings"
	"testing"

	"roem/api/contract"
)

// The types that are named, and those in them, are written in the order of the contract, with its fields in its order.
func TestServerTypes(t *testing.T) {
	c, err := contract.Read([]byte(`
paths:
  /v1/nim/sessions:
    get: {operationId: nimSessions, parameters: [{name: page-token, in: query, schema: {type: string}}], responses: {}}
components:
  schemas:
    Nobody: {type: object, properties: {a: {type: string}}}
    NimWho: {type: string, description: "Who acts. More.", enum: [me, left_one]}
    NimState:
      type: object
      required: [z, who, when, moves, maybe]
      properties:
        z: {type: integer, format: int64}
        who: {$ref: '#/components/schemas/NimWho'}
        when: {type: string, format: date-time}
        moves: {type: array, items: {type: array, items: {type: number, format: double}}}
        maybe: {type: boolean, nullable: true}
        a_b: {type: string, enum: [x]}
        c: {type: object, properties: {d: {oneOf: [{type: string}, {type: integer}]}}}
        e: {type: string, x-go-type: json.RawMessage}
    NimSession: {allOf: [{type: object, properties: {id: {type: string}}}, {$ref: '#/components/schemas/NimState'}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	text, err := serverTypes(c, "nim", map[string]bool{"NimSession": true, "NimWhoLeftOne": true, "NimSessionsParams": true, "Other": true})
	if err != nil {
		t.Fatal(err)
	}
	want := `import "encoding/json" import "slices" import "time"
		// NimWho: Who acts. type NimWho string const ( NimWhoMe NimWho = "me" NimWhoLeftOne NimWho = "left_one" )
		// Valid reports whether the value is one of the constants.
		func (v NimWho) Valid() bool { return slices.Contains([]NimWho{NimWhoMe, NimWhoLeftOne}, v) }
		type NimSession struct {
		Id *string ` + "`json:\"id,omitempty\"`" + `
		Z int64 ` + "`json:\"z\"`" + `
		Who NimWho ` + "`json:\"who\"`" + `
		When time.Time ` + "`json:\"when\"`" + `
		Moves [][]float64 ` + "`json:\"moves\"`" + `
		Maybe *bool ` + "`json:\"maybe\"`" + `
		AB *NimSessionAB ` + "`json:\"a_b,omitempty\"`" + `
		C *NimSessionC ` + "`json:\"c,omitempty\"`" + `
		E *json.RawMessage ` + "`json:\"e,omitempty\"`" + ` }
		type NimSessionAB string const ( NimSessionABX NimSessionAB = "x" )
		// Valid reports whether the value is one of the constants.
		func (v NimSessionAB) Valid() bool { return slices.Contains([]NimSessionAB{NimSessionABX}, v) }
		type NimSessionC struct { D *any ` + "`json:\"d,omitempty\"`" + ` }
		type NimSessionsParams struct { PageToken *string ` + "`json:\"page-token,omitempty\"`" + ` }`
	_, got, _ := strings.Cut(string(text), "package nim")
	if plain := func(text string) string { return strings.Join(strings.Fields(text), " ") }; plain(got) != plain(want) {
		t.Errorf("got\n%s", text)
	}
}
