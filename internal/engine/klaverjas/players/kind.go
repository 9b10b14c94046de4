package players

import (
	"strconv"
	"strings"

	"roem/internal/engine/violation"
)

// Kind is a kind of player.
type Kind struct {
	name   string
	worlds int // how many it searches for a card
	make   func(Place) Player
}

// Name returns the name of the kind as ParseKind reads it, with its option if that is not the default.
func (k Kind) Name() string { return k.name }

// Base returns the name of the kind without its option. For a level it is the base name of its player.
func (k Kind) Base() string {
	text := k.name
	for _, l := range levels {
		if l.Name == text {
			text = l.Player
		}
	}
	name, _, _ := strings.Cut(text, ":")
	return name
}

// Worlds returns how many worlds a player searches for a card, or 0 if it searches none.
func (k Kind) Worlds() int { return k.worlds }

// MarshalText writes the name, and UnmarshalText reads it.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.name), nil }

// UnmarshalText reads a kind as ParseKind does.
func (k *Kind) UnmarshalText(text []byte) (err error) {
	*k, err = ParseKind(string(text), 0)
	return err
}

// New returns a player for a place, for one hand.
func (k Kind) New(p Place) Player { return k.make(p) }

// DefaultWorlds is how many worlds pimc searches for a card if nothing else is asked for.
const DefaultWorlds = 40

// MaxWorlds is the largest number of worlds for a card.
const MaxWorlds = 10_000

// kinds describes the kinds, in the order of their strength.
var kinds = []struct {
	name    string
	options string // the form of its option, for errors; empty if it has none
	parse   func(option string, worlds int) (Kind, bool)
}{
	{"random", "", func(option string, _ int) (Kind, bool) {
		return Kind{make: func(p Place) Player { return &Random{rng: p.Rand} }}, option == ""
	}},
	{"logical", "rules or compat", func(option string, _ int) (Kind, bool) {
		l := Logical{}
		switch option {
		case "":
		case "rules":
			l.Level = RulesLevel
		case "compat":
			l.Compat = true
		default:
			return Kind{}, false
		}
		return Kind{make: func(p Place) Player { return newLogical(l, p.Rand) }}, true
	}},
	{"simple", "", func(option string, _ int) (Kind, bool) {
		return Kind{make: func(Place) Player { return Simple{} }}, option == ""
	}},
	{"pimc", worldsOption, func(option string, worlds int) (Kind, bool) {
		worlds, ok := worldsOf(option, worlds)
		return Kind{worlds: worlds, make: func(p Place) Player { return &PIMC{Worlds: worlds, rng: p.Rand, tools: p.Tools} }}, ok
	}},
	{"belief", worldsOption, func(option string, worlds int) (Kind, bool) {
		worlds, ok := worldsOf(option, worlds)
		return Kind{worlds: worlds, make: func(p Place) Player { return &Belief{Worlds: worlds, rng: p.Rand, tools: p.Tools} }}, ok
	}},
	{"policy", "", func(option string, _ int) (Kind, bool) {
		return Kind{make: func(p Place) Player { return &Policy{tools: p.Tools} }}, option == ""
	}},
	{"playout", worldsOption, func(option string, worlds int) (Kind, bool) {
		worlds, ok := worldsOf(option, worlds)
		return Kind{worlds: worlds, make: func(p Place) Player { return &Playout{Worlds: worlds, rng: p.Rand, tools: p.Tools} }}, ok
	}},
	{"mixture", worldsOption, func(option string, worlds int) (Kind, bool) {
		worlds, ok := worldsOf(option, worlds)
		return Kind{worlds: worlds, make: func(p Place) Player {
			return &Playout{Worlds: worlds, Mixture: true, rng: p.Rand, tools: p.Tools}
		}}, ok
	}},
	{"open", "", func(option string, _ int) (Kind, bool) {
		return Kind{make: func(p Place) Player { return &Open{tools: p.Tools} }}, option == ""
	}},
}

const worldsOption = "a number of worlds from 1 to 10000"

var _ = [1]struct{}{}[MaxWorlds-10_000]

// worldsOf reads the option that is a number of worlds.
func worldsOf(option string, otherwise int) (worlds int, ok bool) {
	if option == "" {
		return otherwise, true
	}
	n, err := strconv.Atoi(option)
	return n, err == nil && n >= 1 && n <= MaxWorlds && option == strconv.Itoa(n)
}

// Names returns the names of the kinds and of the levels.
func Names() []string {
	names := make([]string, 0, len(kinds)+len(levels))
	for _, k := range kinds {
		names = append(names, k.name)
	}
	for _, l := range levels {
		names = append(names, l.Name)
	}
	return names
}

// ParseKind reads a kind: a name, or a name and an option as in logical:compat, logical:rules or pimc:20, or the name of a level. worlds is
// the number of worlds where the text has none; 0 means DefaultWorlds.
func ParseKind(text string, worlds int) (Kind, error) {
	if worlds == 0 {
		worlds = DefaultWorlds
	}
	name, option, colon := strings.Cut(text, ":")
	for _, l := range levels {
		if l.Name == text {
			return l.kind()
		}
	}
	for _, k := range kinds {
		if k.name != name {
			continue
		}
		kind, ok := k.parse(option, worlds)
		switch {
		case ok && (option != "" || !colon):
			kind.name = text
			return kind, nil
		case k.options == "":
			return Kind{}, violation.New(violation.WrongForm, "%.40q: %s has no option", text, name).Of(text)
		default:
			return Kind{}, violation.New(violation.WrongForm, "%.40q: the option of %s is %s", text, name, k.options).Of(text)
		}
	}
	return Kind{}, violation.Word(text, Names()...)
}
