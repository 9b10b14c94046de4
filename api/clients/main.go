// Command clients writes the generated parts of the clients from the contract: the operations of each game, in TypeScript, Python and Go,
// and the types of requests and answers, in Python and Go. @hey-api/openapi-ts writes the types of TypeScript. go generate runs it in
// api.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"roem/api"
)

// better says what a stream of answers is, in each client.
const better = "answers that become better, until the server has the last"

// files are the files that are written, in the folder of the clients.
var files = map[string]func(*contract) ([]byte, error){
	"typescript/src/operations.gen.ts": typescriptOperations,
	"go/operations.gen.go":             goOperations,
	"go/types.gen.go":                  goTypes,
	"python/roem/contract.py":          pythonTypes,
	"python/roem/_operations.py":       pythonOperations,
}

func main() {
	if err := run("../clients"); err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "clients: %v\n", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	c, err := read(api.OpenAPI)
	if err != nil {
		return err
	}
	for name, write := range files {
		text, err := write(c)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}
