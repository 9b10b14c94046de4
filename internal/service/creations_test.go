package service_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"roem/internal/service"
	"roem/internal/sessions"
)

// One client, and all clients of a network together, create sessions at a limited rate. A repeated request does not count, and others are
// not affected. After the time that the error says, one more is created.
func TestSessionRates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limited := 0
		s, err := service.New(service.Options{
			Sessions: service.SessionRates{Client: 3, Network: 6},
			Observer: service.Observer{Limited: func(limit service.Limit) {
				if limit != service.LimitSessions {
					t.Errorf("limited by %q", limit)
				}
				limited++
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close(context.Background()) }()
		g := service.NewSessions(s, "counting", sessions.NewMemory(sessions.Options{}), counting{})
		create := func(owner, network, key string) error {
			_, err := g.Create(t.Context(), service.NewSession{Owner: owner, Network: network, Holder: owner, IdempotencyKey: key}, 5)
			return err
		}
		good := func(owner, network, key string) {
			t.Helper()
			if err := create(owner, network, key); err != nil {
				t.Errorf("a session of %s: %v", owner, err)
			}
		}
		refused := func(owner, network, key string) {
			t.Helper()
			if err := create(owner, network, key); service.KindOf(err) != service.Limited || service.RetryAfter(err) < time.Second ||
				service.RetryAfter(err) > 20*time.Second {
				t.Errorf("a session of %s: %v, after %v", owner, err, service.RetryAfter(err))
			}
		}
		for i := range 3 {
			good("ann", "", fmt.Sprint(i))
		}
		refused("ann", "", "")
		good("ann", "", "1") // again
		good("bob", "", "")
		for i := range 6 {
			good(fmt.Sprint("one of many ", i), "many", "")
		}
		refused("another of many", "many", "")
		refused("one of many 0", "many", "")
		good("one of others", "others", "")
		if limited != 3 {
			t.Errorf("%d were counted as refused, want 3", limited)
		}
		time.Sleep(service.RetryAfter(create("ann", "", "")))
		good("ann", "", "")
		refused("ann", "", "")
		good("another of many", "many", "")
		good("yet another", "many", "")
		refused("and another", "many", "")
	})
}
