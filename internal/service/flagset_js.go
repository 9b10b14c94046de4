package service

// FlagSet is the flags of a command. A page has none.
type FlagSet struct{}
