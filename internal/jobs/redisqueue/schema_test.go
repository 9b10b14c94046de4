package redisqueue_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"roem/internal/jobs"
	"roem/internal/jobs/jobstest"
	"roem/internal/redistest"
)

const metaKey = "{roem}:jobs:meta"

func newClient(t *testing.T, server *redistest.Server) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(server.AdminURL())
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func TestOpenChecksSchema(t *testing.T) {
	server := redistest.Start(t, redistest.Options{MaxMemoryPolicy: "noeviction"})
	client := newClient(t, server)
	for _, test := range []struct {
		name   string
		before map[string]string // the initial contents of meta
		want   string            // part of the error; empty for none
		after  map[string]string
	}{
		{"no data", nil, "", map[string]string{"schema": "3"}},
		{"the same schema", map[string]string{"schema": "3", "place": "7"}, "", map[string]string{"schema": "3", "place": "7"}},
		{
			"an older schema",
			map[string]string{"schema": "2", "place": "7"},
			"it has schema 2: this program supports schema 3 only",
			map[string]string{"schema": "2", "place": "7"},
		},
		{
			"a newer schema",
			map[string]string{"schema": "4", "place": "7"},
			"it has schema 4: this program supports schema 3 only",
			map[string]string{"schema": "4", "place": "7"},
		},
		{
			"data without a schema",
			map[string]string{"place": "7"},
			"it has no schema number: expected schema 3",
			map[string]string{"place": "7"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx := t.Context()
			if err := client.FlushAll(ctx).Err(); err != nil {
				t.Fatal(err)
			}
			if test.before != nil {
				if err := client.HSet(ctx, metaKey, test.before).Err(); err != nil {
					t.Fatal(err)
				}
			}
			q, err := open(server.URL(), jobs.Options{})
			if err == nil {
				defer func() { _ = q.Close() }()
			}
			if _, is := errors.AsType[*jobs.SchemaError](err); is != (test.want != "") || is && !strings.Contains(err.Error(), test.want) {
				t.Errorf("Open: %v, want %q", err, test.want)
			}
			got, err := client.HGetAll(ctx, metaKey).Result()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.after, got); diff != "" {
				t.Errorf("meta after Open (-want +got):\n%s", diff)
			}
			if n, err := client.DBSize(ctx).Result(); test.want != "" && (err != nil || n != 1) {
				t.Errorf("a refused Open leaves %d keys, %v; want 1", n, err)
			}
		})
	}
}

// While a queue is open, its data may be replaced by data with another schema. The queue does not change it.
func TestSchemaChanges(t *testing.T) {
	f := newFixture(t, durable(), 1)
	f.reaches(f.submit(jobstest.Script{}), jobs.Succeeded)
	client := newClient(t, f.server)
	ctx := t.Context()
	_, err := client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.FlushAll(ctx)
		p.HSet(ctx, metaKey, "schema", "4")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func(ctx context.Context) error{
		"Submit": func(ctx context.Context) error {
			_, _, err := f.Submit(ctx, jobs.Spec{Kind: "script"})
			return err
		},
		"Get":    func(ctx context.Context) error { _, err := f.Get(ctx, "x"); return err },
		"Cancel": func(ctx context.Context) error { _, err := f.Cancel(ctx, "x"); return err },
		"List":   func(ctx context.Context) error { _, err := f.List(ctx, jobs.ListOptions{Limit: 1}); return err },
		"Stats":  func(ctx context.Context) error { _, err := f.Stats(ctx); return err },
	} {
		t.Run(name, func(t *testing.T) {
			err := call(t.Context())
			if _, is := errors.AsType[*jobs.SchemaError](err); !is || !errors.Is(err, jobs.ErrUnavailable) {
				t.Errorf("%v, want a SchemaError that is ErrUnavailable", err)
			}
		})
	}
	f.until("the worker is refused", func() bool { return f.logs.FilterMessage("looking for tasks").Len() > 0 })
	keys, err := client.Keys(ctx, "*").Result()
	if diff := cmp.Diff([]string{metaKey}, keys); err != nil || diff != "" {
		t.Errorf("the keys, %v (-want +got):\n%s", err, diff)
	}
}
