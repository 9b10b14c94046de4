package handlers

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"roem/internal/service"
)

// TestSending checks the bounds on answers that clients have not received, and that no bytes are lost or kept.
func TestSending(t *testing.T) {
	const kib = 1 << 10
	synctest.Test(t, func(t *testing.T) {
		s := newSending(1000*kib, 300*kib)
		enter := func(client string, bytes int) (leave func()) {
			t.Helper()
			leave, err := s.enter(t.Context(), client, bytes)
			if err != nil {
				t.Fatal(err)
			}
			return leave
		}
		refused := func(client string, bytes int, want service.Kind) {
			t.Helper()
			leave, err := s.enter(t.Context(), client, bytes)
			e, ok := errors.AsType[*service.Error](err)
			if !ok || e.Kind != want || e.RetryAfter <= 0 {
				t.Errorf("%s, %d bytes: %v, want the kind %s", client, bytes, err, want.Info().Slug)
				if err == nil {
					leave()
				}
			}
		}
		began := time.Now()
		at := func(want time.Duration) {
			t.Helper()
			if took := time.Since(began); took != want {
				t.Errorf("it took %v, want %v", took, want)
			}
			began = time.Now()
		}
		first, second := enter("a", 200*kib), enter("a", 100*kib)
		refused("a", 17*kib, service.Limited)
		at(sendingWait)
		enter("a", 16*kib)() // small answers do not count
		enter("b", 300*kib)()
		whole := enter("c", 5000*kib) // counts as much as a client may have
		at(0)

		// An answer waits for the client's others.
		got := make(chan func(), 1)
		go func() { got <- enter("a", 150*kib) }()
		synctest.Wait()
		second()
		synctest.Wait()
		select {
		case <-got:
			t.Error("200 + 150 of 300 KiB are sent")
		default:
		}
		first()
		third := <-got
		at(0)

		// All clients together.
		var leave []func()
		for i := range 3 {
			leave = append(leave, enter(fmt.Sprint("d", i), 180*kib))
		}
		refused("e", 100*kib, service.Busy)
		at(sendingWait)
		go func() { got <- enter("e", 100*kib) }()
		synctest.Wait()
		whole()
		fourth := <-got
		at(0)

		// What waits is bounded too, and a client that leaves does not wait.
		full := enter("a", 150*kib)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 10)
		for range 3 {
			go func() {
				_, err := s.enter(ctx, "a", 100*kib)
				ended <- err
			}()
		}
		synctest.Wait()
		refused("a", 20*kib, service.Limited)
		at(0)
		cancel()
		for range 3 {
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("a client that left: %v", err)
			}
		}
		for _, leave := range append(leave, third, fourth, full) {
			leave()
		}
		if len(s.to) != 0 || s.waiting != 0 || !s.all.TryAcquire(1000*kib) {
			t.Errorf("afterwards: %d clients, %d bytes wait", len(s.to), s.waiting)
		}
	})
}
