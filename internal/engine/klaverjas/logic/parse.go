package logic

import (
	"fmt"
	"strings"
	"unicode"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// MaxFormula is the greatest length of a formula, in characters.
const MaxFormula = 1000

// SyntaxError is the error of a text that is no formula.
type SyntaxError struct {
	Column int    // where, in characters from 1
	Detail string // what is wrong and what was expected
}

// Error returns the column and the detail.
func (e *SyntaxError) Error() string { return fmt.Sprintf("column %d: %s", e.Column, e.Detail) }

// ParseFormula reads a formula. Its error is a *SyntaxError.
//
//	formula  = either [ "implies" formula ]
//	either   = both { "or" both }
//	both     = one { "and" one }
//	one      = "not" one | "K_" seat one | "M_" seat one | ( "E" | "C" ) [ "_" seat { seat } ] one | "[!" formula "]" one
//	         | "(" formula ")" | "true" | "false" | atom
//	atom     = ( "own" | "higher" ) "(" seat "," card ")" | ( "void" | "has_suit" ) "(" seat "," suit ")"
//
// Cards, suits and seats are written as in package cards. E and C without seats stand for all four seats.
func ParseFormula(text string) (*Formula, error) {
	p := formulaParser{text: []rune(text)}
	if len(p.text) > MaxFormula {
		return nil, &SyntaxError{MaxFormula + 1, fmt.Sprintf("the formula has more than %d characters", MaxFormula)}
	}
	p.next()
	f, err := p.formula()
	if err == nil && p.token != "" {
		err = p.expected("the end, and, or, or implies")
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// formulaParser reads one token ahead.
type formulaParser struct {
	text  []rune
	at    int    // the first character after the token
	token string // "" at the end
	start int    // the first character of the token
}

// next reads the next token: "(", ")", ",", "[!", "]", or what stands between these and blanks.
func (p *formulaParser) next() {
	for p.at < len(p.text) && unicode.IsSpace(p.text[p.at]) {
		p.at++
	}
	p.start = p.at
	switch {
	case p.at == len(p.text):
	case p.text[p.at] == '[' && p.at+1 < len(p.text) && p.text[p.at+1] == '!':
		p.at += 2
	case strings.ContainsRune("(),[]", p.text[p.at]):
		p.at++
	default:
		for p.at < len(p.text) && !unicode.IsSpace(p.text[p.at]) && !strings.ContainsRune("(),[]", p.text[p.at]) {
			p.at++
		}
	}
	p.token = string(p.text[p.start:p.at])
}

// fail returns an error at the present token.
func (p *formulaParser) fail(detail string) error { return &SyntaxError{p.start + 1, detail} }

func (p *formulaParser) expected(what string) error {
	if p.token == "" {
		return p.fail("the formula ends here: expected " + what)
	}
	return p.fail(fmt.Sprintf("%.24q: expected %s", p.token, what))
}

// take reads a token that must be there.
func (p *formulaParser) take(token string) error {
	if p.token != token {
		return p.expected(token)
	}
	p.next()
	return nil
}

func (p *formulaParser) formula() (*Formula, error) {
	left, err := p.chain(opOr, func() (*Formula, error) { return p.chain(opAnd, p.one) })
	if err != nil || p.token != words[opImplies] {
		return left, err
	}
	p.next()
	right, err := p.formula()
	return &Formula{op: opImplies, left: left, right: right}, err
}

// chain reads operands with the same operator between them, which groups to the left.
func (p *formulaParser) chain(op operator, operand func() (*Formula, error)) (*Formula, error) {
	left, err := operand()
	for err == nil && p.token == words[op] {
		p.next()
		var right *Formula
		right, err = operand()
		left = &Formula{op: op, left: left, right: right}
	}
	return left, err
}

func (p *formulaParser) one() (*Formula, error) {
	token := p.token
	switch token {
	case "(":
		p.next()
		f, err := p.formula()
		if err != nil {
			return nil, err
		}
		return f, p.take(")")
	case "[!":
		p.next()
		announced, err := p.formula()
		if err == nil {
			err = p.take("]")
		}
		if err != nil {
			return nil, err
		}
		return p.prefix(Formula{op: opAnnounce, left: announced})
	case "true":
		p.next()
		return &Formula{op: opTrue}, nil
	case "false":
		p.next()
		return &Formula{op: opFalse}, nil
	case "not":
		p.next()
		return p.prefix(Formula{op: opNot})
	case "own", "higher", "void", "has_suit":
		return p.atom()
	}
	name, seats, marked := strings.Cut(token, "_")
	switch {
	case (name == "K" || name == "M") && marked:
		seat, err := piquet.ParseSeat(seats)
		if err != nil {
			return nil, p.fail(err.Error())
		}
		p.next()
		if name == "K" {
			return p.prefix(Formula{op: opKnows, seat: seat})
		}
		return p.prefix(Formula{op: opPossible, seat: seat})
	case name == "E" || name == "C":
		group, err := parseGroup(seats, marked)
		if err != nil {
			return nil, p.fail(err.Error())
		}
		p.next()
		if name == "E" {
			return p.prefix(Formula{op: opEveryone, group: group})
		}
		return p.prefix(Formula{op: opCommon, group: group})
	}
	return nil, p.expected("an atom (own, void, has_suit, higher), true, false, not, K_S, M_S, E, C, [! or (")
}

// prefix reads the operand of an operator that stands before it.
func (p *formulaParser) prefix(f Formula) (*Formula, error) {
	operand, err := p.one()
	if err != nil {
		return nil, err
	}
	if f.op == opAnnounce {
		f.right = operand
		return &f, nil
	}
	f.left = operand
	return f.collapsed(), nil
}

func (p *formulaParser) atom() (*Formula, error) {
	var f Formula
	name := p.token
	p.next()
	if err := p.take("("); err != nil {
		return nil, err
	}
	var err error
	if f.seat, err = piquet.ParseSeat(p.token); err != nil {
		return nil, p.argument(err)
	}
	p.next()
	if err := p.take(","); err != nil {
		return nil, err
	}
	switch name {
	case "own", "higher":
		f.op = map[string]operator{"own": opOwn, "higher": opHigher}[name]
		f.card, err = piquet.ParseCard(p.token)
	default:
		f.op = map[string]operator{"void": opVoid, "has_suit": opHasSuit}[name]
		f.suit, err = piquet.ParseSuit(p.token)
	}
	if err != nil {
		return nil, p.argument(err)
	}
	p.next()
	return &f, p.take(")")
}

// argument returns the error of an argument that is no seat, card or suit.
func (p *formulaParser) argument(err error) error {
	if p.token == "" {
		return p.fail("the formula ends here")
	}
	return p.fail(err.Error())
}

// parseGroup reads the seats after E_ or C_; without them the group is all four.
func parseGroup(text string, given bool) (worlds.SeatSet, error) {
	if !given {
		return worlds.Everyone, nil
	}
	var group worlds.SeatSet
	for _, r := range text {
		seat, err := piquet.ParseSeat(string(r))
		if err != nil {
			return 0, err
		}
		group = group.With(seat)
	}
	if group == 0 {
		return 0, fmt.Errorf("the group has no seat: expected some of N, E, S, W")
	}
	return group, nil
}
