package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"

	"roem/internal/testkit"
)

// journal records the calls of parts, in order.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) note(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
}

// part returns a part that records its calls.
func (j *journal) part(name string) part {
	return part{
		name: name, limit: time.Minute,
		start: func(context.Context) error { j.note("start " + name); return nil },
		leave: func() { j.note("leave " + name) },
		stop:  func(context.Context) error { j.note("stop " + name); return nil },
	}
}

func TestLifecycle(t *testing.T) {
	broken := errors.New("broken")
	orderly := []string{
		"start store", "start workers", "start port", "leave port", "leave workers", "leave store",
		"stop port", "stop workers", "stop store",
	}
	tests := []struct {
		name string
		// change changes the parts store, workers and port. end sends a signal, fail fails a part.
		change func(parts []part, end func(...os.Signal), fail func(error))
		want   []string
		says   string // part of the error; empty for no error
	}{
		{
			name: "a signal",
			change: func(parts []part, end func(...os.Signal), _ func(error)) {
				start := parts[2].start
				parts[2].start = func(ctx context.Context) error { defer end(syscall.SIGTERM); return start(ctx) }
			},
			want: orderly,
		},
		{
			name: "a part fails while it runs",
			change: func(parts []part, _ func(...os.Signal), fail func(error)) {
				start := parts[2].start
				parts[2].start = func(ctx context.Context) error { defer fail(broken); return start(ctx) }
			},
			want: orderly, says: "broken",
		},
		{
			name: "a part does not start",
			change: func(parts []part, _ func(...os.Signal), _ func(error)) {
				parts[2].start = func(context.Context) error { return broken }
			},
			want: []string{"start store", "start workers", "stop workers", "stop store"}, says: "starting the port: broken",
		},
		{
			name: "a signal while a part starts",
			change: func(parts []part, end func(...os.Signal), _ func(error)) {
				start := parts[1].start
				parts[1].start = func(ctx context.Context) error {
					end(syscall.SIGINT)
					<-ctx.Done()
					return start(ctx)
				}
			},
			want: []string{"start store", "start workers", "leave workers", "leave store", "stop workers", "stop store"},
		},
		{
			name: "a part returns an error when it stops",
			change: func(parts []part, end func(...os.Signal), _ func(error)) {
				parts[0].start = func(context.Context) error { end(syscall.SIGTERM); return nil }
				parts[0].stop = func(context.Context) error { return broken }
				parts[1].start, parts[2].start = nil, nil
			},
			want: []string{"leave port", "leave workers", "leave store", "stop port", "stop workers"},
			says: "stopping the store: broken",
		},
		{
			name: "a part takes too long to stop",
			change: func(parts []part, end func(...os.Signal), _ func(error)) {
				parts[2].start = func(context.Context) error { end(syscall.SIGTERM); return nil }
				parts[2].limit = time.Millisecond
				parts[2].stop = func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }
			},
			want: []string{
				"start store", "start workers", "leave port", "leave workers", "leave store", "stop workers", "stop store",
			},
			says: "stopping the port: not done after 1ms",
		},
		{
			name: "a second signal",
			change: func(parts []part, end func(...os.Signal), _ func(error)) {
				parts[2].start = func(context.Context) error { end(syscall.SIGTERM); return nil }
				parts[2].stop = func(ctx context.Context) error {
					end(syscall.SIGTERM)
					<-ctx.Done()
					return context.Cause(ctx)
				}
			},
			want: []string{
				"start store", "start workers", "leave port", "leave workers", "leave store", "stop workers", "stop store",
			},
			says: "stopping the port: a second signal: terminated",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer testkit.NoLeaks(t)
			signals := make(chan os.Signal, 2)
			life, release := newLifecycle(zap.NewNop(), 0, signals)
			defer release()
			j := &journal{}
			parts := []part{j.part("store"), j.part("workers"), j.part("port")}
			tt.change(parts, func(all ...os.Signal) {
				for _, s := range all {
					signals <- s
				}
			}, life.fail)
			err := life.run(parts)
			if tt.says == "" && err != nil || tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) {
				t.Errorf("error %v, want one with %q", err, tt.says)
			}
			if diff := cmp.Diff(tt.want, j.lines); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A part that ignores its context is abandoned, and a second signal ends the grace.
func TestLifecycleGivesUp(t *testing.T) {
	defer testkit.NoLeaks(t)
	signals := make(chan os.Signal, 2)
	life, release := newLifecycle(zap.NewNop(), time.Hour, signals)
	defer release()
	never := make(chan struct{})
	defer close(never)
	signals <- syscall.SIGTERM
	signals <- syscall.SIGTERM
	j := &journal{}
	stubborn := part{name: "stubborn", limit: time.Hour, stop: func(context.Context) error { <-never; return nil }}
	err := life.run([]part{{name: "quiet"}, stubborn, {name: "quiet", leave: func() { j.note("leave") }}})
	if err == nil || !strings.Contains(err.Error(), "stopping the stubborn: a second signal") {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff([]string{"leave"}, j.lines); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
