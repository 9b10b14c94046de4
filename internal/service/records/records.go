// Package records has the operations on records of hands of all games: it reads the forms and writes them. What a record of a game means is
// in engine/GAME/record, which the games declare.
package records

import (
	"roem/internal/api"
	"roem/internal/engine/record"
	"roem/internal/service"
)

// Game answers the operations on records. It is none of the games, but is declared as they are. It is safe for concurrent use.
type Game struct {
	service *service.Service
	schemas *service.Schemas
	kinds   *record.Kinds
}

// Schemas returns the schemas of the requests.
func (g *Game) Schemas() *service.Schemas { return g.schemas }

// New returns what answers the operations, and registers them with the service. kinds are the kinds of records of the games.
func New(s *service.Service, kinds *record.Kinds) *Game {
	g := &Game{service: s, schemas: service.NewSchemas(s, shapes), kinds: kinds}
	service.Declare(s, Operations, g)
	return g
}

// Operations declares the operations on records.
var Operations = &service.Declaration[*Game]{
	Name:       "records",
	Operations: []service.Declared[*Game]{service.Now("convert", ParseConvert, (*Game).Convert).Large()},
}

// Conversion is a request to write records in another form.
type Conversion struct {
	hands []record.Hand
	form  api.RecordForm
}

// ParseConvert reads the body of convert, and the records in it.
var ParseConvert = service.BodyOf("RecordConvertRequest", func(g *Game, in convertBody) (Conversion, error) {
	hands, err := g.kinds.Read(in.Text)
	if err != nil {
		return Conversion{}, service.FromRecords("/text", err)
	}
	return Conversion{hands, service.Or(in.Form, api.RecordFormText)}, nil
})

// Convert writes records in a form, and as JSON.
func (g *Game) Convert(q Conversion) (api.RecordConversion, error) {
	return g.service.WriteRecords(q.hands, q.form)
}
