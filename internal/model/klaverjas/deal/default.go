package deal

// files returns the names of the weights that come with the program. The weights for the paper's rules come first: they have
// [Model.Version]. The card has them in the same order.
func files() []string {
	return []string{"leader", "opponents", "amsterdam-leader", "amsterdam-opponents"}
}
