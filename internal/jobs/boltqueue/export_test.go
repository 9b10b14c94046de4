package boltqueue

import "fmt"

// Dump returns the contents of the file by bucket.
func (q *Queue) Dump() (map[string][]string, error) {
	all := map[string][]string{}
	err := q.read(func(t tx) error {
		for _, name := range buckets() {
			err := t.in(name).ForEach(func(k, v []byte) error {
				all[name] = append(all[name], fmt.Sprintf("%q=%q", k, v))
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

// WriteTogether makes changes that have come together, and returns their errors.
func (q *Queue) WriteTogether(all []func() error) []error {
	together, errs := make([]*change, len(all)), make([]error, len(all))
	for i, f := range all {
		together[i] = &change{do: func(tx) error { return f() }, done: make(chan error, 1)}
	}
	q.write(together)
	for i, c := range together {
		errs[i] = <-c.done
	}
	return errs
}

// Write runs the function in a write transaction without changes.
func (q *Queue) Write(f func()) error {
	return q.update(func(tx) error {
		f()
		return nil
	})
}
