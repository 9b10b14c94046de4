// Command gen writes the contract, and what follows from it, in the order of the contract. In the folder api it joins the parts of the
// contract, and writes it as YAML and as JSON, the operations and the types of the server, the bodies and the shapes of the requests of
// each game, and the operations and types of the clients. With a further part it writes the types, bodies and shapes of the game in that
// part into the current folder, as in
//
//	//go:generate go run roem/api/gen -dir ../../api -add nim.yaml -path /v1/nim/ -prefix Nim
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/getkin/kin-openapi/openapi3"

	"roem/api/contract"
	"roem/api/merge"
)

func main() {
	if err := run(); err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "gen: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	dir := flag.String("dir", ".", "the `folder` api")
	add := flag.String("add", "", "the `file` of a further part of the contract")
	var of requests
	flag.StringVar(&of.path, "path", "", "with -add, the beginning of the paths of the game's operations")
	flag.StringVar(&of.prefix, "prefix", "", "with -add, the beginning of the names of the game's schemas")
	flag.Parse()
	if *add != "" {
		return one(*dir, *add, of)
	}
	return all(*dir)
}

// one writes the types, bodies and shapes of the game in a further part.
func one(dir, add string, of requests) error {
	text, err := merge.Contract(dir, add)
	if err != nil {
		return err
	}
	c, err := contract.Read(text)
	if err != nil {
		return err
	}
	pkg := os.Getenv("GOPACKAGE")
	if err := writeTypes(c, of.prefix, pkg, ".", "."); err != nil {
		return err
	}
	return writeBodies(c, of, pkg, ".")
}

// all writes everything.
func all(dir string) error {
	top := filepath.Join(dir, "..")
	text, err := merge.Contract(dir)
	if err != nil {
		return err
	}
	json, err := asJSON(text)
	if err != nil {
		return err
	}
	c, err := contract.Read(text)
	if err != nil {
		return err
	}
	clients, err := canonical(text)
	if err != nil {
		return err
	}
	written := map[string][]byte{"api/openapi.yaml": text, "api/openapi.json": json}
	if written[operationsFile], err = contractOperations(c); err != nil {
		return err
	}
	for name, write := range clientFiles {
		if written[name], err = write(clients); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for name, text := range written {
		if err := os.WriteFile(filepath.Join(top, name), text, 0o600); err != nil {
			return err
		}
	}
	for _, of := range packages {
		if err := writeBodies(c, of, filepath.Base(of.folder), filepath.Join(top, of.folder)); err != nil {
			return fmt.Errorf("%s: %w", of.folder, err)
		}
	}
	return writeTypes(c, "", "api", filepath.Join(top, serverPackage), top)
}

// asJSON returns a contract in JSON.
func asJSON(yaml []byte) ([]byte, error) {
	doc, err := openapi3.NewLoader().LoadFromData(yaml)
	if err != nil {
		return nil, err
	}
	json, err := doc.MarshalJSON()
	return append(json, '\n'), err
}

// writeBodies writes the bodies and the shapes of the requests of a game.
func writeBodies(c *contract.Contract, of requests, pkg, folder string) error {
	text, err := newBodies(pkg, of).generate(c, of)
	if err := write(folder, "bodies.gen.go", text, err); err != nil {
		return err
	}
	shaped := shapes{prefix: of.prefix, texts: map[*contract.Schema]string{}}
	text, err = shaped.generate(c, pkg, of)
	return write(folder, "shapes.gen.go", text, err)
}
