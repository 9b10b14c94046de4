//go:build js

// Command exact is the program that a page loads first. It has what needs no model.
package main

import (
	"syscall/js"

	"roem/clients/wasm/program"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
)

var version = "devel"

func main() {
	program.Run(version, true, func(s *service.Service, _ js.Value) error {
		klaverjas.NewExact(s, klaverjas.Options{TableBytes: program.TableBytes})
		return nil
	})
}
