//go:build js

package main

import (
	"context"
	"errors"
	"syscall/js"
)

// shelf is the database of the browser, which host.ts opens.
type shelf struct{ host js.Value }

// told is what the database answers.
type told struct {
	version int
	value   []byte
	err     error
}

// ask asks the database for an act: read, write or remove.
func (s shelf) ask(ctx context.Context, act, id string, version int, value []byte) told {
	sent := js.Undefined()
	if value != nil {
		sent = js.Global().Get("Uint8Array").New(len(value))
		js.CopyBytesToJS(sent, value)
	}
	answer := make(chan told, 1)
	then := js.FuncOf(func(_ js.Value, args []js.Value) any {
		t := told{version: args[0].Int()}
		if bytes := args[1]; bytes.Truthy() {
			t.value = make([]byte, bytes.Length())
			js.CopyBytesToGo(t.value, bytes)
		}
		if why := args[2].String(); why != "" {
			t.err = errors.New(why)
		}
		answer <- t
		return nil
	})
	s.host.Call("games", act, id, version, sent, then)
	// It answers also where nobody waits: the function is released after that.
	release := func() told { t := <-answer; then.Release(); return t }
	select {
	case t := <-answer:
		then.Release()
		return t
	case <-ctx.Done():
		go release()
		return told{err: ctx.Err()}
	}
}

func (s shelf) Read(ctx context.Context, id string) (version int, value []byte, err error) {
	t := s.ask(ctx, "read", id, 0, nil)
	return t.version, t.value, t.err
}

func (s shelf) Write(ctx context.Context, id string, after int, value []byte) (found int, err error) {
	t := s.ask(ctx, "write", id, after, value)
	return t.version, t.err
}

func (s shelf) Remove(ctx context.Context, id string) error {
	return s.ask(ctx, "remove", id, 0, nil).err
}
