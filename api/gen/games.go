package main

import (
	"fmt"
	"slices"
	"strings"

	"roem/api/contract"
)

// game holds the operations of a game.
type game struct {
	name       string // klaverjas, as in operationIds
	tag        string // Klaverjas
	operations []operation
}

// operation is an operation with its name within its game: solve of klaverjasSolve.
type operation struct {
	contract.Operation
	name string
}

// games returns the operations of the clients by game. The operations of jobs and of the server are written by hand; the tests of the
// clients find what nobody has written.
func games(c *contract.Contract) (all []game, err error) {
	for _, one := range c.Operations {
		if one.Tag == "Jobs" || one.Tag == "Server" || one.NotInClients {
			continue
		}
		i := slices.IndexFunc(all, func(g game) bool { return g.tag == one.Tag })
		if i < 0 {
			i, all = len(all), append(all, game{name: lowerFirst(strings.ReplaceAll(one.Tag, " ", "")), tag: one.Tag})
		}
		g := &all[i]
		name, ok := strings.CutPrefix(one.ID, g.name)
		if !ok {
			return nil, fmt.Errorf("the operationId %s does not begin with %s", one.ID, g.name)
		}
		g.operations = append(g.operations, operation{one, lowerFirst(name)})
		if name == "Session" { // it reads what createSession makes, and is looked for by this name too
			g.operations = append(g.operations, operation{one, "getSession"})
		}
	}
	return all, nil
}

// nameOf returns the name of a schema, empty for none.
func nameOf(s *contract.Schema) string {
	if s == nil {
		return ""
	}
	return s.Name
}

// truth returns the value of a boolean that is always the same, or nothing.
func truth(s *contract.Schema) string {
	if s.Type == "boolean" && len(s.Enum) > 0 {
		return s.Enum[0]
	}
	return ""
}

// words returns the values of an enumeration of texts.
func words(s *contract.Schema) []string {
	if s.Type == "string" {
		return s.Enum
	}
	return nil
}
