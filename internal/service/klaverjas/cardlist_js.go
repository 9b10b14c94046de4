package klaverjas

// UnmarshalJSON reads a list of texts, as UnmarshalJSONFrom does.
func (l *cardList) UnmarshalJSON(text []byte) error { return l.read(text) }
