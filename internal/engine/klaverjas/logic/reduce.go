package logic

// reduce removes the announcements of a formula by the reduction axioms of public announcement logic (van Ditmarsch, van der Hoek and Kooi,
// "Dynamic Epistemic Logic", section 4.4), which say in terms of now what is true after an announcement. Common knowledge has none.
func (p *prover) reduce(f *Formula) (*Formula, error) {
	if f.atom() {
		return f, nil
	}
	left, err := p.reduce(f.left)
	if err != nil {
		return nil, err
	}
	if f.right == nil {
		out := *f
		out.left = left
		return &out, nil
	}
	right, err := p.reduce(f.right)
	if err != nil {
		return nil, err
	}
	if f.op == opAnnounce {
		return p.announced(left, right)
	}
	return &Formula{op: f.op, left: left, right: right}, nil
}

// announced returns [!a] f for formulas without announcements.
func (p *prover) announced(a, f *Formula) (*Formula, error) {
	if p.steps--; p.steps < 0 {
		return nil, ErrTooComplex
	}
	if f.atom() {
		return &Formula{op: opImplies, left: a, right: f}, nil
	}
	if f.op == opCommon {
		return nil, tooMany("common knowledge")
	}
	left, err := p.announced(a, f.left)
	if err != nil {
		return nil, err
	}
	out := *f
	out.left = left
	switch f.op {
	case opAnd, opOr, opImplies: // the announcement is a function, so it distributes over these
		out.right, err = p.announced(a, f.right)
		return &out, err
	case opPossible:
		out.left = &Formula{op: opAnd, left: a, right: left}
	default: // not, K and E
	}
	return &Formula{op: opImplies, left: a, right: &out}, nil
}
