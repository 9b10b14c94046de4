package match

// Keeping lets a contest go on where an earlier run of it has ended. The zero value keeps nothing.
type Keeping struct {
	// Saved is what an earlier run has saved, empty for none.
	Saved []byte
	// Save, if not nil, is called after each deal, in their order. encode returns what is to be Saved of the next run. An error ends the
	// contest.
	Save func(encode func() ([]byte, error)) error
}
