package main

import "roem/api/contract"

// better says what a stream of answers is, in each client.
const better = "answers that become better, until the server has the last"

// clientFiles are the generated files of the clients, and of a test of the pages. @hey-api/openapi-ts writes the types of TypeScript.
var clientFiles = map[string]func(*contract.Contract) ([]byte, error){
	"clients/typescript/src/operations.gen.ts": typescriptOperations,
	"clients/go/operations.gen.go":             goOperations,
	"clients/go/types.gen.go":                  goTypes,
	"clients/python/roem/contract.py":          pythonTypes,
	"clients/python/roem/_operations.py":       pythonOperations,
	leastFile:                                  leastRequests,
}

// canonical returns the contract of programs, which send the spelling of answers: each schema with such a spelling is that schema.
func canonical(text []byte) (*contract.Contract, error) {
	c, err := contract.Read(text)
	if err != nil {
		return nil, err
	}
	for _, s := range c.Schemas {
		if s.Canonical != "" {
			*s = contract.Schema{Name: s.Name, Description: s.Description, Nullable: s.Nullable, Ref: c.Named(s.Canonical)}
		}
	}
	return c, nil
}
