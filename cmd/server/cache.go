package main

import (
	"context"

	"roem/internal/solvecache"
)

// openCache opens the layers in which what has been solved is kept, the fastest first.
func (a *app) openCache(context.Context) error {
	var layers []solvecache.Layer
	if a.config.Cache.Memory > 0 {
		memory, err := solvecache.NewMemory(int(a.config.Cache.Memory))
		if err != nil {
			return err
		}
		layers = append(layers, memory)
	}
	a.cache = solvecache.New(layers...)
	return nil
}

func (a *app) closeCache(context.Context) error { return a.cache.Close() }
