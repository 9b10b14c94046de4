package main

import (
	"context"
	"sync"

	"go.uber.org/zap"
)

// watch starts the self-check. While a check fails, /readyz answers 503.
func (a *app) watch(ctx context.Context) error {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var all sync.WaitGroup
	a.watching = func() {
		cancel()
		all.Wait()
	}
	all.Go(func() { a.watchStores(ctx, a.config.Health.Interval) })
	all.Go(func() {
		a.service.Watch(ctx, a.config.Health.Interval, a.config.Health.Limit, func(failure error) {
			if failure != nil {
				a.log.Error("the self-check failed", zap.Error(failure))
			} else {
				a.log.Info("the self-check succeeds again")
			}
			a.handlers.SetHealth(failure)
		})
	})
	return nil
}

// stopWatch ends the self-check.
func (a *app) stopWatch(context.Context) error {
	a.watching()
	return nil
}
