// Package history has the records of games that say no more of a hand than how it began and what was done: a tag with its begin, Play with
// an act in each word, and the result, which follows from them.
package history

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"roem/internal/engine/record"
	"roem/internal/engine/table"
	"roem/internal/engine/violation"
)

// Game is what such records of a game need of it.
type Game[H table.Hand[H, P, V, A], P ~uint8, V, A any] struct {
	Name   string
	Start  string // the tag of the begin: numbers
	Least  int    // of them
	Most   int
	Begin  func(numbers []int) H
	Began  func(start H) []int // what Begin gets
	Acted  func(a A) []int     // an act as numbers, which stand in a word with colons between them
	Act    func(numbers []int) A
	Form   string               // of the word of an act: "PILE:NUMBER"
	Result func(end H) []string // of a hand that is over
}

// hand is a hand of a record: the words of its tags.
type hand[H, A any] struct {
	start string // the name of the tag
	begun H
	acts  []A
	object
}

// object is a hand in JSON.
type object struct {
	Game   string       `json:"game"`
	Tags   []record.Tag `json:"tags,omitempty"`
	Start  []string     `json:"start"`
	Play   []string     `json:"play"`
	Result []string     `json:"result,omitempty"`
}

// Fields returns the fields.
func (h *hand[H, A]) Fields() []record.Field {
	out := append([]record.Field{record.Text("Game", h.Game)}, record.FreeFields(h.Tags)...)
	out = append(out, record.Row(h.start, h.Start...))
	if len(h.Play) > 0 {
		out = append(out, record.Row("Play", h.Play...))
	}
	return append(out, record.ResultField(h.Result, len(h.Play) > 0)...)
}

// Object returns the hand for JSON.
func (h *hand[H, A]) Object() any { return h.object }

// Kind returns the kind of the records.
func (g *Game[H, P, V, A]) Kind() *record.Kind {
	return &record.Kind{Name: g.Name, Tags: []string{g.Start, "Play", "Result"}, Read: g.read, FromJSON: g.fromJSON}
}

// Hand returns the record of a hand: how it began, what was done, and where that has led.
func (g *Game[H, P, V, A]) Hand(tags []record.Tag, start, end H, acts []A) record.Hand {
	h := &hand[H, A]{start: g.Start, begun: start, acts: acts}
	h.object = object{Game: g.Name, Tags: tags, Start: Words(g.Began(start)...), Play: []string{}, Result: g.result(end)}
	for _, a := range acts {
		h.Play = append(h.Play, strings.Join(Words(g.Acted(a)...), ":"))
	}
	return h
}

// Read reads the record of one hand: how it began, and what was done. Its error is record.Errors.
func (g *Game[H, P, V, A]) Read(text string) (start H, acts []A, err error) {
	kinds := record.Kinds{Kinds: []*record.Kind{g.Kind()}, Most: 1}
	hands, err := kinds.Read(text)
	if err != nil {
		return start, nil, err
	}
	h, _ := hands[0].(*hand[H, A]) // as read returns it
	return h.begun, h.acts, nil
}

func (g *Game[H, P, V, A]) result(h H) []string {
	if _, more := h.Turn(); more {
		return nil
	}
	return g.Result(h)
}

func (g *Game[H, P, V, A]) read(f *record.Fields) record.Hand {
	if !f.Need(g.Start) {
		return &hand[H, A]{}
	}
	numbers, _ := record.Replay(f, g.Start, 0, func(_ int, w record.Word) (n, _ int, err error) {
		n, err = strconv.Atoi(w.Text)
		if err != nil || n < g.Least || n > g.Most {
			err = violation.New(violation.WrongForm, "%.24q is not a number from %d to %d", w.Text, g.Least, g.Most).Of(w.Text).
				Between(g.Least, g.Most)
		}
		return n, 0, err
	})
	if f.OK() && len(numbers) == 0 {
		f.Wrong(f.At(g.Start), g.Start, violation.New(violation.Needed, "has no numbers"))
	}
	if !f.OK() {
		return &hand[H, A]{}
	}
	start := g.Begin(numbers)
	acts, end := record.Replay(f, "Play", start, func(h H, w record.Word) (a A, _ H, err error) {
		if _, more := h.Turn(); !more {
			return a, h, violation.New(violation.Over, "comes after the end of the hand").Of(w.Text)
		}
		if a, err = g.parse(w.Text); err == nil {
			h, err = h.Act(a)
		}
		return a, h, err
	})
	if !f.OK() {
		return &hand[H, A]{}
	}
	f.Check(g.result(end), len(acts) > 0)
	return g.Hand(f.Free(), start, end, acts)
}

// parse reads the word of an act.
func (g *Game[H, P, V, A]) parse(word string) (a A, err error) {
	var numbers []int
	for text := range strings.SplitSeq(word, ":") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return a, g.noAct(word)
		}
		numbers = append(numbers, n)
	}
	if len(numbers) != 1+strings.Count(g.Form, ":") {
		return a, g.noAct(word)
	}
	return g.Act(numbers), nil
}

func (g *Game[H, P, V, A]) noAct(word string) error {
	return violation.New(violation.WrongForm, "%.24q is not an act: expected %s", word, g.Form).Of(word)
}

func (g *Game[H, P, V, A]) fromJSON(raw []byte) (r record.Record, err error) {
	var in object
	if err := json.Unmarshal(raw, &in); err != nil {
		return r, err
	}
	fields := record.FreeFields(in.Tags)
	for _, f := range []record.Field{record.Row(g.Start, in.Start...), record.Row("Play", in.Play...), record.Row("Result", in.Result...)} {
		if len(f.Words) > 0 {
			fields = append(fields, f)
		}
	}
	return record.Record{Game: g.Name, Fields: slices.Clip(fields)}, nil
}

// Words returns numbers as words.
func Words(numbers ...int) (out []string) {
	for _, n := range numbers {
		out = append(out, strconv.Itoa(n))
	}
	return out
}
