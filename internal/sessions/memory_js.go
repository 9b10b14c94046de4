package sessions

// commit is a change on its way to a disk. In a page the sessions are in memory.
type commit struct{}
