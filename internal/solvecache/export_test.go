package solvecache

// Waiters returns how many wait for the computation of the key, for tests that must not guess.
func (c *Cache) Waiters(key Key) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.flights[key]; f != nil {
		return f.waiters
	}
	return 0
}
