// Package once makes values when they are first asked for. Unlike the functions of sync.OnceValue, which a program makes when it starts,
// its zero values cost a program nothing that never asks: the linker leaves out what makes them, and the files they are read from.
package once

import (
	"encoding/json"
	"sync"
)

// Value is a value that is made once. Its zero value is ready. It is safe for concurrent use.
type Value[T any] struct {
	once  sync.Once
	value T
}

// Get returns the value, which of makes at the first call.
func (v *Value[T]) Get(of func() T) T {
	v.once.Do(func() { v.value = of() })
	return v.value
}

// JSON is a value that is read once from a file of the program.
type JSON[T any] struct{ value Value[T] }

// Read returns the value. It panics if the file is not what the type says, since the file is part of the program: a test reads it.
func (j *JSON[T]) Read(name string, file []byte) T {
	return j.value.Get(func() (out T) {
		if err := json.Unmarshal(file, &out); err != nil {
			panic("the file " + name + " of the program: " + err.Error())
		}
		return out
	})
}
