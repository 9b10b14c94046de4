package service

// About is what a span says of its work: a text, or a number if there is no text.
type About struct {
	Name   string
	Text   string
	Number int64
}
