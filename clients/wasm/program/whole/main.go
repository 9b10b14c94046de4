//go:build js

// Command whole is the program that a page loads when it first asks for more than Command exact has. It answers everything.
package main

import (
	"syscall/js"

	"roem/clients/wasm/program"
	"roem/internal/browser"
	"roem/internal/engine/klaverjas/puzzles"
	"roem/internal/model/klaverjas/hand"
	"roem/internal/model/nn/weightfile"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
	"roem/internal/service/records"
)

var version = "devel"

func main() { program.Run(version, false, start) }

func start(s *service.Service, host js.Value) error {
	weightfile.Fetch = fetcher(host)
	puzzles.Fetch = func() (string, error) {
		text, err := weightfile.Fetch("puzzles.txt")
		return string(text), err
	}
	hands, err := hand.Embedded()
	if err != nil {
		return err
	}
	klaverjas.New(s, klaverjas.Options{
		TableBytes: program.TableBytes, Predictor: klaverjas.LaterPredictor(), HandModel: hands, Sessions: browser.Games(shelf{host}),
	})
	records.New(s, s.Records())
	return nil
}

// fetcher returns a function that loads a file of weights.
func fetcher(host js.Value) func(name string) ([]byte, error) {
	return func(name string) (file []byte, err error) {
		done := make(chan struct{})
		then := js.FuncOf(func(_ js.Value, args []js.Value) any {
			if args[0].IsNull() {
				err = &weightfile.FetchError{Name: name, Why: args[1].String()}
			} else {
				file = make([]byte, args[0].Length())
				js.CopyBytesToGo(file, args[0])
			}
			close(done)
			return nil
		})
		defer then.Release()
		host.Call("network", name, then)
		<-done
		return file, err
	}
}
