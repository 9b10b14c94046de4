// Package pause lets long work share a thread. In a page the program has one, and messages wait until it is free: also the message that the
// work is not wanted any more.
package pause

// The work calls Point about as often as it asks whether its context has ended.
