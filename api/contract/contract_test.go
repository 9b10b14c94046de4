package contract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const nim = `
paths:
  /v1/nim/solve:
    post:
      operationId: nimSolve
      tags: [Nim]
      summary: Who wins
      x-not-in-clients: true
      parameters:
        - {$ref: '#/components/parameters/Key'}
        - {name: deep, in: query, required: true, schema: {type: boolean}}
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/NimPosition'}}}}
      responses:
        '200': {content: {application/json: {schema: {$ref: '#/components/schemas/NimSolution'}}, text/event-stream: {}}}
        '202': {$ref: '#/components/responses/Accepted'}
  /v1/nim/sessions/{id}:
    delete:
      operationId: nimEndSession
      tags: [Nim]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'204': {description: Over.}}
components:
  parameters:
    Key: {name: Idempotency-Key, in: header, schema: {type: string}}
  responses:
    Accepted: {content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}
  schemas:
    NimPosition:
      type: object
      additionalProperties: false
      required: [piles]
      properties:
        piles: {$ref: '#/components/schemas/NimPiles'}
        who: {description: Who., allOf: [{$ref: '#/components/schemas/NimWho'}]}
    NimPiles: {type: array, maxItems: 3, items: {type: integer, minimum: 0, maximum: 9, x-default: 4}}
    NimWho: {type: string, enum: [me, you]}
    NimSolution: {type: object, properties: {next: {$ref: '#/components/schemas/NimSolution'}}}
    NimJob:
      allOf: [{type: object, properties: {result: {$ref: '#/components/schemas/NimSolution'}}}, {$ref: '#/components/schemas/NimWho'}]
    NimJobRequest:
      type: object
      properties: {kind: {type: string, enum: [nim.solve]}, request: {$ref: '#/components/schemas/NimPosition'}}
    JobRequest: {oneOf: [{$ref: '#/components/schemas/NimJobRequest'}]}
    Job: {oneOf: [{$ref: '#/components/schemas/NimJob'}]}
`

func TestRead(t *testing.T) {
	c, err := Read([]byte(nim))
	if err != nil {
		t.Fatal(err)
	}
	solve, end := c.Operations[0], c.Operations[1]
	position, piles, solution := c.Named("NimPosition"), c.Named("NimPiles"), c.Named("NimSolution")
	if solve.Body != position || solve.Answer != solution || !solve.Creates || !solve.Waits || !solve.Streams || !solve.NotInClients ||
		len(solve.Query) != 1 || !solve.Query[0].Required || len(solve.Headers) != 1 {
		t.Errorf("%+v", solve)
	}
	if end.Method != "DELETE" || end.Body != nil || end.Answer != nil || end.Waits || len(end.InPath) != 1 {
		t.Errorf("%+v", end)
	}
	var names []string
	for _, s := range c.Schemas {
		names = append(names, s.Name)
	}
	want := []string{"NimPosition", "NimPiles", "NimWho", "NimSolution", "NimJob", "NimJobRequest", "JobRequest", "Job"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("the schemas (-want +got)\n%s", diff)
	}
	who := position.Fields[1]
	if !position.Closed || !position.Fields[0].Required || who.Required || who.Is() != c.Named("NimWho") || who.Description != "Who." {
		t.Errorf("%+v", position)
	}
	if item := piles.Items; item.Name != "NimPiles[]" || *item.Most != 9 || *item.Default != "4" || piles.MaxItems != 3 {
		t.Errorf("%+v", piles)
	}
	if solution.Fields[0].Is() != solution {
		t.Error("a schema in itself is another one")
	}
	if k := c.Kinds; len(k) != 1 || k[0].Name != "nim.solve" || k[0].Request != position || k[0].Result != solution {
		t.Errorf("%+v", k)
	}
}

// What the model does not have is an error that names the place.
func TestReadRefuses(t *testing.T) {
	for _, tt := range []struct{ before, after, want string }{
		{"maxItems: 3", "contains: 3", "NimPiles: contains: is a keyword"},
		{"x-default: 4", "default: 4", "default: makes a field required"},
		{"required: [piles]", "required: [pile]", "NimPosition: the required field pile is no property"},
		{"NimWho: {type: string,", "NimWho: {", "NimWho: has no type"},
		{"[{$ref: '#/components/schemas/NimWho'}]}\n    NimPiles", "[{$ref: '#/components/schemas/NimHim'}]}\n    NimPiles", "no schema NimHim"},
	} {
		text := strings.Replace(nim, tt.before, tt.after, 1)
		if _, err := Read([]byte(text)); text == nim || err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.after, err)
		}
	}
}
