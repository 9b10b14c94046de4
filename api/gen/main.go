// Command gen writes what follows from the contract, in the order of the contract. In the folder api, where go generate runs it, it
// writes the types of the server, the bodies of the requests of each game, and the operations and types of the clients. With a contract of
// its own it writes the types and bodies of one game into the current folder, as in
//
//	//go:generate go run roem/api/gen -contract openapi.gen.yaml -path /v1/nim/ -prefix Nim
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"roem/api/contract"
)

func main() {
	if err := run(); err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "gen: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	file := flag.String("contract", "", "the `file` of a contract")
	var of requests
	flag.StringVar(&of.path, "path", "", "with -contract, the beginning of the paths of the game's operations")
	flag.StringVar(&of.prefix, "prefix", "", "with -contract, the beginning of the names of the game's schemas")
	flag.Parse()
	if *file != "" {
		return one(*file, of)
	}
	return all("..")
}

// one writes the bodies of a game with a contract of its own.
func one(file string, of requests) error {
	text, err := os.ReadFile(file) //nolint:gosec // the file that go generate names
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

// all writes everything, below the folder top.
func all(top string) error {
	text, err := os.ReadFile(filepath.Join(top, "api", "openapi.yaml")) //nolint:gosec // the name is fixed
	if err != nil {
		return err
	}
	c, err := contract.Read(text)
	if err != nil {
		return err
	}
	for _, of := range packages {
		if err := writeBodies(c, of, filepath.Base(of.folder), filepath.Join(top, of.folder)); err != nil {
			return fmt.Errorf("%s: %w", of.folder, err)
		}
	}
	if err := writeTypes(c, "", "api", filepath.Join(top, serverPackage), top); err != nil {
		return err
	}
	if c, err = canonical(text); err != nil {
		return err
	}
	written := map[string]func(*contract.Contract) ([]byte, error){leastFile: leastRequests, operationsFile: contractOperations}
	maps.Copy(written, clientFiles)
	for name, write := range written {
		code, err := write(c)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(top, name), code, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func writeBodies(c *contract.Contract, of requests, pkg, folder string) error {
	text, err := newBodies(pkg, of).generate(c, of)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "bodies.gen.go"), text, 0o600); err != nil { //nolint:gosec // text is generated code
		return err
	}
	shaped := shapes{prefix: of.prefix, texts: map[*contract.Schema]string{}}
	if text, err = shaped.generate(c, pkg, of); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "shapes.gen.go"), text, 0o600) //nolint:gosec // text is generated code
}
