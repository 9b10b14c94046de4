package solvecache

// CountRepeat does nothing: in a page nothing counts what layers do.
func (c *Cache) CountRepeat() string { return "" }
