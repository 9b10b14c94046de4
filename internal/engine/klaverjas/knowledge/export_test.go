package knowledge

// Prove is Check without the joint model, however few worlds there are.
func (k *Knowledge) Prove(f *Formula) (value bool, shown World, err error) {
	return newProver(k, k.PublicWorlds()).knows(k.view.Seat, k.own, f)
}

// ProveAt is CheckAt without the joint model.
func (k *Knowledge) ProveAt(f *Formula, w World) (value bool, shown World, err error) {
	return newProver(k, k.PublicWorlds()).holds(w, f)
}
