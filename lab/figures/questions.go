package figures

// Question is a question that a program asks of an operation of Klaverjas, whose time roem-lab figures measures.
type Question struct {
	Name      string // of the figure, after "klaverjas.time."
	Operation string // below /v1/klaverjas/
	On        string // what is asked
}

// Questions returns the questions, in order.
func Questions() []Question {
	return []Question{
		{"legal-moves", "legal-moves", "1,000 positions of hands of simple players, with 0 to 31 cards played"},
		{"solve", "solve", "1,000 uniform deals, seed 1"},
		{"table", "table", "100 uniform deals, seed 1"},
		{"analyse", "analyse", "100 hands of simple players"},
		{"predict", "predict", "1,000 uniform deals, seed 1"},
		{"hybrid", "hybrid", "1,000 uniform deals, seed 1"},
		{"knowledge", "knowledge", "1,000 views of hands of simple players, with 0 to 31 cards played"},
		{"advise", "advise", "64 views of hands of simple players, with 0 to 31 cards played"},
		{"advise.first", "advise", "20 views of the first lead"},
		{"hand-strength", "hand-strength", "1,000 hands with all four trumps"},
		{"bid", "bid", "200 hands after no to three passes, flow free"},
		{"review", "review", "8 hands of simple players, all four seats"},
	}
}
