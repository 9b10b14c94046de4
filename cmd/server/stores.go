package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"go.uber.org/zap"

	"roem/internal/api"
	"roem/internal/boltfile"
	"roem/internal/config"
	"roem/internal/redisconn"
)

// store is a place where the server keeps something, with a check of what it needs there.
type store struct {
	name  string
	check func(context.Context) error
}

// lack notes that a store could not be opened in the data folder. The server runs without it: requests that need no store are answered.
// Readiness and the log name it until the server starts again.
func (a *app) lack(name, without string, err error) {
	if a.lacking == nil {
		a.lacking = map[string]error{}
	}
	a.lacking[name] = err
	a.log.Error(without+": the data folder cannot be written (the key data, or ROEM_DATA)", zap.String("store", name), zap.Error(err))
}

// unwritable reports whether an error says that a place cannot be written: it belongs to someone else, is read-only or full.
func unwritable(err error) bool {
	return slices.ContainsFunc([]error{fs.ErrPermission, syscall.EROFS, syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG}, func(one error) bool {
		return errors.Is(err, one)
	})
}

// stores returns the stores of the server that can fail, or could not be opened.
func (a *app) stores() []store {
	all := []store{{"sessions", a.sessions.Check}, {"cache", a.cache.Check}}
	if a.jobs != nil || a.lacking["jobs"] != nil {
		all = append(all, store{name: "jobs"})
	}
	for i := range all {
		switch err := a.lacking[all[i].name]; {
		case err != nil:
			all[i].check = func(context.Context) error { return err }
		case all[i].name == "jobs":
			all[i].check = a.jobs.Check
		}
	}
	if a.config.Role == config.RoleWorker { // it has no sessions
		all = all[1:]
	}
	return all
}

const (
	// storeLimit is how long the check of a store may take.
	storeLimit = 5 * time.Second
	// leastDisk is the free space of the disk with the data folder below which its stores are about to fail.
	leastDisk = 16 << 20
)

// watchStores checks each store at each interval until ctx ends. /readyz, a metric and the log say which fail. A failing store does not
// make the server unready: it answers all requests that do not need the store.
func (a *app) watchStores(ctx context.Context, interval time.Duration) {
	var (
		mu      sync.Mutex
		failing = map[string]string{}
		all     sync.WaitGroup
	)
	set := func(name string, err error) {
		if ctx.Err() != nil {
			return
		}
		a.metrics.Store(name, err == nil)
		mu.Lock()
		defer mu.Unlock()
		before, failed := failing[name]
		switch {
		case err == nil && failed:
			delete(failing, name)
			a.log.Info("a store works again", zap.String("store", name))
		case err != nil && before != storeReason(err):
			failing[name] = storeReason(err)
			a.log.Error("a store fails", zap.String("store", name), zap.Error(err))
		default:
			return
		}
		out := make([]api.FailingStore, 0, len(failing))
		for name, reason := range failing {
			out = append(out, api.FailingStore{Store: name, Reason: reason})
		}
		slices.SortFunc(out, func(x, y api.FailingStore) int { return strings.Compare(x.Store, y.Store) })
		a.handlers.SetStores(out)
	}
	for _, one := range a.stores() {
		a.metrics.Store(one.name, true) // it could be opened
		all.Go(func() {
			ticker := time.NewTicker(interval)
			defer ticker.Stop()
			for {
				checkStore(ctx, one, a.diskFull, set)
				select {
				case <-ticker.C:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	all.Wait()
}

// checkStore checks one store, and sets the result. A check that blocks has failed after storeLimit, and no other is started until it ends.
func checkStore(ctx context.Context, s store, disk func() error, set func(name string, err error)) {
	limited, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.check(limited) }()
	select {
	case err := <-done:
		set(s.name, errors.Join(err, disk()))
		return
	case <-limited.Done():
		set(s.name, fmt.Errorf("the check takes longer than %v", storeLimit))
	}
	select {
	case <-done: //nolint:errcheck // the failure is set already
	case <-ctx.Done():
	}
}

// errDiskFull is the error of a disk that has hardly any space left.
var errDiskFull = errors.New("the disk with the data folder is nearly full")

// diskFull returns errDiskFull if what is stored on the disk cannot grow.
func (a *app) diskFull() error {
	if a.config.Redis.URL != "" || a.config.Data == "" {
		return nil
	}
	if free, ok := freeBytes(a.config.Data); ok && free < leastDisk {
		return fmt.Errorf("%w: %d bytes are free", errDiskFull, free)
	}
	return nil
}

// storeReason says in a few words why a store fails. It is public, so it contains nothing of the error.
func storeReason(err error) string {
	switch {
	case errors.Is(err, errDiskFull), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "the disk is full"
	case unwritable(err):
		return "the data folder cannot be written"
	}
	if _, damaged := errors.AsType[*boltfile.DamageError](err); damaged {
		return "its file was damaged and is replaced"
	}
	return redisconn.Reason(err)
}
