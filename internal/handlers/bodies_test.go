package handlers

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"roem/internal/service"
)

// Bodies that declare much and send little take the room of what they sent. Where others lack room, those that come too slowly end.
func TestSlowBodiesGiveWay(t *testing.T) {
	const largest = 4 << 20
	synctest.Test(t, func(t *testing.T) {
		b := newBodies(largest)
		cut := 0
		var slow []*upload
		for i := range 100 { // each of another client, which has sent 66 kB
			u := b.begin(string(rune('A'+i)), 64<<10, func() { cut++ })
			if err := b.grow(t.Context(), u, 128<<10); err != nil {
				t.Fatalf("slow body %d: %v", i, err)
			}
			_ = b.read(u, 2<<10, nil)
			slow = append(slow, u)
		}
		if b.used != 100*128<<10 {
			t.Errorf("100 slow bodies have %d bytes", b.used)
		}
		time.Sleep(slowAfter)
		var honest []*upload
		for i := range bodiesOfAll / bodiesOfClient {
			for range bodiesOfClient {
				u := b.begin("honest"+string(rune('A'+i)), 64<<10, func() { t.Error("an honest body is cut") })
				honest = append(honest, u)
			}
		}
		grown := make(chan error, len(honest))
		for _, u := range honest {
			go func() { grown <- b.grow(t.Context(), u, largest) }()
		}
		for range slow {
			synctest.Wait()
			for _, u := range slow {
				if u.tooSlow && u.held > 0 {
					if err := b.read(u, 0, io.ErrUnexpectedEOF); service.KindOf(err) != service.Busy {
						t.Fatalf("a body that was cut: %v", err)
					}
					b.leave(u)
					u.held = 0
				}
			}
		}
		for range honest {
			if err := <-grown; err != nil {
				t.Errorf("an honest body: %v", err)
			}
		}
		if cut != 100 {
			t.Errorf("%d slow bodies are cut, want 100", cut)
		}
	})
}

// A client has room for two of the largest bodies, and those who wait for more than there is do not wait for each other for ever.
func TestBodiesAreBounded(t *testing.T) {
	const largest = 4 << 20
	synctest.Test(t, func(t *testing.T) {
		b := newBodies(largest)
		for range bodiesOfClient {
			if err := b.grow(t.Context(), b.begin("ann", 64<<10, func() {}), largest); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		err := b.grow(t.Context(), b.begin("ann", 64<<10, func() {}), 128<<10)
		if service.KindOf(err) != service.Limited || time.Since(began) != bodiesWait {
			t.Errorf("a third body of a client: %v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := b.grow(ctx, b.begin("ann", 64<<10, func() {}), 128<<10); !errors.Is(err, context.Canceled) {
			t.Errorf("a client that has left: %v", err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		b := newBodies(largest)
		var all []*upload
		for i := range 2 * bodiesOfAll { // half of each has come, and nothing is left
			u := b.begin(string(rune('A'+i)), largest/2, func() {})
			if err := b.grow(t.Context(), u, largest/2); err != nil {
				t.Fatal(err)
			}
			all = append(all, u)
		}
		began, ended := time.Now(), make(chan error, len(all))
		for _, u := range all {
			go func() {
				err := b.grow(t.Context(), u, largest)
				b.leave(u)
				ended <- err
			}()
		}
		went := 0
		for range all {
			if <-ended == nil {
				went++
			}
		}
		if went < bodiesOfAll/2 || time.Since(began) >= bodiesWait {
			t.Errorf("%d bodies came to their end, after %v", went, time.Since(began))
		}
	})
}
