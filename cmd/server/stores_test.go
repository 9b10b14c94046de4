package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"

	"roem/internal/config"
	"roem/internal/sessions"
)

// TestCheckStore checks that a check that blocks has failed after a time, and that its end is waited for.
func TestCheckStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		set := func(name string, err error) { got = append(got, fmt.Sprintf("%s %v", name, err)) }
		fine := func() error { return nil }
		checkStore(t.Context(), store{"a", func(context.Context) error { return nil }}, fine, set)
		checkStore(t.Context(), store{"a", func(context.Context) error { return nil }}, func() error { return errDiskFull }, set)
		var free atomic.Bool
		began := time.Now()
		checkStore(t.Context(), store{"b", func(context.Context) error { // does not heed the context
			time.Sleep(time.Minute)
			free.Store(true)
			return nil
		}}, fine, set)
		if took := time.Since(began); took != time.Minute || !free.Load() {
			t.Errorf("it returned after %v", took)
		}
		want := "a <nil>; a " + errDiskFull.Error() + "; b the check takes longer than 5s"
		if all := strings.Join(got, "; "); all != want {
			t.Errorf("%s, want %s", all, want)
		}
	})
}

// TestStoreReason checks that the public reason of an error contains no part of the error.
func TestStoreReason(t *testing.T) {
	for text, want := range map[string]string{
		"OOM command not allowed when used memory > 'maxmemory'.":                      "its memory is full",
		"NOPERM this user has no permissions to run the 'xadd' command":                "its user may not run all necessary commands",
		"XADD: ERR The user executing the script can't run this command or subcommand": "its user may not run all necessary commands",
		"WRONGPASS invalid username-password pair":                                     "it refuses the user or the password",
		"MISCONF Redis is configured to save RDB snapshots":                            "it accepts no writes",
		"dial tcp 10.9.8.7:6379: connect: connection refused":                          "it cannot be reached or changed",
	} {
		if got := storeReason(fmt.Errorf("unavailable: %w", errors.New(text))); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if got := storeReason(fmt.Errorf("write: %w", syscall.ENOSPC)); got != "the disk is full" {
		t.Errorf("ENOSPC: %q", got)
	}
}

// A store that could not be opened in the data folder fails its check, with a reason that can be published.
func TestLackingStores(t *testing.T) {
	a := &app{log: zap.NewNop(), sessions: sessions.NewMemory(sessions.Options{}), config: config.Config{}}
	for name, err := range map[string]error{
		"jobs": &fs.PathError{Op: "mkdir", Path: "/data", Err: syscall.EACCES}, "sessions": syscall.EROFS, "cache": syscall.ENOSPC,
	} {
		if !unwritable(err) {
			t.Errorf("%v can be written", err)
		}
		a.lack(name, "without it", fmt.Errorf("opening it: %w", err))
	}
	reasons := map[string]string{}
	for _, s := range a.stores() {
		if err := s.check(t.Context()); err != nil {
			reasons[s.name] = storeReason(err)
		}
	}
	want := map[string]string{
		"jobs": "the data folder cannot be written", "sessions": "the data folder cannot be written", "cache": "the disk is full",
	}
	if diff := cmp.Diff(want, reasons); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if unwritable(syscall.ENOTDIR) {
		t.Error("a file in the place of the folder is a fault of the configuration")
	}
}
