//go:build js

// Command program is Roem in a page: it answers the requests that the worker of the package @roem/klaverjas passes on. See
// clients/wasm/src/worker.ts.
package main

import (
	"context"
	"runtime/debug"
	"syscall/js"
	"time"

	"roem/internal/browser"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas/puzzles"
	"roem/internal/engine/pause"
	"roem/internal/model/klaverjas/hand"
	"roem/internal/model/nn/weightfile"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
)

var version = "devel"

// tableBytes is the memory of the table of the searches. Twice as much saves a tenth of the nodes of hard deals, and phones end pages with
// more than 64 MB.
const tableBytes = 16 << 20

// gcPercent is how much garbage there may be, in percent of what is used. Memory of WebAssembly is never given back, and most of what is used
// is the table, which takes the collector no time, because it has no pointers.
const gcPercent = 25

// queue is how many requests may wait. There is one client, which has asked for each of them.
const queue = 1 << 20

func main() {
	host := js.Global().Get("roem") // see clients/wasm/src/host.ts
	debug.SetGCPercent(gcPercent)
	weightfile.Fetch = fetcher(host)
	puzzles.Fetch = func() (string, error) {
		text, err := weightfile.Fetch("puzzles.txt")
		return string(text), err
	}
	p, err := start(host)
	if err != nil {
		host.Call("fail", err.Error())
		return
	}
	pause.Give(giver(host))
	running := map[int]context.CancelFunc{}
	host.Set("ask", js.FuncOf(func(_ js.Value, args []js.Value) any {
		id, r := read(host, args[0])
		ctx, cancel := context.WithCancel(context.Background())
		running[id] = cancel
		go func() {
			defer cancel()
			response, err := p.Answer(ctx, r)
			delete(running, id)
			switch {
			case ctx.Err() != nil && err != nil:
				host.Call("cancelled", id)
				return
			case err != nil:
				host.Call("failed", id, err.Error())
				return
			}
			host.Call("answer", id, response.Status, response.Type, response.Location, string(response.Body))
		}()
		return nil
	}))
	host.Set("cancel", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if cancel, ok := running[args[0].Int()]; ok {
			cancel()
		}
		return nil
	}))
	host.Call("ready", version)
	select {}
}

// start returns the program with the game.
func start(host js.Value) (*browser.Program, error) {
	s, err := service.New(service.Options{Version: version, Slots: 1, Queue: queue})
	if err != nil {
		return nil, err
	}
	hands, err := hand.Embedded()
	if err != nil {
		return nil, err
	}
	klaverjas.New(s, klaverjas.Options{
		TableBytes: tableBytes, Predictor: klaverjas.LaterPredictor(), HandModel: hands, Sessions: browser.Games(shelf{host}),
	})
	return browser.New(s), nil
}

// read reads a request.
func read(host, in js.Value) (id int, r browser.Request) {
	id = in.Get("id").Int()
	r = browser.Request{Method: in.Get("method").String(), Path: in.Get("path").String()}
	if body := in.Get("body"); body.Type() == js.TypeString {
		r.Body = []byte(body.String())
	}
	if wait := in.Get("wait"); wait.Type() == js.TypeNumber {
		r.Wait = time.Duration(wait.Float() * float64(time.Second))
	}
	if in.Get("progress").Truthy() {
		r.Progress = func(p computation.Progress) {
			host.Call("progress", id, p.Done, p.Of, float64(p.Nodes), bound(p.Lower), bound(p.Upper))
		}
	}
	if in.Get("events").Truthy() {
		r.Event = func(name string, data []byte) { host.Call("event", id, name, string(data)) }
	}
	return id, r
}

// bound returns a number that may be missing.
func bound(x *int) any {
	if x == nil {
		return js.Undefined()
	}
	return *x
}

// giver returns a function that returns after the messages that wait: it sends a message to the program itself, behind them.
func giver(host js.Value) func() {
	var waiting []chan struct{}
	arrived := js.FuncOf(func(js.Value, []js.Value) any {
		now := waiting
		waiting = nil
		for _, one := range now {
			close(one)
		}
		return nil
	})
	return func() {
		done := make(chan struct{})
		if waiting = append(waiting, done); len(waiting) == 1 {
			host.Call("later", arrived)
		}
		<-done
	}
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
