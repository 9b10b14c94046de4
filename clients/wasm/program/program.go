//go:build js

// Package program is Roem in a page: it answers the requests that the worker of the package @roem/klaverjas passes on. See
// clients/wasm/src/worker.ts.
package program

import (
	"context"
	"errors"
	"runtime/debug"
	"syscall/js"
	"time"

	"roem/internal/browser"
	"roem/internal/computation"
	"roem/internal/engine/pause"
	"roem/internal/service"
)

// TableBytes is the memory of the table of the searches. Twice as much saves a tenth of the nodes of hard deals, and phones end pages with
// more than 64 MB.
const TableBytes = 16 << 20

// gcPercent is how much garbage there may be, in percent of what is used. Memory of WebAssembly is never given back, and most of what is used
// is the table, which takes the collector no time, because it has no pointers.
const gcPercent = 25

// queue is how many requests may wait. There is one client, which has asked for each of them.
const queue = 1 << 20

// Run answers the requests of the host with a program, which start makes of a service and the object of the host
// (clients/wasm/src/host.ts). part says that another program has the rest.
func Run(version string, part bool, start func(s *service.Service, host js.Value) error) {
	host := js.Global().Get("roem")
	debug.SetGCPercent(gcPercent)
	s, err := service.New(service.Options{Version: version, Slots: 1, Queue: queue})
	if err == nil {
		err = start(s, host)
	}
	if err != nil {
		host.Call("fail", err.Error())
		return
	}
	p := browser.New(s)
	p.Part = part
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
			case errors.Is(err, service.ErrElsewhere):
				host.Call("elsewhere", id)
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
